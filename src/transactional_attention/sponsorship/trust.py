"""Who is believed, and the order in which values are admitted when the budget is short."""

import math

from ..types import GUESS, UNLIKELY, Source

TRUST: dict[Source, int] = {"system": 3, "user": 3, "assistant": 2, "unknown": 2, "tool": 1}
"""System and user outrank the assistant, the assistant outranks tools. A text without sources is of
one rank throughout; where sources are given, what has none is as good as the assistant's."""

UNTRUSTED: frozenset[Source] = frozenset({"tool"})
HARDLY = 0.2
"""Likelihood below which it does not matter who said it: it is hardly a value."""
SURE = 0.5
"""Likelihood from which a value may take all of the budget (``selection``)."""
ASKED = 4  # classes that a value is lifted by, when its label is asked for
CLASSES = 10  # of likelihood: within one, what was asked for and what is newer comes first


_PAPER = ("regex", "semantic")
_INTERCEPT, _CONFIDENCE, _OPACITY = -7.4, 8.5, 3.6


def likelihood(rule: str, confidence: float, opacity: float) -> float:
    """Share in [0, 1] of such anchors that are values: the scorer's confidence is that share; that
    of the paper's rules is a score, and these numbers were fitted on the development collection."""
    if not rule.startswith(_PAPER):
        return confidence
    return 1 / (1 + math.exp(-(_INTERCEPT + _CONFIDENCE * confidence + _OPACITY * opacity)))


def order(
    source: Source,
    rule: str,
    confidence: float,
    opacity: float,
    place: int,
    *,
    current: bool = True,
    asked: bool = False,
    factor: float = 1.0,
    states: bool = False,
) -> tuple[float, ...]:
    """Larger is admitted first. The caller's ranges stand before all of it (``sequence``).

    Current values before those that were said again otherwise; then the source, the likelihood
    (times what a flood leaves of it) in classes, labels that were asked for, what a sentence states
    before records, and the newer one.
    """
    likely = likelihood(rule, confidence, opacity)
    trusted = float(TRUST[source] if likely >= HARDLY else 0)
    likely *= factor
    return (
        float(current),
        trusted,
        float(math.floor(likely * CLASSES) + (ASKED if asked and likely >= SURE else 0)),
        float(asked),
        float(states),
        round(likely, 4) if rule.startswith(_PAPER) else 0.0,
        float(place),
    )


def doubtful(rank: tuple[float, ...]) -> int:
    """What a span of this rank of ``order`` is: a value, rather none than one, or hardly one, as
    what was said again otherwise counts."""
    if rank[0] < 1 or rank[1] <= 0:
        return UNLIKELY
    return GUESS if rank[2] < SURE * CLASSES else 0
