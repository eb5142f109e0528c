"""``ta``, the paper's variants, and the control that is given the value: entries of ``METHODS``."""

from __future__ import annotations

from dataclasses import replace

from ..config import Retention
from ..detection.paper.embedding import Embedding
from ..detection.paper.learn_rank import learn_rank
from ..detection.paper.learned import Learned
from ..sponsorship.random_spans import displaced
from .method import Method
from .scorers import Scorer
from .scorers.full_ta import FullTA
from .scorers.recency import Recency
from .scorers.ta_fast import TAFast


def _ta_fast(retention: Retention) -> Scorer:
    return TAFast(retention.weights)


def _own(retention: Retention) -> Scorer:
    """What ``ta`` leaves to values, it gives to the newest tokens."""
    newest = retention.preset == "default" and retention.choices.newest
    return Recency() if newest else TAFast(retention.weights)


def _full_ta(retention: Retention) -> Scorer:
    return FullTA(retention.weights)


FAST = Method(
    "ta-fast-regex", "paper, TA-Fast-Regex", "2604.11288", _ta_fast, ("regex",), shapes=True
)
SEMANTIC = replace(
    FAST, name="ta-fast-semantic", summary="paper, TA-Fast-Semantic", detectors=("semantic",)
)
TA = Method(
    "ta",
    "all detectors of text, and the newest (the default)",
    "this project, 2604.11288",
    _own,
    ("values",),
    shapes=True,
    paper_detectors=SEMANTIC.detectors,
    decode="the oldest beside values",
)
READING = (
    replace(
        FAST,
        name="ta-fast-embedding",
        summary="paper, TA-Fast-Embedding: words close to concepts in the input embeddings",
        detectors=(Embedding(),),
    ),
    replace(
        FAST,
        name="ta-learned",
        summary="paper, TA-Learned: a network on hidden states, half a forward of its own",
        detectors=(Learned(),),
    ),
    replace(
        FAST,
        name="ta-learnrank",
        summary="paper, TA-LearnRank: the same at 0.3, by probability",
        detectors=(learn_rank(),),
    ),
)
FULL_TA = replace(
    SEMANTIC,
    name="ta-full",
    summary="paper, Full-TA: eq. 1 as printed",
    scorer=_full_ta,
    decode="least utility, attention averaged over all queries so far",
)
ORACLE = Method(
    "oracle",
    "the value's own span, given (control)",
    "this project",
    _own,
    decode=TA.decode,
)
TA_FAMILY = (
    FULL_TA,
    replace(
        FULL_TA,
        name="ta-full-weighted",
        summary="Full-TA, vouchers by the anchor's share of attention (paper, appendix)",
        weighted=True,
    ),
    replace(
        FULL_TA,
        name="ta-full-unsponsored",
        summary="Full-TA without sponsorship (ablation)",
        sponsors=False,
    ),
    TA,
    *READING,
    FAST,
    SEMANTIC,
    replace(
        SEMANTIC,
        name="random-spans",
        summary="random spans of the sizes that ta-fast-semantic sponsors (control)",
        source="this project",
        place=displaced,
        whole_prompt=True,
    ),
)
