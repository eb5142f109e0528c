"""A trace: utilities and kept positions of every cut, as arrays in one ``.npz`` file.

``docs/experiments.md`` lists names and shapes. No text of a context is in it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from transactional_attention.errors import InputError
from transactional_attention.files import write_whole
from transactional_attention.retention.trace import Cut, WatchedCuts

ALL_LAYERS = -1
ARRAYS = ("rows", "positions", "utility", "voucher", "held", "kept")


@dataclass(frozen=True)
class Traced:
    """What was watched while one context was run; ``name``: which."""

    name: str
    watched: WatchedCuts


def save_trace(path: Path, traced: Sequence[Traced]) -> None:
    """Writes the file in one step. Raises InputError when nothing was cut, or the file cannot be
    written."""
    arrays = trace_arrays(traced)
    if not len(arrays["index"]):
        raise InputError("nothing is evicted in this run: there is nothing to trace")
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    try:
        write_whole(path, content.getvalue(), 0o644)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def trace_arrays(traced: Sequence[Traced]) -> dict[str, Any]:
    """All arrays by name; those of a cut begin with its context and number, ``0/3/utility``."""
    arrays: dict[str, Any] = {}
    index = []
    for number, one in enumerate(traced):
        for i, cut in enumerate(one.watched.cuts):
            layer = ALL_LAYERS if cut.layer is None else cut.layer
            index.append([number, i, layer, cut.budget])
            arrays |= {f"{number}/{i}/{name}": array for name, array in _of_cut(cut).items()}
    return {
        "contexts": np.array([one.name for one in traced]),
        "left_out": np.array([one.watched.left_out for one in traced], np.int64),
        "index": np.array(index, np.int64).reshape(-1, 4),
        **arrays,
    }


def _of_cut(cut: Cut) -> dict[str, Any]:
    """Arrays of one cut; of its values where they are and what found them, never what they say."""
    places = [
        [row, s.label.start, s.label.end, s.value.start, s.value.end, admitted]
        for row, s, admitted in cut.spans
    ]
    return {
        **{name: getattr(cut, name) for name in ARRAYS},
        "spans": np.array(places, np.int64).reshape(-1, 6),
        "rules": np.array([span.rule for _, span, _ in cut.spans], str),
    }
