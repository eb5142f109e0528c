"""Texts that people wrote by hand for this project, with the values that they state marked.

``data/locked``: the locked split, which nobody reads to choose anything; its writers saw nothing of
the project. ``data/annotated``: texts of the same kinds to train with. A text begins with a line
``### ID KIND LANGUAGE``: letters and a number, a word in lower case, two letters. Any other heading
belongs to the text. A value stands between ``⟦`` and ``⟧``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from ..cases.cases import Case, Value

LOCKED, ANNOTATED = "locked", "annotated"
VALUE_FREE = "value-free"
_HEAD = re.compile(
    r"^### (?P<id>[A-Za-z][a-z-]*\d+) (?P<kind>[a-z][a-z\d-]*) (?P<lang>[a-z]{2})\n", re.MULTILINE
)
_MARK = re.compile("[⟦⟧]")


class Marked(NamedTuple):
    """A text without its marks, and the values [begin, end) that it states, in characters."""

    id: str
    family: str
    kind: str
    lang: str
    text: str
    values: tuple[tuple[int, int], ...]


@lru_cache(maxsize=2)
def marked_texts(folder: str) -> tuple[Marked, ...]:
    """The texts of a folder of ``data``, by file; a file is a family.

    Raises ValueError for marks that are not paired."""
    place = files("ta_lab") / "data" / folder
    names = sorted(item.name for item in place.iterdir() if item.name.endswith(".txt"))
    return tuple(
        text
        for name in names
        for text in parsed(name.removesuffix(".txt"), (place / name).read_text(encoding="utf-8"))
    )


def locked_cases() -> list[Case]:
    """A case a value: K counts all values of its text, and this one is asked for. A text that
    states none is a case of its own."""
    return [case for text in marked_texts(LOCKED) for case in _cases(text)]


def _cases(text: Marked) -> Iterator[Case]:
    if not text.values:
        yield Case(f"locked-{text.id}", text.text, family=VALUE_FREE, lang=text.lang)
    for asked in range(len(text.values)):
        values = tuple(
            Value(begin, end, critical=number == asked)
            for number, (begin, end) in enumerate(text.values)
        )
        name = f"locked-{text.id}-{asked}"
        yield Case(name, text.text, values=values, family=text.family, lang=text.lang)


def parsed(family: str, content: str) -> Iterator[Marked]:
    """The texts of a file.

    Raises ValueError for marks that are not paired."""
    heads = list(_HEAD.finditer(content))
    ends = [head.start() for head in heads[1:]] + [len(content)]
    for head, end in zip(heads, ends):
        body = content[head.end() : end].strip("\n") + "\n"
        plain, places = "", []
        for number, part in enumerate(_MARK.split(body)):
            if number:
                places.append(len(plain))
            plain += part
        if len(places) % 2:
            raise ValueError(f"marks of {head['id']} are not paired")
        values = tuple(zip(places[::2], places[1::2]))
        yield Marked(head["id"], family, head["kind"], head["lang"], plain, values)
