"""Many values of one text, each asked for by itself, then some of them four at a time, in words or
as the arguments of a tool call.

Values take turns: one that is asked for by its label, one in other words, one whose label differs
from others' in a word. The sentences lie in ``data/tasks/recall.toml``. No depth is given: values
lie all over the text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import NamedTuple

from ..data import texts
from ..values.vocabulary import vocabulary
from .placing import Asked, Setting, Statement, Told
from .statements import fresh

TEXTS = texts("tasks/recall")
DIRECT, PARAPHRASED, ALIKE, FOUR = "direct", "paraphrased", "alike", "four"
KINDS = (DIRECT, PARAPHRASED, ALIKE)
NUMBERS = ("8", "40", "100")
TOGETHER = 4
TEMPLATES = (
    *TEXTS.statements[2:], *TEXTS.stated_alike[1:], *TEXTS.questions[1:], *TEXTS.asked_alike[1:],
    *(text for situation in TEXTS.situations for text in (situation["stated"], situation["asked"])),
)  # fmt: skip
"""The plainest of each, which come first, are anybody's."""


class Item(NamedTuple):
    """A value's label, kind, statement with a ``{value}``, and question."""

    label: str
    kind: str
    stated: str
    asked: str


def kind_of(index: int, answer: str) -> str:
    """How question ``index`` asks: for one value, or for several, a line each."""
    return FOUR if "\n" in answer else KINDS[index % 3]


def recalled(rng: random.Random, setting: Setting) -> Told:
    """``int(setting.variant)`` values, a question each, then a tenth as many of four each."""
    number = int(setting.variant)
    items, seen = [], set[str]()
    takers = {name: take(rng) for name, take in TAKERS.items()}
    for index in range(number):
        items.append(next(takers[KINDS[index % 3]]))
    depths = [(place + rng.random()) / number for place in rng.sample(range(number), number)]
    stated = []
    for item, depth in zip(items, depths, strict=True):
        while (value := fresh(rng, item.kind)) in seen:
            pass
        seen.add(value)
        text = item.stated.replace("{value}", value)
        stated.append(Statement(text, value, item.label, depth))
    asked = [Asked(f"\n\n{i.asked}", s.value) for i, s in zip(items, stated, strict=True)]
    for _ in range(-(-number // 10)):
        some = rng.sample([s for i, s in enumerate(stated) if i % 3 == 0], TOGETHER - 1)
        some += rng.sample([s for i, s in enumerate(stated) if i % 3 == 2], 1)
        *labels, last = [statement.label for statement in some]
        question = TEXTS.together.format(labels=", the ".join(labels), last=last)
        asked.append(Asked(f"\n\n{question}", "\n".join(s.value for s in some)))
    return stated, asked


def called(rng: random.Random, setting: Setting) -> Told:
    """The same values; a fifth as many calls of a tool whose four arguments are labels of them."""
    stated, asked = recalled(rng, setting)[0], []
    named = [statement for i, statement in enumerate(stated) if i % 3 != 1]  # stated with a label
    for _ in range(-(-len(stated) // 5)):
        some = rng.sample(named, TOGETHER)
        names = [statement.label.replace(" ", "_") for statement in some]
        about = {name: {"type": "string"} for name in names}
        schema = json.dumps({"type": "object", "properties": about, "required": names})
        question = TEXTS.called.replace("{schema}", schema)
        pairs = zip(names, (statement.value for statement in some), strict=True)
        asked.append(Asked(f"\n\n{question}", "\n".join(f'"{n}": "{v}"' for n, v in pairs)))
    return stated, asked


def _direct(rng: random.Random) -> Iterator[Item]:
    order = rng.sample(TEXTS.direct, len(TEXTS.direct))
    for label, kind in order:
        stated, asked = rng.choice(TEXTS.statements), rng.choice(TEXTS.questions)
        yield Item(label, kind, stated.replace("{label}", label), asked.format(label=label))
    yield from _alike(rng)


def _paraphrased(rng: random.Random) -> Iterator[Item]:
    for one in rng.sample(TEXTS.situations, len(TEXTS.situations)):
        yield Item(one["label"], one["kind"], one["stated"], one["asked"])
    yield from _alike(rng)


def _alike(rng: random.Random) -> Iterator[Item]:
    """Three sites at a time have the same three things."""
    names, turns = vocabulary("tasks"), 0
    while True:
        sites = list(dict.fromkeys(names.make(TEXTS.sites, rng) for _ in range(9)))[:3]
        some = [TEXTS.alike[(turns + i) % len(TEXTS.alike)] for i in range(3)]
        turns += 3
        for label, kind in some:
            stated = rng.choice(TEXTS.stated_alike).replace("{label}", label)
            for site in sites:
                asked = rng.choice(TEXTS.asked_alike).format(label=label, site=site)
                named = f"{label} of {site}"
                yield Item(named, kind, stated.replace("{site}", site), asked)


TAKERS = {DIRECT: _direct, PARAPHRASED: _paraphrased, ALIKE: _alike}
