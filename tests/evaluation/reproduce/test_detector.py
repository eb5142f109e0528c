"""Both protocols count what a scanner finds; a detector without weights is named."""

import re
from functools import partial

import pytest

from ta_lab.cases.cases import Case, Value
from ta_lab.collection.detecting import on_collection
from ta_lab.experiments import detector
from ta_lab.experiments.experiment import Context
from ta_lab.training.detector_data import EVALUATION
from ta_lab.training.train_detector import Counts
from transactional_attention import Span
from transactional_attention.types import Anchor

SMALL = {"anchors": 18, "non_anchors": 60}


class Words:
    """A scanner that takes every word for a value, or none."""

    def __init__(self, pattern=r"\S+"):
        self.pattern = re.compile(pattern)

    def feed(self, text, final):
        assert final
        found = (Span(*match.span()) for match in self.pattern.finditer(text))
        return [Anchor(Span(v.start, v.start), v, 0.9, "words") for v in found]


def test_a_detector_that_takes_everything_has_full_recall_and_no_precision():
    every = detector.on_patterns(Words, 0, "pydoc", **SMALL)
    assert set(every["found"]) == set(EVALUATION)
    assert all(found == of == 2 for found, of in every["found"].values())
    assert every["false"] == every["non_anchors"] == 60
    assert all(taken == of > 0 for taken, of in every["taken"].values())
    found = detector.scores(every)
    assert found["recall"] == 1 and found["precision"] == pytest.approx(18 / 78)
    assert found["f1"] == pytest.approx(2 * 18 / 96)


def test_values_are_found_whole_or_not_at_all():
    text = "one QX7K two ZP41 three"
    values = (Value(4, 8), Value(13, 17, critical=False))
    cases = [Case("a", text, values=values, family="x"), Case("b", "none", family="y")]
    whole = on_collection(Words, cases)["families"]
    assert whole == {"x": [2, 2, 5, 2, len(text)], "y": [0, 0, 1, 0, 4]}
    half = on_collection(partial(Words, "QX|Z"), cases)["families"]
    assert half["x"] == [2, 0, 2, 2, len(text)]


def test_a_run_names_what_is_not_available_and_resumes(model, tokenizer, monkeypatch):
    monkeypatch.setattr(detector, "ANCHORS", 45)
    monkeypatch.setattr(detector, "NON_ANCHORS", 50)
    context = Context(lambda: (model, tokenizer), size="quick")
    rows = detector.run(context)["rows"]
    assert [(row["part"], row["detector"]) for row in rows] == [
        ("patterns", name) for name in ("regex", "ta", "learned", "learnrank")
    ]
    assert all("weights" in row["not_available"] for row in rows[2:])
    assert not any("/" in row["not_available"] for row in rows[2:])
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=rows)
    assert detector.run(again)["rows"] == rows
    shown = detector.render({"rows": rows})
    assert "- learned: the weights of the learned detector are missing" in shown
    assert "the learned one is not" in shown.splitlines()[-1]


COUNTS = Counts(0.5, {"json": (9, 10)}, 1, 1000, 1.0, {"json": (3, 20)})


def test_trained_weights_are_counted_by_the_trainer(monkeypatch):
    monkeypatch.setattr(detector, "reader_of", lambda *_: None)
    monkeypatch.setattr(detector, "probe_of", lambda reader: None)
    monkeypatch.setattr(detector, "evaluated", lambda *_: {"learned": COUNTS})
    row = detector._trained(Context(lambda: (None, None)), "learned").run()
    assert row == {"found": {"json": [9, 10]}, "taken": {"json": [3, 20]}, "false": 1,
                   "non_anchors": 1000}  # fmt: skip
    named = {"part": "patterns", "detector": "learned", **row}
    shown = detector.render({"rows": [named]})
    last = shown.splitlines()[-1]
    assert "recall of learned on ours is as in the paper" in last  # 90% of 10 includes 93.2%
    assert "| json | 9 of 10 | 90 [60, 98] | 3 of 20 | 75 [47, 91] | 0.818 |" in shown
    plain = "| all, beside plain text | 9 of 10 | 90 [60, 98] | 1 of 1,000 | 90 [60, 98] | 0.900 |"
    assert plain in shown
