"""The benchmark of detectors: its texts and its rows, for correctness only."""

import pytest

from ta_lab.benchmarks.detection import TEXTS, TOGETHER, detectors
from transactional_attention.detection.scanner import Scanner


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_have_the_size_asked_for_and_differ_by_seed(kind):
    texts = [TEXTS[kind](4_096, seed) for seed in (0, 0, 1)]
    assert [len(text) for text in texts] == [4_096] * 3
    assert texts[0] == texts[1] != texts[2]


def test_configuration_is_dense_with_values_and_prose_is_not():
    found = {
        kind: len(Scanner(("regex", "semantic")).feed(make(16_384, 0), final=True))
        for kind, make in TEXTS.items()
    }
    assert found["configuration"] > 100 > 10 * found["prose"]


def test_every_detector_has_a_row_for_each_kind_of_text():
    rows = [timing.row() for timing in detectors(rounds=1, size=1_024)]
    assert [row["name"] for row in rows] == [
        f"{name}, {kind}" for kind in TEXTS for name in (TOGETHER, *("regex", "semantic"))
    ]
    assert all(row["mb_per_s"] > 0 for row in rows)
