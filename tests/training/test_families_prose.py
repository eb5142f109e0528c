import functools
import random
import re

import pytest

from ta_lab.training.families import chat, prose
from ta_lab.training.families.drafts import CONCEPTS, CORRECTED, LABELS, PROSE, everyday
from ta_lab.training.scene import Scene

WORDS = "secret code river table engine window garden paper token signal carpet north".split()
SEEDS = 500
PROSE_MAKERS = [*prose.MAKERS.values()]
MAKERS = [*PROSE_MAKERS, *chat.MAKERS]
ROLE = re.compile(r"<\|(system|user|assistant|tool|end)\|>")


@functools.cache
def scenes(make):
    return [make(random.Random(seed), 1 + seed % 22, WORDS) for seed in range(SEEDS)]


def whole(scene: Scene) -> str:
    asked = "".join(f"{q.text}{q.answer}<|end|>" for q in scene.questions)
    return scene.head + " filler ".join(["", *(p.text for p in scene.pieces), scene.tail]) + asked


@pytest.mark.parametrize("make", MAKERS)
def test_answers_are_the_values_of_their_pieces(make):
    for scene in scenes(make):
        values = [piece.value for piece in scene.pieces if piece.value]
        assert len(set(values)) == len(values)
        assert scene.questions
        assert "secret code" not in whole(scene).lower().replace("_", " ")
        assert not re.search(r"\{\w*\}", whole(scene))
        for question in scene.questions:
            assert question.answer == " " + scene.pieces[question.piece].value
            assert len(question.answer) > 2 and question.answer.strip() == question.answer[1:]


@pytest.mark.parametrize("make", PROSE_MAKERS)
def test_plain_questions_begin_a_line_and_have_no_roles(make):
    for scene in scenes(make):
        assert not ROLE.search(whole(scene).replace("<|end|>", ""))
        assert all(question.text.startswith("\n") for question in scene.questions)


@pytest.mark.parametrize("make", chat.MAKERS)
def test_messages_are_closed_before_the_next_begins(make):
    for scene in scenes(make):
        marks = ROLE.findall(whole(scene))
        assert marks[0] != "end" and scene.head.startswith("<|")
        assert all((mark == "end") == bool(place % 2) for place, mark in enumerate(marks))
        assert marks[-1] == "end"
        begun = ROLE.split(scene.head + scene.tail)
        assert begun[-1] == ""
        for question in scene.questions:
            assert question.text.startswith("<|user|>")
            assert question.text.endswith("<|end|><|assistant|>")
        assert "<|assistant|><|" not in whole(scene)
        assert not re.search(r"<\|assistant\|>[^ ]", whole(scene))


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


def test_scenes_vary():
    for make in MAKERS:
        firsts = {scene.pieces[0].before for scene in scenes(make)}
        asked = {scene.questions[0].text for scene in scenes(make)}
        assert len(firsts) > SEEDS * 0.4 and len(asked) > SEEDS * 0.5
