"""How many functions one decode step goes through, beside those of transformers' own cache.

A function counts once, however often it runs, together with the lambdas and comprehensions that are
written inside it. Functions of the library count, or those of transformers' file of caches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import torch
import transformers.cache_utils

import transactional_attention
from transactional_attention.config import Retention
from transactional_attention.engines.transformers.arguments import cache_argument

from .benchmark import Outcome, Request, Row
from .corpus import LongText
from .decode import retained, whole
from .feeding import ready

LIBRARY = Path(transactional_attention.__file__).parent
CACHES = Path(transformers.cache_utils.__file__)
WARM = 3  # steps before the one that is counted


def run(request: Request) -> Outcome:
    """Rows a length and K: a plain cache, and each method."""
    subject, rows = request.subject(), list[Row]()
    model, tokenizer = subject.model, subject.tokenizer
    for tokens, budget in request.cells():
        ids = LongText(tokenizer, tokens, request.filler, request.seed).first(tokens)
        rows.append(_row("plain cache", model, whole(model, tokens), CACHES, tokens, budget))
        for method in request.methods:
            cache = retained(model, tokenizer, ids, Retention(budget, method))
            rows.append(_row(method, model, cache, LIBRARY, tokens, budget))
    return Outcome(rows)


@torch.inference_mode()
def _row(name: str, model: Any, cache: Any, home: Path, tokens: int, budget: int) -> Row:
    ready(model, cache)
    fed = {"input_ids": torch.full((1, 1), 3, device=model.device), **cache_argument(cache)}
    for _ in range(WARM):
        model(**fed)
    with counting(home) as functions:
        model(**fed)
    return {
        "tokens": tokens,
        "budget": budget,
        "name": name,
        "functions": len(functions),
        "files": len({file for file, _ in functions}),
        "names": sorted(f"{file}: {function}" for file, function in functions),
    }


@contextmanager
def counting(home: Path) -> Iterator[set[tuple[str, str]]]:
    """(file, name) of each function of a folder, or of a file, that this thread enters."""
    functions, before = set[tuple[str, str]](), sys.getprofile()
    folder = home if home.is_dir() else home.parent

    def note(frame: FrameType, event: str, argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(home):
            name = frame.f_code.co_qualname.partition(".<locals>")[0]
            functions.add((path.relative_to(folder).as_posix(), name))

    sys.setprofile(note)
    try:
        yield functions
    finally:
        sys.setprofile(before)
