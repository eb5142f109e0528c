"""What stands around a value: documentation, plain paragraphs of the split, settings, log lines."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

from ..cases.fillers import drawn, paragraphs
from ..data import texts
from .values import make_value

Paragraphs = Mapping[str, Sequence[str]]
LOG_FAMILIES = ("log-lines", "json-lines", "stack-traces", "csv")
TEXTS = texts("collection/surroundings")
DOCUMENTATION = ("quiet", "pydoc")
"""Python's language reference; ``quiet``: its paragraphs without digits, quotes or separators. No
detector chooses them, as it does for the filler ``anchor-free``: so no detector moves a case."""
LONG = 0.05
"""Share of contexts of about 4,000 tokens; the others have 300 to 1,500."""


def documentation(name: str, size: int, rng: random.Random) -> str:
    """Paragraphs of one of ``DOCUMENTATION`` in random order, ``size`` characters or more."""
    return drawn(_quiet() if name == "quiet" else paragraphs(name), size, rng)


@cache
def _quiet() -> tuple[str, ...]:
    return tuple(part for part in paragraphs("pydoc") if not re.search(r"[\d\"'`:=@/|]", part))


def surroundings(
    rng: random.Random, family: str, lang: str, written: Paragraphs
) -> tuple[str, str]:
    """The name of a surrounding and its text, lines of 1,200 to 6,000 characters in all."""
    size = 16_000 if rng.random() < LONG else rng.randrange(1_200, 6_000)
    if family in LOG_FAMILIES and rng.random() < 0.5:
        return "logs", _logs(rng, size)
    if family in TEXTS.setting_lines and rng.random() < 0.35:
        return "settings", _settings(rng, TEXTS.setting_lines[family], size // 3)
    if lang != "en" and rng.random() < 0.7:
        native = list(written[lang])
        rest = documentation("quiet", max(size - sum(map(len, native)), 1), rng)
        return "native", "\n".join([*native, rest] if rng.random() < 0.5 else [rest, *native])
    name = rng.choice((*DOCUMENTATION, "plain"))
    if name != "plain":
        return name, documentation(name, size, rng)
    paragraphs = rng.sample(written["en"], len(written["en"]))
    return name, "\n".join(
        [*paragraphs, documentation("quiet", max(size - sum(map(len, paragraphs)), 1), rng)]
    )


def _settings(rng: random.Random, line: str, size: int) -> str:
    """Settings in the notation of the value's own format, as dull as defaults are."""
    entries = [
        (f"{part}_{key}", value) for part in TEXTS.parts for key, value in TEXTS.settings.items()
    ]
    chosen = rng.sample(entries, max(size // 24, 1))
    return "\n".join(line.format(k=key, K=key.upper(), v=value) for key, value in chosen)


def _logs(rng: random.Random, size: int) -> str:
    """Log lines of one program that state nothing."""
    day, line, lines = make_value(rng, "date")[1], "", []
    while size > 0:
        event = rng.choice(TEXTS.events).replace("{int}", str(rng.randrange(2, 90)))
        clock = make_value(rng, "clock")[1]
        line = f"{day} {clock} {rng.choice(TEXTS.levels)} {event}"
        lines.append(line)
        size -= len(line) + 1
    return "\n".join(lines)
