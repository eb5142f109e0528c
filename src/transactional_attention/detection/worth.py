"""How much a labelled value is worth keeping: nothing for defaults and placeholders, more the less
it can be guessed. What is said of a label is in ``labels``; the two are multiplied."""

from __future__ import annotations

import re

from .call_ids import is_call_id
from .disorder import LABELLED, disorder
from .extent import composite_end
from .forms import classify
from .notations import is_past
from .opacity import opacity
from .streets import is_street

SHAPED, CODE, PHRASE, PLAIN = 0.85, 0.62, 0.62, 0.56
"""Least worth of a value of known shape, of a short code, of the words of a phrase, and of one
plain word."""
TRUST = 0.55
"""Part of what is missing to 1 that a label which promises such a value adds."""
PROMISING = 0.9  # label strength from which it does
MAX_PHRASE = 8  # words

PLACEHOLDER = re.compile(
    r"(?i)(?:none|null|nil|true|false|undefined|todo|tbd|n/?a|x{3,}|\*+|\$\{?(?:[a-z_]\w*|\d)\}?|%\(?\w+\)?s?"
    r"|\$\(.*|\{{2,}[\w. ]*\}+|\{[\w. ]{0,28}\}|<[\w .-]*>|your[-_ ].*|.*\.\.\.)"
)
_BORING = re.compile(
    r"(?i)\W*(?:..?|-?\d{1,3}(?:\.\d{1,2})?(?:[kmgt]i?b?|ms|[smhd%]|px|em)?|0[xb]\d{1,8}"
    r"|yes|off|auto|default|(?:en|dis)abled|any|all|str|string|int|integer|float|bool|boolean|bytes"
    r"|object|list|dict|number|char|value|key|name|password|token|user(?:name)?|id|foo|bar|baz|type"
    r"|(?:self|this|cls|args|kwargs|process|os|req|request|config|settings|var|local|data)\..*"
    r"|changeme|redacted|hidden|masked|example|placeholder|secret)\W*"
)
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*")
_WORDS = re.compile(r"[^\W\d_]{2,}+(?:[-_./ ][^\W\d_]{2,}+){0,7}")
_PHRASE = re.compile(r"[^\W\d_]{2,}(?:[- ][^\W\d_]{2,}){2,7}")
_NAME = re.compile(r"\w+(?:\.\w+)*")
_CODE = re.compile(r"[A-Za-z\-]*\d[A-Za-z\d\-]*")
# JSON and the like: its parts are values, it is none.
_STRUCTURE = re.compile(r"\[\s*[\[{\"'`\\]|\{\s*(?:[\[{\"'`\\]|\w+\s*:)")
# Where systems keep their files: names that everybody knows.
_STANDARD = re.compile(
    r"/(?:usr|bin|sbin|lib|lib64|etc|var|tmp|dev|proc|sys|opt|run)(?:/[a-z][a-z_]{1,12}){0,4}/?"
    r"(?:\.(?:conf|cfg|log|sh|so|d))?"
)
_PORTS = frozenset(
    "1433 1521 1883 3000 3306 5000 5432 5672 6379 8000 8080 8443 9000 9090 9092 9200 27017".split()
)
# Addresses that every machine has.
EVERYBODYS = frozenset(("127.0.0.1", "0.0.0.0", "255.255.255.255", "127.0.0.1/8", "0.0.0.0/0"))
_STAMP = re.compile(r"(?:1[4-9]|2[0-2])\d{8}(?:\d{3})?|20\d{6}T\d{6}Z?")
_TIMED = re.compile(
    r"(?i)(?:expires?|expiry|expiration|stamp|time|date|(?:^|[\W_])(?:exp|ts|at))\W*$"
)
# When a record was written: each has another.
_MOMENT = re.compile(
    r"20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_RECORDED = re.compile(
    r"(?i)(?:^|[\W_])(?:at|ts|time|timestamp|modified|mtime|created|updated|saved|logged|recorded"
    r"|fetched|generated|written|seen|occurred|received|sent|started|finished|completed|indexed)"
    r"(?:[_ ]?(?:at|on|time))?\W*$"
)
_PLANNED = re.compile(
    r"(?i)due|expir|schedul|start_?at|starts|begins|ends|depart|arriv|board|pick|deliver|next|deadline|until"
    r"|meet|appoint|call|valid|renew|book|reserv|check|open|clos|launch|releas|event|slot"
)
_CALLED, _CLOSED = re.compile(r"\w\("), re.compile(r"[);=]")
_PROGRAM_SIGNS, FEWEST_SIGNS = "=(){};", 4
_CALL = re.compile(r"[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w*){0,4}\(.*")
_INDEXED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\[[\"']?\w*[\"']?\]?")  # an expression, cut or whole
_OPAQUE_LABEL = re.compile(
    r"(?i)(?:^|[\W_a-z])(?:key|id|token|hash|sha\d*|uuid|guid|pin|otp|nonce|commit|code|coordinates"
    r"|number|licen[cs]e|port|ip|digest|checksum|signature|revision|latitude|longitude|version|credential|keypad|intercom|padlock"
    r"|parcel|shipment|consignment|waybill|docket|permit|policy|membership|contract|claim|receipt"
    r"|passport|registration|prescription|meter|barcode|licen[cs]e|certificate)s?\W*$"
)
# Four digits, capitals, letters with digits, or capitals where no word has them.
CODE_LIKE = re.compile(
    r"\d{4,}\Z|[A-Z]{4,}\Z|(?=\S{4})(?:\d\S*?[^\W\d]|[^\W\d]\S*?\d)|\S*?(?:[A-Z]{2}[a-z]|[a-z][A-Z]{2})"
)


_PLACEHOLDER_BEGINS = frozenset("nNtTuUfFxX*$%{<yY")
_LONGEST_BORING = 11  # characters of ``placeholder``; only attributes and symbols are longer


def is_placeholder(value: str) -> bool:
    """Whether a value stands for one that is not written."""
    if value[:1] not in _PLACEHOLDER_BEGINS and not value.endswith("..."):
        return False  # most values, without a pattern
    return PLACEHOLDER.fullmatch(value) is not None


def _is_boring(value: str) -> bool:
    plain = len(value) > _LONGEST_BORING and value.isascii() and "." not in value
    if plain and value[0].isalnum() and value[-1].isalnum():
        return False  # most values, without a pattern
    return _BORING.fullmatch(value) is not None


def _may_be_composite(value: str) -> bool:
    """Several words or numbers: something joins them, and no small letter begins them."""
    return not (value[0].islower() or value.isalnum())


def _is_expression(value: str) -> bool:
    """A call, an element of a list, or a document: what it holds is a value, it is none."""
    if ("(" in value and _CALL.match(value)) or _STRUCTURE.match(value):
        return True
    if "(" in value and " " in value and _is_program(value):
        return True
    return "[" in value and _INDEXED.fullmatch(value) is not None


def _is_program(value: str) -> bool:
    """Whether a value is source code: signs of it, and a call in its first line."""
    # Two searches: one pattern for both would try every call, in quadratic time.
    if sum(map(value.count, _PROGRAM_SIGNS)) < FEWEST_SIGNS:
        return False
    line = value.partition("\n")[0]
    called = _CALLED.search(line)
    return called is not None and _CLOSED.search(line, called.end()) is not None


def _is_stamp(value: str, label: str) -> bool:
    """Whether a value is the moment of a record or a request: each has another."""
    if _STAMP.fullmatch(value) and _TIMED.search(label):
        return True
    if value[4:5] != "-" or _MOMENT.fullmatch(value) is None:
        return False
    return _RECORDED.search(label) is not None and _PLANNED.search(label) is None


def worth(value: str, strength: float, label: str = "") -> float:
    """Worth in [0, 1] of a value under a label of the given strength (see ``roles``)."""
    promising = strength >= PROMISING
    if is_call_id(value):
        return 0.0
    coded = len(value) > 4 and _CODE.fullmatch(value) is not None  # most values that are kept
    if not coded:
        if not value or _is_boring(value) or is_placeholder(value):
            return 0.0
        if _is_expression(value):
            return 0.0
        words = value if strength >= 1.0 else value.rstrip("!?")  # a password may end in a mark
        if _WORDS.fullmatch(words) and not (value.isupper() or disorder(words) >= LABELLED):
            if not promising or (_OPAQUE_LABEL.search(label) and not _PHRASE.fullmatch(value)):
                return 0.0
            plain = _WORD.fullmatch(words) or _NAME.fullmatch(words)
            return PLAIN if plain else PHRASE + TRUST * (1 - PHRASE)
    shaped = _may_be_composite(value) and composite_end(value, 0) == len(value)
    shaped = shaped or (not coded and is_street(value))
    if shaped and is_past(value):
        return 0.0
    if value.count(" ") >= (MAX_PHRASE if promising else 2) and not shaped:
        return 0.0
    if value[0] == "/" and _STANDARD.fullmatch(value):
        return PLAIN
    if value in EVERYBODYS or (value in _PORTS and label[-4:].lower() == "port"):
        return PLAIN
    if value[0] in "12" and _is_stamp(value, label):
        return PLAIN
    weight = opacity(value)
    if weight < SHAPED and (shaped or classify(value)[0] not in ("", "opaque")):
        weight = SHAPED
    elif weight < CODE and (promising or CODE_LIKE.match(value)):
        weight = CODE
    return weight + TRUST * (1 - weight) if promising else weight
