"""Alphabets that all vocabularies share, and strings of their characters."""

from __future__ import annotations

import random
import string

DIGITS, HEX, CAPITALS = string.digits, "0123456789abcdef", string.ascii_uppercase
UPPER, LOWER = CAPITALS + DIGITS, string.ascii_lowercase + DIGITS
MIXED = string.ascii_letters + DIGITS
ALPHABETS = {
    "digits": DIGITS,
    "hex": HEX,
    "capitals": CAPITALS,
    "upper": UPPER,
    "lower": LOWER,
    "mixed": MIXED,
}
"""By the name that forms use."""


def characters(rng: random.Random, length: int, alphabet: str = UPPER) -> str:
    """``length`` characters drawn one by one."""
    return "".join(rng.choice(alphabet) for _ in range(length))
