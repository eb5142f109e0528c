import random

import pytest
import torch

from ta_lab.training import visibility
from ta_lab.training.documents import Document, DocumentMaker

LENGTH = 256


def fresh(maker: DocumentMaker, rng: random.Random) -> Document:
    return maker.retrieval(rng, LENGTH, "plain", 4, 2)


def value_slots(document: Document, fact: int) -> slice:
    return slice(*document.facts[fact])


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch):
    def fix(**values: float) -> None:
        for name, value in values.items():
            monkeypatch.setattr(visibility, f"{name}_SHARE", value)

    return fix


def test_no_row_sees_the_future_and_every_row_sees_itself(maker: DocumentMaker):
    rng = random.Random(0)
    for _ in range(20):
        visible = visibility.pruned_visibility(fresh(maker, rng), LENGTH, rng)
        assert not visible.triu(1).any()
        assert visible.diagonal().all()
        assert visible[:, 0].all()


def test_strict_answers_see_the_value_and_a_few_last_tokens(maker: DocumentMaker, shares):
    shares(STRICT=1.0, NOISE=0.0, LOST=0.0, STREAMED=0.0)
    rng = random.Random(1)
    for _ in range(20):
        document = fresh(maker, rng)
        visible = visibility.pruned_visibility(document, LENGTH, rng)
        for turn in document.turns:
            start, end = document.facts[turn.fact]
            question = visible[turn.answer - 1]
            assert question[turn.question : turn.answer].all()
            assert question[start:end].all()
            for row in range(turn.answer, turn.end):
                seen = visible[row]
                assert seen[start:end].all()
                assert seen[: document.context].sum() <= 1 + (end - start) + 4
                assert not seen[document.context : turn.question].any()
                assert seen[document.context :].sum() <= 10


def test_on_top_answers_see_the_cut_context_and_all_after_it(maker: DocumentMaker, shares):
    shares(STRICT=0.0, NOISE=0.0, LOST=0.0, STREAMED=0.0)
    rng = random.Random(2)
    document = fresh(maker, rng)
    visible = visibility.pruned_visibility(document, LENGTH, rng)
    row = visible[len(document.ids) - 1]
    assert row[document.context : len(document.ids)].all()
    assert row[: document.context].sum() < document.context / 2
    assert all(row[value_slots(document, turn.fact)].all() for turn in document.turns)


@pytest.mark.parametrize("strict", [0.0, 1.0])
def test_a_lost_value_is_unseen_and_has_no_loss(maker: DocumentMaker, shares, strict: float):
    shares(STRICT=strict, LOST=1.0, STREAMED=0.0)
    rng = random.Random(3)
    for _ in range(20):
        document = fresh(maker, rng)
        visible = visibility.pruned_visibility(document, LENGTH, rng)
        lost = [
            turn for turn in document.turns if not any(document.weights[turn.answer : turn.end])
        ]
        assert len(lost) == 1
        rows = visible[lost[0].question : lost[0].end]
        assert not rows[:, value_slots(document, lost[0].fact)].any()


def test_streamed_contexts_see_earlier_values_only_as_kept(maker: DocumentMaker, shares):
    shares(STREAMED=1.0)
    rng = random.Random(5)
    document = fresh(maker, rng)
    visible = visibility.pruned_visibility(document, LENGTH, rng)
    assert not torch.equal(visible, visibility.causal(LENGTH))
    assert visible[: document.context].diagonal().all()
