"""Section 6: each formal claim executed, with a counterexample where it is false and what holds.

No model runs and no trial is random: a record is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from .claims import Claim, checked
from .costs import Cost
from .experiment import Context, Experiment, Record, Row
from .jobs import Job, markdown, run_parts
from .paper_alone import worded
from .theorem_checks import CLAIMS
from .theorem_numbers import number_jobs, numbers_table
from .verdicts import overall

HEAD = ("claim", "the paper says", "meet its condition", "break it", "first counterexample",
        "what holds", "checked", "broken")  # fmt: skip
HOLDS, FALSE = "holds", "false as stated"


def run(context: Context) -> Record:
    """A row a claim, and one a number that the paper works out."""
    return {"rows": run_parts(context, all_jobs())}


def all_jobs() -> list[Job]:
    """Claims, then numbers."""
    return [*(_job(claim) for claim in CLAIMS), *number_jobs()]


def _job(claim: Claim) -> Job:
    def measured() -> Row:
        return {
            "paper": claim.paper,
            "stated": checked(claim.stated()),
            "sound": claim.sound,
            "corrected": checked(claim.corrected()),
        }

    return Job({"part": "claim", "name": claim.name, "line": claim.line}, measured)


def render(record: Record) -> str:
    """A line for each claim and each number, and one of judgement."""
    rows = [row for row in record["rows"] if row["part"] == "claim"]
    numbers = numbers_table([row for row in record["rows"] if row["part"] == "number"])
    note = (
        "Every claim over a grid of instances of the library's own selection: how many meet the "
        "paper's condition, how many of those contradict it, and the corrected form over instances "
        "of its own. Arguments: docs/guarantees.md."
    )
    claims = markdown(HEAD, [_line(row) for row in rows])
    parts = (note, claims, numbers, _in_words(), judgement(rows))
    return "\n\n".join(part for part in parts if part)


def _in_words() -> str:
    """What the paper works out and only words say, without a number of ours."""
    lines = [(f"{f.name} (line {f.line})", f.measure, f.shown) for f in worded("theorems")]
    return f"The paper in words:\n\n{markdown(('of', 'says of', 'it says'), lines)}"


def _line(row: Row) -> list[str]:
    stated, corrected = row["stated"], row["corrected"]
    return [
        f"{row['name']} (line {row['line']})",
        row["paper"],
        f"{stated['met']} of {stated['tried']}",
        str(stated["broken"]),
        _shown(stated["counterexample"]),
        row["sound"],
        f"{corrected['met']} of {corrected['tried']}",
        str(corrected["broken"]),
    ]


def _shown(what: Row | None) -> str:
    if what is None:
        return "none"
    return ", ".join(f"{name} {value}" for name, value in what.items())


def judgement(rows: Sequence[Row]) -> str:
    """How many claims have a counterexample, and whether every corrected form holds."""
    false = [row["name"] for row in rows if row["stated"]["broken"]]
    wrong = [row["name"] for row in rows if row["corrected"]["broken"]]
    corrected = f"broken for {'; '.join(wrong)}" if wrong else "all hold"
    named = f"; counterexamples to {'; '.join(false)}" if false else ""
    words = [FALSE if row["stated"]["broken"] else HOLDS for row in rows]
    verdict = overall(words, "claims", words=(HOLDS, FALSE))
    return f"Judgement: {verdict}{named}; the corrected forms: {corrected}."


EXPERIMENT = Experiment(
    "theorems", "section 6, appendix", "formal claims as checks, with counterexamples", run, render,
    lambda context: Cost(others=len(all_jobs())),
)  # fmt: skip
