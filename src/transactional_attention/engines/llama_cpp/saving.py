"""A sequence between two forwards to one file, and brought back in a context of the same model.

The file is that of the transformers engine (``cache_file.py``: atomic, checked, mode 0600); keys
and values in it are the bytes of one build of llama.cpp. Text and ids are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...config import Retention
from ...errors import CacheStateError, InputError, RetentionError
from ...retention import flow_state
from ...retention.serialization import plain, record_of
from ...types import Ints
from ..transformers import cache_file
from ..transformers.fingerprint import check_tokenizer, tokenizer_facts
from .cache import LlamaCache
from .context import Context

ENGINE, STATE, PLACES, FLOW = "llama.cpp", "state", "places", "flow."


def save(cache: LlamaCache, path: Path) -> None:
    """Write what a sequence holds and has decided.

    Raises:
        CacheStateError: when an error broke it.
        InputError: when the file cannot be written.
    """
    cache.check_usable()
    state, arrays = flow_state.exported(cache.flow)
    tensors = {f"{FLOW}{name}": torch.from_numpy(array) for name, array in arrays.items()}
    tensors[PLACES] = torch.from_numpy(cache.places)
    tensors[STATE] = torch.from_numpy(cache.context.exported(cache.sequence))
    record = {
        "engine": ENGINE,
        "model": cache.context.model.facts() | {"cell_type": cache.context.cell_type},
        "tokenizer": tokenizer_facts(cache.flow.tokenizer),
        "retention": plain(cache.retention),
        "context_open": cache.context_open,
        "live": [cache.most_between, cache.most_within],
        "flow": state,
    }
    cache_file.write(path, tensors, record)


def load_cache(
    path: str | Path,
    context: Context,
    tokenizer: Any,
    *,
    input_ids: Sequence[int] | Ints | None = None,
) -> LlamaCache:
    """The sequence that ``LlamaCache.save`` wrote, in a context of the same model.

    ``input_ids``: all tokens that it has read and generated; without them a later prompt is read
    as a text of its own (docs/saving.md).

    Raises:
        InputError: for a file that is missing, damaged or of another engine, another tokenizer,
            and ids that are not those that were read.
        CacheStateError: for another model, build or type of cells, and too few cells.
    """
    path = Path(path)
    tensors, record = _read(path)
    try:
        _check_model(record["model"], context, path)
        check_tokenizer(record["tokenizer"], tokenizer, path)
        return _rebuilt(tensors, record, context, tokenizer, input_ids)
    except RetentionError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"{path} is damaged ({type(error).__name__}): save it again") from None


def saved_retention(path: str | Path) -> Retention:
    """What a saved sequence was made with. Raises InputError as ``load_cache``."""
    return record_of(Retention, _read(Path(path))[1]["retention"])


def _read(path: Path) -> tuple[cache_file.Tensors, dict[str, Any]]:
    tensors, record = cache_file.read(path)
    if record.get("engine") != ENGINE:
        raise InputError(f"{path} was not saved by the engine {ENGINE}: load it without --engine")
    return tensors, record


def _check_model(saved: dict[str, Any], context: Context, path: Path) -> None:
    found = context.model.facts() | {"cell_type": context.cell_type}
    for name, value in found.items():
        if saved[name] != value:
            raise CacheStateError(
                f"{path} was saved with another {name} ({saved[name]}), here it is {value}: "
                "keys and values of one do not serve the other"
            )


def _rebuilt(
    tensors: cache_file.Tensors,
    record: dict[str, Any],
    context: Context,
    tokenizer: Any,
    ids: Sequence[int] | Ints | None,
) -> LlamaCache:
    retention = record_of(Retention, record["retention"])
    cache = LlamaCache(context, tokenizer, retention)
    arrays = {
        name.removeprefix(FLOW): tensor.numpy()
        for name, tensor in tensors.items()
        if name.startswith(FLOW)
    }
    given = None if ids is None else [np.asarray(ids, np.int64).reshape(-1).tolist()]
    try:
        flow_state.resume(cache.flow, record["flow"], arrays, given)
        context.restore(cache.sequence, tensors[STATE].numpy())
    except BaseException:
        cache.close()
        raise
    cache.places = tensors[PLACES].numpy()
    cache.context_open = record["context_open"]
    cache.most_between, cache.most_within = record["live"]
    return cache
