"""Names under labels that promise nothing: ``index_name: harvest-orchid-59``,
``--job run-teal-17``.

A plain word, or two, may be a mode or a kind. A name has a number in one of its parts, and a word
of a language beside it that names no technique; names of three words need the label of a thing.
"""

from __future__ import annotations

import re

from ...types import Anchor, Span
from ..joining import is_common
from ..name_parts import name_parts
from ..ordinary import KNOWN, is_ordinary

NAME = 0.7
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+(?:[-_][A-Za-z0-9]++){1,6}")
_DIGIT = re.compile(r"\d")
_MIXED = re.compile(r"[A-Za-z]+\d+[A-Za-z]?|\d{2,}[A-Za-z]?|\d[A-Za-z]\w*")
_WORD = re.compile(r"[A-Za-z]{4,}")
# Things that people give names to, at the end of a label.
_THING = re.compile(
    r"(?i)(?:.*[^A-Za-z]|.*[a-z](?=[A-Z]))?(?:pool|dataset|snapshot|volume|workspace|warehouse|runner"
    r"|worker|job|index|index[_\-. ]?name|consumer[_\-. ]?group|group[_\-. ]?id|replica[_\-. ]?set"
    r"|stack|vault|store|experiment|template|dashboard|playbook|runs-on|roles?|bucket|queue|database|db"
    r"|schema|keyspace|topic|exchange|cluster|namespace|tenant|machine|host|node|device"
    r"|service[_\-]?account)(?:[_\-. ]?name)?"
)
# Things of which one is chosen by its name: two words are enough that no mode is made of.
_CHOSEN = re.compile(
    r"(?i)(?:.*[^A-Za-z]|.*[a-z](?=[A-Z]))?(?:name|class|channel|profile|theme|strategy|tier|plan|queue"
    r"|topic|environment|env|stage|flavou?r|variant|preset|namespace|slot|lane|ring|cluster|codename"
    r"|alias|bucket|tenant|group|target)"
)
_LISTS = re.compile(
    r"(?i).*(?:dependenc(?:y|ie)|dist|package|require|extend|plugin|keyword|extra|module|import|lint|rule|librar(?:y|ie)"
    r"|feature|algorithm|cipher|model|arch|platform|version|locale|font|style|class|region|zone)s?"
)
_EXAMPLES = frozenset("my your our the some any new old test example sample demo foo bar x".split())
_ENDS = re.compile(r"(?:\\?[\"'`])?[ \t]*(?:[,;|})\]&]|\r?\n|\Z| )")
_LINE_ENDS = re.compile(r"[ \t]*\r?(?:\n|\Z)")


def is_numbered(value: str) -> bool:
    """Whether a value is a name of several parts with a number in one of them."""
    if "-" not in value and "_" not in value:
        return False
    if not _DIGIT.search(value) or not _NAME.fullmatch(value):
        return False
    parts = name_parts(value)
    words = [part.lower() for part in parts if _WORD.fullmatch(part)]
    if not any(word not in KNOWN for word in words):
        return False
    if len(parts) > 2:
        return True
    other = next((part for part in parts if _DIGIT.search(part)), "")
    return words[0] not in KNOWN and _MIXED.fullmatch(other) is not None


def is_named(value: str, label: str) -> bool:
    """Whether a value under an ordinary label is a name."""
    joints = value.count("-") + value.count("_")
    if not joints:
        return False
    if is_numbered(value):
        return _LISTS.fullmatch(label) is None
    if not _NAME.fullmatch(value):
        return False
    parts = name_parts(value)
    if joints == 1:
        return _CHOSEN.fullmatch(label) is not None and all(map(_is_rare, parts)) and bool(parts)
    if not _THING.fullmatch(label):
        return False
    return len(parts) > 2 and max(map(len, parts)) > 3 and any(map(_is_own_word, parts))


def is_own(value: str) -> bool:
    """Whether a value has several parts, one of them rare, and begins as no example does."""
    parts = name_parts(value) if _NAME.fullmatch(value) else []
    if len(parts) < 2 or parts[0] in _EXAMPLES or parts[-1] in ("name", "id", "here"):
        return False
    return any(map(_is_own_word, parts))


def _is_own_word(part: str) -> bool:
    """Whether a word is of no mode or technique; its ending says nothing here (``lapwing``)."""
    return _WORD.fullmatch(part) is not None and not is_ordinary(part.lower())


def _is_rare(part: str) -> bool:
    """Whether a word is in the name of no mode or technique."""
    word = part.lower()
    return _WORD.fullmatch(part) is not None and not (is_ordinary(word) or is_common(word))


def name_of(
    text: str, label: tuple[int, int], value: tuple[int, int], sign: str, role: float
) -> Anchor | None:
    """The anchor of a name; ``sign``: what stands between label and value. Code and attributes
    have names of their own, which underscores join, behind a sign of equality."""
    start, stop = value
    words = text[start:stop]
    if not is_named(words, text[slice(*label)]) or not _ENDS.match(text, stop):
        return None
    quoted = text[start - 1 : start] in "\"'`"
    named = text[slice(*label)]
    coded = "=" in sign and "." not in named and "-" not in named  # as settings in files are not
    if "-" not in words and (coded or not (quoted or _LINE_ENDS.match(text, stop))):
        return None
    return Anchor(
        Span(label[0], label[1]), Span(start, stop), NAME * role, "structure:name", quoted
    )
