"""KVzip (2505.23416; code MIT): what the model reads when it repeats the context."""

from __future__ import annotations

from typing import Any

from transactional_attention.methods.observation import Observation
from transactional_attention.methods.scorers import Scorer


class KVzip(Scorer):
    """S_j = the most that token j receives from any query of a repetition and of j's group.

    The context is repeated in chunks of 2,000 tokens: a request to repeat it (from the second chunk
    on with the last 8 tokens of the one before) and the chunk itself are fed on top of the full
    cache, and thrown away. The softmax is over [first 4 tokens | chunk | what is fed]. Query-
    agnostic; one pass serves every budget. Selection is per kv head, by one threshold over all
    layers and heads (``threshold.py``).

    Always kept: the first token and the newest 4. The authors keep the whole system prompt, the
    query and all answers: that is ``ledger='on-top'``; under ``strict`` tokens that came after the
    pass score 0 and give way first. A chunk's wording is ours, and one row is served at a time.
    """

    observes = Observation(passes=True)
    per_head = True

    def run_pass(self, source: Any, needed: frozenset[int]) -> Any:
        """S [layer][row, kv_head, slot] of every token of ``source``."""
        from .repetition import reconstruct

        return reconstruct(source)
