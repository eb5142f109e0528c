"""What a benchmark is, what it is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from .subject import Recipe, Subject

Row = dict[str, Any]
ROOM = 1024  # positions behind the longest prompt


def no_progress(done: int, total: int) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Request:
    """Sizes of one run.

    ``tokens``: lengths of the prompt, or of all that is read. ``budgets``: K, pairs per layer and
    kv head. ``methods``: those beside the peers. ``rounds``: every arm runs once a round.
    ``chunk``: new tokens a forward where text is streamed. ``turns``: of a session. ``state``: a
    folder for what an interrupted run goes on from. ``progress``: called with (done, in all).
    """

    recipe: Recipe
    tokens: tuple[int, ...]
    budgets: tuple[int, ...]
    methods: tuple[str, ...]
    rounds: int = 1
    chunk: int = 512
    turns: int = 50
    seed: int = 0
    filler: str = "anchor-free"
    state: Path | None = None
    progress: Callable[[int, int], None] = no_progress

    def __post_init__(self) -> None:
        numbers = {"tokens": self.tokens, "budget": self.budgets, "chunk": (self.chunk,)}
        for name, given in {**numbers, "rounds": (self.rounds,), "turns": (self.turns,)}.items():
            if not given or min(given) < 1:
                raise InputError(f"--{name} must be at least 1, got {', '.join(map(str, given))}")
        if not self.methods:
            raise InputError("--methods names no method")

    def subject(self) -> Subject:
        """Model and tokenizer, with room for an answer behind the longest prompt."""
        return self.recipe.load(max(self.tokens) + ROOM)

    def tokenizer(self) -> Any:
        """The tokenizer alone, for what runs no model."""
        return self.recipe.tokenizer()


@dataclass(frozen=True)
class Outcome:
    """Rows of a record; ``notes``: what was not measured, and why."""

    rows: list[Row]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Benchmark:
    """One measurement and its sizes by default. ``in_all``: part of ``ta bench all``."""

    name: str
    summary: str
    run: Callable[[Request], Outcome]
    tokens: tuple[int, ...] = (4096,)
    budgets: tuple[int, ...] = (16,)
    methods: tuple[str, ...] = ("streaming-llm", "ta-fast-semantic", "ta")
    rounds: int = 15
    in_all: bool = True
