"""Tables in Markdown, and shares of cases as they are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .cases.metrics import wilson

NONE = "–"


def markdown(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    header = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*header, *("| " + " | ".join(map(str, line)) + " |" for line in lines)])


def share(successes: int | None, trials: int) -> str:
    """A proportion in percent with its 95% Wilson interval; a dash where nothing was counted."""
    if successes is None or not trials:
        return NONE
    low, high = wilson(successes, trials)
    return f"{percent(successes / trials)} [{percent(low)}, {percent(high)}]"


def percent(share: float) -> str:
    """Whole percents, but 0 and 100 are said of none and of all alone."""
    number = 100 * share
    if 0 < share < 1 and round(number) in (0, 100):
        return f"{number:.1g}" if number < 50 else f"{min(number, 99.9):.1f}"
    return f"{number:.0f}"
