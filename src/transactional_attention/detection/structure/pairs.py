"""Label, sign, value: JSON (also escaped), YAML, TOML, INI, ENV, headers, cookies, query strings,
keyword arguments, constants, attributes, log fields.

The sign and the value are one pattern that begins with a rare character; the label is read
backwards from the sign over the reversed text, so no text is searched twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ...types import Anchor, Span
from ..call_ids import ties_a_call
from ..detector import LOOKBACK, MAX_VALUE
from ..quotes import goes_on
from ..roles import UNKNOWN, label_role
from ..worth import PROMISING
from .alone import is_alone
from .emit import emit, given
from .lookalikes import is_line_of_code, is_said
from .named import name_of
from .pair_values import SCHEMES, value_of

MAXLABEL = 48
MARKS = "\u0900-\u0dff\u064b-\u0652"  # signs of vowels, which are no letters to ``re``
NO_SPACE = 0.85  # role of ``a:b`` without quotes or space
QUERY = 0.82  # strength of a parameter of a query that no table holds
COMPARED = 0.75  # role of ``a == "b"``
SMALL = 3  # digits of a number that is worth nothing
UNTRUSTED_WORDS = 0.9  # role of a label of several words
COMMENTED = 0.8  # role of a setting behind the sign of a comment: it holds no longer

_PAIR = re.compile(
    r"(?P<sign>[:=：＝→](?:[=>](?!=))?)[ \t]{0,40}+"
    r"(?:(?<=: )[&!][\w!/.\-]{1,32}+ (?=[^\s|>=]))?"  # an anchor or a tag of YAML
    r"(?:[&*]?@?(?:new |String\(|str\()?(?P<open>\\{1,3}[\"']|[\"'`“„「『«]))?"
    rf"(?P<value>(?(open)(?:[^\"'`“”「」『』«»\\\n]|(?<!\\)\\[^\"'\\\n]|(?<=\w)'(?=\w)){{1,{MAX_VALUE}}}+"
    rf"|(?:[^\s\"'`“”„「」『』«»{{}}\[\]<>(),;|]|[(\[](?=[\da-f:]{{3,40}}[)\]][ :]))"
    rf"(?:[^\s\"'`“”«»{{}}<>,;|&]|,(?=\d)|&(?!(?:amp;)?[\w%.\[\]\-]{{1,40}}=)){{0,{MAX_VALUE}}}+))"
)
_TYPES = (
    "string|str|String|&str|&'static str|char|bytes|Text|any|std::string|auto|object|Secret"
    "|SecretStr"
)
LABEL = re.compile(
    r"[ \t]{0,8}+(?:\)[^()\n]{1,72}\( )?(?:\][ \t]?\[)?(?:(?:"
    + "|".join(re.escape(t[::-1]) for t in _TYPES.split("|"))
    + r") ?:)?"
    r"(?P<close>\*{0,2}[\"'`」”»]?\\{0,3}\]?[\"'`]?)"
    rf"(?P<label>[\w\-.{MARKS}]{{1,{MAXLABEL}}}+"
    rf"(?: [\w\-'’#{MARKS}]{{1,24}}+){{0,4}})"
    r"(?P<before>[^\w]?)"
)
_GENERIC = frozenset(("value", "val", "default", "v", "defaultvalue"))
_INNER = re.compile(r"(?:&(?:amp;)?|[?;#,][ \t]?|(?<![\w.\-]))[\w.\-\[\]%]{1,40}+(?==[^=\s])")
_FIELDS = re.compile(r"(?!(?:sha\d{1,3}|md5|v\d)=)[\w.\-]{1,40}=[^;\s]*(?:; .*)?")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{2,47}=[^\s=]")
_NAMED = re.compile(
    r"(?P<label>[\w.\-/ ]{1,48})[\"'\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\"'\\]{0,4}"
    r"(?i:eman|yek|dleif|elbairav|retemarap|di|lebal|eltit)(?![\w])|"
    r"[{\s]{1,8}\"(?P<block>[\w.\-]{1,48})\" (?:elbairav|tuptuo)(?!\w)"
)
_APART = re.compile(r"\}|\n[ \t]*(?:-[ \t]|\r?\n)")  # between a name and a value of something else
_INDEXED = re.compile(r"[\w.\-]+")
_WHOLES = ("arn", "urn", "did")  # how names begin that are values as a whole
_DESCRIPTION = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,2}")
_LAST_NAME = re.compile(r"[,{;\n]")
# What plain words may be the value of.
_WORDED = re.compile(r"(?i)phrase|word|name|address|frase|parole|wort|nom|user|login|owner|contact")
_COMMENTS = ("#", ";", "!")


def pairs(text: str, minimum: float) -> Iterator[Anchor]:
    """Every labelled value with a sign between label and value."""
    backwards, size = text[::-1], len(text)
    for match in _signs(text):
        if _is_small(text, match):
            continue
        at = size - match.start()
        label = LABEL.match(backwards, at, at + LOOKBACK)
        anchor = _pair(text, match, label, minimum) if label else None
        if anchor is not None:
            yield anchor


def _signs(text: str) -> Iterator[re.Match]:
    """Signs with their values, and those inside such values (``?a=b&c=d``, ``x="c=d; e=f"``)."""
    for match in _PAIR.finditer(text):
        yield match
        start, stop = match.span("value")
        if text.find("=", start, stop) < 0:
            continue
        names = [named.span() for named in _INNER.finditer(text, start, stop)]
        for (_, sign), (after, _) in pairwise([*names, (stop, stop)]):
            inner = _PAIR.match(text, sign, after)
            if inner:
                yield inner


def _pair(text: str, match: re.Match, label: re.Match, minimum: float) -> Anchor | None:
    at, size = match.start(), len(text)
    begin, end = size - label.end("label"), size - label.start("label")
    sign, opened, close = match["sign"], match["open"], label["close"]
    quoted_label = bool(close and close.strip("*]"))
    spaced = match.end("sign") < match.start("open" if opened else "value")
    if sign == ":" and not (opened or spaced or quoted_label) and _is_address(text, at, begin):
        return None
    if quoted_label and ties_a_call(text, *match.span("value")):
        return None
    if close == "]" and text[begin:end].isdigit():
        begin, end = _named(text, begin, end, sign)
        if begin == end:
            return None
    begin = _label_start(text, begin, end, quoted_label, sign)
    strength = _strength(text, begin, end)
    if strength < minimum or _is_worthless(text, match, strength):
        return None
    role = COMPARED if sign == "==" else COMMENTED if _is_commented(text, begin) else 1.0
    if not quoted_label and " " in text[begin:end] and label_role(text[begin:end]) < 1.0:
        role *= UNTRUSTED_WORDS
    start, stop, delimited, place = value_of(text, match, begin, strength)
    if _holds_pairs(text, start, stop, sign, bare=not opened):
        return None
    if not opened and sign == ":":
        sure = strength >= 1.0
        if is_said(text, (begin, end), (start, stop), spread=place < 1.0, sure=sure):
            return None
        place *= 1.0 if spaced or text.startswith("${", begin - 2) else NO_SPACE
    anchor = emit(
        text, (begin, end), (start, stop), role * place, "structure:pair",
        delimited=delimited, minimum=minimum, strength=strength,
    )  # fmt: skip
    if anchor is None and not opened and spaced and is_alone(text, (begin, end), (start, stop)):
        return given(text, (begin, end), (start, stop), minimum)
    if anchor is None and role >= UNTRUSTED_WORDS:
        return name_of(text, (begin, end), (start, stop), sign, place)
    name = _name(text, begin, end) if anchor else None
    return anchor._replace(label=Span(*name)) if anchor and name else anchor


def _holds_pairs(text: str, start: int, stop: int, sign: str, *, bare: bool) -> bool:
    """Whether a value is made of pairs of its own: a variable of a unit
    (``Environment=NAME=value``), the fields of a cookie."""
    if text.find("=", start, stop) < 0:
        return False
    if bare and _VARIABLE.match(text, start, stop):
        return True
    if sign != ":" and "; " not in text[start:stop]:
        return False
    return text[stop - 1] != "=" and _FIELDS.fullmatch(text, start, stop) is not None


def _named(text: str, begin: int, end: int, sign: str) -> tuple[int, int]:
    """The name before an index (``key[0]=``); nothing before the number of a process."""
    if text[begin - 1 : begin] != "[" or (sign == ":" and end - begin > 1):
        return begin, begin
    name = _INDEXED.match(text[max(0, begin - 1 - MAXLABEL) : begin - 1][::-1])
    return begin - 1 - name.end() if name else begin - 1, begin - 1


def _is_commented(text: str, begin: int) -> bool:
    """Whether a setting is switched off: the sign of a comment stands right before it."""
    return text[begin - 1 : begin] in _COMMENTS and text[begin - 2 : begin - 1] in ("", "\n")


def _is_small(text: str, match: re.Match) -> bool:
    """Whether a value is a small number, whatever its label is."""
    start, stop = match.start("value"), match.end()
    if stop - start > SMALL or not text[start:stop].isdigit():
        return False
    return text[stop : stop + 1] != " " and not _has_more(text, match)


def _has_more(text: str, match: re.Match) -> bool:
    """Whether a quoted value holds quotes of its own: ``"it's"``."""
    return bool(match["open"]) and goes_on(text, match["open"], match.end("value"))


def _is_worthless(text: str, match: re.Match, strength: float) -> bool:
    """Plain words that their label does not ask for: most values by far."""
    value = match["value"]
    if value[0] == "!" and text[match.end() : match.end() + 2] in (" |", " >"):
        return True  # what kind of block follows
    if match["open"] and PROMISING <= strength < 1.0 and value.islower() and " " in value:
        name = _LAST_NAME.split(text[max(0, match.start() - MAXLABEL) : match.start()])[-1]
        return _DESCRIPTION.fullmatch(value) is not None and not _WORDED.search(name)
    if strength >= PROMISING or not value.isalpha() or value.isupper():
        return False
    if _has_more(text, match):
        return False
    return match["open"] is not None or value[0] not in SCHEMES


def _is_address(text: str, at: int, begin: int) -> bool:
    """A colon without space: part of a URL, a time, a host with port, a drive, a line of code."""
    after, known = text[at + 1 : at + 3], label_role(text[begin:at])
    if after == "//" or text[at + 1] in ":\\" or known < 0.9 or "." in text[begin:at]:
        return True
    return text[begin:at].split(" ")[-1] in _WHOLES or is_line_of_code(text, at)


def _label_start(text: str, begin: int, end: int, quoted: bool, sign: str) -> int:
    """Where the label's words begin: words before an identifier count only in prose-like labels."""
    words = text[begin:end].lstrip("-.")
    begin = end - len(words)
    last = words.rfind(" ") + 1
    if not last:
        return begin
    word = words[last:]
    if quoted and text[end : end + 1] in "\"'`\\*」":
        return begin
    if "_" in word or word.isupper() or (word[:1].islower() and not word.islower()):
        return begin + last
    line = text.rfind("\n", max(0, begin - 8), begin + 1) + 1
    if line or begin < 8 or text[begin - 1 : begin] in "([{,;-*|" or not word.islower():
        return begin
    return begin if sign != "=" and label_role(words) >= 0.9 else begin + last


def _strength(text: str, begin: int, end: int) -> float:
    """The label's role; ``value`` and ``default`` are labelled by a name that stands before."""
    words = text[begin:end]
    if begin and text[begin - 1] in "?&":
        known = UNKNOWN if len(words) == 1 else label_role(words)
        return QUERY if known == UNKNOWN else known
    if words.lower() not in _GENERIC:
        return label_role(words)
    name = _name(text, begin, end)
    return label_role(text[slice(*name)]) if name else 0.75


def _name(text: str, begin: int, end: int) -> tuple[int, int] | None:
    """The name before a ``value`` or a ``default``: ``name: API_TOKEN``, ``key="ApiKey"``,
    ``variable "db_password" {``."""
    if text[begin:end].lower() not in _GENERIC:
        return None
    name = _NAMED.search(text[max(0, begin - LOOKBACK) : begin][::-1])
    if name is None or _APART.search(text, begin - name.start(), begin):
        return None
    group = "label" if name["label"] else "block"
    at = begin - name.end(group)
    first = at + len(name[group]) - len(name[group].rstrip())
    return first, begin - name.start(group)
