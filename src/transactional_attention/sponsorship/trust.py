"""Who is believed, and the order in which values are admitted when the budget is short."""

import math

from ..detection.detector import EVEN
from ..types import CURRENT, GUESS, SUPERSEDED, UNLIKELY, Rank, Source

TRUST: dict[Source, int] = {"system": 3, "user": 3, "assistant": 2, "unknown": 2, "tool": 1}
"""System and user outrank the assistant, the assistant outranks tools. In a text without sources
all is trusted alike; where sources are given, text without one is trusted as the assistant's is."""

UNTRUSTED: frozenset[Source] = frozenset({"tool"})
HARDLY = 0.2
"""Below this likelihood it does not matter who said it: it is hardly a value."""
ASKED_CLASSES = 4  # classes by which a value rises when its label is asked for
CLASSES = 10  # of likelihood; within one, what is asked for and what is newer comes first


_PAPER = ("regex", "semantic")
_INTERCEPT, _CONFIDENCE, _OPACITY = -7.4, 8.5, 3.6


def likelihood(rule: str, confidence: float, opacity: float) -> float:
    """Probability in [0, 1] that an anchor is a value.

    The default detector's confidence is that probability. The confidence of the paper's rules is a
    score; it is mapped by a logistic fit on the development collection.
    """
    if not rule.startswith(_PAPER):
        return confidence
    return 1 / (1 + math.exp(-(_INTERCEPT + _CONFIDENCE * confidence + _OPACITY * opacity)))


def value_rank(
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
) -> Rank:
    """The rank of a detected value.

    Args:
        place: its first character.
        current: whether no later statement replaces it.
        asked: whether the current question asks for its label.
        factor: what repetition leaves of its likelihood (``floods``).
        states: whether a sentence states it, not a record of a list.
    """
    likely = likelihood(rule, confidence, opacity)
    trusted = float(TRUST[source] if likely >= HARDLY else 0)
    likely *= factor
    return Rank(
        CURRENT if current else SUPERSEDED,
        trusted,
        float(math.floor(likely * CLASSES) + (ASKED_CLASSES if asked and likely >= EVEN else 0)),
        float(asked),
        float(states),
        round(likely, 4) if rule.startswith(_PAPER) else 0.0,
        float(place),
    )


def doubtful(rank: Rank) -> int:
    """How doubtful a detected value of this rank is: 0, ``GUESS`` or ``UNLIKELY``."""
    if rank.tier < CURRENT or rank.trust <= 0:
        return UNLIKELY
    return GUESS if rank.likelihood < EVEN * CLASSES else 0
