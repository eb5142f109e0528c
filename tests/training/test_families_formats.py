import random
import re

import pytest

from ta_lab.training.families import formats, tools
from ta_lab.training.families.format_keys import clashes, draw_keys
from ta_lab.training.families.formats import QUESTIONS
from ta_lab.training.families.tools import draw_tools, random_style

WORDS = (
    "river stone apple market window garden letter engine carbon bridge paper signal captain "
    "forest orange silver winter music table ocean secret code kitchen ladder button pencil"
).split()
SEEDS = range(500)


@pytest.fixture(scope="module", params=[formats, tools], ids=["formats", "tools"])
def scenes(request):
    made = []
    for seed in SEEDS:
        facts = 1 + seed % 4 if seed % 25 else 22
        made.append((facts, request.param.scene(random.Random(seed), facts, WORDS)))
    return made


def skeleton(scene):
    text = "".join(f"{piece.before}V{piece.after}" for piece in scene.pieces)
    for word in WORDS:
        text = re.sub(word, "w", text, flags=re.IGNORECASE)
    return re.sub(r"\w+", "w", text)


def test_scenes_and_questions_are_of_many_shapes(scenes):
    single = [scene for facts, scene in scenes if facts == 1]
    assert len({skeleton(scene) for scene in single}) > 0.75 * len(single)
    asked = {re.sub(r"\w*_\w*", "k", scene.questions[0].text) for _, scene in scenes}
    assert len(asked) > 300


def test_keys_and_nouns_are_told_apart():
    for seed in SEEDS[::4]:
        rng = random.Random(seed)
        nouns = [tool.noun for tool in draw_tools(rng, 8, WORDS)]
        for keys in (draw_keys(rng, 8, WORDS), nouns):
            assert not any(clashes(key, keys[:at]) for at, key in enumerate(keys))


def test_owners_are_named_where_they_share_a_key():
    for seed in SEEDS[::4]:
        rng = random.Random(seed)
        draft = formats._Draft(WORDS, ["db password"], [], [], [])
        formats._sections(rng, draft, "db password", 2)
        places = [subject.place for subject in draft.subjects]
        assert len(set(places)) == len(places) == 2
        assert all(place.lower() in draft.blocks[0].lower() for place in places)
    assert all("{p}" in template for template in QUESTIONS.placed)


def test_there_are_many_phrasings():
    assert len({*QUESTIONS.plain, *QUESTIONS.sourced, *QUESTIONS.placed}) >= 25
    assert len(set(tools.TEXTS.called)) >= 25


def test_a_call_that_is_shown_with_a_blank_is_answered_in_its_form():
    for seed in range(300):
        rng = random.Random(seed)
        talk = tools._Talk(WORDS, random_style(rng), {})
        (tool,) = draw_tools(rng, 1, WORDS)
        form, answer = tools._shown(rng, talk, tool, "V4LU3")
        form, answer = form.replace('"', ""), answer.replace('"', "")
        assert answer in {
            form.replace(blank, "V4LU3") for blank in tools.TEXTS.blanks if blank in form
        }


def test_some_questions_show_the_call(scenes):
    shown = [text.partition("{c}")[0] for text in tools.TEXTS.shown]
    starts = tuple(start for start in shown if len(start) > 5)
    asked = [q.text for _, scene in scenes for q in scene.questions if scene.family == "tools"]
    share = sum(any(start in text for start in starts) for text in asked) / max(1, len(asked))
    assert not asked or 0.1 < share < 0.3
