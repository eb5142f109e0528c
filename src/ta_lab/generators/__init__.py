"""TASKS: a name, what makes its cases, its variants, its templates. One line a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from transactional_attention.errors import InputError, UnknownNameError

from ..cases.cases import Case
from . import (
    confusers,
    corrections,
    cues,
    formats,
    multilingual,
    multislot,
    needle,
    questions,
    ruler,
    situations,
    toolcall,
    values,
)
from .placing import Setting


class Task(NamedTuple):
    """``make(tokenizer, setting)``: cases over one context, one a question.

    ``templates``: texts that training must not use; the needle's are the paper's own sentences.
    """

    make: Callable[[Any, Setting], list[Case]]
    variants: tuple[str, ...] = ("",)
    templates: tuple[str, ...] = ()


TOOLCALLS = toolcall.VARIANTS + toolcall.CHAT_VARIANTS
TASKS: dict[str, Task] = {
    "needle": Task(needle.needle),
    "formats": Task(formats.formats, formats.VARIANTS, formats.TEMPLATES),
    "toolcall": Task(toolcall.toolcall, TOOLCALLS, toolcall.TEMPLATES),
    "confusers": Task(confusers.confusers, confusers.COUNTS, confusers.TEMPLATES),
    "similar": Task(confusers.similar, templates=questions.QUESTIONS),
    "alike": Task(confusers.alike),
    "multislot": Task(multislot.multislot, multislot.SIZES, multislot.TEMPLATES),
    "unstructured": Task(cues.unstructured, ("", values.SHORT), situations.TEMPLATES),
    "paraphrased": Task(cues.paraphrased, templates=situations.TEMPLATES),
    "corrections": Task(corrections.corrections, templates=corrections.TEMPLATES),
    "ruler": Task(ruler.ruler, tuple(ruler.SHAPES), ruler.TEMPLATES),
    "languages": Task(multilingual.languages, multilingual.LANGUAGES, multilingual.TEMPLATES),
}


def make(task: str, tokenizer: Any, setting: Setting) -> list[Case]:
    """Cases of a task by name.

    Raises:
        UnknownNameError: for a task that is none of ``TASKS``.
        InputError: for a variant that the task does not have, or too few tokens.
    """
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if setting.variant not in TASKS[task].variants:
        known = ", ".join(filter(None, TASKS[task].variants)) or "none"
        raise InputError(f"{task} has no variant {setting.variant!r}; it has: {known}")
    return TASKS[task].make(tokenizer, setting)
