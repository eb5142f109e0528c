"""A tenth of K kept at each end, around any method (control; 2605.18053, its abstract alone)."""

from dataclasses import replace
from math import ceil

from transactional_attention.config import Retention
from transactional_attention.methods.method import Method
from transactional_attention.methods.registry import METHODS
from transactional_attention.retention.layout import mandatory_ends

from .snap_kv import window_of

PREFIX = "boundary-10+"
AROUND_SNAPKV = PREFIX.removesuffix("+")


def tenth(retention: Retention) -> int:
    """Tokens kept at each end.

    A tenth of the (least) budget, rounded up. The abstract reserves "10% at each end" of a cache of
    C tokens, which is read as C/10 of the first and of the last tokens of the sequence, inside the
    budget. The rest competes by the scorer's own formula, and while decoding the newest C/10 stay.
    ``boundary-10+NAME`` puts it around any method, whose own ends stay where they are larger;
    ``boundary-10`` is that around SnapKV, with a narrower window.
    """
    return ceil(min(retention.budgets(), default=0) / 10)


def inner_window(retention: Retention) -> int:
    """SnapKV's window inside: with the first tenth it leaves half of K to the scores."""
    room = min(retention.budgets(), default=0) // 2 - tenth(retention)
    return max(1, min(window_of(retention), room))


def bounded(method: Method) -> Method:
    """The method with a tenth of K kept at each end; its own ends where they are larger."""
    if method.name == "snapkv":
        return METHODS[AROUND_SNAPKV]
    return replace(
        method,
        name=f"{PREFIX}{method.name}",
        summary=f"{method.summary}; a tenth of K at each end",
        source=f"{method.source}, 2605.18053",
        sinks=lambda retention: max(mandatory_ends(retention, method)[0], tenth(retention)),
        recent=lambda retention: max(mandatory_ends(retention, method)[1], tenth(retention)),
    )
