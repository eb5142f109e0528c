"""The paper's six figures, redrawn from records, and how a panel is drawn.

A figure is panels; a panel is drawn from one record, or says which record it needs. The same record
gives the same bytes: ids are salted by the panel's name, no date, no metadata."""

from __future__ import annotations

import io
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from transactional_attention.config import Sponsorship
from transactional_attention.errors import InputError

from ..cases.metrics import wilson
from ..experiments import Record, Row
from ..experiments.ablation import BASE, OURS, PRINTED, papers_most, setting_of, spread
from ..experiments.audit import papers_rank
from ..experiments.comparing import count_of, is_main, method_name
from ..experiments.paper import figure, figures_for
from ..experiments.plan import CONTROLS
from .beside import cells_of
from .records import BROKEN

LONG = 14  # characters of a label: three of them are wider than a panel
WIDTH, HEIGHT = 4.2, 2.9  # inches; a panel is as wide as a phone
INK, FAINT, LINE, PAPER = "#1c1d21", "#6a6d71", "#d9d9d1", "#fffffe"
"""Stand for the page's colours: no series has them."""
VARIABLES = {INK: "--ink", FAINT: "--faint", LINE: "--line", PAPER: "--paper"}
DARK = {"--ink": "#e8e8e6", "--faint": "#9198a1", "--line": "#33373d", "--paper": "#16181b"}
SERIES = ("#3b82c4", "#d9822b", "#9b6dd1", "#d0453c", "#2a9d9d", "#b8860b", "#c2559d", "#7a8450")
OWN, AS_PRINTED, GREY = "#1f9d55", "#7cb342", "#8a8f98"
MARKERS = "osD^vPX*"
MISSING = (
    "figures need matplotlib: install the extra `lab` (pip install 'transactional-attention[lab]')"
)

STYLE = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.6,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_PROLOGUE = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_NAMESPACES = re.compile(r'\s+xmlns(?::xlink)?="[^"]*"')
_FONTS = re.compile(r"(font(?:-family)?: ?[^;\"]*?)'DejaVu Sans'[^;\"]*")


def check_matplotlib() -> None:
    """Figures need an extra. Raises InputError without matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415  (an extra)
    except ImportError:
        raise InputError(MISSING) from None


def panel(name: str, draw: Callable[[Any], None], *, height: float = HEIGHT) -> str:
    """SVG of what ``draw(axes)`` draws; ``name`` keeps its ids apart from other panels'. Raises
    InputError without matplotlib."""
    check_matplotlib()
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    style: Any = {**STYLE, "svg.hashsalt": name}
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the reader's font draws the text
        warnings.filterwarnings("ignore", "constrained_layout not applied")  # names without end
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        content = io.StringIO()
        none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(content, format="svg", metadata=none)
    return _themed(content.getvalue())


def _themed(svg: str) -> str:
    svg = _METADATA.sub("", _PROLOGUE.sub("", svg, count=1))
    svg = _FONTS.sub(r"\1system-ui, sans-serif", svg)
    for colour, name in VARIABLES.items():
        svg = svg.replace(colour, f"var({name}, {colour})")
    return svg.strip() + "\n"


def inline(svg: str, title: str) -> str:
    """For a page: no namespaces, which HTML does not need, and a name for readers of the screen."""
    return _NAMESPACES.sub("", svg).replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)


def standalone(svg: str) -> str:
    """For a file of its own: its colours follow the reader's, as the page's do."""
    dark = "".join(f"{name}:{colour};" for name, colour in DARK.items())
    style = (
        "<style>svg{background:var(--paper,#fff)}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    )
    return re.sub(r"(<svg [^>]*>)", rf"\1{style}", svg, count=1)


def plain_numbers(axis: Any) -> None:
    """Labels of a log axis as numbers: its own would be formulas."""
    axis.set_major_formatter(lambda value, _: f"{value:,g}")
    axis.set_minor_formatter(lambda *_: "")


def dress_bars(axes: Any, end: float, label: str, size: float) -> None:
    """Horizontal bars of percentages, the first on top; names in letters of ``size``."""
    axes.invert_yaxis()
    axes.set_xlim(0, end)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", labelsize=size)
    axes.set_xlabel(label)


@contextmanager
def legend_below(axes: Any, columns: int = 3) -> Iterator[None]:
    """Puts the legend of what is drawn inside under the panel."""
    yield
    handles, labels = axes.get_legend_handles_labels()
    if max(map(len, labels), default=0) > LONG:
        columns = min(columns, 2)
    if handles:
        axes.figure.legend(handles, labels, loc="outside lower center", ncols=columns)


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


class LackingError(LookupError):
    """A record that has no rows for a panel."""


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
        except BROKEN as error:
            why = f"The record of {needs} cannot be drawn ({type(error).__name__})."
    return Drawn(name, title, caption, needs, svg, why)


def parts(record: Record, part: str) -> list[Row]:
    """Rows of a part. Raises LackingError when there are none."""
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
        return {"color": AS_PRINTED, "marker": marker}
    return {"color": SERIES[order % len(SERIES)], "marker": marker}


APART = 0.05  # of a doubling, between methods, so that equal lines stay visible


def main_rows(record: Record, block: str) -> list[Row]:
    """Cells of a block under the main claim: question hidden, strict ledger. Raises LackingError
    when there are none."""
    found = [row for row in cells_of(record).rows if row["block"] == block and is_main(row)]
    if not found:
        raise LackingError(f"no cells of {block}")
    return found


def accuracy(axes: Any, rows: Sequence[Row], names: Sequence[str]) -> None:
    """Answers in percent with their 95% interval against K, log scale; full as a level line. Raises
    LackingError when none of the named methods has a budget."""
    chosen = [row for row in rows if method_name(row) in names and row["budget"] is not None]
    full = next((row for row in rows if row["method"] == "full"), None)
    if not chosen:
        raise LackingError("none of these methods")
    budgets = sorted({row["budget"] for row in chosen})
    with legend_below(axes):
        if full is not None:
            axes.axhline(_share(full)[0], color=GREY, linestyle="--", label="full cache")
        for order, name in enumerate(names):
            _line(axes, [r for r in chosen if method_name(r) == name], name, order, len(names))
        axes.set_xscale("log", base=2)
        axes.set_xticks(budgets, [str(budget) for budget in budgets])
        axes.minorticks_off()
        axes.set_ylim(-4, 104)
        axes.set_xlabel("budget K")
        axes.set_ylabel("exact answers, %")


def _line(axes: Any, rows: Sequence[Row], name: str, order: int, count: int) -> None:
    if not rows:
        return
    rows = sorted(rows, key=lambda row: row["budget"])
    aside = 2 ** (APART * (order - (count - 1) / 2))
    shares = [_share(row) for row in rows]
    middle = [share for share, _, _ in shares]
    spread = [
        [share - low for share, low, _ in shares],
        [high - share for share, _, high in shares],
    ]
    axes.errorbar(
        [row["budget"] * aside for row in rows],
        middle,
        yerr=spread,
        label=name,
        markersize=4,
        capsize=2,
        elinewidth=0.8,
        **look(name, order),
    )


def _share(row: Row) -> tuple[float, float, float]:
    """Answers, or whole values where none was asked, in percent, and the interval's ends."""
    counted = count_of(row)
    right = counted.kept if counted.right is None else counted.right
    low, high = wilson(right, counted.trials)
    return 100 * right / counted.trials, 100 * low, 100 * high


TIGHT = 16
PLACE = "depth 0.5"
ENDS = (("value", OWN), ("sinks", SERIES[0]), ("window", SERIES[1]), ("other", LINE))


def papers_share() -> float:
    """The paper's rank of the value as a share of all tokens, in percent."""
    return 100 * figure("audit", "rank").value / figure("audit", "ranked").value


def _hero_ranks(axes: Any, record: Record) -> None:
    layers = parts(record, "rank")[0]["layers"]
    shares = [100 * layer["before"]["median"] / layer["positions"] for layer in layers]
    with legend_below(axes, 2):
        axes.bar([layer["layer"] for layer in layers], shares, color=SERIES[0])
        axes.axhline(50, color=GREY, linestyle="--", label="chance")
        axes.axhline(papers_share(), color=SERIES[3], linestyle=":", label="the paper's")
        axes.set_ylim(0, 100)
        axes.set_xticks([layer["layer"] for layer in layers])
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("layer")
        axes.set_ylabel("tokens that got more, %")


def _kept(axes: Any, record: Record) -> None:
    rows = [r for r in main_rows(record, "needle") if r["budget"] == TIGHT and not r["allow"]]
    if not rows:
        raise LackingError(f"no cell at K={TIGHT}")
    rows = _printed(rows)
    counts = [count_of(row) for row in rows]
    shares = [100 * counted.kept / counted.trials for counted in counts]
    names = [method_name(row) for row in rows]
    colours = [look(name, i)["color"] for i, name in enumerate(names)]
    axes.barh([name.replace(", without", ",\nwithout") for name in names], shares, color=colours)
    for i, share in enumerate(shares):
        axes.text(share + 1, i, f"{share:.0f}", va="center", fontsize=8)
    dress_bars(axes, 108, "whole values kept, %", 7)


def _printed(rows: Sequence[Row]) -> list[Row]:
    """Without this project's build of methods that were run as printed, too; `ta` first."""
    both = {(r["method"], r["sponsored"]) for r in rows if r["preset"] == "paper"}
    chosen = [
        r for r in rows if r["preset"] == "paper" or (r["method"], r["sponsored"]) not in both
    ]
    return sorted(chosen, key=lambda row: row["method"] != "ta")


def _spent(axes: Any, record: Record) -> None:
    found = [row for row in parts(record, "coverage") if row["name"] == PLACE]
    if not found:
        raise LackingError(f"no coverage at {PLACE}")
    kept = [k for k in found[0]["kept"] if k["partition"] != "audit"]
    kept.sort(key=lambda k: k["method"] != "ta")
    names = [k["method"] + ", as printed" * (k["preset"] == "paper") for k in kept]
    left = [0] * len(kept)
    with legend_below(axes, 4):
        for part, colour in ENDS:
            sizes = [_size(k, part) for k in kept]
            axes.barh(names, sizes, left=left, color=colour, label=part)
            left = [a + b for a, b in zip(left, sizes, strict=True)]
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", labelsize=7.5)
        axes.set_xlabel("tokens")


def _size(kept: Row, part: str) -> int:
    if part != "other":
        return int(kept[part])
    return max(0, int(kept["kept"] - kept["value"] - kept["sinks"] - kept["window"]))


def _answers(axes: Any, record: Record) -> None:
    rows = main_rows(record, "needle")
    wanted = ("ta-fast-semantic, as printed", "tova", "h2o", "snapkv", "streaming-llm")
    accuracy(axes, rows, ["ta", *wanted])


NEWLINE = "↵"
LONGEST = 16  # characters of a token on an axis


def printed_row(record: Record) -> Row:
    """The row of the method as the paper prints it. Raises LackingError when it was not run."""
    for row in parts(record, "mechanism"):
        if row["preset"] == "paper":
            return row
    raise LackingError("no method as printed")


def _role(row: Row, position: int) -> str:
    if row["value"][0] <= position < row["value"][1]:
        return "value"
    if position == row["anchor"]:
        return "anchor"
    label = row["label"]
    return "label" if label and label[0] <= position < label[1] else "other"


COLOURS = {"value": OWN, "anchor": SERIES[1], "label": SERIES[0], "other": LINE}


def _names(row: Row) -> list[str]:
    """Tokens as the axis shows them; each with its position, so that none coincide."""
    return [
        f"{piece.strip()[:LONGEST] or NEWLINE}  {row['first'] + i:,}"
        for i, piece in enumerate(row["pieces"])
    ]


def _dressed(axes: Any, names: Sequence[str], label: str) -> None:
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(label)


def _anchor(axes: Any, record: Record) -> None:
    row = printed_row(record)
    roles = [_role(row, row["first"] + i) for i in range(len(row["pieces"]))]
    with legend_below(axes, 4):
        for role, colour in COLOURS.items():
            at = [i for i, found in enumerate(roles) if found == role]
            if at:
                axes.barh(at, [1] * len(at), color=colour, label=role)
        _dressed(axes, _names(row), "")
        axes.set_xticks([])


def _vouchers(axes: Any, record: Record) -> None:
    row = printed_row(record)
    axes.barh(range(len(row["voucher"])), row["voucher"], color=OWN)
    _dressed(axes, _names(row), "voucher V")


def _utility(axes: Any, record: Record) -> None:
    row = printed_row(record)
    # the K-th largest utility of the context: what a token must reach
    needed = next((u for rank, u in row["curve"]["with"] if rank >= row["budget"]), None)
    places = range(len(row["base"]))
    with legend_below(axes, 3):
        axes.barh(places, row["base"], color=SERIES[0], label="by itself")
        axes.barh(places, row["voucher"], left=row["base"], color=OWN, label="voucher")
        if needed is not None:
            axes.axvline(needed, color=SERIES[3], linestyle="--", label=f"rank {row['budget']}")
        axes.set_xscale("symlog", linthresh=1)
        plain_numbers(axes.xaxis)
        _dressed(axes, _names(row), "utility u")


def _selection(axes: Any, record: Record) -> None:
    rows = parts(record, "mechanism")
    names = [row["method"] + ", as printed" * (row["preset"] == "paper") for row in rows]
    for i, row in enumerate(rows):
        axes.hlines(i, 0, row["tokens"], color=LINE, linewidth=9)
        inside = [p for p in row["kept"] if _role(row, p) == "value"]
        rest = [p for p in row["kept"] if _role(row, p) != "value"]
        axes.vlines(rest, i - 0.2, i + 0.2, color=GREY, linewidth=1)
        axes.vlines(inside, i - 0.3, i + 0.3, color=OWN, linewidth=1.6)
    size = rows[0]["value"][1] - rows[0]["value"][0]
    for i, row in enumerate(rows):
        whole = sum(_role(row, p) == "value" for p in row["kept"])
        axes.text(row["tokens"], i - 0.34, f"{whole} of {size} value tokens", ha="right",
                  fontsize=7.5, color=FAINT)  # fmt: skip
    axes.set_yticks(range(len(rows)), names, fontsize=7.5)
    axes.set_ylim(len(rows) - 0.5, -0.6)
    axes.grid(visible=False)
    axes.set_xlabel("position in the context")


WINDOWED = ("tova", "streaming-llm", "ta-fast-semantic", "ta")


def _ranks(axes: Any, record: Record) -> None:
    layers = parts(record, "rank")[0]["layers"]
    places = [layer["layer"] for layer in layers]
    with legend_below(axes):
        for when, marker, colour in (("before", "o", SERIES[0]), ("after", "s", SERIES[1])):
            ranks = [layer[when]["median"] for layer in layers]
            axes.plot(places, ranks, marker, color=colour, label=f"{when} the question")
        axes.axhline(TIGHT, color=OWN, linestyle="--", label=f"K={TIGHT}")
        axes.set_yscale("log")
        plain_numbers(axes.yaxis)
        axes.set_xticks(places)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("layer")
        axes.set_ylabel("rank")


def _windows(axes: Any, record: Record) -> None:
    found = [row for row in parts(record, "coverage") if row["name"] == PLACE]
    if not found:
        raise LackingError(f"no coverage at {PLACE}")
    row = found[0]
    kept = [k for k in row["kept"] if k["method"] in WINDOWED and k["partition"] != "audit"]
    names = [k["method"] + ", as printed" * (k["preset"] == "paper") for k in kept]
    size, middle = row["tokens"], sum(row["value"]) / 2
    for i, k in enumerate(kept):
        whole = k["value"] == k["of_value"]
        axes.barh(i, size, color=LINE, height=0.5)
        axes.barh(i, _wide(k["sinks"], size), color=SERIES[0], height=0.5)
        wide = _wide(k["window"], size)
        axes.barh(i, wide, left=size - wide, color=SERIES[1], height=0.5)
        axes.plot(middle, i, "o", color=OWN, fillstyle="full" if whole else "none")
        axes.text(middle, i - 0.36, f"{k['value']} of {k['of_value']} value tokens",
                  ha="center", fontsize=7)  # fmt: skip
    axes.set_yticks(range(len(kept)), names, fontsize=7.5)
    axes.set_ylim(len(kept) - 0.5, -0.7)
    axes.grid(visible=False)
    axes.set_xlabel("position in the context")


def _wide(tokens: int, size: int) -> float:
    """A few of thousands of tokens, wide enough to be seen."""
    return max(tokens, size / 60) if tokens else 0


def _sponsored(axes: Any, record: Record) -> None:
    row = printed_row(record)
    with legend_below(axes, 2):
        for name, colour in (("without", GREY), ("with", OWN)):
            ranks, utilities = zip(*row["curve"][name], strict=True)
            axes.plot(ranks, utilities, color=colour, label=f"{name} vouchers")
            axes.plot(*_points(row, name), "o", color=colour, markersize=5)
        axes.axvline(row["budget"], color=SERIES[3], linestyle="--", label=f"K={row['budget']}")
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=1)
        plain_numbers(axes.xaxis)
        plain_numbers(axes.yaxis)
        axes.set_xlabel("rank by utility")
        axes.set_ylabel("utility")


def _points(row: Row, name: str) -> tuple[list[int], Iterable[float]]:
    """Ranks and utilities of the value's tokens."""
    low = row["value"][0] - row["first"]
    size = row["value"][1] - row["value"][0]
    base = row["base"][low : low + size]
    added = row["voucher"][low : low + size] if name == "with" else [0.0] * size
    return row["ranks"][name], [b + v for b, v in zip(base, added, strict=True)]


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


def _methods(axes: Any, record: Record) -> None:
    rows = main_rows(record, "needle")
    names = dict.fromkeys(
        method_name(row)
        for row in rows
        if row["method"] not in ("full", *CONTROLS) and row["sponsored"] and not row["allow"]
    )
    printed = [name for name in names if f"{name}, as printed" not in names]
    accuracy(axes, rows, sorted(printed, key=lambda name: name != "ta"))


def _controls(axes: Any, record: Record) -> None:
    rows = main_rows(record, "needle")
    accuracy(axes, rows, ["ta", *CONTROLS])


TWIN = "ta+"


def _pairs(axes: Any, record: Record, budget: int) -> None:
    rows = [row for row in main_rows(record, "needle") if row["budget"] == budget]
    twins = [row for row in rows if row["method"].startswith(TWIN)]
    by_name = {row["method"]: row for row in rows}
    names = [t["method"].removeprefix(TWIN) for t in twins]
    names = [name for name in names if name in by_name]
    if not names:
        raise LackingError(f"no method beside its twin at K={budget}")
    places = range(len(names))
    with legend_below(axes, 2):
        for shift, prefix, label, colour in (
            (-0.19, "", "alone", GREY),
            (0.19, TWIN, "with sponsorship", OWN),
        ):
            shares = _shares([by_name[prefix + name] for name in names])
            at = [place + shift for place in places]
            axes.barh(at, shares, height=0.36, color=colour, label=label)
            for place, share in zip(at, shares, strict=True):
                axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7.5)
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xlim(0, 108)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("exact answers, %")


def _shares(rows: Sequence[Row]) -> list[float]:
    counts = [count_of(row) for row in rows]
    return [100 * (c.kept if c.right is None else c.right) / c.trials for c in counts]


NUMBER = " = "


def _settings(record: Record) -> list[Row]:
    return [row for row in record["rows"] if row.get("trials") and row["method"] != "full"]


def _spreads(axes: Any, record: Record) -> None:
    rows = _settings(record)
    found = {}
    for row in rows:
        place = setting_of(row)
        if place.cases == PRINTED and NUMBER in place.title:
            what = place.title.partition(NUMBER)[0]
            between = spread(rows, place.method, what)
            if between is not None:
                found[f"{what} ({place.method})"] = between
    if not found:
        raise LackingError("no number that was varied")
    for i, (low, high) in enumerate(found.values()):
        axes.plot([low, high], [i, i], color=OWN, linewidth=5, solid_capstyle="round")
    axes.set_yticks(range(len(found)), list(found), fontsize=7)
    axes.set_xlim(-4, 104)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("whole values kept, %")


def _budget(axes: Any, record: Record) -> None:
    chosen = []
    for row in _settings(record):
        place = setting_of(row)
        what, _, value = place.title.partition(NUMBER)
        if place.cases == PRINTED and what == papers_most():
            chosen.append((float(value), count_of(row)))
    if not chosen:
        raise LackingError(f"no {papers_most()} that was varied")
    chosen.sort()
    shares = [100 * c.kept / c.trials for _, c in chosen]
    ends = [wilson(c.kept, c.trials) for _, c in chosen]
    low = [share - 100 * end[0] for share, end in zip(shares, ends, strict=True)]
    high = [100 * end[1] - share for share, end in zip(shares, ends, strict=True)]
    axes.errorbar([b for b, _ in chosen], shares, yerr=[low, high], marker="o", markersize=4,
                  capsize=2, color=OWN)  # fmt: skip
    axes.set_ylim(-4, 104)
    axes.set_xlabel("sponsor budget B")
    axes.set_ylabel("whole values kept, %")


def _choices(axes: Any, record: Record) -> None:
    rows = [row for row in _settings(record) if row["block"].startswith(OURS)]
    if not rows:
        raise LackingError("none of our choices")
    cases = list(dict.fromkeys(setting_of(row).cases for row in rows))
    titles = [t for t in dict.fromkeys(setting_of(r).title for r in rows) if t and t != BASE]
    means = {title: _mean(rows, cases, title) for title in titles}
    with legend_below(axes, 2):
        axes.barh(titles, [m for m, _ in means.values()], color=SERIES[0], label="taken back")
        for i, (_, base) in enumerate(means.values()):
            axes.plot([base, base], [i - 0.4, i + 0.4], color=GREY, linewidth=2,
                      label="unchanged" if i == 0 else None)  # fmt: skip
        dress_bars(axes, 104, "whole values kept, %,\nmean over kinds of cases", 7)


def _mean(rows: Sequence[Row], cases: Sequence[str], title: str) -> tuple[float, float]:
    """Of the kinds of cases that a setting was run on: its mean, and the unchanged one's there."""
    shares: dict[str, dict[str, float]] = {}
    for row in rows:
        place, counted = setting_of(row), count_of(row)
        shares.setdefault(place.cases, {})[place.title] = 100 * counted.kept / counted.trials
    both = [shares[case] for case in cases if {title, BASE} <= shares[case].keys()]
    if not both:
        raise LackingError(f"no unchanged setting beside {title}")
    return tuple(sum(one[name] for one in both) / len(both) for name in (title, BASE))  # type: ignore[return-value]


DRAW: dict[str, Callable[[Any, Record], None]] = {
    "hero-a": _hero_ranks, "hero-b": _kept, "hero-c": _spent, "hero-d": _answers,
    "mechanism-1": _anchor, "mechanism-2": _vouchers, "mechanism-3": _utility,
    "mechanism-4": _selection, "failure-a": _ranks, "failure-b": _windows,
    "failure-c": _sponsored, "scaling-methods": _methods, "scaling-controls": _controls,
    "composition-16": partial(_pairs, budget=16), "composition-64": partial(_pairs, budget=64),
    "ablation-spread": _spreads, "ablation-budget": _budget, "ablation-choices": _choices,
}  # fmt: skip
"""What draws each panel of ``data/figures.toml``."""
FIGURES = tomllib.loads(files("ta_lab").joinpath("data/figures.toml").read_text(encoding="utf-8"))


def redrawn(name: str, records: Records) -> Redrawn:
    """A figure; panels whose record is absent or lacks what they show say so."""
    most = papers_most()
    low, high = (figure("ablation", which, block=most) for which in ("least", "most"))
    facts = {
        "tight": TIGHT, "share": papers_share(), "unstated": figure("audit", "rank").unstated,
        "printed": Sponsorship(), "rank": papers_rank(), "recovery": _recovery(),
        "most": most, "low": low, "high": high,
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
