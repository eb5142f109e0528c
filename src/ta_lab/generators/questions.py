"""Ways of asking for a label, none of which training uses."""

from __future__ import annotations

import random

QUESTIONS = (
    "According to the text above, what is the {label}?",
    "Be so kind as to copy out the {label}, letter for letter.",
    "Which {label} was noted earlier on?",
    "I have lost the {label}. What was it again?",
    "Could you look up the {label} above and send it to me?",
    "We need the {label} now, so what is it?",
)


def ask(rng: random.Random, label: str) -> str:
    """A question for a label, after a blank line."""
    return "\n\n" + rng.choice(QUESTIONS).format(label=label)
