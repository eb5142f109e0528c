"""What stands around a value: documentation, plain paragraphs of the split, settings, log lines."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

from ..cases.fillers import paragraphs
from .values import make_value

Paragraphs = Mapping[str, Sequence[str]]
LOG_FAMILIES = ("log-lines", "json-lines", "stack-traces", "csv")
EVENTS = (
    "worker started", "cache warmed", "queue empty", "checkpoint written", "request served",
    "nothing to prune", "reload of settings done", "health check passed", "slow query finished",
    "batch of {int} rows imported", "retry in {int} seconds", "{int} connections open",
)  # fmt: skip
SETTINGS = (
    ("timeout", "30"), ("retries", "3"), ("verbose", "false"), ("color", "auto"), ("workers", "4"),
    ("language", "en"), ("theme", "dark"), ("compress", "true"), ("cache", "on"), ("depth", "12"),
    ("max_size", "64"), ("encoding", "utf-8"), ("format", "short"), ("history", "1000"),
    ("autosave", "yes"), ("level", "info"), ("order", "ascending"), ("unit", "metric"),
    ("font", "serif"), ("margin", "8"), ("strict", "no"), ("layout", "compact"), ("policy", "fair"),
    ("batch", "128"), ("preview", "off"), ("rotate", "weekly"), ("backend", "local"), ("ttl", "60"),
)  # fmt: skip
PARTS = ("search", "mail", "editor", "import", "print", "player", "backup", "map", "list", "form")
SETTING_LINES = {
    "json": '  "{k}": "{v}",', "yaml": "{k}: {v}", "toml": '{k} = "{v}"', "ini": "{k} = {v}",
    "properties": "app.{k}={v}", "env": "{K}={v}", "shell": "export {K}={v}",
    "xml": "<{k}>{v}</{k}>", "markdown-table": "| {k} | {v} |", "csv": "{k},{v},default",
    "kubernetes": "  {k}: {v}", "terraform": "{k} = {v}", "source-constants": "{K} = '{v}'",
    "cli-flags": "--{k}={v}", "http-headers": "X-{k}: {v}",
}  # fmt: skip
LEVELS = ("DEBUG", "INFO", "INFO", "INFO", "WARN")
DOCUMENTATION = ("quiet", "pydoc")
"""Python's language reference; ``quiet``: its paragraphs without digits, quotes or separators. No
detector chooses them, as it does for the filler ``anchor-free``: so no detector moves a case."""
LONG = 0.05
"""Share of contexts of about 4,000 tokens; the others have 300 to 1,500."""


def documentation(name: str, size: int, rng: random.Random) -> str:
    """Paragraphs of one of ``DOCUMENTATION`` in random order, ``size`` characters or more."""
    source, parts = _quiet() if name == "quiet" else paragraphs(name), []
    while size > 0:
        parts.append(rng.choice(source))
        size -= len(parts[-1]) + 1
    return "\n".join(parts)


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
    if family in SETTING_LINES and rng.random() < 0.35:
        return "settings", _settings(rng, SETTING_LINES[family], size // 3)
    if lang != "en" and rng.random() < 0.7:
        native = list(written[lang])
        rest = documentation("quiet", max(size - sum(map(len, native)), 1), rng)
        return "native", "\n".join([*native, rest] if rng.random() < 0.5 else [rest, *native])
    name = rng.choice((*DOCUMENTATION, "plain"))
    if name != "plain":
        return name, documentation(name, size, rng)
    own = rng.sample(written["en"], len(written["en"]))
    return name, "\n".join([*own, documentation("quiet", max(size - sum(map(len, own)), 1), rng)])


def _settings(rng: random.Random, line: str, size: int) -> str:
    """Settings in the notation of the value's own format, as dull as defaults are."""
    entries = [(f"{part}_{key}", value) for part in PARTS for key, value in SETTINGS]
    chosen = rng.sample(entries, max(size // 24, 1))
    return "\n".join(line.format(k=key, K=key.upper(), v=value) for key, value in chosen)


def _logs(rng: random.Random, size: int) -> str:
    """Log lines of one program that state nothing."""
    day, line, lines = make_value(rng, "date")[1], "", []
    while size > 0:
        event = rng.choice(EVENTS).replace("{int}", str(rng.randrange(2, 90)))
        clock = make_value(rng, "clock")[1]
        line = f"{day} {clock} {rng.choice(LEVELS)} {event}"
        lines.append(line)
        size -= len(line) + 1
    return "\n".join(lines)
