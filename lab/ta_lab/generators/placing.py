"""From statements and filler to cases: as many tokens as asked, each statement at its depth."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transactional_attention.errors import InputError

from ..cases.cases import Case, Value
from ..cases.fillers import filler

CHARACTERS_PER_TOKEN = 6


@dataclass(frozen=True)
class Setting:
    """What a task is asked for. ``tokens``: context and question; ``depth`` in [0, 1].

    ``variant``: one of the task's own; the same setting gives the same cases."""

    tokens: int = 4096
    depth: float = 0.5
    seed: int = 0
    filler: str = "pydoc"
    variant: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= 1:
            raise InputError(f"depth must lie in [0, 1], got {self.depth}")

    def rng(self, task: str) -> random.Random:
        """Random numbers of a task's case; variants draw their own."""
        name = f"{task}/{self.variant}" if self.variant else task
        return random.Random(f"{name}/{self.seed}/{self.depth}/{self.tokens}/{self.filler}")

    def name(self, task: str) -> str:
        """Id of the case: no path of a filler file, no value."""
        source = self.filler if "/" not in self.filler else "file"
        return "-".join(filter(None, (task, self.variant, source, f"{self.depth}-{self.seed}")))


@dataclass(frozen=True)
class Statement:
    """A paragraph that holds ``value`` once, at relative ``depth`` of the filler.

    ``critical``: asked for, so that it must be kept; decoys are not."""

    text: str
    value: str
    label: str
    depth: float
    critical: bool = True


@dataclass(frozen=True)
class Asked:
    """A question as it is appended to the context, and its whole answer."""

    question: str
    answer: str


def fill_in(template: str, **fields: str) -> str:
    """``{name}`` replaced by a field; other braces are left alone, as in JSON."""
    for name, text in fields.items():
        template = template.replace("{" + name + "}", text)
    return template


Told = tuple[list[Statement], list[Asked]]
Tell = Callable[[random.Random, Setting], Told]


def make_cases(task: str, tell: Tell, tokenizer: Any, setting: Setting) -> list[Case]:
    """One case a question, all over the same context; each statement is a paragraph of its own.
    Raises InputError for a number of tokens that cannot hold the statements."""
    rng = setting.rng(task)
    statements, asked = tell(rng, setting)
    texts = [f"\n\n{statement.text}\n\n" for statement in statements]
    fixed = sum(count(tokenizer, text) for text in texts) + 2
    fixed += max(count(tokenizer, item.question) for item in asked)
    if setting.tokens <= fixed:
        raise InputError(
            f"a context of {setting.tokens} tokens cannot hold the {task}: use > {fixed}"
        )
    text = filler(setting.filler, CHARACTERS_PER_TOKEN * setting.tokens, rng)
    text = truncate(tokenizer, text, setting.tokens - fixed)
    context, values = _insert(text, statements, texts)
    return [
        Case(
            id=setting.name(task) + (f"-{index}" if len(asked) > 1 else ""),
            family=task,
            context=context,
            question=item.question,
            answer=item.answer,
            values=values,
            lang=setting.variant if task == "languages" else "",
            meta={"depth": setting.depth, "tokens": setting.tokens, "variant": setting.variant},
        )
        for index, item in enumerate(asked)
    ]


def _insert(
    text: str, statements: Sequence[Statement], texts: Sequence[str]
) -> tuple[str, tuple[Value, ...]]:
    """The filler with its statements, and where their values lie in it, in reading order."""
    context, values, previous = "", [], 0
    for index in sorted(range(len(statements)), key=lambda i: statements[i].depth):
        statement, paragraph = statements[index], texts[index]
        space = text.find(" ", int(len(text) * statement.depth))
        cut = space if space >= 0 else len(text)
        between = text[previous:cut]
        context += between.lstrip() if previous else between
        start = len(context) + paragraph.index(statement.value)
        end = start + len(statement.value)
        values.append(Value(start, end, statement.label, statement.critical))
        context += paragraph
        previous = cut
    return context + text[previous:].lstrip(), tuple(values)


def count(tokenizer: Any, text: str) -> int:
    """Tokens of a text, no special ones added."""
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def truncate(tokenizer: Any, text: str, tokens: int) -> str:
    """The longest prefix of at most ``tokens`` tokens that ends at a word."""
    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"][:tokens]
    prefix = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
    return text[: len(prefix)].rsplit(" ", 1)[0]
