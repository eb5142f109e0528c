"""What a benchmark is, what it is asked for, on which model, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from transactional_attention.errors import InputError, UnknownNameError
from transactional_attention.models import AUTO, DTYPES, EMBEDDED
from transactional_attention.models.embedded import load_embedded

from .footprint import PUBLISHED, ModelShape, random_model
from .timing import find_device, stopwatch

SHAPES = {n.lower(): PUBLISHED[n] for n in ("SmolLM-135M", "Llama-3.2-1B", "Llama-3.1-8B")}
"""Published configurations; weights are random, time and memory do not depend on what they are."""
PROBE_ROWS = (256, 1)  # a chunk of a prompt, a decode step
PROBES = 5


@dataclass(frozen=True)
class Subject:
    """A model in evaluation mode and the tokenizer that its texts are read with."""

    model: Any
    tokenizer: Any

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return self.model.device

    @property
    def positions(self) -> int:
        """Positions that the model was made for."""
        return int(self.model.config.get_text_config(decoder=True).max_position_embeddings)


@dataclass(frozen=True)
class Recipe:
    """How to make a subject.

    ``loader``: gives model and tokenizer where no ``shape`` is named. ``dtype``: ``auto`` keeps a
    loaded model's, and takes for a shape the faster of float32 and bfloat16. ``positions``: how
    many a random model shall have; a loaded one has its own. ``model``: its name."""

    loader: Callable[[], tuple[Any, Any]] = load_embedded
    shape: str | None = None
    dtype: str = AUTO
    device: str = "cpu"
    threads: int | None = None
    model: str = EMBEDDED

    def load(self, positions: int) -> Subject:
        """The subject, on its device. Raises InputError for an unknown dtype, UnknownNameError for
        an unknown shape. Raises UnsupportedError for a device that is not there."""
        device = find_device(self.device)
        named = self.named().dtype
        dtype = getattr(torch, named) if named in DTYPES else None
        if self.threads is not None:
            torch.set_num_threads(self.threads)
        if self.shape is None:
            model, tokenizer = self.loader()
            return Subject(model.to(device=device, dtype=dtype or model.dtype), tokenizer)
        assert dtype is not None
        with torch.device(device):
            model = random_model(SHAPES[self.shape], positions, dtype)
        return Subject(model, self.tokenizer())

    def named(self) -> Recipe:
        """A recipe with the dtype by name, where it does not have to load a model to know it.
        Raises InputError for an unknown dtype, UnknownNameError for an unknown shape."""
        if self.dtype != AUTO and self.dtype not in DTYPES:
            raise InputError(f"--dtype must be auto or one of {', '.join(DTYPES)}: {self.dtype!r}")
        if self.shape is not None and self.shape not in SHAPES:
            raise UnknownNameError("shape", self.shape, SHAPES)
        if self.shape is None or self.dtype != AUTO:
            return self
        dtype = faster_dtype(SHAPES[self.shape], find_device(self.device))
        return replace(self, dtype=str(dtype).removeprefix("torch."))

    def tokenizer(self) -> Any:
        """The tokenizer alone; shapes read with that of the embedded model."""
        return (self.loader if self.shape is None else load_embedded)()[1]


def faster_dtype(shape: ModelShape, device: torch.device) -> torch.dtype:
    """bfloat16 on CUDA, and on a CPU where products of the shape's sizes are faster in it.

    It must win for a chunk of tokens and for a single one: a machine without such instructions
    may win the second by reading half the bytes, and lose many times that in a prefill."""
    if device.type == "cuda":
        return torch.bfloat16
    spent = {dtype: _products(shape, dtype) for dtype in (torch.float32, torch.bfloat16)}
    pairs = zip(spent[torch.bfloat16], spent[torch.float32], strict=True)
    return torch.bfloat16 if all(low < full for low, full in pairs) else torch.float32


def _products(shape: ModelShape, dtype: torch.dtype) -> list[float]:
    """Least seconds of a product with the widest matrix of a layer, by rows of ``PROBE_ROWS``."""
    weight = torch.randn(shape.hidden, shape.intermediate).to(dtype)
    durations = []
    for rows in PROBE_ROWS:
        states = torch.randn(rows, shape.hidden).to(dtype)
        durations.append(
            min(stopwatch(partial(torch.matmul, states, weight)) for _ in range(PROBES))
        )
    return durations


Row = dict[str, Any]
ROOM = 1024  # positions after the longest prompt
COMPACT = ", compact positions"
LABELS = ("secret code", "door code", "access token")  # of values in the first turn of a session
REPLY, ANSWER = 16, 24  # tokens of a turn's reply, and at most of an answer


@dataclass(frozen=True)
class Request:
    """Sizes of one run.

    ``tokens``: lengths of the prompt, or of all that is read. ``budgets``: K, pairs per layer and
    kv head. ``methods``: those beside the peers. ``rounds``: every arm runs once a round.
    ``chunk``: new tokens a forward where text is streamed. ``turns``: of a session. ``state``: a
    folder for what an interrupted run goes on from. ``program``: a ``ta`` whose ``serve`` is
    measured; None: this environment's. ``progress``: called with (done, in all)."""

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
    program: Path | None = None
    progress: Callable[[int, int], None] = lambda done, total: None

    def __post_init__(self) -> None:
        numbers = {"tokens": self.tokens, "budget": self.budgets, "chunk": (self.chunk,)}
        for name, given in {**numbers, "rounds": (self.rounds,), "turns": (self.turns,)}.items():
            if not given or min(given) < 1:
                raise InputError(f"--{name} must be at least 1, got {', '.join(map(str, given))}")
        if not self.methods:
            raise InputError("--methods names no method")

    def subject(self) -> Subject:
        """Model and tokenizer, with room for an answer after the longest prompt."""
        return self.recipe.load(max(self.tokens) + ROOM)

    def cells(self) -> Iterator[tuple[int, int]]:
        """Every length with every K; ``progress`` is told after each."""
        pairs = [(tokens, budget) for tokens in self.tokens for budget in self.budgets]
        for done, pair in enumerate(pairs, 1):
            yield pair
            self.progress(done, len(pairs))

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Where a run keeps its state: what was asked for, or one that is gone at the end."""
        with nullcontext(self.state) if self.state else TemporaryDirectory() as folder:
            yield Path(folder)


@dataclass(frozen=True)
class Outcome:
    """Rows of a record; ``notes``: what was not measured, and why."""

    rows: list[Row]
    notes: list[str] = field(default_factory=list)


def outgrown(tokens: int, positions: int, name: str) -> list[str]:
    """A note where more is read than the model has positions, which ``name`` then leaves."""
    if tokens <= positions:
        return []
    return [
        f"{tokens} tokens are more than the model's {positions} positions: {name} answers outside "
        "of what it was trained for, ours are compact"
    ]


@dataclass(frozen=True)
class Benchmark:
    """One measurement and its sizes by default. ``in_all``: part of ``ta bench all``.
    ``gguf``: it reads the model's file itself, in the types that stand there."""

    name: str
    summary: str
    run: Callable[[Request], Outcome]
    tokens: tuple[int, ...] = (4096,)
    budgets: tuple[int, ...] = (16,)
    methods: tuple[str, ...] = ("streaming-llm", "ta-fast-semantic", "ta")
    rounds: int = 15
    in_all: bool = True
    gguf: bool = False
