"""Saved slots of llama-server, cut to what a retention keeps; no llama.cpp is needed for it.

A slot file (``POST /slots/ID?action=save``) holds a sequence's tokens, and its cells at their
positions. It may hold fewer cells than tokens: the server that restores it goes on after the last
token, as if those that are gone were hidden. Versions of the file that were not tested are refused.
"""

import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...config import Retention
from ...errors import BudgetError, InputError, UnsupportedError
from ...files import write_whole
from ...gguf.bindings import PACKAGE, TESTED
from ...retention.flow import RetentionFlow
from ...types import Ints
from .cells import Cells, read_cells
from .supported import check_served

MAGIC, VERSION = b"qsgg", 4
SERVER_TOKENS = (-1, 1)  # what stands before the number of tokens: no token, and its version


class Slot(NamedTuple):
    """``head``: the bytes before the cells; ``ids`` [token]: all tokens of the conversation."""

    head: bytes
    ids: Ints
    cells: Cells


def read_slot(path: Path) -> Slot:
    """The slot that llama-server saved. Raises InputError for a file that is missing, or no slot;
    UnsupportedError for another version of the file, and other contents than text."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if len(data) < 12 or data[:4] != MAGIC:
        raise InputError(f"{path} is no saved slot of llama-server")
    version, count = struct.unpack_from("<II", data, 4)
    if version != VERSION:
        raise UnsupportedError(
            f"{path} is of version {version}; tested is {VERSION}, of the llama-server in "
            f"{PACKAGE} {TESTED}: save the slot with that"
        )
    start = 12 + 4 * count
    if len(data) < start:
        raise InputError(f"{path} is cut off")
    words = np.frombuffer(data, "<i4", count, 12).astype(np.int64)
    if (
        count < len(SERVER_TOKENS) + 2
        or tuple(words[:2]) != SERVER_TOKENS
        or count != words[2] + 4
        or words[-1]
    ):
        raise UnsupportedError(
            f"{path} holds no list of tokens as the tested llama-server writes it, or images"
        )
    if (words[3:-1] < 0).any():
        raise InputError(f"{path} is damaged: a token id is below 0")
    try:
        slot = Slot(data[:start], words[3:-1], read_cells(data, start))
    except InputError as error:
        raise UnsupportedError(
            f"{path}: {error}; the tested llama-server is that in {PACKAGE} {TESTED}, with a model "
            "whose layers all have full attention"
        ) from None
    if slot.cells.beside.data:
        raise UnsupportedError(
            f"{path} is of a model with layers that slide or are recurrent, of which a slot holds "
            "more than cells: serve it with ta serve"
        )
    if not np.isin(slot.cells.places, np.arange(len(slot.ids))).all():
        raise UnsupportedError(f"{path} has cells at other positions than its tokens")
    return slot


def prune(slot: Slot, tokenizer: Any, retention: Retention) -> tuple[Slot, RetentionFlow]:
    """The slot with K of its tokens, and what decided; one that was cut before is cut further.
    Raises InputError for tokens of another vocabulary; UnsupportedError as ``check_served``, and
    for compact positions; BudgetError when the budget cannot hold the mandatory tokens."""
    check_served(retention)
    if retention.positions != "original":
        raise UnsupportedError(
            "llama-server goes on at the tokens' own positions: use original ones"
        )
    if len(slot.ids) and slot.ids.max() >= len(tokenizer):
        raise InputError(
            f"token id {slot.ids.max()} lies outside the tokenizer's {len(tokenizer)}: give the "
            "model of the slot"
        )
    flow = RetentionFlow(retention, tokenizer, 1)
    flow.read(slot.ids[None], np.ones((1, len(slot.ids)), bool), final=True)
    table, places = flow.table, slot.cells.places
    if len(places) < len(slot.ids):
        table.take(np.sort(places)[None])
    flow.cut(table)
    kept = table.positions[0]
    if len(slot.ids) - 1 not in kept:
        raise BudgetError(
            f"budget {retention.budget} is filled by protected tokens, and llama-server needs the "
            "last token: give a larger one"
        )
    return slot._replace(cells=slot.cells.taken(np.flatnonzero(np.isin(places, kept)))), flow


def write_slot(path: Path, slot: Slot) -> int:
    """Write it whole or not at all, for its owner alone; its bytes. Raises InputError when it
    cannot be written."""
    content = slot.head + slot.cells.written()
    try:
        write_whole(path, content, 0o600)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    return len(content)
