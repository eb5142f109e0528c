"""What llama.cpp serves, and the cells that it takes."""

from __future__ import annotations

from ...config import Memory, Retention
from ...errors import UnsupportedError
from ...retention.addresses import addressed
from .. import supported
from .model import GgufModel


def check_served(retention: Retention) -> None:
    """Refuse what llama.cpp cannot carry out. Raises as ``supported.check_served``, and
    UnsupportedError for a memory in ``fp8``."""
    supported.check_served(retention, "llama.cpp", brings_back=True)
    if isinstance(retention.memory, Memory) and retention.memory.storage == "fp8":
        raise UnsupportedError(
            "on llama.cpp rows of the memory wait in eight bits, or as they are: set its storage "
            "to int8 or None"
        )


def asked_layers(model: GgufModel, retention: Retention) -> list[int] | None:
    """The layers whose queries ask for what left, where a slot opens: only a model whose layers all
    attend to what is held can read the turn again after it. None: of no layer."""
    return addressed(model.layers) if retention.memory and model.plain else None


def num_cells(
    model: GgufModel,
    retention: Retention,
    prompt: int | None,
    chunk: int,
    new: int,
    pinned: int = 0,
) -> int:
    """Cells that a prompt and its answer need: K, what is pinned and a chunk, where there is a
    budget.

    ``prompt``: its tokens, None where nobody knows; ``new``: of the answer; ``pinned``: tokens that
    are held beside K."""
    budget = max(retention.budgets(), default=None)  # all are the same: ``check_served``
    if budget is None:
        return model.trained_length if prompt is None else prompt + new
    rest = new if retention.ledger == "on-top" else 1
    return budget + pinned + rest + (chunk if prompt is None else min(chunk, prompt))
