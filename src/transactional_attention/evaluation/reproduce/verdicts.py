"""How a line of judgement begins: the verdict that the figures of an experiment share, if any.

The rule: ``reproduced``, ``better`` or ``worse`` where every figure that can be compared is that,
and the order of methods is not reversed; ``mixed`` with the counts otherwise; ``not comparable``
with the reasons where fewer than half of the figures can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .comparing import INCOMPARABLE

REPRODUCED, BETTER, WORSE = "reproduced", "better", "worse"
WORDS = (REPRODUCED, BETTER, WORSE)


def incomparable(reason: str) -> str:
    """The verdict on a figure that ours cannot stand beside."""
    return f"{INCOMPARABLE} ({reason})"


NO_FIGURE = f"Judgement: {incomparable('the paper has no figure for these cells')}."


def overall(
    found: Sequence[str], of: str = "figures of the paper", *, reversed_order: bool = False
) -> str:
    """The verdict and the counts behind it, from one verdict a figure.

    ``found``: words of ``WORDS``, or ``incomparable(reason)``; not empty. ``of``: what they are
    about. ``reversed_order``: some methods stand the other way round than in the paper.
    """
    counted = Counter(word for word in found if word in WORDS)
    told = ", ".join(f"{counted[word]} {word}" for word in WORDS if counted[word])
    total, fair = f"{len(found)} {of}", sum(counted.values())
    left = len(found) - fair
    reasons = "; ".join(dict.fromkeys(_reason(word) for word in found if word not in WORDS))
    if 2 * fair < len(found):
        beside = f", {told}" if told else ""
        return f"{incomparable(reasons)}: {left} of {total}{beside}"
    beside = f", {left} {incomparable(reasons)}" if left else ""
    if len(counted) > 1:
        return f"mixed: {told} of {total}{beside}"
    (word,) = counted
    if word == REPRODUCED and reversed_order:
        return f"mixed, the order of methods does not hold: {told} of {total}{beside}"
    return f"{word}: {fair} of {total}{beside}"


def _reason(verdict: str) -> str:
    return verdict.removeprefix(f"{INCOMPARABLE} (").removesuffix(")")
