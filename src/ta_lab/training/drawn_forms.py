"""Forms of values, filled afresh every time: ``KD ## ### ###``, ``%H:%M``, ``{@/@@}-###``.

``#`` is a digit (none that begins a number is 0), ``@`` a capital, ``&`` a small letter, ``^`` one
of A-Z and 0-9, ``＃ ٪ ॥`` a full-width, Arabic-Indic or Devanagari digit, ``%H %h %M %d %m`` an
hour, a minute, a day and a month, ``%Y`` a year of this decade, ``%y`` one of history, ``%w %W`` a
made-up word, ``{a/b}`` one of several. A backslash takes the next character as it is.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator

Draw = Callable[[random.Random], str]
CONSONANTS, VOWELS = "bcdfghklmnprstvw", "aeiou"


def _word(rng: random.Random) -> str:
    pairs = (rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(rng.randint(2, 3)))
    return "".join(pairs) + rng.choice(("", "n", "r", "l", "s"))


SIGNS: dict[str, str] = {
    "#": string.digits,
    "@": string.ascii_uppercase,
    "&": string.ascii_lowercase,
    "^": string.ascii_uppercase + string.digits,
    "＃": "０１２３４５６７８９",
    "٪": "٠١٢٣٤٥٦٧٨٩",
    "॥": "०१२३४५६७८९",
}
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


def drawn(form: str, rng: random.Random) -> str:
    """A value of a form.

    Raises:
        ValueError: a brace that is not closed, or an unknown letter behind ``%``.
    """
    made, signs = "", iter(form)
    for sign in signs:
        if sign == "\\":
            made += next(signs, "")
        elif sign == "{":
            made += drawn(rng.choice(_choices(signs)), rng)
        elif sign == "%":
            kind = next(signs, "")
            if kind not in DRAWN:
                raise ValueError(f"unknown letter {kind!r} behind %")
            made += DRAWN[kind](rng)
        elif sign in SIGNS:
            begins = sign == "#" and not made[-1:].isdigit()
            made += rng.choice(SIGNS[sign][begins:])
        else:
            made += sign
    return made


def _choices(signs: Iterator[str]) -> list[str]:
    """What stands between a brace and its end, split at the slashes that are in no inner brace."""
    found, depth = [""], 0
    for sign in signs:
        if sign == "\\":
            found[-1] += sign + next(signs, "")
            continue
        if sign == "}" and not depth:
            return found
        depth += (sign == "{") - (sign == "}")
        if sign == "/" and not depth:
            found.append("")
        else:
            found[-1] += sign
    raise ValueError("a brace is not closed")
