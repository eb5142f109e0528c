"""Sections of records in Markdown: cells beside the paper's figures, each baseline's best setting,
and what depth of the value makes of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..cases.metrics import wilson
from ..templates import filled, markdown
from .comparing import (
    AHEAD,
    ALIKE,
    BEHIND,
    Compared,
    Line,
    ablations,
    against_best,
    compare,
    judgement,
)
from .counting import (
    Count,
    block_name,
    count_of,
    is_main,
    measures,
    method_name,
    setting_name,
    successes,
    with_sums,
)
from .experiment import Record, Row
from .paper import Figure, figure, figures, figures_for, other_models, worded
from .plan import DEPTHS
from .running import KEPT, NO_JUDGEMENT, RIGHT, count, is_quick

LOOSER_TOLD = (
    "`In its wrapping`: exact, or within quotes, backticks, a code fence or with a full stop; "
    "`contained`: anywhere in what was read of the answer."
)
_GAPS = re.compile(r"\n{3,}")
WORDS = {RIGHT: "answers", KEPT: "values kept"}
NONE = "–"
BASELINE = 3  # its column in the headline
LONG_SPAN = 10  # tokens after the anchor: a space and the value's eight, one a character at worst
LONG_SPAN_NOTE = (
    f"As printed but for the span, which is {LONG_SPAN} tokens where nothing else is said: the "
    "paper's six end before most values do, and nothing else could be seen."
)


def section(
    name: str, record: Record, judged: Callable[[], str] | None = None, **values: Any
) -> str:
    """The tables of a record from ``data/sections/NAME.md``, then the line that ``judged`` gives of
    what is no quick run; what is empty in the template leaves no gap."""

    def part(name: str) -> list[Row]:
        return [row for row in record["rows"] if row.get("part") == name]

    known = {
        "rows": record["rows"], "part": part, "share": share, "method_name": method_name,
        "figure": figure, "figures": figures, "worded": worded, "long_span": LONG_SPAN_NOTE,
    }  # fmt: skip
    text = _GAPS.sub("\n\n", filled(f"data/sections/{name}.md", **known, **values)).strip("\n")
    said = "" if judged is None else NO_JUDGEMENT if is_quick(record) else judged()
    return "\n\n".join(filter(None, (text, said)))


def render(record: Record) -> str:
    """Tables of all cells, the tests, what was refused, and one line of judgement. Raises KeyError
    for a record that is none of an experiment over cases."""
    name, rows = record["experiment"], with_sums(record["rows"])
    model = record.get("provenance", {}).get("model", "")
    known = figures_for(name, model)
    sources: dict[tuple[str, str, int | None, str], set[int]] = {}
    for one in known:
        origin = (one.table, one.model, one.n, one.unstated)
        sources.setdefault(origin, set()).add(one.line)
    quick = is_quick(record)
    return section(
        "cells", record, lambda: judgement(rows, known), experiment=name, quick=quick, known=known,
        sources=sources,
        tables=_tables(rows, compare(rows, known)), short=_short, looser=LOOSER_TOLD,
        headline="" if quick else headline(rows), other_models=other_models(name, model),
        here=lambda figure: _here(figure, rows), tests=ablations(rows),
        refused=_refused(record["rows"]),
    )  # fmt: skip


def _tables(rows: Sequence[Row], compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """One for each kind of cases, and for each value where they are counted apart."""
    found: dict[str, list[tuple[Row, str, Count, list[Compared]]]] = {}
    for row in rows:
        for measure in measures(row):
            title = block_name(row) + ("" if measure == "answers" else f": {measure}")
            beside = [c for c in compared if c.row is row and c.figure.measure == measure]
            found.setdefault(title, []).append((row, measure, count_of(row, measure), beside))
    tables = []
    for title, cells in found.items():
        trials = sorted(ours.trials for _, _, ours, _ in cells)
        said = (text for *_, beside in cells for c in beside for text in (c.kept, c.answers))
        tables.append({
            "title": title, "cells": cells, "trials": (trials[0], trials[-1]),
            "reasons": dict.fromkeys(text for text in said if text and "(" in text),
            "looser": any((ours.contained or 0) > (ours.right or 0) for _, _, ours, _ in cells),
        })  # fmt: skip
    return tables


def _short(verdicts: Iterable[str | None]) -> str:
    """Verdicts without their reasons, each once."""
    told = (verdict.partition(" (")[0] for verdict in verdicts if verdict is not None)
    return ", ".join(dict.fromkeys(told)) or NONE


def share(successes: int, trials: int) -> str:
    """A proportion in percent with its 95% Wilson interval."""
    low, high = wilson(successes, trials)
    return f"{_percent(successes / trials)} [{_percent(low)}, {_percent(high)}]"


def _percent(share: float) -> str:
    """Whole percents, but 0 and 100 are said of none and of all alone."""
    percent = 100 * share
    if 0 < share < 1 and round(percent) in (0, 100):
        return f"{percent:.1g}" if percent < 50 else f"{min(percent, 99.9):.1f}"
    return f"{percent:.0f}"


def headline(rows: Sequence[Row]) -> str:
    """Ours beside each baseline's best setting; empty where none was run in more than one."""
    found = against_best(rows)
    if not any(line.settings > 1 for line in found):
        return ""
    names = list(dict.fromkeys(name for line in found for name in line.ours))
    head = ("cases", "K", "by", "baseline", "its best setting", "%", *(f"{n}, %" for n in names))
    told = "; ".join(f"{name} is {_counted(found, name)}" for name in names)
    table = markdown(head, _alike_joined([_headline(line, names) for line in found]))
    return filled("data/sections/headline.md", table=table, told=told).strip("\n")


def _alike_joined(lines: Sequence[list[str]]) -> list[list[str]]:
    """Lines that differ by their baseline alone, as one."""
    joined: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        joined.setdefault((*line[:BASELINE], *line[BASELINE + 1 :]), []).append(line[BASELINE])
    return [
        [*rest[:BASELINE], ", ".join(names), *rest[BASELINE:]] for rest, names in joined.items()
    ]


def _counted(found: Sequence[Line], name: str) -> str:
    words = Counter(line.ours[name][1] for line in found if name in line.ours)
    shown = ", ".join(f"{word} in {words[word]}" for word in (AHEAD, ALIKE, BEHIND))
    return f"{shown} of {sum(words.values())} cells"


def _headline(line: Line, names: Sequence[str]) -> list[str]:
    best = line.best
    place = [best["block"], str(best["budget"]), WORDS[line.by], best["method"]]
    beside = (line.ours.get(name) for name in names)
    shown = (f"{_by(one[0], line.by)}, {one[1]}" if one else NONE for one in beside)
    return [*place, setting_name(best), _by(best, line.by), *shown]


def _by(row: Row, by: str) -> str:
    return share(successes(row, by), count_of(row).trials)


def _here(figure: Figure, rows: Sequence[Row]) -> str:
    """Its methods as printed, and ``ta``, on its cases under the main claim."""
    place = (figure.match.get("block"), figure.match.get("budget"))
    printed = {(method, "paper") for method in figure.match.get("methods", ())}
    own = [
        row
        for row in rows
        if is_main(row)
        and (row["block"], row["budget"]) == place
        and (row["method"], row["preset"]) in {*printed, ("ta", "default")}
        and row["sponsored"]
        and not row["allow"]
    ]
    told = [f"{method_name(row)} keeps {_of(row)}" for row in own]
    return "; ".join(told) or NONE


def _of(row: Row) -> str:
    ours = count_of(row)
    asked = "" if ours.right is None else f", answers {share(ours.right, ours.trials)}"
    return f"{share(ours.kept, ours.trials)}{asked}"


def _refused(rows: Sequence[Row]) -> dict[str, dict[str, None]]:
    """Reasons, each with its methods, or with its cases where no method could run on them."""
    ran = {block_name(row) for row in rows if "refused" not in row}
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if "refused" in row:
            name = method_name(row) if block_name(row) in ran else block_name(row)
            reasons.setdefault(row["refused"], {})[name] = None
    return reasons


BUDGET = 16


def render_with_depths(record: Record) -> str:
    """The common tables, and before the judgement one by depth."""
    told, rows = render(record), [row for row in record["rows"] if _shown(row)]
    if not rows:
        return told
    tables, _, judgement = told.rpartition("\n\n")
    return f"{tables}\n\n{by_depth(rows)}\n\n{judgement}"


def _shown(row: Row) -> bool:
    return bool(row["answered"] and row["budget"] == BUDGET and is_main(row) and row.get("trials"))


def by_depth(rows: Sequence[Row]) -> str:
    """Kept whole and answered by method and depth; trials go through the depths in turn."""
    lines = []
    for row in rows:
        marks = "".join(row["marks"].values())
        at = [marks[i :: len(DEPTHS)] for i in range(len(DEPTHS))]
        lines.append([method_name(row), *(_cell(marks) for marks in at)])
    head = ("method", *(f"depth {depth:g}" for depth in DEPTHS))
    title = f"Kept whole / answered by depth of the value, %, K={BUDGET}"
    return f"### {title}\n\n{markdown(head, lines)}"


def _cell(marks: str) -> str:
    if not marks:
        return "–"
    return " / ".join(share(count(marks, kind), len(marks)) for kind in (KEPT, RIGHT))
