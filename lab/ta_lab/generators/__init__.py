"""TASKS: a name, what makes its cases, its variants, its templates. One line a task."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from transactional_attention.errors import InputError, UnknownNameError

from ..cases.cases import Case
from . import needle, recalled, ruler, toolcall
from . import statements as said
from .placing import Setting, Tell, make_cases


class Task(NamedTuple):
    """``make(tokenizer, setting)``: cases over one context, one a question.

    ``templates``: texts that training must not use; the needle's are the paper's own sentences."""

    make: Callable[[Any, Setting], list[Case]]
    variants: tuple[str, ...] = ("",)
    templates: tuple[str, ...] = ()


def _stating(tell: Tell, *more: tuple[str, ...]) -> Task:
    """A task that states values in filler, of the name of what tells them."""
    return Task(partial(make_cases, tell.__name__, tell), *more)


FORMATS = (*said.FORMATS, *(f"{name}{said.SHORT}" for name in said.FORMATS))
CORRECTED = said.CORRECTIONS
SITUATIONS = (
    *said.STATED[2:],
    *(cue for situation in said.SITUATIONS for cue in situation.cues),
    *(situation.plain for situation in said.SITUATIONS),
    *(text for situation in said.SITUATIONS for text in situation.paraphrases),
)
TASKS: dict[str, Task] = {
    "needle": _stating(needle.needle),
    "formats": _stating(
        said.formats,
        FORMATS,
        tuple(block.text for blocks in said.FORMATS.values() for block in blocks),
    ),
    "toolcall": Task(toolcall.toolcall, toolcall.VARIANTS, toolcall.TEMPLATES),
    "confusers": _stating(
        said.confusers,
        said.COUNTS,
        (*said.CONFUSERS.statements, *said.CONFUSERS.similar_statements),
    ),
    "similar": _stating(said.similar, ("",), said.QUESTIONS),
    "alike": _stating(said.alike),
    "multislot": _stating(said.multislot, said.SIZES, said.MULTISLOT.statements),
    "unstructured": _stating(said.unstructured, ("", said.SHORT), SITUATIONS),
    "paraphrased": _stating(said.paraphrased, ("",), SITUATIONS),
    "corrections": _stating(
        said.corrections, ("",), (*CORRECTED.first, *CORRECTED.later, *CORRECTED.questions)
    ),
    "ruler": Task(ruler.ruler, tuple(ruler.SHAPES), ruler.TEMPLATES),
    "recalled": _stating(recalled.recalled, ("8",), recalled.TEMPLATES),
    "languages": _stating(
        said.languages,
        tuple(said.PHRASINGS),
        tuple(text for many in said.PHRASINGS.values() for one in many for text in one[:2]),
    ),
}


def make(task: str, tokenizer: Any, setting: Setting) -> list[Case]:
    """Cases of a task by name. Raises UnknownNameError for a task that is none of ``TASKS``;
    InputError for a variant that the task does not have, or too few tokens."""
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if setting.variant not in TASKS[task].variants:
        known = ", ".join(filter(None, TASKS[task].variants)) or "none"
        raise InputError(f"{task} has no variant {setting.variant!r}; it has: {known}")
    return TASKS[task].make(tokenizer, setting)
