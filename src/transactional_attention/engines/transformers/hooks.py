"""The decoder's hooks: they open a session before a forward and close it behind it.

Also when the forward raises. Imported when a model is attached, since it needs all of transformers'
model code.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from . import attention  # noqa: F401  (registers itself)
from .arguments import find_cache
from .cache import RetentionCache
from .layer import RetentionLayer
from .outer import noted, true_positions
from .refusals import check_call, check_outputs
from .session import activate, active
from .several import SeveralCaches
from .switching import follow_switch


def enter(module: nn.Module, args: tuple, kwargs: dict) -> tuple[tuple, dict] | None:
    """Before a forward: a retention cache among its arguments becomes the active one."""
    cache = find_cache((*args, *kwargs.values()), RetentionCache | SeveralCaches)
    check_outputs(module, kwargs, ours=cache is not None)
    if cache is None:
        if active() is not None:
            activate(None)
        return None
    begin = _open_outside if torch.compiler.is_compiling() else _open
    positions = begin(module, cache, kwargs.get("input_ids", args[0] if args else None), kwargs)
    return None if positions is None else (args, {**kwargs, "position_ids": positions})


def _open(
    module: nn.Module,
    cache: RetentionCache | SeveralCaches,
    ids: torch.Tensor | None,
    kwargs: dict,
) -> torch.Tensor | None:
    """Decide before the first layer runs."""
    activate(None)
    check_call(module, kwargs)
    mask, outside = kwargs.get("attention_mask"), noted() if ids is None else None
    if outside is not None:
        ids, mask = outside.ids, outside.mask
    follow_switch(cache, ids, kwargs.get("position_ids"))
    positions = cache.begin(module, ids, mask)
    if outside is not None and positions is None:
        positions = true_positions(cache, outside.ids)
    activate(cache)
    return positions


def leave(module: nn.Module, args: tuple, output: Any) -> None:
    """Behind a forward; ``output`` is None where it has raised."""
    if active() is not None:
        finish = _close_outside if torch.compiler.is_compiling() else _close
        finish(finished=output is not None)


def _close(*, finished: bool) -> None:
    cache = active()
    activate(None)
    assert cache is not None
    with torch.no_grad():
        cache.end(finished=finished)


# Ids, tables and slots are the host's: a graph must not look into them. Layers are marked here, as
# torch.compiler takes a second to import.
_open_outside, _close_outside = torch.compiler.disable(_open), torch.compiler.disable(_close)
for _name in ("_add", "_observe_and_cut", "_mask"):
    setattr(RetentionLayer, _name, torch.compiler.disable(getattr(RetentionLayer, _name)))
