"""What an anchor says, kept apart from its text: which label, which value, in which wording.

A registry compares claims long after their text was read. Values, their forms and wordings are kept
as salted hashes, which give nothing back and are the same in every process; the words of a label
are kept as they are.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from ..detection.corrections import WORDS, corrected
from ..detection.forms import classify
from ..detection.notations import written
from ..detection.opacity import surprise
from ..detection.tongues import NAMING
from ..types import Anchor

Excerpt = Callable[[int, int], str]
"""The text from one character to another, as far as it goes."""

BEFORE = 48  # characters before a value without a label that make its wording
CORRECTING = 96  # characters before a value that may say that it corrects another
MAX_LABEL = 160

_STATING = ("prose:", "languages:", "regex:word", "semantic:keyword")
PART = "structure:part"
_UNNAMED = ("prose:doing", "prose:telling", "prose:correction", "semantic:verb")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_LOOSE = frozenset(
    "the a an my your our his her their its this that is was are be now new of for to at in on it"
    " number please remember note es el la de le du der die das ist lautet est il è what which tell"
    " me say give again set came comes moved stands reads became goes stays remains opens"
    " unlocks works gets lets s".split()
)
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
_GOES_ON = re.compile(r"[ ,;]{1,2}(?:[^\W\d_]+[ ,']{0,2}){1,3}")
_SENTENCE_END = re.compile(r"[.!?。！？]\s|\n")
# Two words in a row, and the value, read backwards; or it and two words.
_TALKS = re.compile(r"[ \"'“`(*]+[,;:.!?]?[\w'’]*[^\W\d_][ ]+[,;.!?]?[\w'’]*[^\W\d_]")
_TALKS_ON = re.compile(r"[\"'”`)*]*,? [^\W\d_]+ [^\W\d_]+")
_FRESH = re.compile(r"\S*[\d@/\\]\S*")  # a chunk that a template fills anew
_FRESH_SIGN = re.compile(r"[\d@/\\]")


class Claim(NamedTuple):
    """What one anchor says. ``place``: the first character of its value.

    ``words``: those of its label that name it, joined by spaces; ``states``: a sentence said it,
    not a record of a list. ``corrects``: it says that something said before no longer holds.
    ``around``: the words around a correction, or around a value without a label, which may name
    what it is of. ``form``, ``outline``, ``value``, ``template``: hashes of what the value looks
    like, roughly and closely, of the value, and of its line without what is fresh in it.
    """

    place: int
    words: str = ""
    states: bool = False
    corrects: bool = False
    around: frozenset[str] = frozenset()
    form: int = 0
    value: int = 0
    template: int = 0
    opacity: float = 0.0
    outline: int = 0
    length: int = 0

    def __repr__(self) -> str:
        """Nothing of the value."""
        return f"Claim(place={self.place}, words={self.words!r})"


def claim_of(anchor: Anchor, excerpt: Excerpt, salt: bytes = b"") -> Claim:
    """The claim of an anchor, from at most a few hundred characters around its value.

    Claims are compared under one ``salt``, of at most 64 bytes.
    """
    label, value = anchor.label, anchor.value
    first = max(0, value.start - CORRECTING)
    around, at = excerpt(first, value.end + CORRECTING), value.start - first
    end = at + value.end - value.start
    before, text, after = around[:at], around[at:end], around[end:]
    last = min(label.end, label.start + MAX_LABEL)
    near = first <= label.start and last <= value.start
    label_text = around[label.start - first : last - first] if near else excerpt(label.start, last)
    part = anchor.rule == PART  # what its whole says counts
    corrects = anchor.rule == "prose:correction" or (not part and corrected(before, after))
    words = _name(anchor.rule, label_text, corrects)
    return Claim(
        value.start,
        words,
        anchor.rule.startswith(_STATING) and anchor.rule != "prose:keyword",
        corrects,
        _spoken_of(before, after) if corrects or not words else frozenset(),
        _hashed_form(form(text), salt),
        _hashed(text, salt),
        _hashed("\0".join(_wording(label_text, before, after)), salt),
        opacity=surprise(text),
        outline=_hashed_form(outline(text), salt),
        length=len(text),
    )


def _spoken_of(before: str, after: str) -> frozenset[str]:
    """The words that name something in the sentence of a value and in the one before it."""
    line = before[before.rfind("\n") + 1 :]
    if not (_TALKS.match(line[::-1]) or (not line.strip() and _TALKS_ON.match(after))):
        return frozenset()  # a record
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    said = line[ends[-2] if len(ends) > 1 else 0 :] + " " + _SENTENCE_END.split(after, 1)[0]
    return frozenset(content_words(said).split())


@lru_cache(maxsize=64)
def _hashed_form(name: str, salt: bytes) -> int:
    """Forms are few."""
    return _hashed(name, salt)


def _hashed(text: str, salt: bytes) -> int:
    keyed = _keyed(salt).copy()
    keyed.update(text.encode("utf-8", "surrogatepass"))
    return int.from_bytes(keyed.digest(), "little", signed=True)


@lru_cache(maxsize=64)
def _keyed(salt: bytes) -> blake2b:
    """The hash that a salt begins: to begin it anew takes as long as a short value."""
    return blake2b(digest_size=8, key=salt)


def content_words(text: str) -> str:
    """The words of a label or a question that name something, in lower case, split as identifiers
    are (``apiKey``)."""
    words = [word.lower() for word in _WORD.findall(text)]
    return " ".join([word for word in words if word not in _LOOSE])


_label_words = lru_cache(maxsize=1024)(content_words)  # labels come again and again


def form(value: str) -> str:
    """The form of a value: its shape's rule, else the kinds of its characters."""
    if " " in value and _GROUPED.fullmatch(value):
        value = value.replace(" ", "")
    known = None if value[:1] in _WRITTEN_NONE else _WRITTEN.fullmatch(value)
    if known is not None and known.lastgroup is not None:
        return known.lastgroup
    if " " in value or not value.isascii():
        end, kind = written(value, 0)
        if kind and end == len(value):
            return _ALIKE.get(kind, kind)
    rule = classify(value)[0]
    if rule not in ("", "opaque"):
        return _ALIKE.get(rule, rule)
    shown = value[:64]
    kinds = set(shown.translate(_KINDS) if shown.isascii() else map(_kind, shown))
    # Not the signs: what is set anew has others, as passwords do.
    return "".join(sorted(kind for kind in kinds if kind.isalnum()))


def outline(value: str) -> str:
    """What two values of one series share: the letters that they begin with, and the kinds of all
    characters that follow (``INV-0000``)."""
    series = _SERIES.match(value)
    first = series.end() if series else 0
    return value[:first] + value[first:64].translate(_KINDS)


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else char


_KINDS = "".join(_kind(chr(code)) for code in range(128))


def _name(rule: str, label: str, corrects: bool) -> str:
    """The words of a label that names its value; empty for a verb, or a mere correction."""
    if rule.startswith(_UNNAMED) and rule != "prose:correction":
        return ""
    words = _label_words(label)
    if not corrects:
        return words
    if rule.startswith("languages:"):
        words = " ".join(word for word in words.split() if word in NAMING)
    # Its own cue is no name; of a correction the label may be that of what it corrects.
    return " ".join(word for word in words.split() if len(word) > 1 and word not in WORDS)


def _wording(label: str, before: str, after: str) -> tuple[str, str]:
    """What a template repeats: a label and the words that go on after the value.

    Without a label it is the line before the value. What holds digits or addresses is fresh. Turns
    begin and end with marks of their own, which are no part of it.
    """
    label = label.strip()
    if not label:
        return _repeated(before[before.rfind("\n") + 1 :][-BEFORE:].lower()), ""
    follows = _GOES_ON.match(after)
    return _repeated(label.lower()), follows.group().lower() if follows else ""


def _repeated(text: str) -> str:
    """A text without what is fresh in it."""
    return _FRESH.sub("#", text) if _FRESH_SIGN.search(text) else text
