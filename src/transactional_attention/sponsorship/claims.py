"""What an anchor says, kept apart from its text: which label, which value, in which wording.

A registry compares claims long after their text was read. Values, their forms and wordings are kept
as salted hashes, which give nothing back and are the same in every process; the words of a label
are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from ..detection.label_words import content_words, label_words
from ..detection.opacity import surprise
from ..types import Anchor, Source
from .corrections import WORDS, corrected
from .value_forms import form, outline

Excerpt = Callable[[int, int], str]
"""The text from one character to another, as far as it goes."""

BEFORE = 48  # characters before a value without a label that make its wording
CORRECTING = 96  # characters before a value that may say that it corrects another
MAX_LABEL = 160

_STATING = ("stated:", "regex:word", "semantic:keyword")
_SIGNS = tuple(":=：＝")  # what announces the values of records
PART, CELL = "structure:part", "structure:cell"
_UNNAMED = ("semantic:verb",)
_GOES_ON = re.compile(r"[ ,;]{1,2}(?:[^\W\d_]+[ ,']{0,2}){1,3}")
_SENTENCE_END = re.compile(r"[.!?。！？]\s|\n")
# Two words in a row, and the value, read backwards; or it and two words.
_TALKS = re.compile(r"[ \"'“`(*]+[,;:.!?]?[\w'’]*[^\W\d_][ ]+[,;.!?]?[\w'’]*[^\W\d_]")
_TALKS_ON = re.compile(r"[\"'”`)*]*,? [^\W\d_]+ [^\W\d_]+")
_FRESH = re.compile(r"\S*[\d@/\\]\S*")  # a chunk that a template fills anew
_OTHER = re.compile(r"(?=\S{4})\S*[\d@/\\]\S*")  # what may be a value
_FRESH_SIGN = re.compile(r"[\d@/\\]")


class Claim(NamedTuple):
    """What one anchor says. ``place``: the first character of its value.

    ``words``: those of its label that name it, joined by spaces; ``states``: a sentence said it,
    not a record of a list. ``corrects``: it says that something said before no longer holds.
    ``around``: the words around a correction, or around a value without a label, which may name
    what it is of. ``form``, ``outline``, ``value``, ``template``: hashes of what the value looks
    like, roughly and closely, of the value, and of its line without what is fresh in it, as its
    source says it.
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

    def hashed(self, hide: Callable[[str], str]) -> Claim:
        """With its words as ``hide`` gives them."""
        words, around = " ".join(map(hide, self.words.split())), frozenset(map(hide, self.around))
        return self._replace(words=words, around=around)

    def __repr__(self) -> str:
        """Nothing of the value, nor of a label, which may hold another one."""
        return f"Claim(place={self.place})"


def claim_of(
    anchor: Anchor, excerpt: Excerpt, salt: bytes = b"", source: Source = "unknown"
) -> Claim:
    """The claim of an anchor, from at most a few hundred characters around its value.

    Claims are compared under one ``salt``, of at most 64 bytes. ``source``: who says it, since one
    that repeats a wording takes nothing from others who use it.
    """
    label, value = anchor.label, anchor.value
    first = max(0, value.start - CORRECTING)
    around, at = excerpt(first, value.end + CORRECTING), value.start - first
    end = at + value.end - value.start
    before, text, after = around[:at], around[at:end], around[end:]
    last = min(label.end, label.start + MAX_LABEL)
    near = first <= label.start and last <= value.start
    label_text = around[label.start - first : last - first] if near else excerpt(label.start, last)
    # Of a part its whole speaks, and rows of a table do not speak of each other.
    corrects = anchor.rule not in (PART, CELL) and corrected(before, after)
    words = _name(anchor.rule, label_text, corrects)
    return Claim(
        value.start,
        words,
        _is_sentence(anchor.rule, label_text),
        corrects,
        _spoken_of(before, after) if corrects or not words else frozenset(),
        _hashed_form(form(text), salt),
        _hashed(text, salt),
        _hashed("\0".join((source, *_wording(label_text, before, after))), salt),
        opacity=surprise(text),
        outline=_hashed_form(outline(text), salt),
        length=len(text),
    )


def _is_sentence(rule: str, label: str) -> bool:
    """Whether words of a sentence, not a sign, stand between a label and its value."""
    words = label.rstrip("\"'`“«( ")
    last = words.rpartition(" ")[2].lower()
    return rule.startswith(_STATING) and words[-1:] not in _SIGNS and not content_words(last)


def _spoken_of(before: str, after: str) -> frozenset[str]:
    """The words that name something in the sentence of a value and in the one before it, behind
    any other value there."""
    line = before[before.rfind("\n") + 1 :]
    if not (_TALKS.match(line[::-1]) or (not line.strip() and _TALKS_ON.match(after))):
        return frozenset()  # a record
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    said = line[ends[-2] if len(ends) > 1 else 0 :]
    ends = [match.end() for match in _OTHER.finditer(said)]
    said = said[ends[-1] if ends else 0 :]
    return frozenset(content_words(f"{said} {_SENTENCE_END.split(after, 1)[0]}").split())


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


def _name(rule: str, label: str, corrects: bool) -> str:
    """The words of a label that names its value; empty for a verb, or a mere correction."""
    if rule.startswith(_UNNAMED):
        return ""
    words = label_words(label)
    if not corrects:
        return words
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
