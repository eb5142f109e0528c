"""``detector`` in Markdown: both protocols, and what can be said of transfer."""

from __future__ import annotations

from collections.abc import Sequence

from ..cases.metrics import wilson
from .detector_families import by_family, f1, transfer
from .experiment import Record, Row
from .jobs import NO_JUDGEMENT, is_quick, markdown
from .paper import figure, figures
from .rendering import NONE, share
from .verdicts import incomparable

TEXT = (
    "Detectors of text read characters: what they find is the same for every model and tokenizer."
)
OF_TEST = (
    "### The collection's test cases: values found whole, % / anchors that are values, %\n\n"
    "A family without values shows anchors in 10,000 characters. Texts around the values hold "
    "other ones, so the second share is a lower bound."
)


def render(record: Record) -> str:
    """The paper's protocol, by family, the collection, transfer, and one line of judgement."""
    rows = record["rows"]
    counted = [row for row in rows if row["part"] == "patterns" and "found" in row]
    parts = [_patterns(counted), by_family(counted)] if counted else []
    own = [row for row in rows if "families" in row]
    parts += [f"{OF_TEST}\n\n{of_collection(own)}"] if own else []
    missing = dict.fromkeys(
        f"- {row['detector']}: {row['not_available']}"
        for row in rows
        if "not_available" in row and row["part"] != "transfer"
    )
    parts += ["Not available:\n\n" + "\n".join(missing)] if missing else []
    moved = [row for row in rows if row["part"] == "transfer"]
    parts += [transfer(moved, _learned(counted)), TEXT]
    parts.append(NO_JUDGEMENT if is_quick(record) else _judgement(counted, moved))
    return "\n\n".join(part for part in parts if part)


def _learned(rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if row["detector"] == "learned"), None)


def scores(row: Row) -> dict[str, float]:
    """Precision, recall and F1 of a row by the paper's protocol, in [0, 1]."""
    right = sum(found for found, _ in row["found"].values())
    total = sum(of for _, of in row["found"].values())
    precision, recall = right / max(right + row["false"], 1), right / max(total, 1)
    return {"precision": precision, "recall": recall, "f1": f1(right, total, row["false"])}


def _patterns(rows: Sequence[Row]) -> str:
    families = list(rows[0]["found"])
    lines = []
    for row in rows:
        found = scores(row)
        lines.append([
            row["detector"],
            f"{100 * found['precision']:.1f}",
            f"{100 * found['recall']:.1f}",
            f"{found['f1']:.3f}",
            *(f"{100 * row['found'][f][0] / max(row['found'][f][1], 1):.0f}" for f in families),
            f"{row['false']} of {row['non_anchors']:,}",
        ])  # fmt: skip
    head = ["detector", "precision, %", "recall, %", "F1", *families, "plain words taken"]
    total = sum(of for _, of in rows[0]["found"].values())
    paper = {name: figure("detector", name).shown for name in ("precision", "recall", "f1")}
    lines.append([
        "the paper's learned one (its patterns)", *paper.values(), *[NONE] * (len(families) + 1),
    ])  # fmt: skip
    title = f"### The paper's protocol: {total} announcements, recall by family in %"
    return f"{title}\n\n{markdown(head, lines)}"


def of_collection(rows: Sequence[Row]) -> str:
    """A line a family, a column a detector: values found whole, % / anchors that are values, %.

    A family without values shows anchors in 10,000 characters.
    """
    rows = [row for row in rows if "families" in row]
    names = [row["detector"] for row in rows]
    lines = []
    for family in rows[0]["families"]:
        values = rows[0]["families"][family][0]
        lines.append([family, values, *(_family(row["families"][family]) for row in rows)])
    lines.append(["all", "", *(_sum(row) for row in rows)])
    return markdown(("family", "values", *names), lines)


def _family(counted: Sequence[int]) -> str:
    values, found, anchors, right, characters = counted
    if not values:
        return f"{10_000 * anchors / max(characters, 1):.1f}"
    precise = f"{100 * right / anchors:.0f}" if anchors else NONE
    return f"{100 * found / values:.0f} / {precise}"


def _sum(row: Row) -> str:
    """All families with values: recall with its interval, and the share of right anchors."""
    valued = [counted for counted in row["families"].values() if counted[0]]
    values, found, anchors, right = (sum(counted[i] for counted in valued) for i in range(4))
    precise = f"{100 * right / anchors:.0f}" if anchors else NONE
    return f"{share(found, values)} / {precise}"


def _judgement(rows: Sequence[Row], moved: Sequence[Row]) -> str:
    """The learned detector where it could run, else the best of text, against the paper's recall.

    Patterns and plain text are not the paper's: only the direction is told. ``moved``: transfers.
    """
    if not rows:
        return f"Judgement: {incomparable('no detector was run')}."
    recall = figure("detector", "recall").value / 100
    own = _learned(rows)
    best = own or max(rows, key=lambda row: scores(row)["f1"])
    found = sum(pair[0] for pair in best["found"].values())
    total = sum(pair[1] for pair in best["found"].values())
    low, high = wilson(found, total)
    verdict = "as in the paper" if low <= recall <= high else "above" if low > recall else "below"
    unpublished = incomparable("the paper's patterns are unpublished")
    kind = "" if own else ", the best that is available here; the learned one is not"
    return (
        f"Judgement: {unpublished}; recall of {best['detector']} on ours is {verdict} (F1 "
        f"{scores(best)['f1']:.3f}{kind}){_moved(moved)}."
    )


def _moved(rows: Sequence[Row]) -> str:
    """What is left of its recall on another model, and what training there gives."""
    said = [
        f"{row['from']} to {row['to']} {_brief(row)}"
        if row["from"] != row["to"]
        else f"trained on {row['to']} {_brief(row)}"
        for row in rows
        if "found" in row
    ]
    stated = " and ".join(f"{f.shown}%" for f in figures("detector", "transfer"))
    return f"; recall without retraining, {stated} in the paper: {', '.join(said)}" if said else ""


def _brief(row: Row) -> str:
    found = scores(row)
    return f"{100 * found['recall']:.0f}% (F1 {found['f1']:.3f})"
