"""The learned detector of one model on another: counts, or the error of another width."""

import numpy as np
import pytest

from ta_lab.experiments import detector
from ta_lab.experiments import detector as transfer
from ta_lab.experiments.experiment import Context
from ta_lab.training import train_detector as training
from teacher_forced import tiny_llama
from transactional_attention.detection.paper.learned import Probe


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
    monkeypatch.setattr(transfer, "paragraphs", lambda name: ["A plain text of words.", "More."])


def test_states_of_the_same_width_are_read(few, model, tokenizer):
    reader = transfer.reader_of(model, tokenizer)
    row = transfer.served(reader, probe(model.config.hidden_size), Context(lambda: None))
    assert sum(of for _, of in row["found"].values()) == 9 and "not_available" not in row


def test_states_of_another_width_are_an_error_that_is_told(few, model, tokenizer):
    reader = transfer.reader_of(model, tokenizer)
    row = transfer.served(reader, probe(model.config.hidden_size + 1), Context(lambda: None))
    assert set(row) == {"not_available"} and "shapes" in row["not_available"]


def test_weights_of_another_model_are_refused_by_their_checksum(tokenizer):
    tiny = tiny_llama(vocab_size=len(tokenizer))
    pair = transfer.Pair(Context(lambda: (tiny, tokenizer)), "embedded-wide")
    pair.other = tiny, tokenizer
    refusal = pair.refusal("embedded", "embedded-wide")["refusal"]
    assert "are of another model (its fingerprint starts" in refusal and "/" not in refusal
    assert pair.refusal("embedded-wide", "embedded") == {}  # no weights ship with that one
    assert pair.refusal("embedded", "embedded") == {}


def test_every_way_between_two_models_is_run(monkeypatch):
    monkeypatch.setattr(transfer.Pair, "probe", lambda self, name: name)
    monkeypatch.setattr(transfer.Pair, "reader", lambda self, name: name)
    monkeypatch.setattr(transfer.Pair, "refusal", lambda self, source, target: {})
    monkeypatch.setattr(transfer, "served", lambda reader, made, context: {"way": (made, reader)})
    jobs = transfer.transfer_jobs(Context(lambda: None, model="embedded"))
    ways = [("embedded", "embedded-wide"), ("embedded-wide",) * 2, ("embedded-wide", "embedded")]
    assert [(job.key["from"], job.key["to"]) for job in jobs] == ways
    assert [job.run()["way"] for job in jobs] == ways
    assert transfer.transfer_jobs(Context(lambda: None, model="another")) == []
    sizes = {
        size: detector.all_jobs(Context(lambda: None, size=size)) for size in ("quick", "full")
    }
    parts = {size: {job.key["part"] for job in made} for size, made in sizes.items()}
    assert "transfer" not in parts["quick"] and "transfer" in parts["full"]
