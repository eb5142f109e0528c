"""Tokens of running text that may be values: what holds a digit, ``@`` or a slash, as far as it
goes; letters in no order (``disorder``); lower-case words joined by hyphens, and lists of such
words in quotes (passphrases)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .detector import MAX_VALUE
from .disorder import scrambled
from .extent import COMPOSITE, UNSPACED, composite_end, trim
from .groups import grouped_begin, grouped_end
from .labels import find_label
from .last_signs import is_keyed
from .mirror import has_letters
from .notations import earlier, written
from .streets import street

OUT = r"\s\"'`<>()\[\]{},;|=“”‘’«»„「」『』【】〔〕《》：。、，；！？（）…"
# A value in scripts that write no spaces stands between their letters.
_WIDE = (
    r"\u0590-\u065f\u066d-\u06ef\u06fa-\u0965\u0970-\u0dff"
    r"\u0e00-\u0fff\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af"
)
_ASCII_OUT = r"\t-\r\x1c- \"'`<>()\[\]{},;|="


def _token(out: str, digit: str) -> re.Pattern[str]:
    """Possessive, and begun only at a delimiter: every chunk is walked once."""
    return re.compile(
        rf"[{out}]((?:[^{out}{digit}@/\\]*+[{digit}@/\\]|\((?=(?:\d{{2,5}}|0)\) ?\d)"
        rf"|\[(?!\d\d?:\d\d[:.\]])(?=[0-9a-f]{{0,4}}:)|[$€£¥](?=\d))"
        rf"(?:[^{out}]|(?<=\d),(?=\d{{3}})){{0,{MAX_VALUE}}}+(?:={{1,2}}(?![\"']?[\w/%+]))?)"
    )


_TOKEN = _token(OUT + _WIDE, r"\d")
_ASCII_TOKEN = _token(_ASCII_OUT, "0-9")  # the same in such texts, in less time
# What is named and given a value; an address goes on behind the sign.
_GIVEN = re.compile(r"=(?!=)|[ \t]{1,8}=[ \t]")
_NAME = re.compile(r"[A-Za-z_][\w\-]*+(?:\.[\w\-]++)++")
_QUERY = re.compile(rf"[^\s\"'`<>\\|{{}}“”{UNSPACED}]{{1,{MAX_VALUE}}}+")


# The number of a house, and what is written on to it.
_HOUSE = re.compile(r"(?:[Nn]o[.:]|[Nn][º°]|n\.|д\.)?(?=\d)")
_BEFORE_SIGN = frozenset("= \t")
_SIGN_LAST = frozenset("*#.,;:!?")
LEAST = 3
"""Characters that a street may not take from a value before it."""
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
    r"(?<=[^\x00-\x7f])[\s:：—–-]{1,3}((?:[a-z]{3,12}+ ){2,6}[a-z]{3,12}+)(?=[.,;!?।。，、]"
    r"|\s*(?:[^\x00-\x7f\s]|\n|\Z))"
)
_QUOTES = ('"', "“", "'", "‘")
_ARTICLE = re.compile(r"[\"“'‘]? (?:eht|a|na|sih|reh|rieht|sti|eno)(?!\w)", re.IGNORECASE)
_NOUN = re.compile(r" ([a-z]{3,})")
_NAMES = frozenset("phrase passphrase password code words key secret".split())
_COMMON = re.compile(
    r"(?:the|and|for|not|are|was|with|from|that|this|into|out|off|over|under|all|one|two|three|four|five|six|seven|eight|nine|ten|week|month|hour|minute|mile|only"
    r"|like|than|its|you|your|our|his|her|they|has|had|have|will|can|how|what|when|who|but|per|end"
    r"|day|year|old|time|level|based|side|free|non|self|type|more|most|some|any|been|there|where"
    r"|which|about|after|before|would|could|should|must|does|did|very|just|then|them"
    r"|\w+(?:ing|ed|ly|tion|ment|ness|able|ous|ive|ally|ies))"
)


# Words that no list of a passphrase holds: they join others, in a few languages.
JOINING = frozenset(
    "a an i he she it we of to in on at by as is be no or so up if do go my me us am pm through "
    "while"
    " until because please nothing everything something never always again also both each every "
    "other"
    " such same own still even well much many few good new first last use used make made get "
    "let set"
    " see say said yes now here today hello were being upon onto towards without within between "
    "along"
    " por para con sin una uno los las del que muy más siempre nunca sigue todos todo para está "
    "como"
    " les des une pour avec sans dans sur pas est sont que qui très plus moins toujours jamais même"
    " depuis longtemps bien encore nous vous tous der die das den dem des ein eine und oder mit "
    "ohne"
    " von für ist sind war immer noch nicht nur auch schon wieder sehr bald wie früher kein keine"
    " gli della dello delle degli con senza per una uno sempre stesso stessa molto già ancora tutti"
    " dos das uma com sem não mais ainda muito segredo por todos на не из для как уже ещё очень тот"
    " что это так или был была".split()
)


def is_common(word: str) -> bool:
    """Whether a word in lower case joins others or is bent by a sentence."""
    return (
        (len(word) < 3 and word.isascii())
        or word in JOINING
        or _COMMON.fullmatch(word) is not None
        or word.endswith(_BENT)
    )


def _joins(word: str) -> bool:
    return word in JOINING or _COMMON.fullmatch(word) is not None


_BENT = ("mente", "ment", "lich", "isch", "zione", "ción", "ção")


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
    if len(words) < KEPT_LEAST or len(set(words)) < len(words) or not JOINING.isdisjoint(words):
        return False
    bent = sum(_COMMON.fullmatch(word) is not None for word in words)
    return bent == 1 and _KEEPING.search(text, max(0, begin - KEPT_REACH), begin) is not None


KEPT_LEAST, KEPT_REACH = 4, 96
_KEEPING = re.compile(
    r"\b(?:keep|remember|hold on|note down|jot|phrase|wallet|password|passphrase|secret|lock(?:ed)?"
    r"|unlock|vault|safe|recover\w*|seed|mnemonic|forget|backup words?)\b[^\n]*(?:\n\n)?",
    re.IGNORECASE,
)
_DRAWN = re.compile(r"[a-z]{3,12}(?:[ -][a-z]{3,12}){2,6}")


def is_drawn(words: str) -> bool:
    """Whether a text is words that may have been drawn by chance (see ``phrases``)."""
    return _DRAWN.fullmatch(words) is not None and _is_drawn(re.split("[ -]", words))


def _is_drawn(words: list[str]) -> bool:
    """Whether words may have been drawn by chance: none joins others, none comes twice."""
    return len(set(words)) == len(words) and not any(map(_joins, words))


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


@lru_cache(maxsize=1)
def candidates(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Begin, end, and whether a known form of several words marks the end.

    What was read last is remembered: several detectors read the same text in turn.
    """
    found = list(_candidates(text))
    coded = [(begin, end, False) for begin, end in scrambled(text)]
    if not coded:
        return tuple(found)
    merged: list[tuple[int, int, bool]] = []
    for candidate in sorted(found + coded):
        if not merged or candidate[0] >= merged[-1][1]:
            merged.append(candidate)
    return tuple(merged)


def _candidates(text: str) -> Iterator[tuple[int, int, bool]]:
    last = taken = 0
    token = _ASCII_TOKEN if text.isascii() else _TOKEN
    for match in token.finditer(" " + text):
        begin, end = match.start(), match.end() - 1
        if begin < last:
            continue
        if "~" in text[max(0, begin - 1) : begin + 1] and _is_struck(text, begin, end):
            last = end
            continue
        keyed = _keyed_end(text, begin, end) if text[end - 1] in _SIGN_LAST else 0
        if keyed:
            last = taken = keyed
            yield begin, keyed, False
            continue
        while begin < end and text[begin] in "_:-–—*#":
            if text[begin] == "-" and text[begin + 1 : begin + 2].isdigit():
                break  # a sign
            begin += 1
        if text[end : end + 1] in _BEFORE_SIGN and _GIVEN.match(text, end):
            if "://" in text[begin:end]:
                query = _QUERY.match(text, end)
                end = query.end() if query else end
            elif _is_key(text, begin, end):
                last = end
                continue
        first, stop = _composite(text, begin, end, last, taken)
        if stop > first:
            last = taken = stop
            yield first, stop, True
            continue
        end = trim(text, begin, end, sentence=True)
        marks = "*#_" if text[begin - 1 : begin] in ("*", "_") else "*#"
        while end > begin and text[end - 1] in marks:
            end -= 1
        if end > begin:
            end += text[end - 1] == "-" and "\u4e00" <= text[end : end + 1] <= "\u9fff"  # 0619-沪
            last = end
            taken = end if end - begin >= LEAST else taken
            yield begin, end, False


def _keyed_end(text: str, begin: int, end: int) -> int:
    """Where what a keypad takes ends in a chunk that begins with it; 0 where it does not."""
    while end > begin and text[end - 1] in ".,;:!?":
        end -= 1
    return end if text[end - 1] in "*#" and is_keyed(text, begin, end) else 0


def _composite(text: str, begin: int, end: int, last: int, taken: int) -> tuple[int, int]:
    """Begin and end of a known form of several words that the chunk ``text[begin:end]`` belongs to;
    twice the same if none. ``last``, ``taken``: where the value before ends, and a long one."""
    if text[end : end + 1] == " ":
        first = max(grouped_begin(text, begin), last)
        stop = grouped_end(text, first)
        if stop > end:
            return first, stop
    house = _HOUSE.match(text, begin)
    if house is not None:
        first, stop = street(text, house.end(), taken)
        if stop > first and stop >= end - 2:
            return first, stop
    if text[begin - 1 : begin] == " " and text[max(last, begin - 4) : begin - 1].isupper():
        priced = COMPOSITE.match(text, begin - 4)  # a currency before its amount
        summed = priced and priced.end() >= end - 2 and "." in priced.group()
        begin -= 4 if summed else 0
    first = max(earlier(text, begin), last)
    stop = written(text, first)[0] if first < begin else begin
    if stop < max(end - 2, begin + 1):
        first, stop = begin, composite_end(text, begin)
    return (first, stop) if stop > first and stop >= end - 2 else (begin, begin)


def _is_key(text: str, begin: int, end: int) -> bool:
    """Whether a chunk before ``=`` is a name: behind another sign it is a value that holds one."""
    if text[end] == "=":
        return text[begin - 1 : begin] != "="
    return _NAME.fullmatch(text, begin, end) is not None


def _is_struck(text: str, begin: int, end: int) -> bool:
    """Whether a chunk is struck through: ``~~4471~~``."""
    opened = text.startswith("~~", begin)
    return text.startswith("~~", begin - 2) or (opened and text.find("~~", begin + 2, end) >= 0)
