"""Which retentions a runtime serves that shows no attention and holds one set of tokens for all
layers."""

from ..config import Retention
from ..errors import UnsupportedError
from ..methods.registry import get_method


def check_served(retention: Retention, engine: str, *, brings_back: bool = False) -> None:
    """Refuse what such a runtime cannot carry out. Raises UnsupportedError for methods that read
    attention, hidden states or a model, budgets that differ between layers or heads, parts in a
    lower precision; without ``brings_back`` for what is held beside K, comes back or moves."""
    method, why = get_method(retention.method), ""
    if method.scorer(retention).observes or method.ends_turns:
        why = f"reads {method.observes if not method.ends_turns else 'the model itself'}"
    elif method.reads_model:
        why = "has a detector that reads the model's hidden states"
    elif method.allocation is not None or len(set(retention.budgets())) > 1:
        why = "gives layers or heads budgets of their own, and a cell is one for all of them"
    elif method.precision is not None or retention.storage is not None:
        why = "holds a part in lower precision, and cells are of one type"
    if why:
        raise UnsupportedError(
            f"method {retention.method!r} {why}: the engine {engine} does not show or do that; "
            "use an attention-free method (`ta methods`), or --engine transformers"
        )
    given = {"memory": retention.memory, "pinned": retention.pinned}
    given["positions"] = retention.positions != "original"
    for name in () if brings_back else given:
        if given[name]:
            raise UnsupportedError(
                f"{name} is not served by the engine {engine}, which holds K cells where they are "
                "and cannot put single tokens back into a sequence: leave it out, or use "
                "transformers"
            )
