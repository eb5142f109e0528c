"""Rows of a record of `ta reproduce`, from marks."""

from ta_lab.experiments.plan import Arm, Block
from ta_lab.experiments.running import counted

TA = Arm("ta", 16)


def row(block, marks, arm=TA, *, answered=True, groups=(), protocol="hidden"):
    """A finished cell; ``marks`` by label, or those of its only one."""
    marks = {"": marks} if isinstance(marks, str) else marks
    made = Block(block, lambda *_: [], 1, (arm,), protocol, tuple(groups), answered=answered)
    return {
        **made.key(arm),
        "groups": list(groups),
        "marks": marks,
        "contexts": len(next(iter(marks.values()))),
        **counted(marks, answered),
    }
