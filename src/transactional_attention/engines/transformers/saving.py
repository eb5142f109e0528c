"""A cache between two forwards to one file, and what a saved file is.

In the file: keys and values of the tokens that are held, what scorers collected, the slot tables
with positions, the registry with labels, rules and salted hashes, and a record of the model. Not
in it: text, and token ids, which spell values. Keys and values encode their tokens all the same,
so the file is as secret as the prompt.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from ...retention import flow_state
from ...retention.serialization import plain
from . import cache_file, layer_state
from .fingerprint import model_facts, tokenizer_facts
from .parallel import check_holds_all_heads

if TYPE_CHECKING:
    from .cache import RetentionCache


def save_cache(cache: RetentionCache, path: Path) -> None:
    """Write all that a cache holds and has decided to one safetensors file, mode 0600.

    A file that is there stays until the new one is complete. ``RetentionCache.trace`` is not saved.

    Raises:
        CacheStateError: before the first token, or when an error broke the cache.
        UnsupportedError: with layers other than full attention and sliding windows, under tensor
            parallel, and with offloaded weights.
        InputError: when the file cannot be written.
    """
    cache_file.write(path, *exported(cache))


def exported(cache: RetentionCache) -> tuple[cache_file.Tensors, dict[str, Any]]:
    """All that ``save_cache`` writes of a cache: tensors, and a record.

    Raises:
        CacheStateError, UnsupportedError: as ``save_cache``.
    """
    from ...version import __version__  # noqa: PLC0415  (the package imports this module)

    check_holds_all_heads(cache.num_processes)
    cache.check_usable(cache.decoder)
    flow = cache.flow
    cache.read_generated()
    state, arrays = flow_state.exported(flow)
    tensors = {f"flow.{name}": torch.from_numpy(array) for name, array in arrays.items()}
    layers = []
    for index, layer in enumerate(cache.layers):
        held, about = layer_state.exported(layer)
        tensors |= {f"layers.{index}.{name}": tensor for name, tensor in held.items()}
        layers.append(about)
    record = {
        "package": __version__,
        "model": model_facts(cache.decoder),
        "tokenizer": tokenizer_facts(cache.tokenizer),
        "retention": plain(cache.retention),
        "observe": asdict(cache.observe),
        "rows": len(flow.sequences),
        "columns": cache.num_columns,
        "long_factors": cache.long_factors,
        "prompt_end": cache.prompt_end,
        "context_open": cache.context_open,
        "ledger": asdict(cache.ledger),
        "flow": state,
        "layers": layers,
    }
    return tensors, record
