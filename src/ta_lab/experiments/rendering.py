"""``needle`` in Markdown: the main table, and what depth of the value makes of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..cases.metrics import wilson
from ..templates import filled, markdown
from .ceilings import DEPTHS
from .comparing import (
    AHEAD,
    ALIKE,
    BEHIND,
    Compared,
    Count,
    Line,
    ablations,
    against_best,
    block_name,
    compare,
    count_of,
    is_main,
    judgement,
    measures,
    method_name,
    setting_name,
    successes,
    with_sums,
)
from .experiment import Record, Row
from .paper import IN_ROW, Figure, figure, figures, figures_for, other_models, worded
from .running import KEPT, NO_JUDGEMENT, RIGHT, count, is_quick

HEAD = ("method", "K", "kept whole, %", "answered, %", "answered if kept, %", "paper, %")
LOOSER = ("in its wrapping, %", "contained, %")
LOOSER_TOLD = (
    "`In its wrapping`: exact, or within quotes, backticks, a code fence or with a full stop; "
    "`contained`: anywhere in what was read of the answer."
)
LOOSER_AT = HEAD.index("answered, %") + 1
_GAPS = re.compile(r"\n{3,}")
VERDICTS = ("kept is", "answers are")
WORDS = {RIGHT: "answers", KEPT: "values kept"}
NONE = "–"
BASELINE = 3  # its column in the headline
LEGEND = (
    "Shares in percent [95% Wilson interval]. `as printed` is a method as the paper writes it. "
    "`paper` is the paper's figure on its own model."
)
JUDGED = (
    "`kept is` and `answers are` set ours beside it: as in the paper when it lies in our interval, "
    "above or below when it does not."
)
LONG_SPAN = 10  # tokens after the anchor: a space and the value's eight, one a character at worst
LONG_SPAN_NOTE = (
    f"As printed but for the span, which is {LONG_SPAN} tokens where nothing else is said: the "
    "paper's six end before most values do, and nothing else could be seen."
)

BEST = (
    "Each baseline in the best of all its settings here, chosen after the fact, beside ours with "
    "the question hidden under the strict ledger: the same cases, exact sign test."
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
    origin = record.get("provenance", {})
    known = figures_for(name, origin.get("model", ""))
    compared = compare(rows, known)
    quick = is_quick(record)
    legend = LEGEND if quick else f"{LEGEND} {JUDGED}"
    parts = [legend, *_sources(name, known), *_sections(rows, compared, quick)]
    best = "" if quick else headline(rows)
    parts += [f"### Each baseline's best setting\n\n{best}"] if best else []
    parts += [*other_models(name, origin.get("model", "")), *_worded(name, rows)]
    parts += [*_tests(rows), *_refused(record["rows"])]
    parts.append(NO_JUDGEMENT if quick else judgement(rows, known))
    return "\n\n".join(parts)


def _sections(rows: Sequence[Row], compared: Sequence[Compared], quick: bool) -> list[str]:
    """A table for each kind of cases, and for each value where they are counted apart."""
    sections: dict[str, list[tuple[Row, str]]] = {}
    for row in rows:
        for measure in measures(row):
            title = block_name(row) + ("" if measure == "answers" else f": {measure}")
            sections.setdefault(title, []).append((row, measure))
    return [_section(title, cells, compared, quick) for title, cells in sections.items()]


def _section(
    title: str, cells: Sequence[tuple[Row, str]], compared: Sequence[Compared], quick: bool
) -> str:
    shown, reasons = [], []
    for row, measure in cells:
        beside = [c for c in compared if c.row is row and c.figure.measure == measure]
        shown.append(_line(row, measure, beside) + ([] if quick else _verdicts(beside)))
        reasons += [text for c in beside for text in (c.kept, c.answers) if text and "(" in text]
    counts = [count_of(row, measure) for row, measure in cells]
    head: tuple[str, ...] = HEAD if quick else (*HEAD, *VERDICTS)
    looser = any((c.contained or 0) > (c.right or 0) for c in counts)
    if looser:
        head = (*head[:LOOSER_AT], *LOOSER, *head[LOOSER_AT:])
        for line, counted in zip(shown, counts, strict=True):
            line[LOOSER_AT:LOOSER_AT] = _looser(counted)
    trials = sorted({counted.trials for counted in counts})
    numbers = " to ".join(str(number) for number in dict.fromkeys((trials[0], trials[-1])))
    table = markdown(head, shown)
    told = [] if quick else [f"{reason}." for reason in dict.fromkeys(reasons)]
    told += [LOOSER_TOLD] if looser else []
    return "\n\n".join([f"### {title}, n={numbers}", table, *told])


def _line(row: Row, measure: str, beside: Sequence[Compared]) -> list[str]:
    ours = count_of(row, measure)
    asked = ours.right is not None
    return [
        method_name(row),
        NONE if row["budget"] is None else str(row["budget"]),
        share(ours.kept, ours.trials),
        share(ours.right or 0, ours.trials) if asked else NONE,
        f"{100 * ours.both / ours.kept:.0f}" if asked and measure != "all" and ours.kept else NONE,
        ", ".join(_theirs(c.figure) for c in beside) or NONE,
    ]


def _looser(ours: Count) -> list[str]:
    """Answers with what chat models put around a value, and those that hold it anywhere."""
    found = (ours.wrapped, ours.contained)
    return [NONE if number is None else share(number, ours.trials) for number in found]


def _theirs(figure: Figure) -> str:
    """A figure, with its model where the table is of several."""
    return f"{figure.value:g}" + (f" ({figure.of_model})" if figure.model == IN_ROW else "")


def _verdicts(beside: Sequence[Compared]) -> list[str]:
    return [
        _short(c.kept for c in beside),
        _short(c.answers for c in beside if c.answers is not None),
    ]


def _short(verdicts: Iterable[str]) -> str:
    """Verdicts without their reasons, each once."""
    return ", ".join(dict.fromkeys(v.partition(" (")[0] for v in verdicts)) or NONE


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
    return f"{BEST}\n\n{table}\n\nBeside the best setting of a baseline {told}."


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


def _sources(name: str, known: Sequence[Figure]) -> list[str]:
    """Where the paper's column comes from; nothing where its figures stand in other tables."""
    tables: dict[tuple[str, str, int | None, str], set[int]] = {}
    for one in known:
        origin = (one.table, one.model, one.n, one.unstated)
        tables.setdefault(origin, set()).add(one.line)
    shown = []
    for (table, model, n, unstated), lines in tables.items():
        number = "n unstated" if n is None else f"n={n}"
        missing = f", {unstated} unstated" if unstated else ""
        of = dict.fromkeys(one.of_model for one in known if one.table == table)
        models = ", ".join(of) if model == IN_ROW else model
        shown.append(f"{table} ({models}, {number}{missing}; {_lines(lines)})")
    if not shown:
        return [] if figures(name) else ["The paper has no number for these cells."]
    return ["The paper's figures, on its models: " + "; ".join(shown) + "."]


def _worded(name: str, rows: Sequence[Row]) -> list[str]:
    """What the paper says in words of these cases, and ours where it names cases and K."""
    found = worded(name)
    if not found:
        return []
    lines = [[f.table, f.line, f.name, f.says_of, f.shown, _here(f, rows)] for f in found]
    head = ("the paper", "line", "of", "says of", "it says", "here")
    return [f"The paper in words:\n\n{markdown(head, lines)}"]


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


def _lines(lines: set[int]) -> str:
    return f"line {min(lines)}" if len(lines) == 1 else f"lines {min(lines)} to {max(lines)}"


def _tests(rows: Sequence[Row]) -> list[str]:
    tests = ablations(rows)
    if not tests:
        return []
    head = "Fisher's exact test, two-sided, sponsorship against its ablation:"
    return ["\n".join([head, "", *(f"- {line}" for line in tests)])]


def _refused(rows: Sequence[Row]) -> list[str]:
    """Reasons, each with its methods, or with its cases where no method could run on them."""
    ran = {block_name(row) for row in rows if "refused" not in row}
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if "refused" in row:
            name = method_name(row) if block_name(row) in ran else block_name(row)
            reasons.setdefault(row["refused"], {})[name] = None
    if not reasons:
        return []
    shown = (f"- {'; '.join(names)}: {reason}" for reason, names in reasons.items())
    return ["Not run:\n\n" + "\n".join(shown)]


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
