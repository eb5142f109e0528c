import random
import re

import pytest

from ta_lab.training.families import chat, prose
from ta_lab.training.families.drafts import CONCEPTS, CORRECTED, LABELS, PROSE, everyday

WORDS = "secret code river table engine window garden paper token signal carpet north".split()
SEEDS = 500


@pytest.mark.parametrize("make", [prose.MAKERS["corrections"], chat.amended])
def test_corrected_labels_are_asked_for_their_later_value(make):
    original = re.compile("before|original|at first|first|initially|outdated", re.IGNORECASE)
    asked = earlier = 0
    for seed in range(SEEDS):
        scene = make(random.Random(seed), 2, WORDS)
        assert 1 <= len(scene.pieces) <= 3
        for question in scene.questions:
            asked += 1
            if question.piece < len(scene.pieces) - 1:
                earlier += 1
                assert original.search(question.text)
    assert 0 < earlier < asked * 0.1


def test_one_label_in_many_may_stay_uncorrected():
    pointed = set()
    for seed in range(SEEDS):
        scene = prose.MAKERS["corrections"](random.Random(seed), 3, WORDS)
        pointed |= {question.piece for question in scene.questions}
    assert pointed >= {0, 1, 2}


def test_tables_are_large_and_without_repeats():
    for table, least in (
        (PROSE.statements, 60),
        (PROSE.questions, 40),
        (PROSE.completions, 15),
        (CORRECTED.corrections, 25),
        (CONCEPTS, 60),
        ([(*axis.values(),) for axis in LABELS.axes], 20),
        (chat.TEXTS.asks, 15),
    ):
        assert len(table) >= least and len(set(table)) == len(table)
    for template in (*PROSE.statements, *CORRECTED.corrections, *LABELS.in_list, *LABELS.about):
        assert template.count("{value}") == 1
    assert all("{key}" in text or "{Key}" in text for text in (*PROSE.questions, *PROSE.statements))


def test_concepts_are_complete_and_their_names_unique():
    names = [label for concept in CONCEPTS for label in concept.labels]
    assert len(set(names)) == len(names)
    for concept in CONCEPTS:
        assert len(concept.statements) >= 5 and len(concept.questions) >= 5
        assert all(text.count("{value}") == 1 for text in concept.statements)
        assert len({everyday(concept.value)(random.Random(seed)) for seed in range(40)}) > 15
