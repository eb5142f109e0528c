"""Forms of values, filled afresh every time: ``KD ## ### ###``, ``%H:%M``, ``<words>-<10..99>``.

``#`` is a digit (none that begins a number is 0), ``@`` a capital, ``&`` a small letter, ``^`` one
of A-Z and 0-9, ``＃ ٪ ॥`` a full-width, Arabic-Indic or Devanagari digit, ``%H %h %M %d %m`` an
hour, a minute, a day and a month, ``%Y`` a year of this decade, ``%y`` one of history, ``%w %W`` a
made-up word. ``{a/b}`` is one of several, ``{?0.3 a/b}`` the first with that probability
(``{?0.1,0.3 a/b/c}``: the second below 0.3). A
backslash takes the next character as it is.

``<1..99>`` is a number, ``<-80..80:.4f>`` one with a fraction; ``<words>`` a draw from a list, an
alphabet or a kind by its name; ``<digits*4..6>`` this many draws, ``<hex*7,8,12>`` as many as one
of these, ``<words+3..4 ->`` different ones with a hyphen between, ``<hex&8>`` with a digit and a
letter at least; ``<octets*20:base64>`` bytes. After a colon stands how a draw is written
(``FILTERS``, or a format as ``02``). ``<area=FORM>`` is drawn now and stands where ``<area>`` is.
"""

from __future__ import annotations

import random
import re
from base64 import b32encode, b64encode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from .alphabets import CAPITALS, DIGITS, UPPER

if TYPE_CHECKING:
    from .vocabulary import Vocabulary

Draw = Callable[[random.Random], str]
CONSONANTS, VOWELS = "bcdfghklmnprstvw", "aeiou"


Part = Callable[[random.Random, str, "Vocabulary"], str]
"""Text of a part of a form, from what stands before it and what its names stand for."""


def _word(rng: random.Random) -> str:
    pairs = (rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.randint(2, 3)))
    return "".join(pairs) + rng.choice(("", "n", "r", "l", "s"))


SIGNS: dict[str, str] = {
    "#": DIGITS,
    "@": CAPITALS,
    "&": CAPITALS.lower(),
    "^": UPPER,
    "＃": "０１２３４５６７８９",
    "٪": "٠١٢٣٤٥٦٧٨٩",
    "॥": "०१२३४५६७८९",
}
MARKS = frozenset("{<%") | SIGNS.keys()
DRAWN: dict[str, Draw] = {
    "H": lambda rng: f"{rng.randrange(24):02}",
    "h": lambda rng: str(rng.randint(1, 12)),
    "M": lambda rng: f"{rng.randrange(60):02}",
    "d": lambda rng: str(rng.randint(1, 28)),
    "m": lambda rng: f"{rng.randint(1, 12):02}",
    "Y": lambda rng: str(rng.randint(2025, 2032)),
    "y": lambda rng: str(rng.randint(1500, 2020)),
    "w": _word,
    "W": lambda rng: _word(rng).capitalize(),
}


def _indian(number: int) -> str:
    """Three digits, then groups of two: 12,34,567."""
    head, tail = divmod(number, 1000)
    groups = [f"{tail:03}"]
    while head:
        head, part = divmod(head, 100)
        groups.insert(0, f"{part:02}" if head else str(part))
    return ",".join(groups)


FILTERS: dict[str, Callable[[str, str], str]] = {
    "lower": lambda made, _: made.lower(),
    "upper": lambda made, _: made.upper(),
    "strip": lambda made, _: made.strip(),
    "backslashes": lambda made, _: made.replace("/", "\\"),
    "word": lambda made, place: made.split(" ")[int(place) - 1],
    "percent": lambda made, _: quote(made, safe=""),
    "base32": lambda made, _: b32encode(made.encode("latin-1")).decode(),
    "base64": lambda made, _: b64encode(made.encode("latin-1")).decode(),
    "base64url": lambda made, _: urlsafe_b64encode(made.encode("latin-1")).decode(),
    "hexadecimal": lambda made, _: made.encode("latin-1").hex(),
    "unpadded": lambda made, _: made.rstrip("="),
    "first": lambda made, count: made[: int(count)],
    "from": lambda made, place: made[int(place) :],
    "group": lambda made, mark: f"{int(made):,}".replace(",", mark),
    "indian": lambda made, _: _indian(int(made)),
    "plus": lambda made, number: str(int(made) + int(number)),
    "times": lambda made, number: str(int(made) * int(number)),
    "modulo": lambda made, number: str(int(made) % int(number)),
}
"""How a draw is written: ``<whole:group .>`` with a point between thousands. An argument may be the
name of an earlier draw; ``<month:of months>`` is the list's entry of that number."""
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
_DRAWS = re.compile(r"(\w+)(?:([*+&])(\w+(?:\.\.\w+|[,\d]+)?)(.*))?", re.DOTALL)


def drawn(form: str, rng: random.Random, names: Vocabulary) -> str:
    """A value of a form. Raises ValueError for a bracket that is not closed, or an unknown letter
    after ``%``."""
    made = ""
    for part in _parts(form):
        made += part(rng, made, names)
    return made


@cache
def _parts(form: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    signs, plain = iter(form), ""
    for sign in signs:
        if sign not in MARKS:
            plain += sign if sign != "\\" else next(signs, "")
            continue
        parts += [_literal(plain)] if plain else []
        plain = ""
        if sign == "{":
            parts.append(_choice(_choices(signs)))
        elif sign == "<":
            parts.append(_bracket(_until_closed(signs)))
        elif sign == "%":
            parts.append(_letter(next(signs, "")))
        else:
            parts.append(partial(_sign, sign))
    return (*parts, _literal(plain)) if plain else tuple(parts)


def _literal(text: str) -> Part:
    return lambda rng, made, names: text


def _letter(kind: str) -> Part:
    if kind not in DRAWN:
        raise ValueError(f"unknown letter {kind!r} after %")
    return lambda rng, made, names: DRAWN[kind](rng)


def _sign(sign: str, rng: random.Random, made: str, names: Vocabulary) -> str:
    return rng.choice(SIGNS[sign][sign == "#" and not made[-1:].isdigit() :])


def _choice(choices: list[str]) -> Part:
    if not choices[0].startswith("?"):
        return lambda rng, made, names: drawn(rng.choice(choices), rng, names)
    below, _, first = choices[0][1:].partition(" ")
    bounds, texts = [float(bound) for bound in below.split(",")], [first, *choices[1:]]
    return lambda rng, made, names: drawn(texts[bisect_right(bounds, rng.random())], rng, names)


def _bracket(inside: str) -> Part:
    if named := re.match(r"(\w+)=", inside):
        return _kept(named[1], inside[named.end() :])
    what, *filters = re.split(r":(?=.)", inside)
    match = _RANGE.fullmatch(what)
    draw = _number(match[1], match[2], filters) if match else _named(what)

    def part(rng: random.Random, made: str, names: Vocabulary) -> str:
        value = draw(rng, made, names)
        for written in filters:
            value = _written(value, written, names)
        return value

    return part


def _kept(name: str, form: str) -> Part:
    def part(rng: random.Random, made: str, names: Vocabulary) -> str:
        names.drawn[name] = drawn(form, rng, names)
        return ""

    return part


def _written(value: str, how: str, names: Vocabulary) -> str:
    name, _, argument = how.partition(" ")
    if name == "of":
        return names.many(argument)[int(value) - 1]
    if name not in FILTERS:
        return format(int(value), how)
    return FILTERS[name](value, names.drawn.get(argument, argument))


def _number(low: str, high: str, filters: list[str]) -> Part:
    """A number of a range; one with a fraction takes its format with it."""
    if filters and filters[0].endswith("f"):
        written, first, last = filters.pop(0), float(low), float(high)
        return lambda rng, made, names: format(rng.uniform(first, last), written)
    return lambda rng, made, names: str(rng.randint(int(low), int(high)))


def _named(what: str) -> Part:
    match = _DRAWS.fullmatch(what)
    if not match:
        raise ValueError(f"unknown draw <{what}>")
    name, sign, count, joint = match.groups()
    if name == "octets":
        return lambda rng, made, names: rng.randbytes(_count(count, rng, names)).decode("latin-1")
    if not sign:
        return lambda rng, made, names: names.one(name, rng)
    if sign == "&":
        return lambda rng, made, names: _both(name, _count(count, rng, names), rng, names)
    if sign == "*":
        return lambda rng, made, names: joint[1:].join(
            names.one(name, rng) for _ in range(_count(count, rng, names))
        )
    return lambda rng, made, names: joint[1:].join(
        rng.sample(names.many(name), _count(count, rng, names))
    )


def _both(name: str, count: int, rng: random.Random, names: Vocabulary) -> str:
    """Draws of an alphabet, again until one at least is a digit and one a letter."""
    while True:
        made = "".join(names.one(name, rng) for _ in range(count))
        if any(c.isdigit() for c in made) and any(c.isalpha() for c in made):
            return made


def _count(count: str, rng: random.Random, names: Vocabulary) -> int:
    if "," in count:
        return int(rng.choice(count.split(",")))
    low, _, high = count.partition("..")
    return rng.randint(int(low), int(high)) if high else int(names.drawn.get(low, low))


def _until_closed(signs: Iterator[str]) -> str:
    """What stands before the end of a bracket, inner ones whole."""
    text, depth = "", 0
    for sign in signs:
        if sign == ">" and not depth:
            return text
        depth += (sign == "<") - (sign == ">")
        text += sign
    raise ValueError("a bracket is not closed")


def _choices(signs: Iterator[str]) -> list[str]:
    """What stands between a brace and its end, split at the slashes in no inner bracket."""
    choices, depth = [""], 0
    for sign in signs:
        if sign == "\\":
            choices[-1] += sign + next(signs, "")
            continue
        if sign == "}" and not depth:
            return choices
        depth += (sign in "{<") - (sign in "}>")
        if sign == "/" and not depth:
            choices.append("")
        else:
            choices[-1] += sign
    raise ValueError("a brace is not closed")
