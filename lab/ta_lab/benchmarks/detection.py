"""Text alone: from token ids to kept slots.

In prose with few values, in source code with some, in configuration that is full of them. An arm
reads another text each time, so that no value is weighed from memory."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.abc import SourceLoader
from importlib.util import find_spec
from typing import Any

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.text.token_text import TokenText

from ..cases.runner import read_and_cut
from ..collection.surroundings import TEXTS
from ..collection.values import make_value
from ..generators.needle import needle_case
from .benchmark import Outcome, Request, Row
from .timing import in_turn, interleave, stopwatch

NOTATIONS = ("env", "yaml", "ini", "json")
VALUES = "token/hex/uuid/url/path/email/version/digits/ip/port/time/host"
RECORD_FIELDS = 6
# Of the standard library: every Python that we support has them, as text.
MODULES = ("argparse ast configparser difflib doctest ftplib inspect mailbox optparse pdb pickle "
           "pickletools platform subprocess tarfile typing").split()  # fmt: skip


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

    Every line states a value: half of them defaults, half what a user would want to keep."""
    rng = random.Random(f"configuration/{seed}")
    blocks, written = [], 0
    while written <= size:
        blocks.append(rng.choice((_settings, _records, _log))(rng))
        written += len(blocks[-1]) + 1
    return "\n".join(blocks)[:size]


DENSER = {"source code": source_code, "configuration": configuration}
LONGEST = 8  # at most, characters of a token: what is cut to ``context`` tokens is long enough


def _source(name: str) -> str:
    """The text of a module, which is not run. Raises InputError where Python is installed without
    it."""
    spec = find_spec(name)
    if spec is None or not isinstance(spec.loader, SourceLoader):
        raise InputError(f"this Python has no source of its module {name}: install it with sources")
    return spec.loader.get_source(name) or ""


def _entry(rng: random.Random) -> tuple[str, str]:
    key, dull = rng.choice([*TEXTS.settings.items()])
    if rng.random() < 0.5:
        kind, value = make_value(rng, VALUES)
        return f"{rng.choice(TEXTS.parts)}_{kind}", value
    return f"{rng.choice(TEXTS.parts)}_{key}", dull


def _settings(rng: random.Random) -> str:
    line = TEXTS.setting_lines[rng.choice(NOTATIONS)]
    entries = [_entry(rng) for _ in range(12)]
    return "\n".join(line.format(k=key, K=key.upper(), v=value) for key, value in entries)


def _records(rng: random.Random) -> str:
    records = [dict(_entry(rng) for _ in range(RECORD_FIELDS)) for _ in range(4)]
    return "\n".join(json.dumps(record) for record in records)


def _log(rng: random.Random) -> str:
    lines = []
    for _ in range(6):
        clock = f"{make_value(rng, 'date')[1]} {make_value(rng, 'clock')[1]}"
        key, value = _entry(rng)
        event = rng.choice(TEXTS.events).replace("{int}", str(rng.randrange(2, 90)))
        level, part = rng.choice(TEXTS.levels), rng.choice(TEXTS.parts)
        lines.append(f"{clock} {level} [{part}] {event} {key}={value}")
    return "\n".join(lines)


def _arms(
    tokenizer: Any, texts: Sequence[str], budget: int, methods: Sequence[str], kind: str
) -> dict[str, Callable[[], float]]:
    ids = [np.array(tokenizer(text)["input_ids"]) for text in texts]
    arms = {f"tokenising{kind}": _timed(tokenizer, in_turn(texts, 0))}
    for turn, method in enumerate(methods, 1):
        work = partial(_select, tokenizer, Retention(budget=budget, method=method))
        arms[f"{method}{kind}"] = _timed(work, in_turn(ids, turn))
    return arms


def _timed(work: Callable[[Any], object], turns: Iterator[Any]) -> Callable[[], float]:
    return lambda: stopwatch(partial(work, next(turns)))


def _cut(tokenizer: Any, text: str, tokens: int) -> str:
    """The first ``tokens`` tokens of a text."""
    content = TokenText(tokenizer)
    content.append(tokenizer(text)["input_ids"][:tokens])
    content.settle()
    return content.text


def _select(tokenizer: Any, retention: Retention, ids: np.ndarray) -> None:
    read_and_cut(RetentionFlow(retention, tokenizer, 1), ids)


def run_detection(request: Request) -> Outcome:
    """Rows of prose and of configuration, from token ids to kept slots; ratios are to tokenising
    texts of the same kind. Methods that look for values have arms for denser texts, too."""
    tokenizer, rounds, rows = request.recipe.tokenizer(), request.rounds, list[Row]()
    seeds = range(rounds + 1)  # a text each for the warm-up and for every round
    detecting = [method for method in request.methods if get_method(method).detectors]
    for tokens, budget in request.cells():
        needles = [
            needle_case(tokenizer, context=tokens, depth=0.5, seed=seed).context for seed in seeds
        ]
        timings = interleave(_arms(tokenizer, needles, budget, request.methods, ""), rounds)
        for kind, make in DENSER.items() if detecting else ():
            texts = [_cut(tokenizer, make(LONGEST * tokens, s), tokens) for s in seeds]
            timings += interleave(_arms(tokenizer, texts, budget, detecting, f", {kind}"), rounds)
        rows += [{"tokens": tokens, "budget": budget, **timing.row()} for timing in timings]
    return Outcome(rows)
