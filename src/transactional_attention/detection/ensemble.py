"""ENSEMBLE: the detectors of text that method ``ta`` joins, and how sure each of them is.

Their confidences are scores of their own. ``likelihood`` maps them to one scale, the share of such
anchors that are values: a logistic function of the confidence and of the value's opacity, with an
offset a detector. Slopes and detectors' offsets were fitted on the development collection (floods
and corrections left out, ridge 0.05 and 0.3, a rule's anchors of one family weighted by the root of
their number); a rule has an offset of its own where its precision there lies far from what the
detector's gives. Those of passphrases, logins, URLs, phrases and chosen numbers were set by hand on
the development and retired splits; that of ``characters`` makes its even odds those of a value of
middling opacity. A detector without an offset takes that of ``prose``.
"""

from __future__ import annotations

import math
from functools import lru_cache

ENSEMBLE: tuple[str, ...] = (
    "structure",
    "prose",
    "languages",
    "shapes",
    "characters",  # votes, and finds what the others leave
)

INTERCEPT, CONFIDENCE, OPACITY = -8.0, 8.5, 3.6
OFFSETS: dict[str, float] = {
    "structure": 0.5,
    "structure:part": 1.8,
    "structure:login": 1.8,
    "structure:given": 1.8,
    "structure:keyword": 1.8,
    "structure:command": 1.8,
    "structure:password": 1.8,
    "prose": 0.6,
    "prose:words": 2.5,
    "prose:asked": 2.3,
    "prose:attribute": 2.8,
    "prose:preference": 2.8,
    "prose:person": 2.2,
    "prose:lodging": 2.5,
    "prose:login": 2.2,
    "prose:term": 2.5,
    "prose:alias": 2.5,
    "prose:measure": 2.2,
    "prose:designator": 1.8,
    "prose:decision": 1.8,
    "prose:flight": 1.7,
    "prose:resource": 1.3,
    "prose:machine": 1.0,
    "prose:message": 2.2,
    "prose:mention": -1.0,  # stories in the first person are full of names and numbers
    "prose:spelled": -1.0,
    "prose:schedule": 1.6,
    "languages": 1.2,
    "characters": 1.6,
    "pattern": 8.0,  # the caller says so
    "shape": 2.3,
    "shape:url": 1.0,
    "shape:email": 3.0,
    "shape:phrase": 2.8,
    "shape:domain": 3.3,
    "shape:money": 3.3,
    "shape:opaque": 1.6,
    "shape:number": 1.2,
    "shape:chosen": 1.2,
    "shape:version": 1.5,
    "shape:time": -2.9,
    "shape:file": -2.3,
    "shape:host": -2.3,
}
"""By detector, and by rule where a rule's own anchors say otherwise."""


def evidence(rule: str, confidence: float) -> float:
    """What a rule says for a value, whatever the value is; log odds."""
    return INTERCEPT + CONFIDENCE * confidence + _offset(rule)


@lru_cache(maxsize=256)
def _offset(rule: str) -> float:
    return OFFSETS.get(rule, OFFSETS.get(rule.split(":")[0], OFFSETS["prose"]))


def likelihood(rule: str, confidence: float, opacity: float) -> float:
    """Share in [0, 1] of anchors of this rule, confidence and opacity that are values."""
    return 1 / (1 + math.exp(-(evidence(rule, confidence) + OPACITY * opacity)))
