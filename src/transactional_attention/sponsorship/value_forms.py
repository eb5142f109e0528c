"""What a value looks like, roughly (``form``) and closely (``outline``)."""

from __future__ import annotations

import re
import string

from ..detection.forms import classify, several

# What is written in several ways: a day with a time, a sum of money, a telephone number, a place.
_WRITTEN = re.compile(
    r"(?P<moment>\d{4}-\d\d-\d\d(?:[T ][\d:.]{4,15}(?:Z|[+-][\d:]{4,5})?)?"
    r"|\d\d? \w+ \d{4}\b.{0,10})"
    r"|(?P<version>\d{1,4}\.\d{1,4}\.\d{1,3})"
    r"|(?P<money>(?:[A-Z]{3} |[$€£¥])[\d,.]+|[\d,.]+ ?(?:[A-Z]{3}|[$€£¥]))"
    r"|(?P<phone>\+\d[\d ()-]{7,18}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})"
    r"|(?P<place>[-+]?\d{1,3}\.\d+°?\s?[NS]?,\s?[-+]?\d{1,3}\.\d+°?(?:\s?[EW])?)"
)
_WRITTEN_NONE = frozenset(string.ascii_lowercase)  # what none of them begins with
_SERIES = re.compile(r"[^\W\d_]{1,8}(?=[\W\d_])")
_GROUPED = re.compile(r"[A-Z]{2}\d\d(?: [A-Z0-9]{2,4}){2,8}")  # an IBAN, in groups or not
_ALIKE = dict.fromkeys(("ip6", "host", "domain"), "ip") | {"number": "0"}
_ALIKE |= dict.fromkeys(("order", "grouped"), "0A")  # of one thing, said otherwise
_ALIKE |= {"day": "moment"}


def form(value: str) -> str:
    """The form of a value: a known form, otherwise the kinds of its characters."""
    if " " in value and _GROUPED.fullmatch(value):
        value = value.replace(" ", "")
    known = None if value[:1] in _WRITTEN_NONE else _WRITTEN.fullmatch(value)
    if known is not None and known.lastgroup is not None:
        return known.lastgroup
    end, kind = several(value, 0)
    if kind and end == len(value):
        return kind
    rule, confidence = classify(value)
    if confidence and rule != "opaque":
        return _ALIKE.get(rule, rule)
    shown = value[:64]
    kinds = set(shown.translate(_KINDS) if shown.isascii() else map(_kind, shown))
    # Not the signs: what is set anew has others, as passwords do.
    return "".join(sorted(kind for kind in kinds if kind.isalnum()))


def outline(value: str) -> str:
    """What values of one series share: their first letters, and the kinds of all following
    characters (``INV-0000``)."""
    series = _SERIES.match(value)
    first = series.end() if series else 0
    return value[:first] + value[first:64].translate(_KINDS)


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else char


_KINDS = "".join(_kind(chr(code)) for code in range(128))
