"""``ta methods``: what is registered, what each observes, and where it comes from."""

from typing import Any

from rich.console import Console
from rich.table import Table

from ..methods.registry import PREFIXES, TWIN, all_methods
from . import options
from .common import write_json


def methods(json: options.Json = None) -> None:
    """List every method with what it observes and its source."""
    rows: list[dict[str, Any]] = [
        {
            "name": m.name,
            "summary": m.summary,
            "observes": m.observes,
            "saving": m.saving,
            "exact": m.exact,
            "detectors": [d if isinstance(d, str) else d.name for d in m.detectors],
            "source": m.source,
            "decode": m.decode,
        }
        for m in all_methods().values()
    ]
    table = Table(
        "method", "what is kept", "observes", "saving", "source", box=None, pad_edge=False
    )
    for row in rows:
        table.add_row(row["name"], row["summary"], row["observes"], row["saving"], row["source"])
    for name, prefix in PREFIXES.items():
        if name != TWIN:  # twins have rows of their own
            table.add_row(f"{name}NAME", prefix.summary, "-", "-", prefix.source)
    Console().print(table)
    write_json(json, {"methods": rows})
