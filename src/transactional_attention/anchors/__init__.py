"""Text to anchors: one file a detector, and what they share.

``DETECTORS`` names the detectors; ``Scanner`` runs some of them over text that arrives in pieces;
``rank`` orders what they find. Nothing here knows tokens, models or caches.
"""

from __future__ import annotations

from .competition import rank, strongest
from .detector import LOOKBACK, MAX_VALUE, MIN_CONFIDENCE, Detector
from .opacity import opacity
from .registry import DETECTORS, build_detectors
from .scanner import Scanner

__all__ = [
    "DETECTORS",
    "LOOKBACK",
    "MAX_VALUE",
    "MIN_CONFIDENCE",
    "Detector",
    "Scanner",
    "build_detectors",
    "opacity",
    "rank",
    "strongest",
]
