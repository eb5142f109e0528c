"""Arms are timed in one run beside their peer; ratios stand beside the paper's bound."""

import random

from ta_lab.benchmarks.timing import median_interval
from ta_lab.experiments import scaling


def test_the_measured_interval_stands_beside_the_papers_bound():
    arm = {"name": "ta-fast-regex", "median_ms": 1.0, "ratio": 1.02, "ratio_range": [0.9, 1.14],
           "ratio_ci95": [0.99, 1.06], "rounds": 25}  # fmt: skip
    shown = scaling.latency_tables({"rows": [{"part": "prefill", "tokens": 4096, "arms": [arm]}]})
    paper = "less than 1% (0.361 s against 0.358 s; section 4.5, what was timed unstated)"
    assert f"| ta-fast-regex | {paper} | 1.00 | +2.0 [-1.0, +6.0] | 95% | 25 |" in shown


def test_the_interval_of_a_median_holds_it_in_95_percent_of_samples():
    assert median_interval([5, 1, 4, 2, 3]) is None
    assert median_interval(range(6)) == [0, 5]
    assert median_interval(range(1, 26)) == [8, 18]  # the 8th and the 18th of 25
    rng = random.Random(0)
    samples = [median_interval([rng.random() for _ in range(15)]) for _ in range(2000)]
    share = sum(low <= 0.5 <= high for low, high in samples) / len(samples)
    assert 0.95 <= share < 0.99
