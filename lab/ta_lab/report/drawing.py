"""How a panel is drawn: its colours, which follow the page's, its legend and its axes.

The same record gives the same bytes: ids are salted by the panel's name, no date, no metadata."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from transactional_attention.errors import InputError

from ..data import table

LONG = 14  # characters of a label: three of them are wider than a panel
WIDTH, HEIGHT = 4.2, 2.9  # inches; a panel is as wide as a phone
DATA = table("drawing")
COLOURS: dict[str, str] = DATA["colours"]
FAINT, LINE = COLOURS["faint"], COLOURS["line"]
OWN, AS_PRINTED, GREY = DATA["own"], DATA["as_printed"], DATA["grey"]
SERIES, MARKERS = DATA["series"], DATA["markers"]
STYLE = {name: COLOURS.get(value, value) for name, value in DATA["style"].items()}
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_PROLOGUE = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_NAMESPACES = re.compile(r'\s+xmlns(?::xlink)?="[^"]*"')
_FONTS = re.compile(r"(font(?:-family)?: ?[^;\"]*?)'DejaVu Sans'[^;\"]*")


def check_matplotlib() -> None:
    """Figures need an extra. Raises InputError without matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415  (an extra)
    except ImportError:
        raise InputError(
            "figures need matplotlib: install the extra `figures` "
            "(pip install 'transactional-attention-lab[figures]')"
        ) from None


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
    svg = _METADATA.sub("", _PROLOGUE.sub("", content.getvalue(), count=1))
    svg = _FONTS.sub(r"\1system-ui, sans-serif", svg)
    for variable, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable}, {colour})")
    return svg.strip() + "\n"


def inline(svg: str, title: str) -> str:
    """For a page: no namespaces, which HTML does not need, and a name for readers of the screen."""
    return _NAMESPACES.sub("", svg).replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)


def standalone(svg: str) -> str:
    """For a file of its own: its colours follow the reader's, as the page's do."""
    dark = "".join(f"--{name}:{colour};" for name, colour in DATA["dark"].items())
    style = (
        "<style>svg{background:var(--paper,#fff)}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    )
    return re.sub(r"(<svg [^>]*>)", rf"\1{style}", svg, count=1)


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


def plain_numbers(axis: Any) -> None:
    """Labels of a log axis as numbers: its own would be formulas."""
    axis.set_major_formatter(lambda value, _: f"{value:,g}")
    axis.set_minor_formatter(lambda *_: "")


def listed(axes: Any, label: str, *, size: float | None = None, end: float | None = None) -> None:
    """Bars or lines by name, the first on top; names in letters of ``size``."""
    axes.invert_yaxis()
    if end is not None:
        axes.set_xlim(0, end)
    axes.grid(visible=False, axis="y")
    if size is not None:
        axes.tick_params(axis="y", labelsize=size)
    axes.set_xlabel(label)


def by_layer(axes: Any, layers: Sequence[int], label: str) -> None:
    """What there is of each layer, one beside the other."""
    axes.set_xticks(layers)
    axes.grid(visible=False, axis="x")
    axes.set(xlabel="layer", ylabel=label)


def along_context(axes: Any, names: Sequence[str], room: float) -> None:
    """A line a name from the begin of a context to its end, ``room`` above the first."""
    axes.set_yticks(range(len(names)), names, fontsize=7.5)
    axes.set(ylim=(len(names) - 0.5, -room), xlabel="position in the context")
    axes.grid(visible=False)


def shares_with_ends(
    axes: Any,
    places: Sequence[float],
    shares: Sequence[tuple[float, float, float]],
    *,
    capsize: float = 2,
    **how: Any,
) -> None:
    """Shares, each with the ends of its interval, joined by a line."""
    middle = [share for share, _, _ in shares]
    below = [share - low for share, low, _ in shares]
    above = [high - share for share, _, high in shares]
    axes.errorbar(places, middle, yerr=[below, above], markersize=4, capsize=capsize, **how)


@contextmanager
def legend_below(axes: Any, columns: int = 3) -> Iterator[None]:
    """Puts the legend of what is drawn inside under the panel."""
    yield
    handles, labels = axes.get_legend_handles_labels()
    if max(map(len, labels), default=0) > LONG:
        columns = min(columns, 2)
    if handles:
        axes.figure.legend(handles, labels, loc="outside lower center", ncols=columns)
