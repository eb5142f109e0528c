"""A saved cache brought back on the same model, here or elsewhere."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from ...config import Retention
from ...errors import InputError, RetentionError
from ...methods.observation import Observation
from ...retention import flow_state
from ...retention.serialization import record_of
from . import cache_file, layer_state
from .cache import RetentionCache
from .fingerprint import check_same, check_tokenizer, model_facts
from .gating import attention_modules
from .ledger import LedgerRecord
from .parallel import check_holds_all_heads, device_of, num_processes
from .session import find_decoder


def load_cache(
    path: str | Path,
    model: Any,
    tokenizer: Any = None,
    *,
    input_ids: torch.Tensor | None = None,
    attention_mask: torch.Tensor | None = None,
) -> RetentionCache:
    """The cache that ``RetentionCache.save`` wrote, for a model with the same weights and dtype.

    The next forwards give the logits, and evict the tokens, that those of the saved cache would
    have. The text is not in the file: with ``input_ids`` that holds for every later prompt too;
    without them what is generated is the same, and the next prompt is read as a text of its own
    (docs/saving.md).

    Args:
        tokenizer: the model's; needed when the saved cache had one.
        input_ids: [row, column], every column that the cache has seen, generated ones included;
            columns beyond them are not read.
        attention_mask: [row, column], 0 for padding; columns that it lacks hold tokens.

    Raises:
        InputError: for a file that is missing, damaged, of another kind or a newer version, for
            another tokenizer, and for ``input_ids`` that are not those that were seen.
        CacheStateError: for another model.
        UnsupportedError: under tensor parallel, and with offloaded weights.
    """
    path = Path(path)
    check_holds_all_heads(num_processes(model))  # before it is asked for a file that none can write
    tensors, record = cache_file.read(path)
    if "states" in record:
        raise InputError(f"{path} holds a chat: load it with ta.Chat.load(path, model, tokenizer)")
    return restored(path, model, tokenizer, tensors, record, input_ids, attention_mask)


def restored(
    path: Path,
    model: Any,
    tokenizer: Any,
    tensors: cache_file.Tensors,
    record: dict[str, Any],
    input_ids: torch.Tensor | None,
    attention_mask: torch.Tensor | None = None,
) -> RetentionCache:
    """The cache of which a file holds these tensors and this record.

    Raises:
        InputError, CacheStateError, UnsupportedError: as ``load_cache``.
    """
    check_holds_all_heads(num_processes(model))
    try:
        check_same(record["model"], model_facts(find_decoder(model)), path)
        check_tokenizer(record["tokenizer"], tokenizer, path)
        _note_release(record["package"], path)
        ids = None if input_ids is None else _rows_of(input_ids, attention_mask, record["columns"])
        return _rebuilt(model, tokenizer, tensors, record, ids)
    except RetentionError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"{path} is damaged ({type(error).__name__}): save it again") from None


def _note_release(package: str, path: Path) -> None:
    from ...version import __version__  # noqa: PLC0415  (the package imports this module)

    if package != __version__:
        warnings.warn(
            f"{path} was saved by release {package}, this is {__version__}: what is kept from now "
            "on may differ from what that release would have kept",
            stacklevel=4,
        )


def _rows_of(ids: torch.Tensor, mask: torch.Tensor | None, columns: int) -> list[list[int]]:
    """The tokens [row] of the first ``columns``, without padding."""
    if ids.ndim != 2 or ids.shape[1] < columns:
        raise InputError(
            f"input_ids {tuple(ids.shape)} must be [row, column] with the {columns} columns that "
            "the cache has seen, generated ones included"
        )
    if mask is not None and (mask.ndim != 2 or len(mask) != len(ids)):
        raise InputError(
            f"attention_mask {tuple(mask.shape)} does not fit input_ids {tuple(ids.shape)}"
        )
    valid = torch.ones((len(ids), columns), dtype=torch.bool)
    if mask is not None:
        given = mask[:, :columns].bool().cpu()
        valid[:, : given.shape[1]] = given
    own = ids[:, :columns].cpu()
    return [line[kept].tolist() for line, kept in zip(own, valid, strict=True)]


def _rebuilt(
    model: Any,
    tokenizer: Any,
    tensors: cache_file.Tensors,
    record: dict[str, Any],
    ids: list[list[int]] | None,
) -> RetentionCache:
    retention = record_of(Retention, record["retention"])
    cache = RetentionCache(model, tokenizer, retention, observe=Observation(**record["observe"]))
    rows = record["rows"]
    named = [item.row + 1 for item in retention.protected if item.row is not None]
    flow = cache.new_flow(max(rows, *named)) if named else cache.new_flow(rows)
    flow.take_rows(np.arange(rows))  # rows that were dropped may still be named
    arrays = {name: tensor.numpy() for name, tensor in under("flow.", tensors).items()}
    flow_state.resume(flow, record["flow"], arrays, ids)
    cache.use(flow)
    devices, first = _devices(cache.decoder), next(cache.decoder.parameters()).device
    for index, (layer, about) in enumerate(zip(cache.layers, record["layers"], strict=True)):
        held = under(f"layers.{index}.", tensors)
        layer_state.resume(layer, held, about, devices.get(index, first))
    cache.prompt_end, cache.context_open = record["prompt_end"], record["context_open"]
    cache.long_factors = record.get("long_factors")
    cache.ledger = LedgerRecord(**record["ledger"])
    return cache


def under(prefix: str, tensors: cache_file.Tensors) -> cache_file.Tensors:
    """The tensors whose names begin with ``prefix``, without it."""
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


def _devices(decoder: nn.Module) -> dict[int, torch.device]:
    """Where the keys of every layer are made."""
    return {module.layer_idx: device_of(module) for module in attention_modules(decoder)}  # type: ignore[misc]
