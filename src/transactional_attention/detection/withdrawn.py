"""Values that their own line takes back: struck through, "not V", "instead of V", "V has expired".

They stand back behind those that still hold. What a later sentence takes back: see ``corrections``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..types import Anchor
from .mirror import backwards

LEFT = 0.6
"""What is left of the confidence of such a value."""
REACH = 64  # characters around a value that may say so

_OLD = (
    "not|isn't|isn’t|wasn't|wasn’t|rather than|instead of|in place of|replace|replaces|replacing"
    "|replaced|used to be|used to read|formerly|previously|misread as|mistyped as|misprinted as"
    "|misheard as|wrongly as|incorrectly as|nicht|statt|en lugar de|en vez de|au lieu de"
    "|invece di|em vez de|вместо|не|não|ليس|ليست"
)
_BEFORE = re.compile(
    rf"[\s\"'`“‘«(*]{{1,4}}(?:{'|'.join(word[::-1] for word in _OLD.split('|'))})(?![\w'’])"
    r"|[\s\"'`“‘«(*]{0,4}:(?:gnorw|dlo|saw|erofeb|ylsuoiverp|ylremrof|tcerrocni|elats)(?!\w)"
)
_GONE = (
    "superseded|replaced|revoked|rotated|retired|withdrawn|cancell?ed|closed|struck|void"
    "|invalid|obsolete|outdated|expired|dead|wrong|incorrect|stale|gone|no longer|a typo"
    r"|a misprint|(?:the|an|my|our) (?:old|former|previous|wrong|earlier)"
)
_AFTER = re.compile(
    r"[\"'`”’»)*]{0,3},? ?(?:(?:(?:has|have|had) (?:just |now |since )?been|is|was|are|were|got"
    rf"|to be|must be|should be) (?:now )?(?:{_GONE})\b|(?:has )?expired\b"
    r"|(?:should|must|ought to) (?:be|read|say|have (?:been|read)) (?=[\"'“‘`]?\S*\d)"
    r"|[ ]?(?:değil|말고|ではなく|じゃなくて|नहीं)"
    r"|[ \t]*(?:\(|#|//|<-+|←|[–—-]) ?(?:until|till|old|stale|expired|outdated|closed|revoked"
    r"|deprecated|obsolete)\b)",
    re.IGNORECASE,
)
_FOR, _READ = re.compile(r"[\"'`“‘«]?\s(?:rof)(?!\w)"), re.compile(r"[\"'`”’»]? read\b")
_STRIKES = ("<del", "<s>", "<strike")
# Read backwards from a value: what was struck out before it.
_STRUCK = re.compile(
    r"(?:>sni<)?[ \t]?(?:~~[^~\n]{1,80}~~|>(?P<tag>led|s|ekirts)/<[^<>\n]{1,80}>(?P=tag)<)"
)


def standing(anchors: Iterable[Anchor], text: str, origin: int) -> Iterator[Anchor]:
    """The anchors, those whose value is taken back less confident.

    ``origin``: the offset of ``text`` in what the anchors' spans count in.
    """
    marked = "~~" in text or any(tag in text for tag in _STRIKES)
    read = " read" in text
    for anchor in anchors:
        start, end = anchor.value.start - origin, anchor.value.end - origin
        gone = _is_withdrawn(text, start, end, read) or (marked and _is_struck(text, start, end))
        yield anchor._replace(confidence=anchor.confidence * LEFT) if gone else anchor


def before_struck(text: str, begin: int) -> int:
    """Where what announces the value at ``begin`` ends: before one that is struck out."""
    if text[begin - 1 : begin] not in (" ", ">", "~") or begin < 2:
        return begin
    if text[begin - 1] == " " and text[begin - 2] not in (">", "~"):
        return begin
    mirror, first, stop = backwards(text, begin, 2 * REACH)
    match = _STRUCK.match(mirror, first, stop)
    return begin + first - match.end() if match else begin


def _is_withdrawn(text: str, start: int, end: int, read: bool) -> bool:
    before = backwards(text, start, REACH)
    if _BEFORE.match(*before):
        return True
    if text[end : end + 1] == "\n":
        return False  # nothing follows on its line
    if _AFTER.match(text, end, end + REACH):
        return True
    return read and _READ.match(text, end) is not None and _FOR.match(*before) is not None


def _is_struck(text: str, start: int, end: int) -> bool:
    line = text[max(0, start - REACH) : start].rsplit("\n", 1)[-1]
    if line.count("~~") % 2 and "~~" in text[end : end + REACH].split("\n", 1)[0]:
        return True
    return "<" in line and max(map(line.rfind, _STRIKES)) > line.rfind("</")
