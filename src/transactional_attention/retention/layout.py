"""Which tables a method needs, with their budgets and mandatory tokens: known before any token."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TypeVar

from ..config import Memory, Retention
from ..errors import BudgetError, InputError, UnsupportedError
from ..methods.method import Shape
from ..methods.registry import Method, get_method
from ..methods.scorers import Scorer
from ..selection.segments import SegmentSelection
from ..selection.selection import Selection
from ..selection.slot_table import SlotTable
from ..types import Source
from .presets import DEFAULT, PRESETS

T = TypeVar("T", int, int | None)

CHAT_MEMORY = 256  # K from which a small model answers from segments (docs/memory.md)


def build_tables(
    retention: Retention, method: Method, scorer: Scorer, rows: int, shape: Shape | None
) -> dict[Hashable, SlotTable]:
    """One table per distinct budget, keyed by it; or one per layer, if layers are read or differ.
    Raises InputError if the method reads layers and there is no model."""
    budgets: tuple[int | None, ...] = retention.budgets() or (None,)
    if method.unlimited:
        budgets = (None,)
    if method.allocation is not None and retention.positions != "original":
        raise InputError(
            f"positions={retention.positions!r} needs one budget for all layers and heads, "
            f"{method.name!r} splits it: use original positions"
        )
    if not scorer.observes and method.allocation is None:
        return {budget: SlotTable.empty(budget, rows) for budget in budgets}
    if shape is None:
        raise InputError(
            f"method {method.name!r} reads {scorer.observes} of every layer: it needs a model"
        )
    heads = shape.kv_heads if scorer.per_head else 1
    return {
        layer_key(layer): SlotTable.empty(budget, rows, heads)
        for layer, budget in enumerate(layer_budgets(budgets, shape.layers))
    }


def layer_key(layer: int) -> Hashable:
    """Key of a layer's own table; keys of shared tables are budgets, plain numbers."""
    return ("layer", layer)


def layer_budgets(budgets: tuple[T, ...], layers: int) -> tuple[T, ...]:
    """One budget per layer; none if there are none."""
    return budgets if len(budgets) == layers else budgets[:1] * layers


def build_selection(retention: Retention, method: Method) -> Selection:
    """The selection of a method under a preset, with the caller's sinks and recent tokens."""
    sinks, recent = mandatory_ends(retention, method)
    if isinstance(retention.memory, Memory):
        return SegmentSelection(sinks, recent, retention.memory.share)
    preset = PRESETS[retention.preset] if method.detectors else DEFAULT
    return preset.selection(retention, method, sinks, recent)


def mandatory_ends(retention: Retention, method: Method) -> tuple[int, int]:
    """How many first and last tokens are always kept: what the caller names, otherwise the
    method's, otherwise the preset's. A twin ``ta+NAME`` keeps those of NAME."""
    uses_preset = method.detectors and not method.twin
    sinks, recent = (PRESETS[retention.preset] if uses_preset else DEFAULT).ends(retention)
    first, last = (
        count(retention) if callable(count) else count for count in (method.sinks, method.recent)
    )
    sinks = next(v for v in (retention.sinks, first, sinks) if v is not None)
    recent = next(v for v in (retention.recent, last, recent) if v is not None)
    return sinks, recent


def check_fits(
    tables: Iterable[SlotTable], mandatory: int, retention: Retention, rows: int
) -> None:
    """Refuse budgets below the mandatory tokens, and protected ranges of rows that do not exist."""
    for budget in (table.budget for table in tables):
        if budget is not None and budget < mandatory:
            raise BudgetError(
                f"budget {budget} is smaller than the {mandatory} tokens that {retention.method!r} "
                f"always keeps: raise it to {mandatory} at least"
            )
    for item in retention.protected:
        if item.row is not None and not 0 <= item.row < rows:
            raise InputError(f"a range of row {item.row} is protected, there are {rows} rows")


def check_served(retention: Retention, method: Method) -> None:
    """Refuse a memory, or pinned tokens, where they are not supported. Raises UnsupportedError with
    the reason."""
    asked = {"the memory": retention.memory, "pinned": retention.pinned}
    for name, given in asked.items():
        if given and (why := _unserved(retention, method, values=name != "pinned")):
            raise UnsupportedError(f"{name} does not serve this retention: {why}")


def _unserved(retention: Retention, method: Method, *, values: bool) -> str:
    """Why tokens cannot come back, or be held beside K; empty if they can. ``values``: values or
    the text around them come back."""
    observes = method.scorer(retention).observes or method.allocation is not None
    if not PRESETS[retention.preset].whole:
        return "the paper preset knows nothing beside K"
    if values and (not method.protects or method.ends_turns):
        return f"method {retention.method!r} protects no values"
    if observes or len(set(retention.budgets())) > 1:
        return "its layers or kv heads hold different tokens"
    if not values:
        return ""
    if retention.storage is not None:
        return "storage lowers rows that would come back"
    if retention.detect_in_generated:
        return "detect_in_generated finds values before their rows are there"
    return ""


def for_chats(
    retention: Retention,
    *,
    memory: bool | None = None,
    pinned: tuple[Source, ...] = ("system",),
) -> Retention:
    """The retention for a chat: system messages, with the definitions of tools, are held beside K,
    and there is a memory, if the retention allows it.

    ``memory``: True requires it (and is refused later if it is not supported), False switches it
    off, None: from K = ``CHAT_MEMORY`` on.
    """
    method = get_method(retention.method)
    if not retention.budgets() or _unserved(retention, method, values=False):
        pinned = ()
    if memory is None:
        fits = min(retention.budgets(), default=0) >= CHAT_MEMORY
        memory = fits and not _unserved(retention, method, values=True)
        memory = memory or bool(retention.memory)
    chosen = memory and (retention.memory or True)
    return replace(retention, pinned=retention.pinned or pinned, memory=chosen)
