from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.anchors.learned import Learned
from transactional_attention.embedded.detector import NAME
from transactional_attention.engines.transformers.reading import ModelReader
from transactional_attention.engines.transformers.session import find_decoder
from transactional_attention.training import detector_data as data
from transactional_attention.training import train_detector as training
from transactional_attention.training.detector_patterns import EVALUATION, TRAINING, VALUE


def test_patterns_are_as_many_as_the_papers_and_disjoint():
    evaluation = [pattern for patterns in EVALUATION.values() for pattern in patterns]
    assert len(TRAINING) == len(set(TRAINING)) == 62
    assert len(EVALUATION) == 9
    assert not set(TRAINING) & set(evaluation)
    assert all(pattern.count(VALUE) == 1 for pattern in (*TRAINING, *evaluation))


def test_a_line_announces_its_value_where_it_says(lines: list[str]):
    for line in data.lines(random.Random(0), TRAINING, 124, lines):
        assert line.text[line.value : line.value + 1].strip()
        assert line.value > 0


def test_the_hardest_negatives_are_learned():
    rng = np.random.default_rng(0)
    torch.manual_seed(0)

    def around(count: int, *center: float) -> np.ndarray:
        shift = np.array([*center, 0, 0, 0, 0])
        return (rng.normal(size=(count, 6)) + shift).astype(np.float32)

    positive, easy, hard = around(300, 3, 0), around(3000, -3, 0), around(40, 3, 4)
    pool = np.concatenate([easy, hard])
    probe = training.fitted(positive, pool, random.Random(0))
    assert (probe.probabilities(positive) > 0.5).mean() > 0.9
    assert (probe.probabilities(hard) > 0.5).mean() < 0.3


@pytest.fixture
def small(monkeypatch, lines: list[str]) -> None:
    monkeypatch.setattr(training, "PER_PATTERN", 3)
    monkeypatch.setattr(training, "NEGATIVES", 186)
    monkeypatch.setattr(data, "paragraphs", lambda: (lines[:150], lines[150:]))


def test_training_writes_what_the_model_then_finds(small, tmp_path):
    tokenizer = byte_tokenizer()
    decoder = find_decoder(tiny_llama(vocab_size=len(tokenizer)))
    decoder.name_or_path = str(tmp_path)
    reader = ModelReader(decoder, tokenizer)
    counted = training.train_detector(decoder, reader, tmp_path / NAME)
    for name, threshold in (("learned", 0.5), ("learnrank", 0.3)):
        counts = counted[name]
        assert counts.threshold == threshold
        assert sum(of for _, of in counts.found.values()) == 429
        assert set(counts.found) == set(EVALUATION)
        assert counts.non_anchors == 1000
        assert 0 <= counts.precision <= 1
        true = sum(n for n, _ in counts.found.values())
        assert counts.recall == pytest.approx(true / 429)
    assert counted["learnrank"].recall >= counted["learned"].recall
    detector = Learned().bind(ModelReader(decoder, tokenizer))
    found = detector.find('password: AB12CD34\n{"secret": "ZZ81QQ"}\n')
    assert {a.rule for a in found} <= {"learned"}
