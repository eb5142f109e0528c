"""The decoder's hooks: a cache among the arguments drives the forward, and is told when it ends.

Also when the forward raises. Calls that a cache cannot serve exactly are refused before the first
layer: each would otherwise give other logits, or nothing, without a word. Models for images and
text hand their decoder embeddings; a hook on the module that embeds them notes the ids, for text
alone. Imported when a model is attached, since it needs all of transformers' model code.
"""

from typing import Any

import torch
from torch import Tensor, nn

from ...errors import CacheStateError, InputError, UnsupportedError
from . import attention  # noqa: F401  (registers itself)
from .active import ATTENTION_NAME, DrivingCache, activate, active, note_call, noted
from .arguments import find_cache
from .layer import RetentionLayer

TEXT = ("inputs_embeds", "attention_mask")  # tensors of floats that are of no image or sound


def enter(module: nn.Module, args: tuple, kwargs: dict) -> tuple[tuple, dict] | None:
    """Before a forward: a retention cache among its arguments becomes the active one."""
    cache = find_cache((*args, *kwargs.values()), DrivingCache)
    check_outputs(module, kwargs, ours=cache is not None)
    if cache is None:
        if active() is not None:
            activate(None)
        return None
    begin = _open_outside if torch.compiler.is_compiling() else _open
    positions = begin(module, cache, kwargs.get("input_ids", args[0] if args else None), kwargs)
    return None if positions is None else (args, {**kwargs, "position_ids": positions})


def _open(module: nn.Module, cache: Any, ids: Tensor | None, kwargs: dict) -> Tensor | None:
    """Decide before the first layer runs."""
    activate(None)
    check_call(module, kwargs)
    mask, outside = kwargs.get("attention_mask"), noted() if ids is None else None
    if outside is not None:
        ids, mask = outside
    positions = cache.begin(module, ids, mask, kwargs.get("position_ids"))
    if outside is not None and positions is None and cache.one_flow:
        # models for images keep offsets of an earlier text, which may have been another cache's
        assert ids is not None
        positions = torch.from_numpy(cache.managed[0].forward.new).clamp(min=0).to(ids.device)
    activate(cache)
    return positions


def leave(module: nn.Module, args: tuple, output: Any) -> Any:
    """After a forward; ``output`` is None where it has raised. What a memory brings back for the
    newest token is read, and gives the output."""
    if active() is None:
        return None
    finish = _close_outside if torch.compiler.is_compiling() else _close
    return finish(output)


def _close(output: Any) -> Any:
    cache = active()
    activate(None)
    assert cache is not None
    with torch.no_grad():
        cache.end(finished=output is not None)
        if output is None or cache.memory is None:
            return None
        ids = cache.reads_again()
        if ids is None:
            return None
        again = cache.feed_again(ids)
        output.last_hidden_state = again[:, -1:]
        return output


# Ids, tables and slots are the host's: a graph must not look into them. Layers are marked here, as
# torch.compiler takes a second to import.
_open_outside, _close_outside = torch.compiler.disable(_open), torch.compiler.disable(_close)
for _name in ("_add", "_observe_and_cut", "mask"):
    setattr(RetentionLayer, _name, torch.compiler.disable(getattr(RetentionLayer, _name)))


def check_call(decoder: Any, kwargs: dict[str, Any]) -> None:
    """What stands beside a retention cache in a forward. Raises InputError for ``use_cache=False``;
    UnsupportedError for gradient checkpointing; CacheStateError when the model attends by another
    function than that of the retention."""
    if kwargs.get("use_cache") is False:
        raise InputError(
            "use_cache=False beside a retention cache: generate() would feed it the whole text at "
            "every step; leave one of the two out, or set model.generation_config.use_cache = True "
            "where a config.json says false"
        )
    if decoder.training and any(
        getattr(module, "gradient_checkpointing", False) for module in decoder.modules()
    ):
        raise UnsupportedError(
            "gradient checkpointing runs layers without their cache: call model.eval(), or "
            "model.gradient_checkpointing_disable()"
        )
    function = decoder.config._attn_implementation
    if function != ATTENTION_NAME:
        raise CacheStateError(
            f"set_attn_implementation({function!r}) took the retention's attention from the model: "
            "call ta.attach(model), or make the cache afterwards"
        )


def check_outputs(decoder: Any, kwargs: dict[str, Any], *, ours: bool) -> None:
    """Refuse to hand out attention weights, which the retention's attention never has.

    Also to other caches, where the model would have given them by its own attention.
    """
    ours = ours or getattr(decoder, "_retention_previous", None) == "eager"
    asked = kwargs.get("output_attentions")
    if ours and (asked or (asked is None and getattr(decoder.config, "output_attentions", False))):
        raise UnsupportedError(
            "output_attentions=True: the retention's attention never makes the matrix of weights; "
            "leave it out, or ask a model without retention that was loaded with "
            "attn_implementation='eager'"
        )


def note(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
    """Before the outer module runs. Raises UnsupportedError for images, videos and sounds."""
    note_call(None)
    if find_cache(kwargs.values(), DrivingCache) is None:
        return
    for name, value in kwargs.items():
        if name not in TEXT and _has_floats(value):
            raise UnsupportedError(
                f"{name}: retention serves {type(module).__name__} with text alone, since images "
                "and sounds have no tokens that could be read: leave them out, or use a cache of "
                "transformers"
            )
    ids = kwargs.get("input_ids", args[0] if args else None)
    note_call((ids, kwargs.get("attention_mask")))


def forget(module: nn.Module, args: tuple, output: Any) -> None:
    """After it, also when it has raised."""
    note_call(None)


def _has_floats(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_floats, value))
    return isinstance(value, Tensor) and value.is_floating_point()
