"""Training and evaluation share no sentence: not thirteen words in a row, nor the paper's needle.

The templates of every split are compared; a failure counts and names the training's side alone.
"""

import gzip
import lzma
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics

import pytest

from ta_lab.collection import SPLITS
from ta_lab.data import packed
from ta_lab.generators import TASKS
from ta_lab.generators.needle import LABEL, QUESTION, STATEMENT

RUN = 13
"""This many words in a row are no accident."""
EXAMPLE = "XK7M9P2Q"  # the value in the paper's statement
DATA = Path(__file__).parents[3] / "shared" / "data"
FROZEN = ("scenes", "plain", "documents", "paragraphs")
# A word of letters and digits; one character of the scripts that put no space between words.
WORD = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uf900-\ufaff]|[^\W_\u0e00-\u0eff\u2e80-\u9fff]+")


def runs(text: str) -> set[tuple[str, ...]]:
    words = WORD.findall(text.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def runs_of(texts: Iterable[str]) -> set[tuple[str, ...]]:
    return {run for text in texts for run in runs(text)}


@cache
def evaluation_runs() -> frozenset[tuple[str, ...]]:
    """Of the templates of the tasks and of all splits, and of the default filler."""
    templates = [text for task in TASKS.values() for text in task.templates]
    templates += [text for split in SPLITS.values() for text in split.texts()]
    return frozenset(runs_of([*templates, *topics.values()]))


def test_every_task_names_its_sentences():
    """A task without templates would be compared with nothing: the needle's are the paper's own,
    those of ``alike`` are named by ``confusers``."""
    assert {name for name, task in TASKS.items() if not task.templates} == {"needle", "alike"}


def is_evaluation(text: str) -> bool:
    if LABEL in text.lower() or EXAMPLE.lower() in text.lower():
        return True
    return not evaluation_runs().isdisjoint(runs(text))


def strings(row: object) -> Iterator[str]:
    if isinstance(row, str):
        yield row
    elif isinstance(row, list):
        yield from (text for part in row for text in strings(part))


def frozen(name: str) -> list[str]:
    return [text for row in packed(f"frozen/{name}") for text in strings(row)]


@pytest.mark.parametrize("name", FROZEN)
def test_frozen_texts_have_nothing_of_the_evaluation(name: str):
    texts = frozen(name)
    assert len(texts) >= 400
    assert [number for number, text in enumerate(texts) if is_evaluation(text)] == []


def wikitext() -> Iterator[str]:
    yield lzma.decompress((DATA / "wikitext2" / "test.txt.xz").read_bytes()).decode()


def bfcl() -> Iterator[str]:
    for path in sorted((DATA / "bfcl").rglob("*.json*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        yield text.replace("\\n", " ")


@pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared: WikiText-2 and BFCL are not here")
@pytest.mark.parametrize("source", [wikitext, bfcl], ids=lambda source: source.__name__)
def test_files_that_models_are_judged_by_are_not_trained_on(source):
    asked = runs_of(source())
    assert len(asked) > 100_000
    for name in FROZEN:
        assert [number for number, text in enumerate(frozen(name)) if runs(text) & asked] == []


PLANTED = {
    "task": max(TASKS["toolcall"].templates, key=len),
    "collection": max(SPLITS["development"].texts(), key=len),
    "filler": max(topics.values(), key=len),
    "statement": STATEMENT.format(label=LABEL),
    "question": QUESTION.format(label=LABEL),
    "example": f"It reads {EXAMPLE.lower()}.",
}


@pytest.mark.parametrize("kind", PLANTED)
def test_any_of_it_is_found(kind: str):
    assert is_evaluation(f"Before it. {PLANTED[kind]} After it.")


def test_runs_are_of_words_in_every_script():
    words = " ".join(map(str, range(RUN)))
    assert runs(f"a, {words}") & runs(f"{words}_b")
    assert not runs(words) & runs(words.replace("12", "13"))
    assert len(runs("春夏秋冬雨雪風雲山川花鳥月")) == 1
