"""What is counted: exact answers, whole values kept, and the interval of a proportion."""

from __future__ import annotations

import math


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


def may_become(generated: str, answer: str) -> bool:
    """Whether a text can still go on to be the answer; half a character may end it."""
    return answer.strip().startswith(generated.rstrip("\ufffd").strip())


def contains(generated: str, answer: str) -> bool:
    """Whether the answer occurs in what was generated, ended or not."""
    return answer.strip() in generated
