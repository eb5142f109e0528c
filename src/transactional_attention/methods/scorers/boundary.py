"""10% boundary protection around any scorer (control; 2605.18053, its abstract alone)."""

from __future__ import annotations

from math import ceil

from ...config import Retention
from .snap_kv import window_of


def tenth(retention: Retention) -> int:
    """Tokens that are kept at each end: a tenth of the (least) budget, rounded up.

    The abstract reserves "10% at each end" of a cache of C tokens, which is read as C/10 of the
    first and of the last tokens of the sequence, inside the budget. The rest competes by the
    scorer's own formula, and while decoding the newest C/10 stay. ``boundary-10+NAME`` puts it
    around any method, whose own ends stay where they are larger; ``boundary-10`` is that around
    SnapKV, with a narrower window.
    """
    return ceil(min(retention.budgets(), default=0) / 10)


def inner_window(retention: Retention) -> int:
    """SnapKV's window inside: with the first tenth it leaves half of K to the scores."""
    room = min(retention.budgets(), default=0) // 2 - tenth(retention)
    return max(1, min(window_of(retention), room))


def tenth_or_window(retention: Retention) -> int:
    """The last tenth, or the observation window that is always kept where that is larger."""
    return max(tenth(retention), inner_window(retention))
