"""A saved cache, brought back on the same model."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...errors import InputError
from ...methods.observation import Observation
from ...retention.saving.flow import resume_flow
from ...retention.saving.records import check, part_of, read, retention_of
from ...version import __version__
from ..cache_file import under, understanding
from ..tokenizer_facts import check_tokenizer
from . import tensor_file
from .cache import RetentionCache
from .decoder import (
    attention_modules,
    check_holds_all_heads,
    device_of,
    find_decoder,
    num_processes,
)
from .fingerprint import check_same, model_facts
from .layer import RetentionLayer
from .precision import MixedStates, States
from .saving import MIXED, SavedCache, SavedLayer
from .tensor_file import Tensors

MOST_ROWS = 4096


def load_cache(
    path: str | Path,
    model: Any,
    tokenizer: Any = None,
    *,
    input_ids: Tensor | None = None,
    attention_mask: Tensor | None = None,
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
    tensors, record = tensor_file.read(path)
    if "engine" in record:
        raise InputError(f"{path} was saved elsewhere: give --engine {record['engine']}")
    if "states" in record:
        raise InputError(f"{path} holds a chat: load it with ta.Chat.load(path, model, tokenizer)")
    return restored(path, model, tokenizer, tensors, record, input_ids, attention_mask)


def restored(
    path: Path,
    model: Any,
    tokenizer: Any,
    tensors: Tensors,
    record: dict[str, Any],
    input_ids: Tensor | None,
    attention_mask: Tensor | None = None,
) -> RetentionCache:
    """The cache of which a file holds these tensors and this record. Raises InputError,
    CacheStateError, UnsupportedError as ``load_cache``."""
    check_holds_all_heads(num_processes(model))
    with understanding(path):
        saved = read(SavedCache, record)
        if saved.retention.get("recall"):
            raise InputError(
                f"{path} was saved with values that waited one by one, which a memory has replaced "
                "(docs/memory.md): read the conversation again from its text"
            )
        check_same(saved.model, model_facts(find_decoder(model)), path)
        check_tokenizer(saved.tokenizer, tokenizer, path)
        if saved.package != __version__:
            warnings.warn(
                f"{path} was saved by release {saved.package}, this is {__version__}: what is "
                "kept from now on may differ from what that release would have kept",
                stacklevel=3,
            )
        ids = None if input_ids is None else _rows_of(input_ids, attention_mask, saved.columns)
        retention, rows = retention_of(saved.retention), saved.rows
        named = [item.row + 1 for item in retention.protected if item.row is not None]
        check(0 < max([rows, *named]) <= MOST_ROWS, "rows")
        cache = RetentionCache(model, tokenizer, retention, observe=saved.observe)
        arrays = {name: tensor.numpy() for name, tensor in under("flow.", tensors).items()}
        lengths = part_of(arrays, "lengths", [rows], np.dtype(np.int64))
        check(rows and lengths.max(initial=0) <= saved.columns, "columns")
        flow = cache.new_flow(max([rows, *named]))
        flow.take_rows(np.arange(rows))  # rows that were dropped may still be named
        resume_flow(flow, saved.flow, arrays, ids)
        cache.use(flow)
        modules: dict[Any, Any] = {
            part.layer_idx: part for part in attention_modules(cache.decoder)
        }
        devices = {index: device_of(part) for index, part in modules.items()}
        first = next(cache.decoder.parameters()).device
        for index, (layer, about) in enumerate(zip(cache.layers, saved.layers, strict=True)):
            held = under(f"layers.{index}.", tensors)
            check(about.seen == saved.columns, f"layers.{index}.seen")
            try:
                _check_layer(layer, held, about, cache, modules.get(index))
            except ValueError as error:
                raise ValueError(f"layers.{index}.{error}") from None
            fill_layer(layer, held, about, devices.get(index, first))
        if cache.memory is not None:
            cache.memory.resume(flow, under("memory.", tensors), cache.managed)
        cache.expect_prompt(saved.prompt_end)
        cache.context_open, cache.positions.long_factors = saved.context_open, saved.long_factors
        cache.ledger = saved.ledger
        return cache


def _rows_of(ids: Tensor, mask: Tensor | None, columns: int) -> list[list[int]]:
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
    seen_ids = ids[:, :columns].cpu()
    return [line[kept].tolist() for line, kept in zip(seen_ids, valid, strict=True)]


def _check_layer(
    layer: Any, tensors: Tensors, about: SavedLayer, cache: RetentionCache, module: Any
) -> None:
    """Raises ValueError for tensors that do not fit the layer, its table and the model."""
    rows, dtype = len(cache.flow.sequences), next(cache.decoder.parameters()).dtype
    shape, size = cache.flow.shape, getattr(module, "head_dim", None)
    heads = None if shape is None else shape.kv_heads
    managed = isinstance(layer, RetentionLayer)
    width = layer.table.width if managed else None
    for name in ("keys", "values"):
        if name in (about.forms or ()):
            _check_mixed(tensors, name, (rows, heads, width, size), dtype)
            continue
        states = part_of(tensors, name, (rows, heads, width, size), dtype)
        check(states.isfinite().all(), name)
        check(managed or states.shape[2] == tensors["keys"].shape[2] <= layer.sliding_window, name)
    observer = layer.observer if managed else None
    wanted = Observation() if observer is None else observer.wanted
    counted = {"sums": wanted.columns, "pension": wanted.pension, "gates": bool(wanted.gates)}
    for name in [name for name, noted in counted.items() if noted]:
        part_of(tensors, f"observer.{name}", (rows, None, width), torch.float32, dtype)
    if wanted.queries:
        queries = part_of(
            tensors, "observer.queries", (rows, None, None, size), torch.float32, dtype
        )
        part_of(tensors, "observer.asking", (rows, queries.shape[2]), torch.int64)
    if wanted.moments:
        total = part_of(tensors, "observer.moments.total", (rows, None, None), torch.float32)
        part_of(tensors, "observer.moments.count", (rows,), torch.int64, torch.float32)
        part_of(tensors, "observer.moments.squares", (*total.shape, total.shape[2]), torch.float32)
    if "measured" in tensors:
        part_of(tensors, "measured", (rows, None, width), torch.float32, torch.float64, dtype)


def _check_mixed(
    tensors: Tensors, name: str, shape: Sequence[int | None], dtype: torch.dtype
) -> None:
    rows, heads, width, size = shape
    full, bits, scale, places = (f"{name}.{part}" for part in MIXED)
    sharp = part_of(tensors, full, (rows, heads, None, size), dtype)
    low = part_of(tensors, bits, (rows, heads, None, sharp.shape[3]), torch.int8)
    part_of(tensors, scale, (rows, heads, low.shape[2], 1), torch.float32)
    where = part_of(tensors, places, (rows, heads, width), torch.int32)
    check(((where >= 0) & (where < sharp.shape[2] + low.shape[2])).all(), places)
    check(sharp.isfinite().all() and tensors[scale].isfinite().all(), name)


def fill_layer(layer: Any, tensors: Tensors, about: SavedLayer, device: torch.device) -> None:
    """Fill a fresh layer; the flow of a managed one must be in use (``RetentionCache.use``)."""
    device_tensors = {name: tensor.to(device) for name, tensor in tensors.items()}
    if not isinstance(layer, RetentionLayer):
        first, second = device_tensors["keys"], device_tensors["values"]
        layer.update(first[..., :0, :], second[..., :0, :])  # makes it ready, in any version
        layer.keys, layer.values, layer.cumulative_length = first, second, about.seen
        return
    keys, values = (
        _states(device_tensors, name, (about.forms or {}).get(name)) for name in ("keys", "values")
    )
    layer.hold(keys, values, about.seen)
    layer.measured = device_tensors.get("measured")
    for name, tensor in under("observer.", device_tensors).items():
        moment = name.removeprefix("moments.")
        setattr(layer.observer if moment == name else layer.observer.moments, moment, tensor)  # type: ignore


def _states(tensors: Tensors, name: str, form: Any) -> States:
    if form is None:
        return tensors[name]
    return MixedStates(**{part: tensors[f"{name}.{part}"] for part in MIXED}, form=form)
