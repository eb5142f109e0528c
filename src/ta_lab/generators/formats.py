"""The paper's seven formats (Table 10): a value inside a block of machine-made text."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..cases.cases import Case
from ..data import table
from .placing import Asked, Setting, Statement, fill_in, make_cases
from .questions import ask
from .values import SHORT, fresh


class Block(NamedTuple):
    """A paragraph with one ``{value}`` of a kind, and the words that a question uses for it."""

    kind: str
    label: str
    text: str


FORMATS = {
    name: tuple(Block(**block) for block in blocks)
    for name, blocks in table("tasks/formats").items()
}
VARIANTS = (*FORMATS, *(f"{name}{SHORT}" for name in FORMATS))
TEMPLATES = tuple(block.text for blocks in FORMATS.values() for block in blocks)


def formats(tokenizer: Any, setting: Setting) -> list[Case]:
    """A block of the format that ``setting.variant`` names, and a question for its value.

    With ``SHORT`` behind the name the value is eight characters, whatever its block holds.
    """
    rng = setting.rng("formats")
    name = setting.variant.removesuffix(SHORT)
    block = rng.choice(FORMATS[name])
    value = fresh(rng, block.kind if name == setting.variant else "code")
    statement = Statement(fill_in(block.text, value=value), value, block.label, setting.depth)
    asked = Asked(ask(rng, block.label), value)
    return make_cases(tokenizer, setting, "formats", [statement], [asked], rng)
