"""Markdown tables from records: ``python -m ta_lab.report.tables FILE ...``.

A record's table is printed; in a page (``.md``) the tables that link to their record are made anew.
No model is loaded; a figure that is not in a record is in no table."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ..benchmarks.tables import bench_table, is_bench
from ..cases.metrics import wilson
from ..cases.sweep import over_depths
from ..collection.detecting import READING, WHOLE, of_collection
from ..collection.leaving_out import of_rules
from ..collection.scoring import ALL, FLOODS, markdown
from ..collection.scoring import Reading as Scored
from ..experiments import audit, beside, bfcl, needle, perplexity, ruler
from ..experiments.beside import cells_of, figures_beside, method_name
from ..experiments.catalogue import EXPERIMENTS
from ..experiments.experiment import Record, Row
from ..experiments.recall import TASKS
from ..markdown import NONE, share
from ..markdown import markdown as lines_of
from ..sessions.changes import lines_of_changes
from ..sessions.likelihood import lines_of_likelihoods
from ..sessions.summary import lines_by_way
from .captions import CAPTIONS, of_experiment
from .records import path_of

MASKED = (
    "masked: kv heads of a layer hold different numbers, padded to the widest; the mean is within "
    "K, memory is not"
)
BYTES = "bytes, % of pairs"
PASSES = "own passes"
PASSES_NOTE = "own passes: what a method reads beyond the one prefill, tokens and seconds a case"
LOOSER_NOTE = (
    "x [..] / y / z: exact; exact or within quotes, backticks, a code fence or with a full stop; "
    "contained"
)
BYTES_NOTE = "bytes: keys and values held, in % of what the live pairs take in full precision"


def name_of(row: Row) -> str:
    """The method, marked where its saving is masked."""
    return f"{row['method']} (masked)" if row.get("saving") == "masked" else row["method"]


def notes(rows: Sequence[Row]) -> list[str]:
    """What marks and columns of these rows mean, where they are there."""
    legend = [MASKED] if any(row.get("saving") == "masked" for row in rows) else []
    legend += [BYTES_NOTE] if has_bytes(rows) else []
    legend += [LOOSER_NOTE] if any(looser(row) for row in rows) else []
    return [*legend, PASSES_NOTE] if has_passes(rows) else legend


def looser(row: Row) -> str:
    """Answers in their wrapping and those that hold the value, in %, where either is more."""
    if row.get("contains", 0) <= row["correct"] or "wrapped" not in row:
        return ""
    return "".join(f" / {100 * row[name] / row['trials']:.0f}" for name in ("wrapped", "contains"))


def live(rows: Sequence[Row]) -> str:
    """Live tokens of a method at all its budgets: within K, or what they were where most above.

    ``max`` is the layer and kv head that held most, ``mean`` is over all of them: a method that
    shares K out among them is above K in the first and not in the second."""
    worst = max(rows, key=lambda row: row["max_live_tokens"] / row["budget"])
    if worst["max_live_tokens"] <= worst["budget"]:
        return "≤ K"
    mean = worst.get("mean_live_tokens")
    if mean is None or mean == worst["max_live_tokens"]:
        return str(max(row["max_live_tokens"] for row in rows))
    shown = f"{mean:.1f}".removesuffix(".0")
    return f"mean {shown}, max {worst['max_live_tokens']} at K={worst['budget']}"


def has_bytes(rows: Sequence[Row]) -> bool:
    """Whether some method holds other than its pairs in full precision."""
    return any(row.get("stored_bytes") != row.get("pair_bytes") for row in rows)


def stored(rows: Sequence[Row]) -> str:
    """Bytes of a method, in percent of those of its pairs in full precision; over its budgets."""
    shares = [100 * row["stored_bytes"] / row["pair_bytes"] for row in rows]
    return " to ".join(dict.fromkeys(f"{share:.0f}" for share in (min(shares), max(shares))))


def has_passes(rows: Sequence[Row]) -> bool:
    """Whether some method needs passes of its own."""
    return any(row.get("pass_tokens") for row in rows)


def passes(rows: Sequence[Row]) -> str:
    """Tokens and seconds a case of a method's own passes; the largest of its budgets."""
    worst = max(rows, key=lambda row: row.get("pass_tokens") or 0)
    if not worst.get("pass_tokens"):
        return ""
    return f"{worst['pass_tokens']:,.0f}, {worst['pass_seconds']:.1f} s"


Column = tuple[str, Callable[[Sequence[Row]], str]]
POOLED, PLAIN = "pooled", "plain"
POOL = ("needle", "json", "env", "prose")  # forms of one value in the longer context
TITLES = {"full": "full cache", "oracle": "oracle (told where)"}


def answered_table(record: Row, part: str = "") -> str:
    """Exact answers of all questions [95% interval], and how many more contain the value.

    A line for each form of statement and what is held, a column a budget; ``part`` ``POOLED``: the
    forms of one value in the longer context together; ``PLAIN``: without what choices take back."""
    rows = [row for row in record["rows"] if row.get("trials")]
    if part == PLAIN:
        rows = [row for row in rows if ": " not in row["block"]]
    budgets = sorted({row["budget"] for row in rows if row["budget"]})
    if part == POOLED:
        rows = [{**row, "block": ""} for row in pooled(record)]
        budgets = sorted({row["budget"] for row in rows})
    head, lines = ["form", "held", *(f"K={budget}" for budget in budgets)], []
    for form, held in dict.fromkeys(map(_held_line, rows)):
        budget_rows = {row["budget"]: row for row in rows if _held_line(row) == (form, held)}
        shown = [budget_rows.get(budget) or budget_rows.get(None) for budget in budgets]
        lines.append([form, held, *("" if row is None else _held_cell(row) for row in shown)])
    first = 1 if part == POOLED else 0  # all forms together have no name
    return lines_of(head[first:], [line[first:] for line in lines])


def pooled(record: Row) -> list[Row]:
    """Exact answers over the forms of one value in the longer context, by what is held and budget;
    the full cache at every budget."""
    rows = [row for row in record["rows"] if row.get("trials") and _held_line(row)[0] in POOL]
    budgets = sorted({row["budget"] for row in rows if row["budget"]})
    counts: dict[tuple[str, int], list[int]] = {}  # right, containing, asked
    for row in rows:
        name = row["block"].partition(": ")[2] or row["method"]
        for budget in budgets if row["budget"] is None else (row["budget"],):
            tally = counts.setdefault((name, budget), [0, 0, 0])
            for place, count in enumerate(("correct", "contains", "trials")):
                tally[place] += row[count]
    return [
        {
            "method": name,
            "budget": budget,
            "correct": right,
            "contains": loose,
            "trials": asked,
            "accuracy": right / asked,
            "ci95": wilson(right, asked),
        }
        for (name, budget), (right, loose, asked) in counts.items()
    ]


def _held_line(row: Row) -> tuple[str, str]:
    form, _, title = row["block"].partition(": ")
    name = TITLES.get(row["method"], row["method"] if not form else f"`{row['method']}`")
    return form, f"{name}, {title}" if title else name


def _held_cell(row: Row) -> str:
    right, trials = row["correct"], row["trials"]
    low, high = (100 * bound for bound in wilson(right, trials))
    loose = "" if row["contains"] == right else f", {row['contains']} contain it"
    return f"{right} of {trials} [{low:.0f}, {high:.0f}]{loose}"


KNOWN = ", sources known"


def _sums(record: Record) -> str:
    """Totals, the family that loses most, and families under 85%; last what is protected."""
    rows = record["rows"]
    families = [row for row in rows if "rate" in row and row["group"] not in (ALL, FLOODS)]
    families = [row for row in families if not row["group"].startswith("flood")]
    columns = list(dict.fromkeys(Scored(row["method"], row["preset"]) for row in rows))
    results = {c: [row for row in families if (row["method"], row["preset"]) == c] for c in columns}
    worst = {c: min(entries, key=lambda row: row["rate"]) for c, entries in results.items()}
    sums = [r for r in rows if r["group"] in (ALL, FLOODS) or "rate" not in r]
    table = markdown([row for row in sums if row not in families]).split("\n")
    totals, protected = table[2:4], table[4:]
    added = [
        ("lowest family", [f"{w['group']}: {100 * w['rate']:.0f}" for w in worst.values()]),
        (
            "families under 85%",
            [str(sum(row["rate"] < 0.85 for row in entries)) for entries in results.values()],
        ),
    ]
    size = len({row["group"] for row in families})
    shown = [f"| {name} | {size} | {' | '.join(cells)} |" for name, cells in added]
    return "\n".join([*table[:2], *totals, *shown, *protected])


def _floods(sourced: bool) -> Callable[[Record], str]:
    """Whole values kept: a line a flood, a column an arm; ``sourced``: who wrote what is known."""

    def table(record: Record) -> str:
        rows = [row for row in cells_of(record) if (KNOWN in row["block"]) == sourced]
        names = list(dict.fromkeys((method_name(row), row["budget"]) for row in rows))
        cells = {(row["block"], method_name(row), row["budget"]): row for row in rows}
        lines = []
        for block in dict.fromkeys(row["block"] for row in rows):
            block_cells = [cells.get((block, *name)) for name in names]
            trials = next(row["trials"] for row in block_cells if row is not None)
            shown = (NONE if row is None else _kept(row) for row in block_cells)
            lines.append([block.removesuffix(KNOWN), trials, *shown])
        heads = (method if k is None else f"{method}, K={k}" for method, k in names)
        return lines_of(("fakes", "n", *heads), lines)

    return table


def _kept(row: Row) -> str:
    return "refused" if "refused" in row else share(row["retained"], row["trials"])


def _overall(record: Record) -> str:
    """Cells of both lengths of values together."""
    rows = [row for row in cells_of(record) if row["block"] == "overall"]
    return beside.tables({**record, "rows": rows}).partition("\n\n")[0]


PAPER = re.compile(
    r"^<!-- (?P<what>paper|places) (?P<folders>[^\n]+) -->\n(?:\n?(?:\|[^\n]*\n)+)?", re.MULTILINE
)


def fill_paper(text: str, folder: Path) -> str:
    """A page with the tables below its marks made anew, of reports' folders relative to ``folder``.

    ``<!-- paper FOLDER -->``: every figure of the paper that a recorded cell stands beside.
    ``<!-- places FOLDER ... -->``: every experiment, its place in the paper and its records."""

    def made(marked: re.Match[str]) -> str:
        places = marked["what"] == "places"
        table = (_places if places else _figures)(marked["folders"].split(), folder)
        return f"<!-- {marked['what']} {marked['folders']} -->\n\n{table}\n"

    return PAPER.sub(made, text)


def _figures(names: list[str], folder: Path) -> str:
    records = (path_of(folder / name, one) for name in names for one in EXPERIMENTS)
    read = (json.loads(path.read_text(encoding="utf-8")) for path in records if path.exists())
    head = ("in the paper", *beside.HEAD)
    return lines_of(head, chain.from_iterable(map(figures_beside, read)))


def _places(names: list[str], folder: Path) -> str:
    lines = []
    for one in EXPERIMENTS.values():
        paths = (path_of(Path(name), one.name) for name in names)
        links = [f"[{path.parts[-3]}]({path})" for path in paths if (folder / path).exists()]
        lines.append((one.place, f"`{one.name}`", one.summary, ", ".join(links) or "none"))
    return lines_of(("in the paper", "experiment", "what it measures", "records"), lines)


ANSWERED = "answered"
NOT_YET = "not yet recorded"
LINKED = re.compile(
    r"^[^\n]*\(\[record\]\((?P<record>[^)#]+)(?:#(?P<part>[^)]+))?\)\):\n\n(?:\|[^\n]*\n)+",
    re.MULTILINE,
)

FIGURE = re.compile(
    r"^<!-- figure (?P<file>\S+): (?P<words>[^\n]*) -->\n(?:!\[[^\n]*\n)?", re.MULTILINE
)


FEW = (
    "full", "streaming-llm", "snapkv", "kvzip", "ta+snapkv", "ta+kvzip", "ta-fast-semantic", "ta"
)  # fmt: skip
FEW_BUDGETS = (16, 64, 256)


def needle_table(record: dict[str, Any], few: bool = False) -> str:
    """Exact answers in % with their 95% interval, whole values kept in %, by method and budget.

    Bytes are a column where some method holds other than its pairs in full precision, own passes
    where some method needs them. ``few``: methods and budgets to begin with, and none of these."""
    rows = over_depths(record["rows"])
    if few:
        rows = [row for row in rows if row["method"] in FEW and row["budget"] in FEW_BUDGETS]
        return lines_of(*by_method(rows, []))
    return lines_of(*by_method(rows, [*sizes(rows), *[(PASSES, passes)] * has_passes(rows)]))


def sizes(rows: Sequence[Row]) -> list[Column]:
    """Columns of live tokens, and of bytes where some method needs it."""
    return [("live", live), *[(BYTES, stored)] * has_bytes(rows)]


def by_method(
    rows: Sequence[Row], further: Sequence[Column], joint: str = " · "
) -> tuple[list[str], list[list[str]]]:
    """Head and lines of a table: one line a method, one column a budget, then ``further``."""
    budgets = list(dict.fromkeys(row["budget"] for row in rows))
    cells = {(row["method"], row["budget"]): row for row in rows}
    head = ["method", *(f"K={k}" for k in budgets), *(name for name, _ in further)]
    lines = []
    for method in dict.fromkeys(row["method"] for row in rows):
        method_rows = [cells[method, budget] for budget in budgets]
        shown = [name_of(method_rows[0]), *(cell(row, joint) for row in method_rows)]
        lines.append([*shown, *(column(method_rows) for _, column in further)])
    return head, lines


WHOLE_RULES = (
    "formats: all that read a line", "tables: cells", "blocks: all", "corrections: all",
    "supersession: replacing", "supersession: outranking", "floods: repetition",
)  # fmt: skip
"""The rules that have others as parts."""


TABLES: dict[str, dict[str, Callable[[Record], str]]] = {
    "bench": {"": bench_table},
    ANSWERED: {part: partial(answered_table, part=part) for part in ("", PLAIN, POOLED)},
    "alike": {"": answered_table},
    "corrections": {"": answered_table},
    "audit": {"": audit.ranks},
    "perplexity": {"": perplexity.tables},
    "toolcall": {"": _overall},
    "ruler": {"": ruler.scores},  # on top of K
    "collection": {"": lambda record: markdown(record["rows"]), "sums": _sums},
    "detectors": {
        "": lambda record: of_collection(record["rows"]),
        # those that read a model, beside all of those of text
        "reading": lambda record: of_collection(
            [r for r in record["rows"] if r["detector"] in (WHOLE, *READING)]
        ),
    },
    "tokenizers": {"": needle.kinds_table},
    "bfcl": {
        "dialogue": partial(bfcl.tables, kind=bfcl.ALONE),
        "tools": partial(bfcl.tables, kind=bfcl.WITH_TOOLS),
    },
    **{name: {"answers": task.answers, "host": task.host} for name, task in TASKS.items()},
    "rules": {
        "": lambda record: of_rules(record["rows"]),
        "few": lambda record: of_rules(record["rows"], WHOLE_RULES),
    },
    "sessions": {"": lambda record: lines_of(*lines_by_way(record["rows"]))},
    "changes": {"": lambda record: lines_of(*lines_of_changes(record["rows"]))},
    "likelihood": {"": lambda record: lines_of(*lines_of_likelihoods(record["rows"]))},
    "abuse": {"plain": _floods(False), "sources": _floods(True)},
    "": {"": needle_table, "few": partial(needle_table, few=True)},
}
"""Tables by kind of record and part."""
KINDS = {
    "group": "collection", "families": "detectors", "spoke_in": "rules", "bucket": "sessions",
    "change": "changes", "request": "likelihood",
}  # fmt: skip
"""What the first row of a record has that only its kind has."""


def kind_of(record: Record) -> str:
    """Which of ``TABLES`` a record has: nothing where it is of needles, or of no table."""
    if is_bench(record):
        return "bench"
    if "experiment" in record:
        return str(record["experiment"]) if record["experiment"] in TABLES else ""
    first = record["rows"][0] if record["rows"] else {}
    return next((kind for field, kind in KINDS.items() if field in first), "")


def parts_of(record: Record) -> tuple[str, ...]:
    """The parts that a record's tables are named by."""
    return tuple(TABLES[kind_of(record)])


def table_of(record: Record, part: str = "") -> str:
    """The table of a record; ``part``: which one of several. Raises KeyError for a part that such
    records do not have."""
    tables = TABLES[kind_of(record)]
    return tables[part if len(tables) > 1 else ""](record)


def caption(record: Record) -> str:
    """What a record is about and where it comes from, in one line."""
    kind = kind_of(record)
    about = ", ".join(filter(None, CAPTIONS.get(kind, of_experiment)(record)))
    return "; ".join([about, *(notes(record["rows"]) if not kind else ())])


def cell(row: Row, joint: str = " · ") -> str:
    """Exact answers with their interval, looser ones, and after the joint what is kept, in %."""
    low, high = (100 * bound for bound in row["ci95"])
    kept = 100 * row["retained"] / row["trials"]
    return f"{100 * row['accuracy']:.0f} [{low:.0f}, {high:.0f}]{looser(row)}{joint}{kept:.0f}"


def fill_page(text: str, folder: Path) -> str:
    """A page in which each table below a line that ends in ``([record](FILE)):`` is made anew.

    ``FILE`` is relative to ``folder``; ``FILE#PART`` names one of several tables. Raises OSError
    for a record that is not there, unless what stands in its place says ``NOT_YET``: that stays.
    Below a line ``<!-- figure FILE: WORDS -->`` stands the figure when there is such a file, below
    ``<!-- paper FOLDER -->`` and ``<!-- places FOLDER -->`` what ``fill_paper`` makes."""

    def made(linked: re.Match[str]) -> str:
        name, part = linked["record"], linked["part"] or ""
        if NOT_YET in linked[0].lower() and not (folder / name).exists():
            return linked[0]
        record = json.loads((folder / name).read_text(encoding="utf-8"))
        link = f"{name}#{part}" if part else name
        return f"{caption(record)} ([record]({link})):\n\n{table_of(record, part)}\n"

    def shown(marked: re.Match[str]) -> str:
        name, words = marked["file"], marked["words"]
        image = f"![{words}]({name})\n" if (folder / name).exists() else ""
        return f"<!-- figure {name}: {words} -->\n{image}"

    return FIGURE.sub(shown, LINKED.sub(made, fill_paper(text, folder)))


def main(names: list[str]) -> None:
    """Print the table of every record, write every page anew."""
    for path in map(Path, names):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            path.write_text(fill_page(text, path.parent), encoding="utf-8")
            continue
        record = json.loads(text)
        for part in parts_of(record):
            print(f"{caption(record)}:\n\n{table_of(record, part)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
