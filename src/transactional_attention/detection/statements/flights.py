"""Flights and trains by what stands before their numbers: ``lands on LO 3914``, ``chego no voo AD
8842``. Two capitals beside a number may be anything where nobody travels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

FLIGHT = 0.74
_NUMBER = re.compile(
    r"(?:[ ](?:number|no\.?|n[°º]\.?|nr\.?|num\.?|№))?(?:[ ](?:is|will be|es|é|è|est|ist|:))?:?[ ]?"
    r"[\"'“(]?(?P<value>(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])[ \u00a0]?\d{2,4}"
    r"|(?:ICE|TGV|AVE|ICN|FR|FA|FB|RE|RJX?|IC|EC)[ ]\d{1,5})"
    r"(?![\w-]|[.,:]\d)"
)
_SAID = (
    "arrivo con il|parto con il|llego con el|llego en el|salgo en el|arrive par le|komme mit dem|"
    "flight|flight is|flying|flying on|flies on|fly on|lands on|landing on|arrives on|arriving on"
    "|coming in on|comes in on|booked on|boarding|boards|departs on|leaves on|seat on|train"
    "|vuelo|vuelo es|tren|vol|vol est|voo|voo é|trem|volo|treno|flug|flug ist|zug|рейс|рейсом"
    "|поезд|uçuş|uçuşu|uçuşum|seferi|tren|fly|航班|航班号|便名|搭乗便|항공편|편명|الرحلة|رحلة|उड़ान|फ़्लाइट|फ्लाइट"
).split("|")
_BOOK = Book(phrase(said, None) for said in dict.fromkeys(_SAID))


def flights(text: str) -> Iterator[Anchor]:
    """Numbers of flights and trains behind words of travel."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _NUMBER.match(text, end)
        if match:
            yield announced(begin, match, FLIGHT, "prose:flight", delimited=True)
