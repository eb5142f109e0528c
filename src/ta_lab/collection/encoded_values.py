"""Kinds of value as URLs and settings write them: percent signs, no blanks, JDBC addresses."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable
from urllib.parse import quote

from ..generators.values import WORDS, characters


def _jdbc(rng: random.Random) -> str:
    """A database's address with what its driver is told."""
    name, port = rng.choice(WORDS), rng.randrange(3000, 9000)
    ends = ("", "?sslmode=require", f"?currentSchema={rng.choice(WORDS)}&ssl=true")
    vendor = rng.choice(("postgresql", "mysql", "mariadb"))
    return f"jdbc:{vendor}://{name}.example.net:{port}/{rng.choice(WORDS)}{rng.choice(ends)}"


def _email(rng: random.Random) -> str:
    return quote(f"{rng.choice(WORDS)}{rng.randrange(10, 99)}@{rng.choice(WORDS)}.test", safe="")


def _moment(rng: random.Random) -> str:
    day = f"20{rng.randrange(27, 49)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
    return quote(f"{day}T{rng.randrange(24):02}:{rng.randrange(60):02}:00Z", safe="")


ENCODED: dict[str, Callable[[random.Random], str]] = {
    "pct_email": _email,
    "pct_time": _moment,
    "pct_base64": lambda rng: quote(base64.b64encode(rng.randbytes(20)).decode(), safe=""),
    "base64url": lambda rng: base64.urlsafe_b64encode(rng.randbytes(23)).decode().rstrip("="),
    "sha1": lambda rng: rng.randbytes(20).hex(),
    "sha256": lambda rng: rng.randbytes(32).hex(),
    "latitude": lambda rng: f"{rng.uniform(-80, 80):.5f}",
    "iban0": lambda rng: f"XX{characters(rng, 20, string.digits)}",
    "jdbc": _jdbc,
    "host_port": lambda rng: f"{rng.choice(WORDS)}.example.org:{rng.randrange(3000, 9000)}",
}
"""Kinds that are values."""
