"""Both protocols count what a scanner finds; a detector without weights is named; transfer."""

import re
from functools import partial

import numpy as np
import pytest

from ta_lab.cases.cases import Case, Value
from ta_lab.collection.detecting import on_collection
from ta_lab.experiments import detector
from ta_lab.experiments.experiment import Context
from ta_lab.training import train_detector as training
from ta_lab.training.detector_data import EVALUATION
from ta_lab.training.train_detector import Counts
from teacher_forced import tiny_llama
from transactional_attention import Span
from transactional_attention.detection.paper.learned import Probe
from transactional_attention.types import Anchor

SMALL = {"anchors": 18, "non_anchors": 60}


class Words:
    """A scanner that takes every word for a value, or none."""

    def __init__(self, pattern=r"\S+"):
        self.pattern = re.compile(pattern)

    def feed(self, text, final):
        assert final
        spans = (Span(*match.span()) for match in self.pattern.finditer(text))
        return [Anchor(Span(v.start, v.start), v, 0.9, "words") for v in spans]


def test_a_detector_that_takes_everything_has_full_recall_and_no_precision():
    counts = detector.on_patterns(Words, 0, "pydoc", **SMALL)
    assert set(counts["found"]) == set(EVALUATION)
    assert all(score == of == 2 for score, of in counts["found"].values())
    assert counts["false"] == counts["non_anchors"] == 60
    assert all(taken == of > 0 for taken, of in counts["taken"].values())
    score = training.scores_of(counts["found"], counts["false"])
    assert score["recall"] == 1 and score["precision"] == pytest.approx(18 / 78)
    assert score["f1"] == pytest.approx(2 * 18 / 96)


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
    shown = detector.tables({"rows": rows})
    assert "| learned | the weights of the learned detector are missing" in shown


COUNTS = Counts(0.5, {"json": (9, 10)}, 1, 1000, 1.0, {"json": (3, 20)})


def test_trained_weights_are_counted_by_the_trainer(monkeypatch):
    monkeypatch.setattr(detector, "reader_of", lambda *_: None)
    monkeypatch.setattr(detector, "probe_of", lambda reader: None)
    monkeypatch.setattr(detector, "evaluated", lambda *_: {"learned": COUNTS})
    row = detector._trained(Context(lambda: (None, None)), "learned").run()
    assert row == {"found": {"json": [9, 10]}, "taken": {"json": [3, 20]}, "false": 1,
                   "non_anchors": 1000}  # fmt: skip
    named = {"part": "patterns", "detector": "learned", **row}
    shown = detector.tables({"rows": [named]})
    assert "| the paper's learned one | 95.9 | 93.2 | 0.946 |" in shown
    assert "| learned | 90 [60, 98] | 90 [60, 98] | 0.900 | 1 of 1,000 |" in shown
    assert "| learned | json | 9 of 10 | 90 [60, 98] | 3 of 20 | 75 [47, 91] | 0.818 |" in shown


def probe(width):
    rng = np.random.default_rng(0)
    parts = {"inner": (2 * width, 4), "inner_bias": 4, "outer": 4, "outer_bias": 1}
    parts["scale"] = 2 * width
    made = {name: rng.random(size, np.float32) for name, size in parts.items()}
    return Probe(**made, layer=np.array([1]))


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(training, "ANCHORS", 9)
    monkeypatch.setattr(training, "NON_ANCHORS", 20)
    monkeypatch.setattr(detector, "paragraphs", lambda name: ["A plain text of words.", "More."])


def test_states_of_the_same_width_are_read(few, model, tokenizer):
    reader = detector.reader_of(model, tokenizer)
    row = detector.served(reader, probe(model.config.hidden_size), Context(lambda: None))
    assert sum(of for _, of in row["found"].values()) == 9 and "not_available" not in row


def test_states_of_another_width_are_an_error_that_is_told(few, model, tokenizer):
    reader = detector.reader_of(model, tokenizer)
    row = detector.served(reader, probe(model.config.hidden_size + 1), Context(lambda: None))
    assert set(row) == {"not_available"} and "shapes" in row["not_available"]


def test_weights_of_another_model_are_refused_by_their_checksum(tokenizer):
    tiny = tiny_llama(vocab_size=len(tokenizer))
    pair = detector.Pair(Context(lambda: (tiny, tokenizer)), "embedded-wide")
    pair.other = tiny, tokenizer
    refusal = pair.refusal("embedded", "embedded-wide")["refusal"]
    assert "are of another model (its fingerprint starts" in refusal and "/" not in refusal
    assert pair.refusal("embedded-wide", "embedded") == {}  # no weights ship with that one
    assert pair.refusal("embedded", "embedded") == {}


def test_every_way_between_two_models_is_run(monkeypatch):
    monkeypatch.setattr(detector.Pair, "probe", lambda self, name: name)
    monkeypatch.setattr(detector.Pair, "reader", lambda self, name: name)
    monkeypatch.setattr(detector.Pair, "refusal", lambda self, source, target: {})
    monkeypatch.setattr(detector, "served", lambda reader, made, context: {"way": (made, reader)})
    jobs = detector.transfer_jobs(Context(lambda: None, model="embedded"))
    ways = [("embedded", "embedded-wide"), ("embedded-wide",) * 2, ("embedded-wide", "embedded")]
    assert [(job.key["from"], job.key["to"]) for job in jobs] == ways
    assert [job.run()["way"] for job in jobs] == ways
    assert detector.transfer_jobs(Context(lambda: None, model="another")) == []
    sizes = {
        size: detector.all_jobs(Context(lambda: None, size=size)) for size in ("quick", "full")
    }
    parts = {size: {job.key["part"] for job in made} for size, made in sizes.items()}
    assert "transfer" not in parts["quick"] and "transfer" in parts["full"]
