"""Training and evaluation share no sentence: not a template, not thirteen words in a row.

The templates of every split are compared; a failure counts and names the training's side alone.
"""

import dataclasses
import gzip
import hashlib
import lzma
import pkgutil
import random
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import pytest

from ta_lab.cases.fillers import paragraphs
from ta_lab.collection import SPLITS
from ta_lab.generators import TASKS
from ta_lab.generators.needle import LABEL, QUESTION, STATEMENT
from ta_lab.training import facts, families, loop, sources
from ta_lab.training.corpus import (
    EXAMPLE,
    RUN,
    Corpus,
    build_corpus,
    evaluation_runs,
    evaluation_templates,
    is_evaluation,
    refuse_evaluation,
    runs,
    runs_of,
    write_corpus,
)
from ta_lab.training.families import FAMILIES
from transactional_attention.errors import InputError

WORDS = ("river", "stone", "harbour", "window", "letter", "paper", "garden", "signal")
SCENES = 400
# What is left of a template between its placeholders; shorter pieces are everybody's.
LONG_ENOUGH = 24  # characters, of four words or more
PLACE = re.compile(r"⟦[^⟦⟧]*⟧|\{\w*(?:!\w)?\}|~\w+~")
DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="no ../shared: WikiText-2 and BFCL are not here"
)


def training_texts() -> Iterator[str]:
    for family, make in FAMILIES.items():
        for seed in range(SCENES):
            scene = make(random.Random(f"{family}:{seed}"), 1 + seed % 6, WORDS)
            yield "\n".join([scene.head, *(piece.text for piece in scene.pieces), scene.tail])
            yield from (question.text for question in scene.questions)


def strings(node: Any) -> Iterator[str]:
    """Every string in tuples, lists, sets, tables and dataclasses."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from (text for pair in node.items() for part in pair for text in strings(part))
    elif isinstance(node, tuple | list | set | frozenset):
        yield from (text for part in node for text in strings(part))
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        for field in dataclasses.fields(node):
            yield from strings(getattr(node, field.name))


def training_templates() -> Iterator[tuple[str, str]]:
    """(file or module, text) of all that the families are written from."""
    written = files("ta_lab.data") / "training"
    for path in sorted(Path(str(written)).rglob("*.toml")):
        yield from ((path.stem, text) for text in strings(tomllib.loads(path.read_text("utf-8"))))
    names = [module.name for module in pkgutil.iter_modules(families.__path__)]
    for module in (facts, *(import_module(f"{families.__name__}.{name}") for name in names)):
        for name, value in vars(module).items():
            if not name.startswith("__"):
                yield from ((module.__name__.rpartition(".")[2], text) for text in strings(value))


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return list(training_texts())


@pytest.fixture(scope="module")
def templates() -> list[tuple[str, str]]:
    return list(dict.fromkeys(training_templates()))


@pytest.fixture(scope="module")
def part() -> Corpus:
    """A corpus as a run builds it, of the first part of every source."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "BYTES_PER_SOURCE", 75_000)
        return build_corpus(seed=3)


def lines_of(corpus: Corpus) -> list[str]:
    return [text for kind in corpus.train.values() for text in kind]


def literals(template: str) -> list[str]:
    parts = re.split(r"\{[^{}]*\}", template)
    return [
        part.strip() for part in parts if len(part.strip()) >= LONG_ENOUGH and len(part.split()) > 3
    ]


def blanked(template: str) -> str:
    """A template with one word for every place, white space and capitals folded."""
    return " ".join(PLACE.sub(" blank ", template).lower().split())


def digest(template: str) -> bytes | None:
    """Hash of a template that has enough words of its own; None for what is everybody's."""
    own = PLACE.sub(" ", template).split()
    if len(own) <= 3 or len(" ".join(own)) < LONG_ENOUGH:
        return None
    return hashlib.sha256(blanked(template).encode()).digest()


@pytest.mark.parametrize("task", [name for name, task in TASKS.items() if task.templates])
def test_no_template_of_the_evaluation_is_used_in_training(task: str, texts: list[str]):
    everything = "\n".join(texts)
    templates = TASKS[task].templates
    assert [part for template in templates for part in literals(template)]
    shared = [t for t in templates if any(part in everything for part in literals(t))]
    assert shared == []


def test_no_thirteen_words_in_a_row_are_shared(texts: list[str]):
    assert evaluation_runs().isdisjoint(runs_of(texts))


def test_no_template_has_a_run_or_the_hash_of_one_of_the_evaluation(templates):
    assert len({module for module, _ in templates}) > 15
    asked = runs_of(map(blanked, evaluation_templates())) | runs_of(topics.values())
    hashes = {found for text in evaluation_templates() if (found := digest(text))}
    assert asked and hashes
    shared = [
        f"{module}: {text}"
        for module, text in templates
        if digest(text) in hashes or runs(blanked(text)) & asked
    ]
    assert shared == []


def test_the_label_and_the_sentences_of_the_paper_are_never_stated(texts, templates):
    assert LABEL == facts.HELD_OUT_KEY
    known = [text for module, text in templates if text != LABEL]
    assert not [text for text in (*texts, *known) if is_evaluation(text)]


def test_a_built_corpus_has_nothing_of_the_evaluation(part: Corpus):
    assert len(lines_of(part)) > 3000
    refuse_evaluation(part)


def wikitext() -> Iterator[str]:
    yield lzma.decompress((DATA / "wikitext2" / "test.txt.xz").read_bytes()).decode()


def bfcl() -> Iterator[str]:
    for path in sorted((DATA / "bfcl").rglob("*.json*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        yield text.replace("\\n", " ")


@needs_data
@pytest.mark.parametrize("source", [wikitext, bfcl], ids=lambda source: source.__name__)
def test_files_that_models_are_judged_by_are_not_trained_on(source, texts, templates, part):
    asked = runs_of(source())
    assert len(asked) > 100_000
    for kind in (texts, [text for _, text in templates], lines_of(part)):
        assert not [number for number, text in enumerate(kind) if runs(text) & asked]


PLANTED = {
    "task": max(TASKS["toolcall"].templates, key=len),
    "collection": max(SPLITS["development"].texts(), key=len),
    "filler": max(paragraphs("pydoc"), key=len),
    "statement": STATEMENT.format(label=LABEL),
    "question": QUESTION.format(label=LABEL),
    "example": f"It reads {EXAMPLE.lower()}.",
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_corpus_with_any_of_it_is_refused_before_a_run(kind, tmp_path: Path, lines: list[str]):
    many = [f"{line} {number}" for number, line in enumerate(lines * 8)]
    planted = f"Before it. {PLANTED[kind]} After it."
    write_corpus(Corpus({"prose": [*many, planted]}), tmp_path / "corpus.txt")
    with pytest.raises(InputError, match=f"paragraphs: 1, .* prose {len(many) + 1}\\)") as refused:
        loop.train_model(tmp_path / "run", corpus=tmp_path / "corpus.txt")
    assert PLANTED[kind] not in str(refused.value)
    assert not list((tmp_path / "run").iterdir())


def test_runs_are_of_words_in_every_script():
    words = " ".join(map(str, range(RUN)))
    assert runs(f"a, {words}") & runs(f"{words}_b")
    assert not runs(words) & runs(words.replace("12", "13"))
    assert len(runs("春夏秋冬雨雪風雲山川花鳥月")) == 1


def test_a_template_with_other_places_has_the_same_hash():
    theirs, ours = "Please hand ⟦!pin|door pin⟧ to the porter.", "please hand {v} to  the porter."
    assert digest(theirs) == digest(ours) != digest(ours.replace("porter", "guard"))
    assert digest("The {key} is: {value}") is None
