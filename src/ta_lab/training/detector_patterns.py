"""Patterns that the learned detector is trained and judged on: disjoint, and written out.

``⟦⟧`` is the value; the announcement ends right before it. Those to train on lie in
``data/announcements.txt``, by family, those to judge by in ``data/announcements-evaluation.txt``;
what is tuned is tuned on parts of the first, never on the others. The paper names seven of its nine
families of evaluation (its table of formats); prose and reminders are the two others here. None of
the paper's own patterns was published.
"""

from __future__ import annotations

from ..data import sections

VALUE = "⟦⟧"


def _patterns(name: str) -> dict[str, tuple[str, ...]]:
    return {
        family: tuple(line.replace("\\n", "\n").replace("\\t", "\t") for line in lines)
        for family, lines in sections(name).items()
    }


TRAINING = tuple(line for lines in _patterns("announcements").values() for line in lines)
EVALUATION = _patterns("announcements-evaluation")
