"""What an anchor says, stored without its text: which label, which value, in which wording.

A registry compares claims long after their text was dropped. Values, their forms and wordings are
stored as salted hashes, which reveal nothing and are the same in every process. The words of a
label are stored as they are.
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
"""Gives the text between two characters, or as much of it as there is."""

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
    """What one anchor says.

    ``place``: the first character of the value. ``words``: the naming words of its label, joined by
    spaces. ``states``: a sentence states it, it is not a record of a list. ``corrects``: it says
    that an earlier statement no longer holds. ``around``: the words near a correction, or near a
    value without a label, which may name what it belongs to. ``opacity``: how unlike a word the
    value is. ``length``: of the value, in characters.

    Hashes: ``value`` of the value; ``form`` and ``outline`` of what it looks like, roughly and
    closely; ``template`` of its line without the parts that change, per source.
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
        """A copy whose words went through ``hide``."""
        words, around = " ".join(map(hide, self.words.split())), frozenset(map(hide, self.around))
        return self._replace(words=words, around=around)

    def __repr__(self) -> str:
        """Shows neither the value nor the label, which may contain another value."""
        return f"Claim(place={self.place})"


def claim_of(
    anchor: Anchor, excerpt: Excerpt, salt: bytes = b"", source: Source = "unknown"
) -> Claim:
    """The claim of an anchor, from at most a few hundred characters around its value.

    Claims can be compared if they have the same ``salt`` (at most 64 bytes). ``source``: who says
    it, because repeating a wording must not lower the claims of others who use it.
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
    corrects = anchor.rule not in (PART, CELL) and corrected(before)
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
    """Whether a word, not a sign such as a colon, joins the label to its value."""
    words = label.rstrip("\"'`“«( ")
    last = words.rpartition(" ")[2].lower()
    return rule.startswith(_STATING) and words[-1:] not in _SIGNS and not content_words(last)


def _spoken_of(before: str, after: str) -> frozenset[str]:
    """The naming words in the sentence of a value and in the sentence before it, without what comes
    before another value there."""
    line = before[before.rfind("\n") + 1 :]
    if not (_TALKS.match(line[::-1]) or (not line.strip() and _TALKS_ON.match(after))):
        return frozenset()  # a record
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    sentences = line[ends[-2] if len(ends) > 1 else 0 :]
    ends = [match.end() for match in _OTHER.finditer(sentences)]
    sentences = sentences[ends[-1] if ends else 0 :]
    return frozenset(content_words(f"{sentences} {_SENTENCE_END.split(after, 1)[0]}").split())


@lru_cache(maxsize=64)
def _hashed_form(name: str, salt: bytes) -> int:
    """Cached, because there are few forms."""
    return _hashed(name, salt)


def _hashed(text: str, salt: bytes) -> int:
    keyed = _keyed(salt).copy()
    keyed.update(text.encode("utf-8", "surrogatepass"))
    return int.from_bytes(keyed.digest(), "little", signed=True)


@lru_cache(maxsize=64)
def _keyed(salt: bytes) -> blake2b:
    """The hash object of a salt. Making one takes as long as hashing a short value, so it is
    copied."""
    return blake2b(digest_size=8, key=salt)


def _name(rule: str, label: str, corrects: bool) -> str:
    """The words of a label that name its value; empty for a verb, or for a mere correction."""
    if rule.startswith(_UNNAMED):
        return ""
    words = label_words(label)
    if not corrects:
        return words
    # Its own cue is no name; of a correction the label may be that of what it corrects.
    return " ".join(word for word in words.split() if len(word) > 1 and word not in WORDS)


def _wording(label: str, before: str, after: str) -> tuple[str, str]:
    """What a template repeats: the label, and the words after the value.

    Without a label it is the line before the value. Chunks with digits or addresses are left out.
    The marks around chat turns are no part of it.
    """
    label = label.strip()
    if not label:
        return _repeated(before[before.rfind("\n") + 1 :][-BEFORE:].lower()), ""
    follows = _GOES_ON.match(after)
    return _repeated(label.lower()), follows.group().lower() if follows else ""


def _repeated(text: str) -> str:
    """A text without the chunks that change from line to line."""
    return _FRESH.sub("#", text) if _FRESH_SIGN.search(text) else text
