"""Needle cases: as long as asked, the value where asked, the same for the same seed."""

import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.cases.fillers import DETECTORS, paragraphs
from ta_lab.generators.needle import needle_case
from transactional_attention import InputError, load_embedded
from transactional_attention.detection.scanner import Scanner


@pytest.fixture(scope="module")
def tokenizer():
    return load_embedded()[1]


@pytest.mark.parametrize("context", [256, 1024, 4096])
@pytest.mark.parametrize("depth", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_length_and_depth(tokenizer, context, depth):
    case = needle_case(tokenizer, context=context, depth=depth, seed=3)
    encoded = encode_case(tokenizer, case)
    total = len(encoded.ids) + len(encoded.question)
    (value,) = encoded.values
    assert context * 0.93 - 8 <= total <= context + 4
    assert value.start / len(encoded.ids) == pytest.approx(depth, abs=0.12)


def test_the_value_span_is_the_answer(tokenizer):
    case = needle_case(tokenizer, context=512, depth=0.5, seed=1)
    (value,) = case.values
    assert case.context[value.start : value.end] == case.answer
    assert case.context.count(case.answer) == 1
    assert f"The secret code is: {case.answer}" in case.context
    assert case.answer not in case.question


def test_seeds_decide_everything(tokenizer):
    def make(seed):
        return needle_case(tokenizer, context=256, depth=0.5, seed=seed)

    assert make(1) == make(1)
    assert make(1).answer != make(2).answer


def test_anchor_free_filler_has_no_anchor():
    found = paragraphs("anchor-free")
    assert len(found) > 500
    assert Scanner(DETECTORS).feed("\n".join(found[:400]), True) == []


def test_a_file_as_filler(tokenizer, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one two three four five six\n \nseven eight nine ten eleven twelve")
    case = needle_case(tokenizer, context=200, depth=0.5, seed=0, filler_name=str(path))
    assert "seven eight nine" in case.context
    assert str(tmp_path) not in case.id


@pytest.mark.parametrize("content", [b"", b"short\n\nlines", b"\xff\xfe bad"])
def test_unusable_fillers_are_named(tokenizer, tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"words\.txt"):
        needle_case(tokenizer, context=200, depth=0.5, seed=0, filler_name=str(path))
