"""Texts for the speed of detection: prose with few values, source code with some, configuration
that is full of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib.abc import SourceLoader
from importlib.util import find_spec

from transactional_attention.errors import InputError

from ..collection.surroundings import TEXTS as AROUND
from ..collection.surroundings import documentation
from ..collection.values import make_value

NOTATIONS = ("env", "yaml", "ini", "json")
VALUES = "token/hex/uuid/url/path/email/version/digits/ip/port/time/host"
RECORD_FIELDS = 6
# Of the standard library: every Python that we support has them, as text.
MODULES = ("argparse ast configparser difflib doctest ftplib inspect mailbox optparse pdb pickle "
           "pickletools platform subprocess tarfile typing").split()  # fmt: skip


def prose(size: int, seed: int) -> str:
    """Python's language reference, paragraphs in random order, ``size`` characters."""
    return documentation("pydoc", size, random.Random(f"prose/{seed}"))[:size]


def source_code(size: int, seed: int) -> str:
    """Modules of the standard library, one after the other from another one on a seed, ``size``
    characters."""
    text, module = "", seed
    while len(text) < size:
        text += _source(MODULES[module % len(MODULES)])
        module += 1
    return text[:size]


def configuration(size: int, seed: int) -> str:
    """ENV, YAML, INI and JSON settings, JSON records and log lines, ``size`` characters.

    Every line states a value: half of them defaults, half what a user would want to keep.
    """
    rng = random.Random(f"configuration/{seed}")
    blocks, written = [], 0
    while written <= size:
        blocks.append(rng.choice((_settings, _records, _log))(rng))
        written += len(blocks[-1]) + 1
    return "\n".join(blocks)[:size]


TEXTS: dict[str, Callable[[int, int], str]] = {
    "prose": prose,
    "source code": source_code,
    "configuration": configuration,
}


def _source(name: str) -> str:
    """The text of a module, which is not run.

    Raises:
        InputError: where Python is installed without it.
    """
    spec = find_spec(name)
    if spec is None or not isinstance(spec.loader, SourceLoader):
        raise InputError(f"this Python has no source of its module {name}: install it with sources")
    return spec.loader.get_source(name) or ""


def _entry(rng: random.Random) -> tuple[str, str]:
    key, dull = rng.choice([*AROUND.settings.items()])
    if rng.random() < 0.5:
        kind, value = make_value(rng, VALUES)
        return f"{rng.choice(AROUND.parts)}_{kind}", value
    return f"{rng.choice(AROUND.parts)}_{key}", dull


def _settings(rng: random.Random) -> str:
    line, entries = (
        AROUND.setting_lines[rng.choice(NOTATIONS)],
        [_entry(rng) for _ in range(12)],
    )
    return "\n".join(line.format(k=key, K=key.upper(), v=value) for key, value in entries)


def _records(rng: random.Random) -> str:
    records = [dict(_entry(rng) for _ in range(RECORD_FIELDS)) for _ in range(4)]
    return "\n".join(json.dumps(record) for record in records)


def _log(rng: random.Random) -> str:
    lines = []
    for _ in range(6):
        clock = f"{make_value(rng, 'date')[1]} {make_value(rng, 'clock')[1]}"
        key, value = _entry(rng)
        event = rng.choice(AROUND.events).replace("{int}", str(rng.randrange(2, 90)))
        level, part = rng.choice(AROUND.levels), rng.choice(AROUND.parts)
        lines.append(f"{clock} {level} [{part}] {event} {key}={value}")
    return "\n".join(lines)
