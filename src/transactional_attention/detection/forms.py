"""The forms of values (``forms.toml``): what a span may be, judged by its characters alone."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from .disorder import ALONE, disorder
from .opacity import opacity

OPAQUE = 0.64
"""Confidence of a fully opaque chunk of no known form. Forms rank below most labelled values:
nobody announced them, and documentation has about one in 4,096 tokens."""
MIN_OPAQUE = 6
_SIGNS = "-.:@="
_DIGIT = re.compile(r"\d")


class InlineForm(NamedTuple):
    """A form in running text: a pattern that begins with a rare sign, and the pattern of the text
    before it, read backwards."""

    id: str
    confidence: float
    pattern: re.Pattern[str]
    before: re.Pattern[str]


FORMS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)["form"]
CONFIDENCE: dict[str, float] = {form["id"]: form["confidence"] for form in FORMS}
INSIDE = tuple(
    InlineForm(
        form["id"],
        form["confidence"],
        re.compile(form["inside"], re.ASCII if form.get("ascii", True) else 0),
        re.compile(form.get("before", ""), re.ASCII if form.get("ascii", True) else 0),
    )
    for form in FORMS
    if "inside" in form
)
_SEVERAL = re.compile(
    # how all of them begin: most values do not
    r"(?=\d++[ .,'’()\u00a0\u202f-]|[-+(\[$€£¥₹₩₽₺]|[A-Z]{3} |[A-Z]{2}\d\d )(?:"
    + "|".join(f"(?P<{form['id']}>{form['several']})" for form in FORMS if "several" in form)
    + ")"
)
SEVERAL_BEGIN = re.compile(
    r"[\dA-Z\-+(\[$€£¥₹₩₽₺]"
    r"(?:(?<=\d)(?<![\w.,:/\-+(\[$€£¥₹₩₽₺].)|(?<=[^\dA-Z])(?<![\w.,:/\-].)(?= ?\(?[\da-f])"
    r"|(?<=[A-Z])(?<!\w.)(?:[A-Z]\d\d|[A-Z]{2}) (?=[A-Z\d]))"
)
"""Where a form of several words may begin. Searching for one set of characters is fast."""


def several(text: str, at: int) -> tuple[int, str]:
    """Where a form of several words or numbers that begins at ``at`` ends, and its id; ``at`` and
    an empty id if there is none."""
    match = _SEVERAL.match(text, at)
    return (match.end(), match.lastgroup or "") if match else (at, "")


@lru_cache(maxsize=2 ** len(_SIGNS))
def _chunk_forms(signs: str) -> re.Pattern[str]:
    """The forms that a chunk with only these signs may have, as one pattern."""
    possible = [
        form for form in FORMS if "chunk" in form and set(form.get("signs", "")) <= set(signs)
    ]
    return re.compile("|".join(f"(?P<{form['id']}>{form['chunk']})" for form in possible))


@lru_cache(maxsize=4096)
def classify(value: str) -> tuple[str, float]:
    """The form of a chunk and its confidence. The confidence is 0 for plain words and for forms
    that are rarely values."""
    if "://" in value:
        return "", 0.0
    signs = "" if value.isalnum() else "".join([sign for sign in _SIGNS if sign in value])
    form = _chunk_forms(signs).fullmatch(value)
    if form is not None and form.lastgroup is not None:
        return form.lastgroup, CONFIDENCE[form.lastgroup]
    if len(value) >= MIN_OPAQUE and (_is_mixed(value) or disorder(value) >= ALONE):
        return "opaque", OPAQUE * opacity(value)
    return "", 0.0


def is_known(value: str) -> bool:
    """Whether a chunk has a specific form that values have."""
    rule, confidence = classify(value)
    return rule != "opaque" and confidence > 0


def _is_mixed(value: str) -> bool:
    """Whether a chunk holds letters and digits."""
    if value.isascii():
        return value.lower() != value.upper() and _DIGIT.search(value) is not None
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)
