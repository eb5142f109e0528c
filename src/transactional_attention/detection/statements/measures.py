"""Settings told with a unit, behind what somebody has to do: ``tighten that nut to 58 Nm``,
``lowered the tablet to 12.5 mg``, ``fan oven at 163 degrees``. Texts are full of measures; one is
kept where a verb or a noun of setting stands before it in its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

SET = 0.68
_UNITS = (
    "[kMG]Hz|FM|AM|mm|cm|kg|t|lbs?|N ?m|ft[- ]?lbs?|degrees(?: C| F| Celsius)?|°|° ?[CF]|mg|mcg|µg"
    "|μg|ml|mL|IU|units|drops|psi|bar|kPa|hPa|rpm|mA|mV|dB|Hz|mbar|Grad|grados|degrés|gradi|graus"
    "|градусов|мг|мл|mg/kg|度|ミリ|도"
)
_NUMBER = re.compile(
    r"(?:[^.;!?\n]|\.(?=\d)){0,56}?(?<![\d.,])"
    rf"(?P<value>(?:(?<= )[-−])?\d{{1,5}}(?:[.,]\d{{1,5}})?[ \u00a0]?(?:{_UNITS}))(?![\w/])"
)
_SAID = (
    "handhelds to|radios to|radio to|channel to|frequency is|frequency to|tune to|tune it to"
    "|dial to|tune in on|tune in to|tune in at|listen on"
    "|go down to|go up to|going up to|going slowly to|must not exceed|not carry more than|"
    "tighten|torque it|torqued|torque|oven at|oven to|bake at|bake it at|roast at|heat to"
    "|heat it to|set to|set it to|set at|keep it at|held at|hold it at|lowered|raised"
    "|prescription is"
    "|dose is|dosage|dose to|dose of|prescribed|takes|take|inject|calibrated to|tuned to"
    "|pump up to|inflate to|inflate them to|tyre pressure|tire pressure|anziehen mit|anzugsmoment"
    "|backen bei|ofen auf"
    "|dosis|dosierung|apretar a|par de apriete|horno a|hornear a|serrer à|couple de|four à|dose"
    "|stringere a|coppia di|forno a|apertar a|torque de|forno a|дозировка|дозу|духовка|духовку"
).split("|")
# What an instrument is to show needs no unit.
_SHOWN = re.compile(
    r" (?P<value>\d{1,5}[.,]\d{1,4}(?: (?:FM|AM|[kMG]Hz|bar|psi)\b)?)"
    r"(?![\w/]|[.,]\d)"
)
_SHOWING = tuple(
    f"{what} {shows}"
    for what in ("until it", "till it", "until the dial", "until the needle", "until the gauge")
    for shows in ("shows", "reads", "says", "points to", "stands at", "is at", "is on")
)
_BOOK = Book(
    [
        *(phrase(said, _NUMBER) for said in dict.fromkeys(_SAID)),
        *(phrase(said, _SHOWN) for said in _SHOWING),
    ]
)


def measures(text: str) -> Iterator[Anchor]:
    """Numbers with units behind words of setting."""
    for begin, end, rest in spoken(text, _BOOK):
        match = rest.match(text, end)
        if match and not text[end : end + 1].isalnum():
            yield announced(begin, match, SET, "prose:measure", delimited=True)
