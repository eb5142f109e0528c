"""Ways to write a call of a function, with what a system message says about each."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from ...data import texts


@dataclass(frozen=True, slots=True)
class CallStyle:
    """How calls are written; `hint` is needed before the first one unless it is empty."""

    call: str
    extra: str
    hint: str


TEXTS = texts("training/tool_specs")
STYLES = [CallStyle(way["call"], way["extra"], way["hint"]) for way in TEXTS.calls]
SHARES = [way["share"] for way in TEXTS.calls]
# What a list of functions in JSON calls for.
JSON_STYLE = replace(next(style for style in STYLES if "arguments" in style.call), hint="")


def random_style(rng: random.Random) -> CallStyle:
    """A style by its share."""
    return rng.choices(STYLES, SHARES)[0]


def call_text(
    style: CallStyle, function: str, argument: str, value: str, extra: tuple[str, str] | None = None
) -> str:
    """A call of `function`; a style without further arguments leaves `extra` out."""
    more = style.extra.replace("{n}", extra[0]).replace("{w}", extra[1]) if extra else ""
    text = style.call.replace("{f}", function).replace("{a}", argument).replace("{x}", more)
    return text.replace("{v}", value)
