"""The corpus of a run: English prose, code, other languages.

A paragraph that shares a run of words with what the model is measured on is dropped: runs are
compared and nothing is printed, so that the test split of the collection stays unread.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from pydoc_data.topics import topics

from transactional_attention.errors import InputError

from ..collection import SPLITS
from ..generators import TASKS
from . import sources
from .checkpoint import write
from .facts import is_held_out

RUN = 13
"""So many words in a row are no accident."""
EXAMPLE = "XK7M9P2Q"
"""The value in the paper's statement, "The secret code is: ..."; the label is HELD_OUT_KEY."""
# A word of letters and digits; one character of the scripts that put no space between words.
WORD = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uf900-\ufaff]|[^\W_\u0e00-\u0eff\u2e80-\u9fff]+")


def runs(text: str, size: int = RUN) -> set[int]:
    """Hashes of every run of `size` words; they hold within one process."""
    words = WORD.findall(text.lower())
    return {hash(tuple(words[i : i + size])) for i in range(len(words) - size + 1)}


def runs_of(texts: Iterable[str], size: int = RUN) -> set[int]:
    """Runs of all of the texts."""
    return {run for text in texts for run in runs(text, size)}


def evaluation_templates() -> Iterator[str]:
    """Templates of the tasks and of all splits of the collection."""
    for task in TASKS.values():
        yield from task.templates
    for split in SPLITS.values():
        yield from split.texts()


@cache
def evaluation_runs(size: int = RUN) -> frozenset[int]:
    """Runs of words of these templates and of the default filler: no text of training has one."""
    return frozenset(runs_of([*evaluation_templates(), *topics.values()], size))


def is_evaluation(text: str) -> bool:
    """Whether a text has RUN words of the evaluation in a row, the paper's label or its value."""
    if is_held_out(text) or EXAMPLE.lower() in text.lower():
        return True
    return not evaluation_runs().isdisjoint(runs(text))


LEAST = 2400  # paragraphs of prose
SHARED_WORDS = 10
PROSE, CODE = "prose", "code"


@dataclass(frozen=True)
class Corpus:
    """Paragraphs to train on, by kind: prose, code, a language."""

    train: dict[str, list[str]]

    @cached_property
    def sha256(self) -> str:
        """Checksum of all of it."""
        return hashlib.sha256("\n".join(_lines(self)).encode()).hexdigest()

    @cached_property
    def words(self) -> list[str]:
        """Lower-case words of three to nine letters, for invented keys, in a fixed order."""
        lines = self.train[PROSE][:4000]
        return sorted({word for line in lines for word in re.findall(r"\b[a-z]{3,9}\b", line)})


def build_corpus(seed: int = 0, languages: Path | None = None) -> Corpus:
    """Read the sources of this machine into a corpus of a few megabytes.

    `languages` is a folder with the declaration's translations. The order depends on `seed` alone,
    the text on the installed versions (`Corpus.sha256`). Raises InputError when nothing usable is
    found."""
    translated = sources.translations(languages)  # first: an empty folder is refused at once
    forbidden = evaluation_runs(SHARED_WORDS)
    prose: list[str] = []
    for group in sources.prose_groups():
        prose += _unshared(group, forbidden)
    if len(prose) < LEAST:
        raise InputError(
            f"the training corpus has {len(prose)} paragraphs, {LEAST} are needed: install Python "
            "with its standard library sources, and the package's dependencies with theirs"
        )
    lines = sorted(set(prose))
    random.Random(seed).shuffle(lines)
    others = {CODE: _unshared(sources.code(), forbidden), **translated}
    return Corpus({PROSE: lines} | {kind: found for kind, found in others.items() if found})


def _unshared(texts: Iterator[str], forbidden: frozenset[int]) -> list[str]:
    """Different texts that share nothing with `forbidden`, up to BYTES_PER_SOURCE."""
    kept: dict[str, None] = {}
    taken = 0
    for text in texts:
        if text not in kept and forbidden.isdisjoint(runs(text, SHARED_WORDS)):
            kept[text] = None
            taken += len(text)
        if taken > sources.BYTES_PER_SOURCE:
            break
    return list(kept)


def refuse_evaluation(corpus: Corpus) -> None:
    """Read all of a corpus once; raises InputError when any of it is in the evaluation.

    The message counts and names places: the texts themselves stay unread."""
    found = [
        f"{kind} {number}"
        for kind, texts in corpus.train.items()
        for number, text in enumerate(texts, 1)
        if is_evaluation(text)
    ]
    if found:
        raise InputError(
            f"what the model is measured on is in the corpus (paragraphs: {len(found)}, the first: "
            f"{found[0]}): start without --corpus, or leave them out"
        )


def _lines(corpus: Corpus) -> Iterator[str]:
    """One JSON line a paragraph: its kind and its text."""
    for kind, texts in corpus.train.items():
        for text in texts:
            yield json.dumps([kind, text], ensure_ascii=False)


def write_corpus(corpus: Corpus, path: Path) -> None:
    """Write one paragraph a line; raises InputError when the disk is full."""
    write(path, ("\n".join(_lines(corpus)) + "\n").encode())


def read_corpus(path: Path) -> Corpus:
    """Read what `write_corpus` wrote; raises InputError for a missing or damaged file."""
    found: dict[str, list[str]] = {}
    try:
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            kind, text = json.loads(line)
            found.setdefault(kind, []).append(text)
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name} cannot be read: start the run without --resume") from error
    if PROSE not in found:
        raise InputError(f"{path.name} is empty: start the run without --resume")
    return Corpus(found)
