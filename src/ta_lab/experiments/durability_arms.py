"""Settings whose durability is measured, their contexts, and what is read of a cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from transactional_attention.config import Retention, Sponsorship
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.types import Span

from ..cases.encoding import EncodedCase, encode_case
from ..generators.needle import needle_case
from .ceilings import DEPTHS
from .experiment import Context, Row
from .plan import CONTROLS, READ_TEXT, SEEDS_APART
from .rendering import LONG_SPAN

BUDGET = 32
FAST = "ta-fast-semantic"
PRINTED = f"{FAST}, as printed"


def _printed(**numbers: Any) -> Sponsorship:
    return Sponsorship(span_length=LONG_SPAN, **numbers)


ARMS: dict[str, Retention] = {
    "full": Retention(None, "full"),
    "streaming-llm": Retention(BUDGET, "streaming-llm"),
    PRINTED: Retention(BUDGET, FAST, preset="paper", sponsorship=_printed()),
    f"{PRINTED}, no reserved slots": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed()
    ),
    f"{PRINTED}, no reserved slots, no decay": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed(step_decay=1.0)
    ),
    "ta": Retention(BUDGET, "ta"),
    "ta, fading by step": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="step")),
    "ta, fading by turn": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="turn")),
    **{name: Retention(BUDGET, name) for name in CONTROLS},
}
"""Settings by name; the optional decays of the default preset are off unless named."""
TEXT = ("oracle", *READ_TEXT)
MANAGED = tuple(name for name in ARMS if name not in ("full", *CONTROLS))
SETTINGS = ("full", *MANAGED)
FEW = ("full", "streaming-llm", PRINTED, "ta")
"""Those that are asked where every trial takes minutes."""
BEYOND = FEW[1:]
"""Those that pass the trained positions, which a full cache cannot."""


def stated(context: Context, tokens: int, trial: int) -> EncodedCase:
    """A value that is stated once in a context of so many tokens."""
    tokenizer = context.loaded[1]
    seed = context.seed * SEEDS_APART + trial // len(DEPTHS)
    depth = DEPTHS[trial % len(DEPTHS)]
    case = needle_case(
        tokenizer, context=tokens, depth=depth, seed=seed, filler_name=context.filler
    )
    return encode_case(tokenizer, case)


def token_ids(tokenizer: Any, text: str) -> list[int]:
    """Tokens of a text by itself."""
    return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def cell(name: str, gap: int, kept: bool, **others: Any) -> Row:
    """What became of a value in a setting after ``gap`` tokens or turns."""
    arm = ARMS[name]
    named = {"setting": name, "method": arm.method, "preset": arm.preset, "budget": arm.budget}
    return {**named, "gap": gap, "kept": kept, **others}


def held_whole(flow: RetentionFlow, value: Span) -> bool:
    """Whether every layer and kv head holds a value whole."""
    wanted = np.arange(value.start, value.end)
    tables = flow.tables.values()
    return all(np.isin(wanted, lane).all() for table in tables for lane in table.positions)


def registered(flow: RetentionFlow, value: Span) -> bool:
    """Whether the registry still sponsors a span that covers the value, or the oracle names it."""
    sequence = flow.sequences[0]
    named = [span for span, _ in sequence.explicit()]
    spans = [span.value for span in (*named, *sequence.registry.spans)]
    return any(s.start <= value.start and value.end <= s.end for s in spans)
