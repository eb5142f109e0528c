"""A cache between two forwards to one file, and brought back on the same model.

In the file: keys and values of the tokens that are held, what scorers collected, the slot tables
with positions, the registry with labels, rules and salted hashes, and a record of the model. Not
in it: text, and token ids, which spell values. Keys and values encode their tokens all the same,
so the file is as secret as the prompt.
"""

import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers.cache_utils import DynamicSlidingWindowLayer

from ...config import Retention
from ...errors import InputError, UnsupportedError
from ...methods.observation import Observation
from ...retention import flow_state
from ...retention.serialization import plain, record_of
from ...version import __version__
from . import cache_file
from .cache import LedgerRecord, RetentionCache
from .cache_file import Tensors, under
from .decoder import (
    attention_modules,
    check_holds_all_heads,
    device_of,
    find_decoder,
    num_processes,
)
from .fingerprint import check_same, check_tokenizer, model_facts, tokenizer_facts
from .layer import RetentionLayer
from .observe import PER_QUERY, PER_SLOT
from .precision import MixedStates, States

MIXED = ("full", "bits", "scale", "places")
MOMENTS = ("count", "total", "squares")


def exported(cache: RetentionCache) -> tuple[Tensors, dict[str, Any]]:
    """All that ``RetentionCache.save`` writes: tensors, and a record. Raises CacheStateError and
    UnsupportedError as ``RetentionCache.save``."""
    check_holds_all_heads(cache.num_processes)
    cache.check_usable(cache.decoder)
    flow = cache.flow
    cache.read_generated()
    if cache.vault is not None:
        cache.vault.store(flow, (), ())  # without what was released since
    state, arrays = flow_state.exported(flow)
    tensors = {f"flow.{name}": torch.from_numpy(array) for name, array in arrays.items()}
    if cache.vault is not None:
        tensors |= {f"vault.{name}": part for name, part in cache.vault.exported(flow).items()}
    layers = []
    for index, layer in enumerate(cache.layers):
        held, about = export_layer(layer)
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
    tensors, record = cache_file.read(path)
    if "engine" in record:
        raise InputError(f"{path} was saved by {record['engine']}: load it with --engine, there")
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
    with cache_file.understanding(path):
        check_same(record["model"], model_facts(find_decoder(model)), path)
        check_tokenizer(record["tokenizer"], tokenizer, path)
        if record["package"] != __version__:
            warnings.warn(
                f"{path} was saved by release {record['package']}, this is {__version__}: what is "
                "kept from now on may differ from what that release would have kept",
                stacklevel=3,
            )
        ids = None if input_ids is None else _rows_of(input_ids, attention_mask, record["columns"])
        retention = record_of(Retention, record["retention"])
        cache = RetentionCache(
            model, tokenizer, retention, observe=Observation(**record["observe"])
        )
        rows = record["rows"]
        named = [item.row + 1 for item in retention.protected if item.row is not None]
        flow = cache.new_flow(max([rows, *named]))
        flow.take_rows(np.arange(rows))  # rows that were dropped may still be named
        arrays = {name: tensor.numpy() for name, tensor in under("flow.", tensors).items()}
        flow_state.resume(flow, record["flow"], arrays, ids)
        cache.use(flow)
        devices: dict[Any, torch.device] = {
            part.layer_idx: device_of(part) for part in attention_modules(cache.decoder)
        }
        first = next(cache.decoder.parameters()).device
        for index, (layer, about) in enumerate(zip(cache.layers, record["layers"], strict=True)):
            held = under(f"layers.{index}.", tensors)
            fill_layer(layer, held, about, devices.get(index, first))
        if cache.vault is not None:
            cache.vault.resume(flow, under("vault.", tensors))
        cache.expect_prompt(record["prompt_end"])
        cache.context_open = record["context_open"]
        cache.long_factors = record.get("long_factors")
        cache.ledger = LedgerRecord(**record["ledger"])
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
    own = ids[:, :columns].cpu()
    return [line[kept].tolist() for line, kept in zip(own, valid, strict=True)]


def export_layer(layer: Any) -> tuple[Tensors, dict[str, Any]]:
    """Tensors of a layer, and what else is known of it. Raises UnsupportedError for a layer that is
    neither managed nor a sliding window."""
    managed = isinstance(layer, RetentionLayer)
    if not managed and type(layer) is not DynamicSlidingWindowLayer:
        raise UnsupportedError(
            f"a cache with layers of type {type(layer).__name__} cannot be saved: only full "
            "attention and sliding windows can"
        )
    both: dict[str, Any] = {"keys": layer.keys, "values": layer.values}
    if not managed:
        return both, {"seen": layer.cumulative_length}
    tensors: Tensors = {}
    forms: dict[str, str] = {}
    for name, states in both.items():
        if isinstance(states, MixedStates):
            tensors |= {f"{name}.{part}": getattr(states, part) for part in MIXED}
            forms[name] = states.form
        else:
            tensors[name] = states
    observer, found = layer.observer, {"measured": layer.measured}
    if observer is not None:
        found |= {f"observer.{name}": getattr(observer, name) for name in (*PER_SLOT, *PER_QUERY)}
        moments = {name: getattr(observer.moments, name, None) for name in MOMENTS}
        found |= {f"observer.moments.{name}": tensor for name, tensor in moments.items()}
    tensors |= {name: tensor for name, tensor in found.items() if tensor is not None}
    return tensors, {"seen": layer.seen, "forms": forms}


def fill_layer(layer: Any, tensors: Tensors, plain: dict[str, Any], device: torch.device) -> None:
    """Fill a fresh layer; the flow of a managed one must be in use (``RetentionCache.use``)."""
    own = {name: tensor.to(device) for name, tensor in tensors.items()}
    if not isinstance(layer, RetentionLayer):
        first, second = own["keys"], own["values"]
        layer.update(first[..., :0, :], second[..., :0, :])  # makes it ready, in any version
        layer.keys, layer.values, layer.cumulative_length = first, second, plain["seen"]
        return
    keys, values = (_states(own, name, plain["forms"].get(name)) for name in ("keys", "values"))
    layer.hold(keys, values, plain["seen"])
    layer.measured = own.get("measured")
    for name, tensor in under("observer.", own).items():
        moment = name.removeprefix("moments.")
        setattr(layer.observer if moment == name else layer.observer.moments, moment, tensor)  # type: ignore


def _states(own: Tensors, name: str, form: Any) -> States:
    if form is None:
        return own[name]
    return MixedStates(**{part: own[f"{name}.{part}"] for part in MIXED}, form=form)
