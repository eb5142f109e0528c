"""Needle cases: as long as asked, the value where asked (what all tasks owe: test_tasks)."""

import pytest

from scenes import half
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.fillers import DETECTORS, paragraphs
from ta_lab.generators.needle import needle_case
from transactional_attention import InputError, load_embedded
from transactional_attention.detection.scanner import Scanner


@pytest.fixture(scope="module")
def tokenizer():
    return load_embedded()[1]


@pytest.mark.parametrize(("context", "depth"), half([256, 1024, 4096], [0.0, 0.1, 0.5, 0.9, 1.0]))
def test_length_and_depth(tokenizer, context, depth):
    case = needle_case(tokenizer, context=context, depth=depth, seed=3)
    encoded = encode_case(tokenizer, case)
    total = len(encoded.ids) + len(encoded.question)
    (value,) = encoded.values
    assert context * 0.93 - 8 <= total <= context + 4
    assert value.start / len(encoded.ids) == pytest.approx(depth, abs=0.12)
    assert case.context.count(f"The secret code is: {case.answer}") == 1


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
