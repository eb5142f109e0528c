"""What is counted: exact answers, the interval of a proportion, n-grams beside a model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

QUOTES = ("``", '""', "''", "“”", "‘’")
FENCE = re.compile(r"```[\w+-]*\n(.*?)\s*```", re.DOTALL)
FENCE_BEGUN = re.compile(r"`{0,3}|```[\w+-]*")


class Verdict(NamedTuple):
    """What an answer is: exact, exact within its usual wrapping, or somewhere in the text.

    Each takes in the one before, except that a text which goes on after the answer is neither of
    the first two."""

    correct: bool
    wrapped: bool
    contains: bool


def judge(generated: str, answers: Sequence[str], ended: bool) -> Verdict:
    """A generated text beside the answers, each of which is right; ``ended``: by itself."""
    return Verdict(
        any(is_correct(generated, answer, ended) for answer in answers),
        any(is_wrapped(generated, answer, ended) for answer in answers),
        any(contains(generated, answer) for answer in answers),
    )


def wilson(successes: int, trials: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson score interval of a proportion, 95% by default; (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    p, square = successes / trials, z * z
    centre = p + square / (2 * trials)
    spread = z * math.sqrt(p * (1 - p) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return max(0.0, min(low, p)), min(1.0, max(high, p))  # rounding may pass p at 0 and 1


def is_correct(generated: str, answer: str, ended: bool) -> bool:
    """Exact match after stripping; a text that did not end by itself is a miss."""
    return ended and generated.strip() == answer.strip()


def is_wrapped(generated: str, answer: str, ended: bool) -> bool:
    """Exact, or exact in quotes, backticks or a code fence, or with a full stop at the end: what
    chat models put around a value, and nothing more."""
    text = generated.strip()
    fence = FENCE.fullmatch(text)
    return ended and (fence[1].strip() == answer.strip() if fence else text in wrappings(answer))


def wrappings(answer: str) -> list[str]:
    """The answer and what it may be wrapped in on one line."""
    bare = answer.strip()
    quoted = [bare, *(f"{q[0]}{bare}{q[1]}" for q in QUOTES)]
    return [*quoted, *(f"{text}." for text in quoted), *(f"{q[0]}{bare}.{q[1]}" for q in QUOTES)]


def may_become(generated: str, answer: str) -> bool:
    """Whether a text can still go on to be the answer, wrapped or not; half a character may end
    it."""
    text = generated.rstrip("\ufffd").strip()
    if any(whole.startswith(text) for whole in wrappings(answer)) or FENCE_BEGUN.fullmatch(text):
        return True
    head, line, body = text.partition("\n")
    inside = body.rstrip("`").strip()
    return bool(line and FENCE_BEGUN.fullmatch(head) and answer.strip().startswith(inside))


def contains(generated: str, answer: str) -> bool:
    """Whether the answer occurs in what was generated, ended or not."""
    return answer.strip() in generated


class NGram:
    """Probability of a token after the ``order - 1`` tokens before it, by interpolated Witten-Bell
    smoothing (Chen and Goodman 1998, section 2.4).

    ``p(w | h) = (c(h w) + T(h) p(w | h')) / (c(h) + T(h))``: c are counts, T(h) the number of
    distinct tokens seen after h, h' is h without its first token; below the unigram stands the
    uniform distribution over ``vocabulary`` tokens, so that no token has probability zero."""

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
