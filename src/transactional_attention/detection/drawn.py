"""Words that may have been drawn by chance: lower-case words joined by hyphens, lists of such words
in quotes, behind a sign or on a line of their own (passphrases)."""

from __future__ import annotations

import re
from functools import lru_cache

from .joining import BENT, is_common, joins
from .labels import find_label
from .text_words import has_letters

# A word between hyphens is rare; the words around it are read from there.
_HYPHENS = re.compile(r"-[a-z]{3,12}+(?=-[a-z]{3})")
_WORDS_ON = re.compile(r"(?:-[a-z]{3,12}+){1,6}(?![A-Za-z0-9_-])")
_WORD_BEFORE = re.compile(r"[a-z]{3,12}+(?![A-Za-z0-9_-])")
# By the sign before them: it is found at the speed of memory.
_QUOTED = {
    sign: re.compile(rf"{sign} ?((?:[a-z]{{3,12}}+ ){{2,6}}[a-z]{{3,12}}) ?[\"”“»」』’'`]")
    for sign in "\"“«「『‘'„`"
}
_LISTED = {
    sign: re.compile(rf"{sign} ((?:[a-z]{{3,12}}+ ){{2,6}}[a-z]{{3,12}}+)[ \t]*\r?(?=[\n<.;]|\Z)")
    for sign in ":="
}
# Words of ASCII letters in a text of another script.
_FOREIGN = re.compile(
    r"[^\x00-\u036f][\s:：—–-]{1,3}((?:[a-z]{3,12}+ ){2,6}[a-z]{3,12}+)(?=[.,;!?।。，、]"
    r"|\s*(?:[^\x00-\u036f\s]|\n|\Z))"
)
_QUOTES = ('"', "“", "'", "‘")
_ARTICLE = re.compile(r"[\"“'‘]? (?:eht|a|na|sih|reh|rieht|sti|eno)(?!\w)", re.IGNORECASE)
_NOUN = re.compile(r" ([a-z]{3,})")
_NAMES = frozenset("phrase passphrase password code words key secret".split())
# A line of its own, behind an empty one.
_ALONE = {"\n\n": re.compile(r"\n\n((?:[a-z]{3,12}+ ){2,6}[a-z]{3,12}+)[ \t]*(?=\n|\Z)")}


@lru_cache(maxsize=1)
def phrases(text: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of passphrases: three to seven words, none of which joins others."""
    forms = [
        form
        for by_sign in (_QUOTED, _LISTED, _ALONE)
        for sign, form in by_sign.items()
        if has_letters(text, sign)
    ]
    found = [match.span(1) for form in forms for match in form.finditer(text)]
    if not text.isascii():
        found += [match.span(1) for match in _FOREIGN.finditer(text)]
    last = 0
    for match in _HYPHENS.finditer(text):
        at = match.start()
        before = _WORD_BEFORE.match(text[max(0, at - 13) : at][::-1])
        after = _WORDS_ON.match(text, at)
        if before and after and at >= last:
            last = after.end()
            found.append((at - before.end(), last))
    return tuple(
        (begin, end)
        for begin, end in sorted(found)
        if _may_be_drawn(text, begin, end) and not _names(text, begin, end)
    )


def _may_be_drawn(text: str, begin: int, end: int) -> bool:
    """Whether a phrase may have been drawn: behind words of keeping one word may be bent."""
    words = re.split("[ -]", text[begin:end])
    if _is_drawn(words):
        return True
    if len(words) < KEPT_LEAST or len(set(words)) < len(words):
        return False
    joining = [word for word in words if joins(word)]
    bent = len(joining) == 1 and BENT.fullmatch(joining[0]) is not None
    return bent and _KEEPING.search(text, max(0, begin - KEPT_REACH), begin) is not None


KEPT_LEAST, KEPT_REACH = 4, 96
_KEEPING = re.compile(
    r"\b(?:keep|remember|hold on|note down|jot|phrase|wallet|password|passphrase|secret|lock(?:ed)?"
    r"|unlock|vault|safe|recover\w*|seed|mnemonic|forget|backup words?)\b[^\n]*(?:\n\n)?",
    re.IGNORECASE,
)


def _is_drawn(words: list[str]) -> bool:
    """Whether words may have been drawn by chance: none joins others, none comes twice."""
    return len(set(words)) == len(words) and not any(map(joins, words))


def _names(text: str, begin: int, end: int) -> bool:
    """Whether a phrase names a thing, as the label of a value does: "garage keypad code"."""
    if " " in text[begin:end] and text[end - 1].isalpha():
        label = find_label(text, end)
        if label is not None and label.adjacent:
            return True
    return _is_attribute(text, begin, end)


def _is_attribute(text: str, begin: int, end: int) -> bool:
    """Whether an article stands before words in quotes, or before hyphened ones that a noun
    follows: "the quiet window seat", a rock-country-blues band."""
    quoted = text[begin - 1 : begin] in _QUOTES
    article = _ARTICLE.match(text[max(0, begin - 8) : begin][::-1])
    if article is None:
        return False
    noun = _NOUN.match(text, end)
    return quoted or (noun is not None and not is_common(noun[1]) and noun[1] not in _NAMES)
