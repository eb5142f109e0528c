"""LearnRank: Learned at a lower threshold; what is more probable gets more protection.

V_j = sum_i f(h_i) 0.8^(j-i) 1[f(h_i) > 0.3, i < j <= i + L] (paper, section 5.1). As printed it has
no budget B and stays below recency and anchor status; here B is multiplied by f. Under the default
preset whole values are admitted in the order of f.
"""

from __future__ import annotations

from .learned import Learned

THRESHOLD = 0.3  # paper, section 5.1


def learn_rank() -> Learned:
    """The detector, not yet bound to a model."""
    return Learned(name="learnrank", threshold=THRESHOLD, ranks=True)
