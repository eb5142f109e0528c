import random

import pytest
import torch

from ta_lab.training.batches import make_batch
from ta_lab.training.curriculum import Shape
from ta_lab.training.documents import (
    BEGIN_ID,
    END_ID,
    END_WEIGHT,
    FIRST_WEIGHT,
    VALUE_WEIGHT,
    DocumentMaker,
)
from ta_lab.training.families import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_spans_decode_to_the_answers(maker: DocumentMaker, family: str):
    rng = random.Random(7)
    for _ in range(20):
        document = maker.retrieval(rng, 1024, family, 6, 6)
        assert document.ids[0] == BEGIN_ID
        assert len(document.ids) <= 1024
        assert document.turns
        for turn in document.turns:
            start, end = document.facts[turn.fact]
            stated = maker.tokenizer.decode(document.ids[start:end]).strip()
            answer = maker.tokenizer.decode(document.ids[turn.answer : turn.end - 1])
            assert document.ids[turn.end - 1] == END_ID
            assert answer.startswith(" ")
            assert stated in answer or answer.strip() in stated  # a mark may share a token


def test_tokens_are_those_of_the_whole_text(maker: DocumentMaker):
    rng = random.Random(8)
    for _ in range(20):
        document = maker.retrieval(rng, 300, "labelled", 4, 4)
        context = document.ids[1 : document.context]
        text = maker.tokenizer.decode(context)
        assert maker.tokenizer.encode(text, add_special_tokens=False).ids == context


def test_loss_is_on_answers_first(maker: DocumentMaker):
    document = maker.retrieval(random.Random(9), 256, "plain", 3, 3)
    for turn in document.turns:
        weights = document.weights[turn.answer : turn.end]
        assert weights.count(FIRST_WEIGHT) == 1  # where the value begins
        assert FIRST_WEIGHT in weights[:2]
        assert weights[-1] == END_WEIGHT
        assert set(weights[:-1]) <= {FIRST_WEIGHT, VALUE_WEIGHT}
    assert document.weights[0] == 0


def test_facts_that_do_not_fit_are_left_out(maker: DocumentMaker):
    document = maker.retrieval(random.Random(10), 128, "labelled", 40, 40)
    assert len(document.ids) <= 128
    assert document.turns


def test_a_batch_depends_on_seed_and_step_alone(maker: DocumentMaker):
    shape = Shape(128, 4, (1, 4), (1, 4), {"plain": 1.0}, pruned=0.95)
    first, again, other = (make_batch(maker, shape, 3, step) for step in (5, 5, 6))
    assert torch.equal(first.ids, again.ids)
    assert torch.equal(first.positions, again.positions)
    assert torch.equal(first.selected, again.selected)
    assert torch.equal(first.visible, again.visible)
    assert not torch.equal(first.ids, other.ids)
