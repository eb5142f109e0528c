"""Fresh values: random for every seed, on reserved domains and documentation addresses."""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Callable

UPPER = string.ascii_uppercase + string.digits
MIXED = string.ascii_letters + string.digits
WORDS = (
    "amber basil cedar delta ember fjord gravel harbor indigo juniper kettle lantern meadow nectar "
    "orchid pepper quartz ribbon saddle timber umbra velvet walnut yarrow zephyr copper"
).split()


def characters(rng: random.Random, length: int, alphabet: str = UPPER) -> str:
    """``length`` characters drawn one by one."""
    return "".join(rng.choice(alphabet) for _ in range(length))


def _url(rng: random.Random) -> str:
    host = f"{rng.choice(WORDS)}-{rng.randrange(10, 99)}"
    return f"https://{host}.example.com/v{rng.randrange(1, 9)}/{characters(rng, 6).lower()}"


def _address(rng: random.Random) -> str:
    return f"192.0.2.{rng.randrange(1, 255)}:{rng.randrange(1024, 65536)}"


def _plate(rng: random.Random) -> str:
    letters = string.ascii_uppercase
    parts = (characters(rng, 2, letters), characters(rng, 3, string.digits))
    return "-".join((*parts, characters(rng, 2, letters)))


KINDS: dict[str, Callable[[random.Random], str]] = {
    "code": lambda rng: characters(rng, 8),
    "mixed": lambda rng: characters(rng, 12, MIXED),
    "long": lambda rng: characters(rng, 32, MIXED),
    "hex": lambda rng: characters(rng, 16, "0123456789abcdef"),
    "digits": lambda rng: characters(rng, 6, string.digits),
    "serial": lambda rng: f"SN-{characters(rng, 4, string.digits)}-{characters(rng, 4)}",
    "plate": _plate,
    "words": lambda rng: "-".join(rng.sample(WORDS, 3)) + f"-{rng.randrange(10, 99)}",
    "url": _url,
    "address": _address,
    "email": lambda rng: f"{rng.choice(WORDS)}.{characters(rng, 5).lower()}@example.org",
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
}


SHORT = "-short"
"""Ends the name of a variant whose values are eight characters, as the paper's credential."""


def fresh(rng: random.Random, kind: str) -> str:
    """A new value of a kind of ``KINDS``."""
    return KINDS[kind](rng)
