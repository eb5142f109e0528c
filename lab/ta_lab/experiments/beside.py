"""Our cells beside the paper's figures: one table, and no verdict.

A line is a cell: cases, method, K, the paper's figure, exact answers and whole values kept in
percent with their 95% Wilson interval, what the full cache answers of the same cases, and n. Where
that is little, answers say little of methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from ..markdown import NONE, markdown, percent, share
from .exact_tests import fisher
from .experiment import Record, Row
from .marks import CONTAINED, KEPT, RIGHT, WRAPPED, count, counted, origins
from .paper import IN_ROW, IN_WORDS, KEPT_CASES, OF_CASES, Figure, figures, figures_for
from .plan import ARM, OPTIONAL, cell_of

HEAD = (
    "cases", "method", "K", "the paper, %", "answered, %", "kept whole, %", "full cache answers, %",
    "n",
)  # fmt: skip
LOOSER = (
    "`x [..] / y / z`: exact; exact or within quotes, backticks, a code fence or with a full stop; "
    "contained."
)


class Count(NamedTuple):
    """``kept`` of ``trials``; ``right`` and looser answers None where nothing was asked."""

    trials: int
    kept: int
    right: int | None = None
    wrapped: int | None = None
    contained: int | None = None


def measures(row: Row) -> tuple[str, ...]:
    """What a row counts: all its questions, or every value at once and each label."""
    return ("all", *sorted(row["marks"])) if len(row["marks"]) > 1 else ("answers",)


def count_of(row: Row, measure: str = "answers") -> Count:
    """Counts of one measure of a row."""
    answered = row["answered"]
    if measure == "all":
        right = row["all_correct"] if answered else None
        return Count(row["contexts"], row["all_retained"], right)
    marks = row["marks"][measure] if measure != "answers" else "".join(row["marks"].values())
    kinds = (RIGHT, WRAPPED, CONTAINED) if answered else ()
    return Count(len(marks), count(marks, KEPT), *(count(marks, kind) for kind in kinds))


def cells_of(record: Record) -> list[Row]:
    """Finished cells of a record, then the sum over the blocks of every group, arm by arm.

    A sum stands for its whole group: an arm that some block of it lacks has none."""
    usable = [row for row in record["rows"] if "marks" in row and "refused" not in row]
    sizes: dict[str, set[str]] = {}
    parts: dict[tuple[object, ...], list[Row]] = {}
    for row in usable:
        for group in row["groups"]:
            sizes.setdefault(group, set()).add(row["block"])
            parts.setdefault(cell_of({**row, "block": group}), []).append(row)
    sums = [
        _sum(str(k[0]), rows) for k, rows in parts.items() if len(rows) == len(sizes[str(k[0])])
    ]
    return [*usable, *sums]


def _sum(group: str, rows: Sequence[Row]) -> Row:
    marks = {"": "".join("".join(row["marks"].values()) for row in rows)}
    return {
        **rows[0],
        "block": group,
        "groups": [],
        "marks": marks,
        **counted(marks, rows[0]["answered"]),
        "contexts": sum(row["contexts"] for row in rows),
        **origins(rows),
    }


def method_name(row: Row) -> str:
    """The method of a row with what sets it apart."""
    apart = (
        ("as printed", row["preset"] == "paper"),
        ("without sponsorship", not row["sponsored"]),
        ("allowlist", row["allow"]),
        ("on top", row["ledger"] == "on-top"),
        ("4 sinks and the tail", row.get("tail")),
        ("saving masked, not physical", row.get("saving") == "masked"),
    )
    return ", ".join([row["method"], *(name for name, holds in apart if holds)])


def is_main(row: Row) -> bool:
    """Whether a cell is of the main claim: question hidden, strict ledger, nothing beside."""
    beside = any(row.get(name) for name in OPTIONAL)
    return (row["protocol"], row["ledger"]) == ("hidden", "strict") and not beside


def tables(record: Record) -> str:
    """All cells of a record, what the paper says beside them, and what could not run."""
    rows, known = cells_of(record), _known(record)
    lines = [(*_cell(row, m, rows, _of(known, row, m)),) for row, m in _measured(rows)]
    shown = {f for row, m in _measured(rows) for f in _of(known, row, m)}
    sections = [markdown(HEAD, lines)] if lines else []
    sections += [LOOSER] * any(" / " in str(line[4]) for line in lines)
    sections += [rest] if (rest := the_rest(record["experiment"], shown, rows)) else []
    return "\n\n".join(sections) + not_run(record)


def figures_beside(record: Record) -> Iterator[tuple[object, ...]]:
    """A line for every figure of the paper that a cell of the main claim stands beside, its place
    first: of the method as printed, or as built where it was not run as printed."""
    rows, known = cells_of(record), _known(record)
    main = [row for row in rows if is_main(row)]
    printed = {row["method"] for row in main if row["preset"] == "paper"}
    for row, measure in _measured(main):
        if row["preset"] == "paper" or row["method"] not in printed:
            for figure in _of(known, row, measure):
                line = _cell(row, measure, rows, [figure])
                yield figure.place, *line[:3], _printed(figure), *line[4:]


def the_rest(
    name: str,
    shown: Set[Figure] = frozenset(),
    rows: Sequence[Row] = (),
    units: Sequence[str] | None = (OF_CASES, KEPT_CASES, IN_WORDS),
) -> str:
    """What the paper says of an experiment in these units, or any, and no line stands beside: in
    words, or of models that are not here; empty where all of it is in ``shown``."""
    lines = [
        (f.place, f.line, f.of_model, " or ".join(f.match.get("methods", ())) or f.name,
         f.says_of, f.with_unit, _here(f, rows))
        for f in figures(name)
        if (units is None or f.unit in units) and f not in shown
    ]  # fmt: skip
    head = ("the paper, beside no line", "line", "model", "of", "cases", "it says", "here")
    return markdown(head, lines) if lines else ""


def _known(record: Record) -> tuple[Figure, ...]:
    model = (record.get("provenance") or {}).get("model", "")
    return figures_for(record["experiment"], model)


def _measured(rows: Sequence[Row]) -> Iterator[tuple[Row, str]]:
    """Every measure of a cell; the full cache has a column and no line."""
    return ((row, m) for row in rows if row["method"] != "full" for m in measures(row))


def _of(known: Sequence[Figure], row: Row, measure: str) -> list[Figure]:
    """The paper's figures of a measure of a cell; what is kept is told of all questions."""
    wanted = (measure, "kept") if measure == "answers" else (measure, "answers")
    return [f for f in known if f.about(row) and f.measure in wanted]


def _cell(row: Row, measure: str, rows: Sequence[Row], beside: Sequence[Figure]) -> list[object]:
    ours = count_of(row, measure)
    cases = row["block"].removesuffix("s") if row["block"].startswith("1 ") else row["block"]
    cases += "" if measure == "answers" else f": {measure}"
    cases += ", question visible" if row["protocol"] == "visible" else ""
    paper = "; ".join(f"{_printed(f)} ({f.place})" for f in beside) or NONE
    answered = share(ours.right, ours.trials)
    if ours.right is not None and (ours.contained or 0) > ours.right:
        looser = (ours.wrapped or 0, ours.contained or 0)
        answered += "".join(f" / {percent(number / ours.trials)}" for number in looser)
    kept, full = share(ours.kept, ours.trials), _full(row, rows, measure)
    return [cases, method_name(row), row["budget"], paper, answered, kept, full, ours.trials]


def _printed(figure: Figure) -> str:
    """What the paper prints, with its model where its table is of several."""
    kept = "kept " if figure.measure == "kept" else ""
    return f"{kept}{figure.shown}" + (f", {figure.of_model}" if figure.model == IN_ROW else "")


def _full(row: Row, rows: Sequence[Row], measure: str) -> str:
    """What the full cache answers of the cases of a row."""
    for other in rows:
        same = all(other[name] == row[name] for name in ("block", "protocol", "answered"))
        if other["method"] == "full" and same and measure in (*measures(other), "answers"):
            count = count_of(other, measure)
            return NONE if count.right is None else percent(count.right / count.trials)
    return NONE


def _here(figure: Figure, rows: Sequence[Row]) -> str:
    """Its methods as printed in its cell, sponsorship tested against its ablation (Fisher)."""
    cells = [row for row in rows if is_main(row) and row["preset"] == "paper" and figure.about(row)]
    return "; ".join(_tested(row, rows) for row in cells) or NONE


def _tested(row: Row, rows: Sequence[Row]) -> str:
    ours = count_of(row)
    text = f"{row['method']} keeps {share(ours.kept, ours.trials)}"
    names = {"block", "protocol", "answered", *ARM, *OPTIONAL} - {"sponsored"}
    for other in rows:
        if not other["sponsored"] and all(row.get(n) == other.get(n) for n in names):
            theirs = count_of(other)
            p = fisher(ours.kept, ours.trials, theirs.kept, theirs.trials)
            text += f", {theirs.kept} of {theirs.trials} without sponsorship (p = {p:.2g})"
    return text


def not_run(record: Record) -> str:
    """Reasons, each with what it stops, as a list after a table; empty where all could run."""
    reasons: dict[str, dict[str, None]] = {}
    for row in record["rows"]:
        if "refused" in row:
            name = f"{method_name(row)} ({row['block']})" if "block" in row else row["method"]
            reasons.setdefault(row["refused"], {})[name] = None
    lines = [f"- Not run: {', '.join(names)}: {why}" for why, names in reasons.items()]
    return "\n\n" + "\n".join(lines) if lines else ""
