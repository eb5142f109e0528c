"""The paper's six figures, redrawn from records (``data/figures.toml``).

A figure is panels; a panel is drawn from one record, or says which record it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from transactional_attention.config import Sponsorship

from ..data import table
from ..experiments import Record
from ..experiments.ablation import papers_most
from ..experiments.audit import papers_rank
from ..experiments.paper import figure, figures_for
from ..experiments.plan import CONTROLS
from . import context_panels as context
from . import share_panels as shares
from .context_panels import LackingError
from .drawing import HEIGHT, check_matplotlib, panel
from .records import UNREADABLE

Records = Mapping[str, Record]


@dataclass(frozen=True)
class Drawn:
    """A panel. ``svg`` empty: ``needs`` names the experiment whose record would make it.

    ``why``: what stands in place of the drawing."""

    name: str
    title: str
    caption: str
    needs: str
    svg: str = ""
    why: str = ""


@dataclass(frozen=True)
class Redrawn:
    """A figure of the paper: its number and title, and its panels from our records."""

    name: str
    title: str
    panels: tuple[Drawn, ...]


def drawn(
    records: Records,
    name: str,
    title: str,
    caption: str,
    needs: str,
    draw: Callable[[Any, Record], None],
    *,
    height: float = HEIGHT,
) -> Drawn:
    """The panel, or what is missing for it. Raises InputError without matplotlib."""
    check_matplotlib()
    record, svg, why = records.get(needs), "", f"No record of {needs}."
    if record is not None:
        try:
            svg, why = panel(name, lambda axes: draw(axes, record), height=height), ""
        except LackingError as lacking:
            why = f"The record of {needs} has {lacking}."
        except UNREADABLE as error:
            why = f"The record of {needs} cannot be drawn ({type(error).__name__})."
    return Drawn(name, title, caption, needs, svg, why)


DRAW: dict[str, Callable[[Any, Record], None]] = {
    "hero-a": context.share_that_got_more, "hero-b": shares.kept, "hero-c": context.spent,
    "hero-d": partial(shares.accuracy, names=shares.FEW),
    "mechanism-1": context.anchor, "mechanism-2": context.vouchers,
    "mechanism-3": context.utility, "mechanism-4": context.selection,
    "failure-a": context.ranks, "failure-b": context.windows, "failure-c": context.sponsored,
    "scaling-methods": shares.methods,
    "scaling-controls": partial(shares.accuracy, names=("ta", *CONTROLS)),
    "composition-16": partial(shares.pairs, budget=16),
    "composition-64": partial(shares.pairs, budget=64),
    "ablation-spread": shares.spreads, "ablation-budget": shares.sponsor_budget,
    "ablation-choices": shares.choices,
}  # fmt: skip
"""What draws each panel of ``data/figures.toml``."""
FIGURES = table("figures")


def _recovery() -> str:
    """The paper's figures by budget: TA's range, and where its baselines recover."""
    known: dict[str, list[tuple[int, float]]] = {}
    for one in figures_for("needle"):
        if one.match["sponsored"]:
            known.setdefault(one.name, []).append((one.match["budget"], one.value))
    own = sorted({value for _, value in known.pop("TA")})
    recover: dict[int, list[str]] = {}
    for name, values in known.items():
        whole = [budget for budget, value in values if value == own[-1]]
        if whole:
            recover.setdefault(min(whole), []).append(name)
    told = "; ".join(f"{' and '.join(names)} from K={k}" for k, names in recover.items())
    return f"{' to '.join(f'{v:g}%' for v in own)} for TA at every K, and so have {told}"


def redrawn(name: str, records: Records) -> Redrawn:
    """A figure; panels whose record is absent or lacks what they show say so."""
    most = papers_most()
    low, high = (figure("ablation", which, block=most) for which in ("least", "most"))
    facts = {
        "tight": context.TIGHT, "share": context.papers_share(), "printed": Sponsorship(),
        "unstated": figure("audit", "rank").unstated, "rank": papers_rank(),
        "recovery": _recovery(), "most": most, "low": low, "high": high,
    }  # fmt: skip
    panels = [
        drawn(records, one["name"], one["title"].format(**facts), one["caption"].format(**facts),
              one["needs"], DRAW[one["name"]], height=one.get("height", HEIGHT))
        for one in FIGURES[name]["panels"]
    ]  # fmt: skip
    return Redrawn(name, FIGURES[name]["title"].format(**facts), tuple(panels))


def draw_all(records: Records) -> list[Redrawn]:
    """Every figure."""
    return [redrawn(name, records) for name in FIGURES]
