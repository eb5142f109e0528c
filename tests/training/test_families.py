"""What every family of training scenes owes: answers, marks, words that are held out, variety."""

import random
import re

import pytest

from ta_lab.training.facts import is_held_out
from ta_lab.training.families import FAMILIES, chat
from ta_lab.training.families.languages import ENGLISH, LANGUAGES
from ta_lab.training.scene import Piece, Question, Scene
from ta_lab.training.values import brief_value, with_values

WORDS = "secret code river table engine window garden paper token signal carpet north".split()
MAKERS = FAMILIES | {f"chat.{make.__name__}": make for make in chat.MAKERS}
SEEDS = 300
ALL_ASKED = {"pairs", "plain", "labelled", "formats", "tools", "languages", "woven"}
STATED_ONCE = {"plain", "unstructured", "formats", "tools", "languages", "woven"}
ROLES = {"system", "user", "assistant", "tool"}
OPEN = re.compile(
    "[\ue000-\uf8ff]|¦|⟦|~(w|W|n|ts|p|ip|host|lv|hex|d|t|s|date)~"
    r"|\{(n|v|q|a|f|s|p|t|N|T|snake|camel|words|value|key|Key)\}"
)


@pytest.fixture(scope="module", params=MAKERS)
def family(request):
    make = MAKERS[request.param]
    made = [make(random.Random(seed), 1 + seed % 22, WORDS) for seed in range(SEEDS)]
    assert made[3] == make(random.Random(3), 4, WORDS)
    return request.param, made


def stated(scene):
    return scene.head + "".join(piece.text for piece in scene.pieces) + scene.tail


def test_an_answer_is_the_value_of_its_piece(family):
    name, scenes = family
    for scene in scenes:
        asked = [question.piece for question in scene.questions]
        valued = [index for index, piece in enumerate(scene.pieces) if piece.value]
        assert asked and set(asked) <= set(valued)
        assert name not in ALL_ASKED or sorted(asked) == valued
        assert len({question.text for question in scene.questions}) == len(asked)
        for question in scene.questions:
            value = scene.pieces[question.piece].value
            assert question.answer.startswith(" ") and question.answer.count(value) == 1
            assert name.endswith("tools") or question.answer == f" {value}"
            assert name not in STATED_ONCE or stated(scene).count(value) == 1
            assert name not in STATED_ONCE or value not in question.text


def test_no_slot_is_left_open_and_the_held_out_label_is_nowhere(family):
    for scene in family[1]:
        text = stated(scene) + "".join(part.text + part.answer for part in scene.questions)
        assert not OPEN.search(text)
        assert not is_held_out(re.sub(r"[\W_]+", " ", text))


def test_messages_are_opened_and_closed_in_turn(family):
    chats = 0
    for scene in family[1]:
        said = stated(scene)
        asked = "".join(f"{part.text}{part.answer}<|end|>" for part in scene.questions)
        marks = re.findall(r"<\|(\w+)\|>", said + asked)
        if set(marks) == {"end"}:
            assert "<|" not in said
            assert all(part.text.startswith("\n") for part in scene.questions)
            continue
        chats += 1
        assert said.startswith("<|") and said.endswith("<|end|>") and len(marks) % 2 == 0
        assert set(marks[::2]) <= ROLES and set(marks[1::2]) == {"end"}
        spoken = re.findall(r"<\|assistant\|>(.)", said + asked)
        assert all(begin in " <" for begin in spoken)
    assert chats == SEEDS if family[0].startswith("chat") else chats < SEEDS


def test_scenes_vary(family):
    firsts = {scene.pieces[0].before for scene in family[1]}
    assert len(firsts) > 0.4 * SEEDS
    assert len({scene.questions[0].text for scene in family[1]}) > 0.4 * SEEDS


def test_formats_find_owners_where_a_corpus_has_few_words():
    for seed in range(60):
        scene = FAMILIES["formats"](random.Random(seed), 1 + seed % 22, WORDS[:3])
        assert len(scene.questions) == 1 + seed % 22


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_complete(code):
    phrases = LANGUAGES[code]
    assert len(phrases.labels) == len(ENGLISH)
    assert len({label.name for label in phrases.labels}) == len(ENGLISH)
    assert len(set(phrases.statements)) >= 10 and len(set(phrases.questions)) >= 8
    for label in phrases.labels:
        assert not phrases.forms or label.kind in phrases.forms
        for text in phrases.statements:
            assert text.count("{value}") == 1
            filled = text.format(value="V4LU3", **phrases.slots(label)).lower()
            assert label.name.lower() in filled or label.acc.lower() in filled
        for text in phrases.questions:
            filled = text.format(**phrases.slots(label)).lower()
            assert label.name.lower() in filled or label.acc.lower() in filled


@pytest.mark.parametrize("name", FAMILIES)
def test_a_scene_with_other_values_says_the_same(name):
    rng = random.Random(3)
    for _ in range(20):
        scene = with_values(FAMILIES[name](rng, 5, WORDS), lambda: brief_value(rng))
        for question in scene.questions:
            value = scene.pieces[question.piece].value
            assert value and value in question.answer


def test_a_value_is_replaced_everywhere():
    pieces = [Piece("The code is ", "AB12CD34", "."), Piece("Not AB12CD34 but ", "ZZ99ZZ99", ".")]
    scene = Scene(pieces, [Question("Which replaces AB12CD34?", " ZZ99ZZ99", 1)])
    brief = with_values(scene, iter(("K7Q2", "zinc")).__next__)
    first, second = (piece.value for piece in brief.pieces)
    assert first != second
    assert brief.pieces[1].before == f"Not {first} but "
    assert brief.questions[0] == Question(f"Which replaces {first}?", f" {second}", 1)
    assert "AB12CD34" not in repr(brief)
