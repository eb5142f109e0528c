"""Texts and tables that the laboratory is made from, each read once: TOML beside this file.

``collection/SPLIT/PART.toml``: the collection's templates. ``frozen/``: texts to train with
(``frozen/README.md``). ``tasks/``: what the tasks say. ``values/``: forms and words of values.
``templates/``: texts with slots for values. ``annotated/``, ``locked/``: texts with marked values.
``announcements*.txt``: lines of the learned detector.
Others are tables of the module that their first line names.
"""

from __future__ import annotations

import json
import lzma
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import Any


def text(name: str) -> str:
    """A file as it stands."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


@cache
def table(name: str) -> dict[str, Any]:
    """``NAME.toml`` in the order in which it is written, arrays as tuples."""
    table: dict[str, Any] = _frozen(tomllib.loads(text(f"{name}.toml")))
    return table


def texts(name: str) -> SimpleNamespace:
    """The same with its tables and arrays as attributes."""
    return SimpleNamespace(**table(name))


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """``NAME.txt``: the lines below each ``# SECTION``, without empty ones."""
    sections: dict[str, list[str]] = {}
    for line in text(f"{name}.txt").splitlines():
        if line.startswith("# "):
            lines = sections.setdefault(line[2:].strip(), [])
        elif line.strip():
            lines.append(line)
    return {section: tuple(lines) for section, lines in sections.items()}


def packed(name: str) -> Iterator[Any]:
    """``NAME.jsonl.xz``: what each of its lines holds."""
    content = lzma.decompress(files(__name__).joinpath(f"{name}.jsonl.xz").read_bytes())
    yield from map(json.loads, content.decode().split("\n")[:-1])


def _frozen(read: Any) -> Any:
    if isinstance(read, dict):
        return {key: _frozen(part) for key, part in read.items()}
    return tuple(map(_frozen, read)) if isinstance(read, list) else read
