"""What is counted: exact answers, the interval of a proportion."""

from __future__ import annotations

import math
import re
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


Z = 1.959964  # the normal quantile of a 95% interval


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson score interval of a proportion, 95%; (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    p, square = successes / trials, Z * Z
    centre = p + square / (2 * trials)
    spread = Z * math.sqrt(p * (1 - p) / trials + square / (4 * trials * trials))
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
