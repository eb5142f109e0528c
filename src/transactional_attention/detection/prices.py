"""Amounts of money inside a chunk or beside it: by the sign or by the code of a currency.

As ``forms.INNER``: a pattern that begins with a rare character, and what may stand before it, read
backwards. Both are looked for only in texts that hold a sign or a code.
"""

from __future__ import annotations

from .extent import AMOUNT
from .forms import narrow
from .text_words import foreign_letters, words_of

_CURRENCY = (
    "USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|RUB|INR|KRW|CNY|BRL|MXN|AED|SAR"
)
SIGNED_PRICES = (
    (
        "money",
        0.51,
        narrow(rf"[$€£¥₹₩₽₺] ?{AMOUNT}(?![\w%])"),
        narrow(r"(?!\w)"),
    ),
)
PRICES = (
    (
        "money",
        0.51,
        narrow(rf" {AMOUNT}(?![\w%])"),
        narrow(rf"(?:{_CURRENCY[::-1]})(?!\w)"),
    ),
    (
        "money",
        0.51,
        narrow(rf"[.,]\d\d(?: (?:{_CURRENCY}|kr|zł|Kč|TL)(?!\w)|[ \u00a0]?[€£₹₩₽₺])"),
        narrow(r"\d{1,3}(?:[,.'’ \u00a0\u202f]?\d{1,3}){0,4}(?![\w.,])"),
    ),
)
SIGNS = frozenset("€£¥₹₩₽₺łč")  # the last two are letters of their names
CURRENCIES = {code.lower().encode(): code for code in f"{_CURRENCY}|kr|TL".split("|")}


def prices(text: str) -> tuple:
    """The forms of prices that a text may hold: it names a currency, or has the sign of one."""
    words = words_of(text)
    signed = not text.isascii() and not SIGNS.isdisjoint(foreign_letters(text))
    found = SIGNED_PRICES if signed or "$" in text else ()
    # "try" is a word more often than a currency.
    named = signed or any(CURRENCIES[word] in text for word in CURRENCIES.keys() & words)
    return found + PRICES if named else found
