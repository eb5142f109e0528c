"""N-gram baselines: interpolated Witten-Bell smoothing (Chen and Goodman 1998, section 2.4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


class NGram:
    """Probability of a token after the ``order - 1`` tokens before it.

    ``p(w | h) = (c(h w) + T(h) p(w | h')) / (c(h) + T(h))``: c are counts, T(h) the number of
    distinct tokens seen after h, h' is h without its first token; below the unigram stands the
    uniform distribution over ``vocabulary`` tokens, so that no token has probability zero.
    """

    def __init__(self, tokens: Sequence[int], order: int, vocabulary: int) -> None:
        self.order, self.vocabulary = order, vocabulary
        # A history is one number per length: exact, and smaller than a tuple.
        self.counts: list[Counter[int]] = [Counter() for _ in range(order)]
        self.totals: list[Counter[int]] = [Counter() for _ in range(order)]
        self.types: list[Counter[int]] = [Counter() for _ in range(order)]
        for end, token in enumerate(tokens):
            history, power = 0, 1
            for length in range(min(order, end + 1)):
                if length:
                    history += tokens[end - length] * power
                    power *= vocabulary
                seen = history * vocabulary + token
                self.totals[length][history] += 1
                self.types[length][history] += self.counts[length][seen] == 0
                self.counts[length][seen] += 1

    def nats(self, tokens: Sequence[int], start: int = 1) -> float:
        """Negative log-likelihood of ``tokens[start:]``, in nats; what precedes is history."""
        return -sum(math.log(self._probability(tokens, end)) for end in range(start, len(tokens)))

    def _probability(self, tokens: Sequence[int], end: int) -> float:
        probability, history, power = 1 / self.vocabulary, 0, 1
        for length in range(min(self.order, end + 1)):
            if length:
                history += tokens[end - length] * power
                power *= self.vocabulary
            total = self.totals[length][history]
            if not total:
                break
            types = self.types[length][history]
            seen = self.counts[length][history * self.vocabulary + tokens[end]]
            probability = (seen + types * probability) / (total + types)
        return probability
