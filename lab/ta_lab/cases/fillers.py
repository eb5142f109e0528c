"""Text that surrounds a value: real English that every Python installation carries.

``pydoc``: the language reference, full of "key:" and "code:". ``anchor-free``: the paragraphs of it
in which no text detector finds anything. A path: the paragraphs of any UTF-8 file."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics

from transactional_attention.detection.scanner import Scanner
from transactional_attention.errors import InputError

DETECTORS = ("semantic", "shapes")


@cache
def paragraphs(name: str) -> tuple[str, ...]:
    """Paragraphs of a filler, white space folded. Raises InputError for a file that cannot be read,
    is not UTF-8 text, or is empty."""
    if name == "anchor-free":
        return tuple(p for p in paragraphs("pydoc") if not bool(Scanner(DETECTORS).feed(p, True)))
    if name == "pydoc":
        text = "\n\n".join(topics[key] for key in sorted(topics))
    else:
        text = decode_text(Path(name), read_bytes(Path(name)))
    parts = (" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", text))
    passages = tuple(part for part in parts if part.count(" ") >= 4)
    if not passages:
        raise InputError(f"filler {name}: no paragraph of five words or more")
    return passages


def read_bytes(path: Path) -> bytes:
    """A file's bytes, or an ``InputError`` that names it."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def decode_text(path: Path, data: bytes) -> str:
    """Bytes of ``path`` as UTF-8 text without NUL, or an ``InputError`` that says what is wrong."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not valid UTF-8 (byte {error.start}): convert it") from None
    if "\x00" in text:
        raise InputError(f"{path} holds a NUL character at {text.index(chr(0))}: is it binary?")
    return text


def filler(name: str, characters: int, rng: random.Random) -> str:
    """At least ``characters`` of a filler, paragraphs in random order."""
    return drawn(paragraphs(name), characters, rng)


def drawn(source: Sequence[str], characters: int, rng: random.Random) -> str:
    """At least ``characters`` of paragraphs in random order."""
    parts: list[str] = []
    while characters > 0:
        parts.append(rng.choice(source))
        characters -= len(parts[-1]) + 1
    return "\n".join(parts)
