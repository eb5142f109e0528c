"""What of a cache between two forwards goes to a file; ``loading.py`` brings it back.

In the file: keys and values of the tokens that are held, what scorers collected, the slot tables
with positions, the registry with labels, rules and salted hashes, and a record of the model. Not
in it: text, and token ids, which spell values. Keys and values encode their tokens all the same,
so the file is as secret as the prompt.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from transformers.cache_utils import DynamicSlidingWindowLayer

from ...config import Format
from ...errors import UnsupportedError
from ...methods.observation import Observation
from ...retention.saving.records import Count
from .layer import RetentionLayer
from .ledger import LedgerRecord
from .observe import PER_QUERY, PER_SLOT
from .precision import MixedStates
from .tensor_file import Tensors

if TYPE_CHECKING:
    pass

MIXED = ("full", "bits", "scale", "places")
MOMENTS = ("count", "total", "squares")


class SavedLayer(NamedTuple):
    """What no tensor says of a layer."""

    seen: Count
    forms: dict[str, Format] | None = None  # of keys and values in low precision


class SavedCache(NamedTuple):
    """The record that ``RetentionCache.exported`` gives."""

    package: str
    model: dict[str, Any]
    tokenizer: dict[str, Any] | None
    retention: dict[str, Any]
    observe: Observation
    rows: Count
    columns: Count
    prompt_end: Count
    context_open: bool
    ledger: LedgerRecord
    flow: Any
    layers: list[SavedLayer]
    long_factors: bool | None


def export_layer(layer: Any) -> tuple[Tensors, dict[str, Any]]:
    """Tensors of a layer, and what else is known of it. Raises UnsupportedError for a layer that is
    neither managed nor a sliding window."""
    managed = isinstance(layer, RetentionLayer)
    if not managed and type(layer) is not DynamicSlidingWindowLayer:
        raise UnsupportedError(
            f"a cache with layers of type {type(layer).__name__} cannot be saved: only full "
            "attention and sliding windows can"
        )
    pair: dict[str, Any] = {"keys": layer.keys, "values": layer.values}
    if not managed:
        return pair, {"seen": layer.cumulative_length}
    tensors: Tensors = {}
    forms: dict[str, str] = {}
    for name, states in pair.items():
        if isinstance(states, MixedStates):
            tensors |= {f"{name}.{part}": getattr(states, part) for part in MIXED}
            forms[name] = states.form
        else:
            tensors[name] = states
    observer, measurements = layer.observer, {"measured": layer.measured}
    if observer is not None:
        measurements |= {
            f"observer.{name}": getattr(observer, name) for name in (*PER_SLOT, *PER_QUERY)
        }
        moments = {name: getattr(observer.moments, name, None) for name in MOMENTS}
        measurements |= {f"observer.moments.{name}": tensor for name, tensor in moments.items()}
    tensors |= {name: tensor for name, tensor in measurements.items() if tensor is not None}
    return tensors, {"seen": layer.seen, "forms": forms}
