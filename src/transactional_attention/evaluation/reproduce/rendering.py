"""Markdown from a record: ours beside the paper's. No model is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..metrics import wilson
from .comparing import Compared, ablations, compare, judgement
from .experiment import Record, Row
from .paper import Figure, figures_for
from .views import Count, block_name, count_of, measures, method_name, with_sums

HEAD = (
    "method", "K", "kept whole, %", "answered, %", "answered if kept, %", "paper, %",
    "kept is", "answers are",
)  # fmt: skip
NONE = "–"
LEGEND = (
    "Shares in percent [95% Wilson interval]. `as printed` is a method as the paper writes it. "
    "`paper` is the paper's figure on its own model; `kept is` and `answers are` set ours beside "
    "it: as in the paper when it lies in our interval, above or below when it does not."
)


def render(record: Record) -> str:
    """Tables of all cells, the tests, what was refused, and one line of judgement.

    Raises:
        KeyError: for a record that is none of an experiment over cases.
    """
    name, rows = record["experiment"], with_sums(record["rows"])
    origin = record.get("provenance", {})
    known = figures_for(name, origin.get("model", ""))
    compared = compare(rows, known)
    parts = [LEGEND, *_sources(known), *_sections(rows, compared)]
    parts += [*_tests(rows), *_refused(record["rows"])]
    judged = origin.get("arguments", {}).get("size") != "quick"
    parts.append(judgement(rows, known) if judged else "Judgement: none, a quick run.")
    return "\n\n".join(parts)


def _sections(rows: Sequence[Row], compared: Sequence[Compared]) -> list[str]:
    """A table for each kind of cases, and for each value where they are counted apart."""
    sections: dict[str, list[tuple[Row, str]]] = {}
    for row in rows:
        for measure in measures(row):
            title = block_name(row) + ("" if measure == "answers" else f": {measure}")
            sections.setdefault(title, []).append((row, measure))
    return [_section(title, cells, compared) for title, cells in sections.items()]


def _section(title: str, cells: Sequence[tuple[Row, str]], compared: Sequence[Compared]) -> str:
    lines, reasons = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"], []
    for row, measure in cells:
        beside = [c for c in compared if c.row is row and c.figure.measure == measure]
        lines.append(_line(row, measure, beside))
        reasons += [text for c in beside for text in (c.kept, c.answers) if text and "(" in text]
    trials = sorted({count_of(row, measure).trials for row, measure in cells})
    numbers = " to ".join(str(number) for number in dict.fromkeys((trials[0], trials[-1])))
    lines = [f"### {title}, n={numbers}", "", *lines]
    return "\n".join([*lines, *(f"\n{reason}." for reason in dict.fromkeys(reasons))])


def _line(row: Row, measure: str, beside: Sequence[Compared]) -> str:
    ours = count_of(row, measure)
    asked = ours.right is not None
    cells = (
        method_name(row),
        NONE if row["budget"] is None else str(row["budget"]),
        share(ours.kept, ours.trials),
        share(ours.right or 0, ours.trials) if asked else NONE,
        _given(ours) if asked and measure != "all" else NONE,
        ", ".join(f"{c.figure.value:g}" for c in beside) or NONE,
        _short(c.kept for c in beside),
        _short(c.answers for c in beside if c.answers is not None),
    )
    return "| " + " | ".join(cells) + " |"


def _short(verdicts: Iterable[str]) -> str:
    """Verdicts without their reasons, each once."""
    return ", ".join(dict.fromkeys(v.partition(" (")[0] for v in verdicts)) or NONE


def _given(counted: Count) -> str:
    return f"{100 * counted.both / counted.kept:.0f}" if counted.kept else NONE


def share(successes: int, trials: int) -> str:
    """A proportion in percent with its 95% Wilson interval."""
    low, high = (100 * bound for bound in wilson(successes, trials))
    return f"{100 * successes / trials:.0f} [{low:.0f}, {high:.0f}]"


def _sources(known: Sequence[Figure]) -> list[str]:
    """Where the paper's column comes from."""
    tables: dict[tuple[str, str, int | None, str], set[int]] = {}
    for figure in known:
        origin = (figure.table, figure.model, figure.n, figure.unstated)
        tables.setdefault(origin, set()).add(figure.line)
    shown = []
    for (table, model, n, unstated), lines in tables.items():
        number = "n unstated" if n is None else f"n={n}"
        missing = f", {unstated} unstated" if unstated else ""
        shown.append(f"{table} ({model}, {number}{missing}; {_lines(lines)})")
    if not shown:
        return ["The paper has no figure for these cells."]
    return ["The paper's figures, on its models: " + "; ".join(shown) + "."]


def _lines(lines: set[int]) -> str:
    return f"line {min(lines)}" if len(lines) == 1 else f"lines {min(lines)} to {max(lines)}"


def _tests(rows: Sequence[Row]) -> list[str]:
    lines = ablations(rows)
    if not lines:
        return []
    head = "Fisher's exact test, two-sided, sponsorship against its ablation:"
    return ["\n".join([head, "", *(f"- {line}" for line in lines)])]


def _refused(rows: Sequence[Row]) -> list[str]:
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if "refused" in row:
            reasons.setdefault(row["refused"], {})[method_name(row)] = None
    if not reasons:
        return []
    lines = (f"- {'; '.join(names)}: {reason}" for reason, names in reasons.items())
    return ["Not run:\n\n" + "\n".join(lines)]
