"""Ways of asking for a label, none of which training uses."""

from __future__ import annotations

import random

from ..data import table

QUESTIONS: tuple[str, ...] = table("tasks/questions")["questions"]


def ask(rng: random.Random, label: str) -> str:
    """A question for a label, after a blank line."""
    return "\n\n" + rng.choice(QUESTIONS).format(label=label)
