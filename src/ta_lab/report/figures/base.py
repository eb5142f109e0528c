"""A figure is panels; a panel is drawn from one record, or says which record it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...experiments import Record, Row
from ..drawing import GREY, HEIGHT, MARKERS, OWN, PRINTED, SERIES, panel
from ..records import BROKEN

Records = Mapping[str, Record]
Draw = Callable[[Any], None]


@dataclass(frozen=True)
class Drawn:
    """A panel. ``svg`` empty: ``needs`` names the experiment whose record would make it.

    ``why``: what stands in place of the drawing.
    """

    name: str
    title: str
    caption: str
    needs: str
    svg: str = ""
    why: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure of the paper: its number and title, and its panels from our records."""

    name: str
    title: str
    panels: tuple[Drawn, ...]


class LackingError(LookupError):
    """A record that has no rows for a panel."""


def drawn(
    records: Records,
    name: str,
    title: str,
    caption: str,
    needs: str,
    make: Callable[[Record], Draw],
    *,
    height: float = HEIGHT,
) -> Drawn:
    """The panel, or what is missing for it.

    Raises:
        InputError: without matplotlib.
    """
    record = records.get(needs)
    if record is None:
        return Drawn(name, title, caption, needs, why=f"No record of {needs}.")
    try:
        draw = make(record)
    except LackingError as lacking:
        return Drawn(name, title, caption, needs, why=f"The record of {needs} has {lacking}.")
    except BROKEN as error:
        why = f"The record of {needs} cannot be drawn ({type(error).__name__})."
        return Drawn(name, title, caption, needs, why=why)
    return Drawn(name, title, caption, needs, panel(name, draw, height=height))


def parts(record: Record, part: str) -> list[Row]:
    """Rows of a part.

    Raises:
        LackingError: when there are none.
    """
    found = [row for row in record["rows"] if row.get("part") == part and "refused" not in row]
    if not found:
        raise LackingError(f"no rows of its part {part}")
    return found


def look(name: str, order: int) -> dict[str, Any]:
    """Colour and marker of a method, the same in every figure that lists methods alike."""
    marker = MARKERS[order % len(MARKERS)]
    if name == "full":
        return {"color": GREY, "linestyle": "--", "marker": ""}
    if name.partition(",")[0] == "ta":
        return {"color": OWN, "marker": "o"}
    if name.startswith("ta-"):
        return {"color": PRINTED, "marker": marker}
    return {"color": SERIES[order % len(SERIES)], "marker": marker}
