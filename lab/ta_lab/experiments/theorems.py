"""The paper's formal claims (section 6): the table of a record.

Nothing is measured: ``tests/test_claims.py`` holds the counterexamples of the record and the forms
that hold against the library's own selection, and ``docs/guarantees.md`` argues them."""

from __future__ import annotations

from ..markdown import NONE, markdown
from .beside import the_rest
from .experiment import Record, part_of
from .paper import figures


def tables(record: Record) -> str:
    """A line a claim: instances that meet the paper's condition and break it, and what holds; then
    a line a number that the paper works out, beside what its own selection does."""
    lines = []
    for row in part_of(record, "claim"):
        stated, corrected = row["stated"], row["corrected"]
        first = ", ".join(f"{k} {v}" for k, v in (stated["counterexample"] or {}).items()) or "none"
        lines.append((f"{row['name']} (line {row['line']})", row["paper"], stated["met"],
                      stated["broken"], first, row["sound"], corrected["met"],
                      corrected["broken"]))  # fmt: skip
    head = ("claim", "the paper says", "meet its condition", "break it", "first counterexample",
            "what holds", "checked", "broken")  # fmt: skip
    known = {(f.measure, f.match.get("budget")): f for f in reversed(figures("theorems"))}
    numbers = []
    for row in part_of(record, "number"):
        paper, printed = known[row["name"], row["budget"]], row["printed"]
        ours = NONE if printed is None else f"{printed:.3g}"
        numbers.append((f"{row['name']} ({paper.name})", row["budget"] or NONE, paper.shown,
                        f"{row['result']:.3g} ({row['formula']})", ours))  # fmt: skip
    names = ("number", "K", "the paper", "its formula gives", "its selection does")
    return "\n\n".join((markdown(head, lines), markdown(names, numbers), the_rest("theorems")))
