"""Text to anchors: one file a detector, and what they share.

``DETECTORS`` names the detectors; ``Scanner`` runs some of them over text that arrives in pieces;
``rank`` orders what they find. Nothing here knows tokens, models or caches.
"""

from __future__ import annotations

from .claims import Claim, Excerpt, claim_of, content_words
from .competition import UNENDED, is_begun, rank, strongest
from .detector import LOOKBACK, MAX_VALUE, MIN_CONFIDENCE, Detector
from .floods import Repetition
from .opacity import opacity
from .permits import permitted
from .recency import newer_first
from .registry import DETECTORS, build_detectors
from .scanner import Scanner
from .supersession import superseded
from .trust import TRUST, UNTRUSTED, doubtful, order

__all__ = [
    "DETECTORS",
    "LOOKBACK",
    "MAX_VALUE",
    "MIN_CONFIDENCE",
    "TRUST",
    "UNENDED",
    "UNTRUSTED",
    "Claim",
    "Detector",
    "Excerpt",
    "Repetition",
    "Scanner",
    "build_detectors",
    "claim_of",
    "content_words",
    "doubtful",
    "is_begun",
    "newer_first",
    "opacity",
    "order",
    "permitted",
    "rank",
    "strongest",
    "superseded",
]
