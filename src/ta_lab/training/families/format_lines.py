"""Lines that state one value: stack traces, logs, connection strings, commands with credentials.

A row: source, phrases for the value ("" where the key is drawn), template. ``{v}`` is the value;
``{snake}``, ``{camel}``, ``{words}`` ... is the drawn key in that style.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from ...data import texts
from .format_blocks import rows
from .format_keys import fill, spelled

LINES = rows(texts("training/format_lines").lines)


def line_name(template: str, key: str) -> str:
    """The key as the template spells it, the key itself where it doesn't name one."""
    styles = re.findall(r"\{(snake|camel|pascal|kebab|dotted|env|header|title|words)\}", template)
    if not styles:
        return key
    return ("X-" if styles[0] == "header" else "") + spelled(key, styles[0])


def line_text(rng: random.Random, template: str, key: str, value: str, words: Sequence[str]) -> str:
    """The text of a line; the value is put in last."""
    text = fill(rng, template, words)
    text = re.sub(
        r"\{(snake|camel|pascal|kebab|dotted|env|header|title|words)\}",
        lambda match: spelled(key, match[1]),
        text,
    )
    return text.replace("{v!r}", f"'{value}'").replace("{v}", value)
