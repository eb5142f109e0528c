"""Texts that were written by hand: their marks, and the cases that they make."""

import re

import pytest

from ta_lab.cli import collection as command
from ta_lab.collection.annotated import ANNOTATED, LOCKED, locked_cases, marked_texts
from ta_lab.training.character_data import JUDGED, annotated, is_kept_apart

HEADED = re.compile(r"^#{2,4} ?(?:[A-Za-z][\w-]*\d+ .*|\S+ \S+ [a-z]{2})$", re.MULTILINE)
"""What was meant as the first line of a text."""


@pytest.mark.parametrize("folder", [LOCKED, ANNOTATED])
def test_every_text_has_a_head_that_is_read(folder):
    wrong = {text.id: HEADED.findall(text.text) for text in marked_texts(folder)}
    assert {name: lines for name, lines in wrong.items() if lines} == {}, "ID KIND LANGUAGE"
    assert all(text.text.strip() for text in marked_texts(folder))


@pytest.mark.parametrize("folder", [LOCKED, ANNOTATED])
def test_marks_are_taken_out_and_values_lie_where_they_stood(folder):
    texts = marked_texts(folder)
    assert len({text.id for text in texts}) == len(texts) >= 400
    for text in texts:
        assert "\u27e6" not in text.text and "\u27e7" not in text.text
        assert all(text.text[begin:end].strip() for begin, end in text.values)
        assert list(text.values) == sorted(text.values)


def test_a_case_asks_for_one_value_and_counts_all():
    cases = locked_cases()
    assert len({case.id for case in cases}) == len(cases) > 1000
    assert all(len(case.critical) == 1 for case in cases if case.values)
    assert {case.family for case in cases} == {
        "formats", "languages", "prose", "transcripts", "value-free",
    }  # fmt: skip
    assert command._cases(LOCKED, 0) == cases


def test_training_reads_no_locked_text_and_holds_a_part_of_the_written_out():
    locked = {text.text for text in marked_texts(LOCKED)}
    made = list(annotated(1))
    assert not locked & {item.text for item in made}
    judged = {item.text for item in made if item.family == JUDGED}
    assert judged == {text.text for text in marked_texts(ANNOTATED) if is_kept_apart(text.id)}
