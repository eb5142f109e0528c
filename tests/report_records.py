"""Records of `ta reproduce`: those of the committed report, and small ones made of marks."""

import json
from pathlib import Path

import pytest

from ta_lab.experiments.marks import counted
from ta_lab.experiments.plan import FULL, Arm, Block

TA = Arm("ta", 16)
PAPER = Path(__file__).parents[2] / "shared/paper/transactional-attention.tex"
needs_paper = pytest.mark.skipif(
    not PAPER.exists(), reason="no ../shared: the paper's source is not here"
)
COMMITTED = Path(__file__).parents[1] / "docs" / "report" / "records"


def row(block, marks, arm=TA, *, groups=()):
    """A finished cell; ``marks`` by label, or those of its only one."""
    marks = {"": marks} if isinstance(marks, str) else marks
    made = Block(block, lambda *_: [], 1, (arm,), "hidden", tuple(groups))
    return {
        **made.key(arm),
        "groups": list(groups),
        "marks": marks,
        "contexts": len(next(iter(marks.values()))),
        **counted(marks, True),
    }


def committed(name):
    return json.loads((COMMITTED / f"{name}.json").read_text())


def record(name, rows, **others):
    return {"experiment": name, "provenance": committed("hardmode")["provenance"], "rows": rows,
            **others}  # fmt: skip


def cell(block, kept, arm):
    """A cell in which ``kept`` of 20 values are whole and answered."""
    made = row(block, kept * "b" + (20 - kept) * "-", arm)
    return made | {"anchors": 0, "max_live_tokens": 16, "commits": ["a" * 40], "dirty": False}


def needle():
    rows = [cell("needle", 20, FULL), cell("needle", 20, TA)]
    return record("needle", [*rows, *(cell("needle", 0, Arm("tova", k)) for k in (16, 64))])


def write(folder, *records):
    """A report's folder with these records."""
    (folder / "records").mkdir(parents=True, exist_ok=True)
    for one in records:
        (folder / "records" / f"{one['experiment']}.json").write_text(json.dumps(one))
    return folder
