"""Pages and their sections from templates: Markdown as it is, HTML with every value escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_eval_context
from jinja2.nodes import EvalContext
from jinja2.utils import missing
from markupsafe import Markup


class Missing(StrictUndefined):
    """What a template asks for and nobody gave: a KeyError, as of a field that a record lacks."""

    def __init__(
        self, hint: str | None = None, obj: Any = missing, name: str | None = None
    ) -> None:
        super().__init__(hint, obj, name, KeyError)  # type: ignore[arg-type]


@pass_eval_context
def _written(context: EvalContext, value: Any) -> Any:
    markup = not context.autoescape or hasattr(value, "__html__")
    return value if markup else Markup(escape(str(value)))


@cache
def environment() -> Environment:
    """Templates of this package by their path."""
    return Environment(
        loader=PackageLoader("ta_lab", ""),
        undefined=Missing,
        finalize=_written,
        trim_blocks=True,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        autoescape=lambda name: str(name).endswith(".html"),
    )


def filled(name: str, **values: Any) -> str:
    """The template of that path with these values."""
    return environment().get_template(name).render(values)


def markdown(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    found = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*found, *("| " + " | ".join(map(str, line)) + " |" for line in lines)])
