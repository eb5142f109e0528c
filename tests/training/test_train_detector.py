import random
import re

import numpy as np
import pytest
import torch

from scenes import byte_tokenizer
from ta_lab.training import detector_data as data
from ta_lab.training import train_detector as training
from ta_lab.training.detector_data import EVALUATION, TRAINING, VALUE
from teacher_forced import tiny_llama
from transactional_attention.detection.model_detectors import TokenSpans
from transactional_attention.detection.paper.learned import Learned
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.reading import ModelReader
from transactional_attention.errors import InputError
from transactional_attention.models.embedded.derived import NAME


def test_patterns_are_disjoint_and_cover_the_papers_families():
    evaluation = [pattern for patterns in EVALUATION.values() for pattern in patterns]
    assert len(TRAINING) == len(set(TRAINING))
    assert len(EVALUATION) == 9
    assert not {letters(line) for line in TRAINING} & {letters(line) for line in evaluation}
    assert all(pattern.count(VALUE) == 1 for pattern in (*TRAINING, *evaluation))


def letters(pattern: str) -> str:
    """A pattern without case and marks: in these two may differ and be one all the same."""
    return re.sub(r"\W+", " ", pattern.lower())


def test_an_announcement_ends_before_its_value(lines: list[str]):
    class Words:
        def hidden(self, texts, asker, layer):
            for text in texts:
                matches = list(re.finditer(r" ?\w|\s|\W", text))  # a blank may be the value's first
                ends = np.array([m.end() for m in matches])
                states = np.array([[m.end()] for m in matches], np.float32)
                starts = np.array([m.start() for m in matches])
                yield TokenSpans(ends, starts, ends), states

    made = [data.Line("a code: XY81", 8), data.Line('"pin":  7', 8)]
    wanted, others = data.announcing(Words(), made, 1)
    assert wanted.tolist() == [[7, 9], [6, 7]]  # the colon, and the token after it
    assert not {tuple(pair) for pair in wanted.tolist()} & {tuple(pair) for pair in others.tolist()}


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
    probe = training.fitted(positive, pool, random.Random(0), 1)
    assert (probe.probabilities(positive) > 0.5).mean() > 0.9
    assert (probe.probabilities(hard) > 0.5).mean() < 0.3


@pytest.fixture
def small(monkeypatch, lines: list[str]) -> None:
    monkeypatch.setattr(training, "PER_PATTERN", 1)
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
        assert 0 <= counts.scores["precision"] <= 1
        true = sum(n for n, _ in counts.found.values())
        assert counts.scores["recall"] == pytest.approx(true / 429)
    learned, ranked = (counted[name].scores["recall"] for name in ("learned", "learnrank"))
    assert ranked >= learned
    detector = Learned().bind(ModelReader(decoder, tokenizer))
    anchors = detector.find('password: AB12CD34\n{"secret": "ZZ81QQ"}\n')
    assert {a.rule for a in anchors} <= {"learned"}
    with pytest.raises(InputError, match="--layer must be 1 to"):
        training.train_detector(decoder, reader, tmp_path / NAME, layer=99)
