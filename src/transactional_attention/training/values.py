"""Fresh random values: codes, hashes, paths, endpoints, numbers and what else gets stated once."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

UPPER_ALNUM = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
LOWER_ALNUM = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
WORDS = (
    "falcon river stone amber tiger maple cobalt comet harbor silver lunar delta eagle forest "
    "garnet hazel indigo jasper koala lemon meadow nectar onyx pepper quartz raven saffron topaz "
    "umber velvet willow zephyr"
).split()
DOMAINS = ("example.com", "internal", "acme.io", "test.org", "corp.local")
PREFIXES = ("sk-", "ghp_", "tok_", "AKIA", "key-", "id_", "usr_")
FOLDERS = ("etc", "var", "opt", "srv", "home", "data", "usr", "mnt")
SUFFIXES = ("conf", "log", "json", "yaml", "txt", "db", "py")


def characters(rng: random.Random, alphabet: str, length: int) -> str:
    """A string of `length` independent characters of `alphabet`."""
    return "".join(rng.choice(alphabet) for _ in range(length))


def code8(rng: random.Random) -> str:
    """Eight characters of A-Z and 0-9; in a third of them few different ones, so that they repeat.

    A repeated character has two successors: the copies that went wrong were mostly of such codes.
    """
    if rng.random() < 1 / 3:
        return characters(rng, "".join(rng.sample(UPPER_ALNUM, rng.randint(4, 6))), 8)
    return characters(rng, UPPER_ALNUM, 8)


def _code(rng: random.Random) -> str:
    return characters(rng, UPPER_ALNUM, rng.randint(5, 12))


def _mixed(rng: random.Random) -> str:
    return characters(rng, ALNUM, rng.randint(6, 10))


def _hex(rng: random.Random) -> str:
    return characters(rng, HEX, rng.choice((7, 8, 12, 12, 12)))


def _long_hex(rng: random.Random) -> str:
    return characters(rng, HEX, rng.choice((16, 24, 32, 40)))


def _uuid(rng: random.Random) -> str:
    return "-".join(characters(rng, HEX, length) for length in (8, 4, 4, 4, 12))


def _digits(rng: random.Random) -> str:
    return characters(rng, string.digits, rng.randint(4, 8))


def _url(rng: random.Random) -> str:
    tail = characters(rng, LOWER_ALNUM, rng.randint(4, 6))
    return f"https://{rng.choice(WORDS)}.{rng.choice(DOMAINS)}/v{rng.randint(1, 9)}/{tail}"


def _words(rng: random.Random) -> str:
    if rng.random() < 0.6:
        return f"{rng.choice(WORDS)}-{rng.randint(10, 9999)}"
    return f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{rng.randint(10, 99)}"


def _prefixed(rng: random.Random) -> str:
    return rng.choice(PREFIXES) + characters(rng, ALNUM, rng.randint(8, 12))


def _path(rng: random.Random) -> str:
    name = f"{rng.choice(WORDS)}_{characters(rng, LOWER_ALNUM, 3)}.{rng.choice(SUFFIXES)}"
    return f"/{rng.choice(FOLDERS)}/{rng.choice(WORDS)}/{name}"


def _address(rng: random.Random) -> str:
    address = ".".join(str(rng.randint(0, 255)) for _ in range(4))
    return address if rng.random() < 0.5 else f"{address}:{rng.randint(1000, 9999)}"


def _version(rng: random.Random) -> str:
    return f"v{rng.randint(0, 20)}.{rng.randint(0, 99)}.{rng.randint(0, 99)}"


def _coordinates(rng: random.Random) -> str:
    return f"{rng.uniform(-90, 90):.4f},{rng.uniform(-180, 180):.4f}"


def _email(rng: random.Random) -> str:
    return f"{rng.choice(WORDS)}{rng.randint(1, 999)}@{rng.choice(DOMAINS)}"


KINDS: tuple[tuple[Callable[[random.Random], str], float], ...] = (
    (code8, 0.36),
    (_code, 0.08),
    (_mixed, 0.08),
    (_hex, 0.09),
    (_long_hex, 0.03),
    (_uuid, 0.02),
    (_digits, 0.09),
    (_url, 0.05),
    (_words, 0.06),
    (_prefixed, 0.05),
    (_path, 0.03),
    (_address, 0.02),
    (_version, 0.015),
    (_coordinates, 0.015),
    (_email, 0.01),
)
_MAKERS = [maker for maker, _ in KINDS]
_SHARES = [share for _, share in KINDS]


def random_value(rng: random.Random) -> str:
    """A fresh value of a random kind, without white space."""
    return rng.choices(_MAKERS, _SHARES)[0](rng)
