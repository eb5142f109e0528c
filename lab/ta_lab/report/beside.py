"""Each table of the paper with ours in its cells: methods down, what the paper varies across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..experiments import Record, Row
from ..experiments.comparing import COMPARABLE, Compared, compare, full_share, judged
from ..experiments.counting import Count, count_of, is_main, measures, method_name, with_sums
from ..experiments.paper import IN_ROW, Figure, figures_for
from ..experiments.plan import CELL
from ..experiments.rendering import share
from ..experiments.running import is_quick
from .records import is_case

OURS = ("ta",)
Column = tuple[str, int | None, str, str]  # block, budget, measure, the paper's model
NO_CELL, NO_MODEL = "no cell here", "needs the model"


@dataclass(frozen=True)
class Cell:
    """Ours and the paper's. ``answered``: share with its interval; empty where nothing was asked.

    ``verdict``: ours beside the paper's, with the reason where they cannot be compared.
    ``figure``: the paper's, where there is one. ``note``: why it stands alone."""

    answered: str = ""
    kept: str = ""
    paper: str = ""
    verdict: str = ""
    figure: Figure | None = None
    note: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper. ``lines``: a name and a cell a column, None where nothing was run."""

    title: str
    columns: list[str]
    lines: list[tuple[str, list[Cell | None]]] = field(default_factory=list)


@dataclass(frozen=True)
class Cells:
    """The cells of a record, sums included, beside the paper's figures.

    ``quick``: by so few trials nothing is judged."""

    rows: list[Row]
    known: tuple[Figure, ...]
    compared: list[Compared]
    quick: bool

    @property
    def judged(self) -> list[Compared]:
        """Comparisons that count."""
        return [] if self.quick else judged(self.compared)


def cells_of(record: Record) -> Cells:
    """What of a record is cells of cases; a record of single measurements has none."""
    rows = with_sums([row for row in record["rows"] if is_case(row)])
    model = (record.get("provenance") or {}).get("model", "")
    known = tuple(
        figure
        for figure in figures_for(record["experiment"], model)
        if figure.match.keys() <= {*CELL, "methods"}  # others are about no single cell
    )
    return Cells(rows, known, compare(rows, known), is_quick(record))


def paper_tables(cells: Cells) -> list[PaperTable]:
    """One for each table of the paper that our cells stand beside."""
    tables: dict[str, list[Compared]] = {}
    for item in judged(cells.compared):
        tables.setdefault(item.figure.table, []).append(item)
    return [_table(cells, items) for items in tables.values()]


def _table(cells: Cells, items: Sequence[Compared]) -> PaperTable:
    columns = list(dict.fromkeys(_column(c) for c in items))
    columns.sort(key=lambda c: [_place(items, c), c[1] or 0])
    lines: dict[str, dict[Column, Cell]] = {}
    blocks = {column[0] for column in columns}
    for row in cells.rows:
        if row["method"] == "full" and row["block"] in blocks and is_main(row):
            _add(lines, cells, row, columns)
    for item in items:
        lines.setdefault(method_name(item.row), {})[_column(item)] = _beside(item, cells.quick)
    _add_alone(lines, cells, items, columns)
    for row in _others(cells, items):
        _add(lines, cells, row, columns)
    figure = items[0].figure
    n = "n unstated" if figure.n is None else f"n={figure.n}"
    missing = f", {figure.unstated} unstated" if figure.unstated else ""
    same, names = _labels(columns)
    model = "its model in the column" if figure.model == IN_ROW else figure.model
    title = f"{figure.table}{same} (the paper: {model}, {n}{missing})"
    shown = [(name, [found.get(column) for column in columns]) for name, found in lines.items()]
    return PaperTable(title, names, shown)


def _column(item: Compared) -> Column:
    row, figure = item.row, item.figure
    return row["block"], row["budget"], figure.measure, _model(figure)


def _model(figure: Figure) -> str:
    """The paper's model of a figure where its table is of several."""
    return figure.of_model if figure.model == IN_ROW else ""


def _place(items: Sequence[Compared], column: Column) -> int:
    """Where the paper has a column's cases; budgets are in order by themselves."""
    places = [(block, *rest) for block, _, *rest in map(_column, items)]
    return places.index((column[0], *column[2:]))


def _labels(columns: Sequence[Column]) -> tuple[str, list[str]]:
    """What all columns share, for the title, and what tells each apart."""
    words = [
        (model, block, "" if k is None else f"K={k}", "" if measure == "answers" else measure)
        for block, k, measure, model in columns
    ]
    shared = [len({word[i] for word in words}) == 1 for i in range(4)]
    alike = [word for word, same in zip(words[0], shared, strict=True) if same and word]
    apart = [
        ", ".join(w for w, same in zip(word, shared, strict=True) if w and not same)
        for word in words
    ]
    if not any(apart):
        return "", [", ".join(filter(None, word)) for word in words]
    return "".join(f", {word}" for word in alike), apart


def _others(cells: Cells, items: Sequence[Compared]) -> list[Row]:
    """`ta`, then controls, where the paper's methods stand."""
    shown = {c.row["method"] for c in cells.compared} | {"full"}
    blocks = {c.row["block"] for c in items}
    found = [r for r in cells.rows if is_main(r) and r["block"] in blocks]
    found = [r for r in found if r["method"] not in shown and r["preset"] == "default"]
    return sorted(found, key=lambda row: row["method"] not in OURS)


def _add(
    lines: dict[str, dict[Column, Cell]], cells: Cells, row: Row, columns: Sequence[Column]
) -> None:
    """A row without a figure of the paper; one without a budget stands in every column."""
    for column in columns:
        block, budget, measure, _ = column
        at = row["block"] == block and row["budget"] in (None, budget)
        if at and measure in (*measures(row), "answers"):
            cell = _ours(count_of(row, measure))
            full = full_share(row, cells.rows, measure) if row["method"] == "full" else None
            if full is not None and full < COMPARABLE:
                cell = Cell(cell.answered, cell.kept, "", "under 95%")
            lines.setdefault(method_name(row), {})[column] = cell


def _add_alone(
    lines: dict[str, dict[Column, Cell]],
    cells: Cells,
    items: Sequence[Compared],
    columns: Sequence[Column],
) -> None:
    """The paper's figures of these columns that no row of ours is about, and why there is none."""
    table, beside = items[0].figure.table, {id(item.figure) for item in cells.compared}
    for figure in cells.known:
        if figure.table != table or id(figure) in beside:
            continue
        name = " or ".join(figure.match.get("methods", ()))
        name += "" if figure.match["sponsored"] else ", without sponsorship"
        place = {key: figure.match[key] for key in ("block", "budget") if key in figure.match}
        for column in columns:
            block, budget, measure, model = column
            same = (measure, model) == (figure.measure, _model(figure))
            if same and {"block": block, "budget": budget}.items() >= place.items():
                # a tokenizer without its model runs no method that reads attention
                asked = any(row["answered"] for row in cells.rows if row["block"] == block)
                why = NO_CELL if asked else NO_MODEL
                cell = Cell(paper=f"{figure.value:g}", figure=figure, note=why)
                lines.setdefault(name, {}).setdefault(column, cell)


def _ours(counted: Count) -> Cell:
    asked = counted.right is not None
    answered = share(counted.right or 0, counted.trials) if asked else ""
    return Cell(answered, share(counted.kept, counted.trials))


def _beside(item: Compared, quick: bool) -> Cell:
    ours = _ours(item.ours)
    verdict = item.kept if item.answers is None else item.answers
    said = "" if quick else verdict
    return Cell(ours.answered, ours.kept, f"{item.figure.value:g}", said, item.figure)
