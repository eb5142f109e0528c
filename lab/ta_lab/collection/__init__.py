"""The collection: cases over formats, kinds of value, languages, cues, floods and transcripts.

``collection(split, seed)`` makes the cases of one of ``SPLITS`` from disjoint templates;
``scoring`` counts, by family, the values that methods keep whole. Detectors are written and tuned
on development alone: the test split's templates stay unread.
"""

from __future__ import annotations

from .generating import collection, to_jsonl
from .splits import SPLITS

__all__ = ["SPLITS", "collection", "to_jsonl"]
