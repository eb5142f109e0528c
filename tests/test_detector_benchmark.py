"""The texts of the benchmark of detection."""

import pytest

from ta_lab.benchmarks.detection import DENSER
from transactional_attention.detection.scanner import Scanner


@pytest.mark.parametrize("kind", DENSER)
def test_texts_have_the_size_asked_for_and_differ_by_seed(kind):
    texts = [DENSER[kind](4_096, seed) for seed in (0, 0, 1)]
    assert [len(text) for text in texts] == [4_096] * 3
    assert texts[0] == texts[1] != texts[2]


def test_configuration_is_dense_with_values():
    text = DENSER["configuration"](16_384, 0)
    assert len(Scanner(("regex", "semantic")).feed(text, final=True)) > 100
