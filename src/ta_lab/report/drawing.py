"""One small panel after another in matplotlib, as SVG that takes the page's colours.

The same record gives the same bytes: ids are salted by the panel's name, no date, no metadata.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from transactional_attention.errors import InputError

LONG = 14  # characters of a label: three of them are wider than a panel
WIDTH, HEIGHT = 4.2, 2.9  # inches; a panel is as wide as a phone
INK, FAINT, LINE, PAPER = "#1c1d21", "#6a6d71", "#d9d9d1", "#fffffe"
"""Stand for the page's colours: no series has them."""
VARIABLES = {INK: "--ink", FAINT: "--faint", LINE: "--line", PAPER: "--paper"}
DARK = {"--ink": "#e8e8e6", "--faint": "#9198a1", "--line": "#33373d", "--paper": "#16181b"}
SERIES = ("#3b82c4", "#d9822b", "#9b6dd1", "#d0453c", "#2a9d9d", "#b8860b", "#c2559d", "#7a8450")
OWN, PRINTED, GREY = "#1f9d55", "#7cb342", "#8a8f98"
MARKERS = "osD^vPX*"
MISSING = "figures need matplotlib: install the extra `report` (pip install 'transactional-attention[report]')"  # noqa: E501

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
    """Figures need an extra.

    Raises:
        InputError: without matplotlib.
    """
    try:
        import matplotlib.figure  # noqa: F401, PLC0415  (an extra)
    except ImportError:
        raise InputError(MISSING) from None


def panel(name: str, draw: Callable[[Any], None], *, height: float = HEIGHT) -> str:
    """SVG of what ``draw(axes)`` draws; ``name`` keeps its ids apart from other panels'.

    Raises:
        InputError: without matplotlib.
    """
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
