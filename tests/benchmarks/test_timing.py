"""Arms take turns; parts count once; a device that is not there is named."""

import itertools

import pytest
import torch

from ta_lab.benchmarks import benchmark, prefill, timing
from ta_lab.benchmarks.benchmark import SHAPES, Recipe
from ta_lab.benchmarks.prefill import DETECTION, SELECTION, Parts
from ta_lab.benchmarks.timing import interleave_parts
from transactional_attention import InputError, UnknownNameError, UnsupportedError


def test_arms_take_turns_and_ratios_are_to_the_first_part_of_the_round():
    order, clock = [], itertools.count(1)

    def arm(*names):
        def run():
            order.append(names[0])
            return {name: float(next(clock)) for name in names}

        return run

    timings = interleave_parts({"a": arm("a"), "b": arm("b", "b: part")}, rounds=2)
    assert order == ["a", "b"] * 3  # once to warm up
    assert [(t.name, t.seconds, t.ratios) for t in timings] == [
        ("a", (4.0, 7.0), (1.0, 1.0)),
        ("b", (5.0, 8.0), (5 / 4, 8 / 7)),
        ("b: part", (6.0, 9.0), (6 / 4, 9 / 7)),
    ]


def test_a_part_inside_another_counts_once(monkeypatch):
    clock = iter([0.0, 1.0, 4.0, 9.0])  # outer begins, inner begins, inner ends, outer ends
    monkeypatch.setattr(prefill.time, "perf_counter", lambda: next(clock))
    parts = Parts()
    with parts.time(DETECTION), parts.time(SELECTION):
        pass
    assert (parts.seconds[DETECTION], parts.seconds[SELECTION]) == (6.0, 3.0)
    assert sum(parts.seconds.values()) == 9.0


def test_without_a_card_cuda_says_so(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UnsupportedError, match="no CUDA device on this machine"):
        timing.find_device("cuda")
    with pytest.raises(InputError, match="cpu or cuda"):
        timing.find_device("tpu")
    assert timing.describe(timing.find_device("cpu")) == {"device": "cpu"}


def test_a_recipe_makes_a_random_model_of_its_shape(monkeypatch):
    tiny = SHAPES["smollm-135m"].of_layers(1)
    tiny = type(tiny)(**{**vars(tiny), "vocabulary": 64, "hidden": 36, "intermediate": 48})
    monkeypatch.setitem(SHAPES, "smollm-135m", tiny)
    made = Recipe(shape="smollm-135m", dtype="bfloat16").load(positions=99)
    assert made.positions == 99 and made.model.dtype == torch.bfloat16
    assert sum(p.numel() for p in made.model.parameters()) == tiny.parameters


@pytest.mark.parametrize(
    ("low", "expected"), [([1.0, 1.0], torch.bfloat16), ([1.0, 9.0], torch.float32)]
)
def test_bfloat16_must_be_faster_for_a_chunk_and_for_a_step(monkeypatch, low, expected):
    spent = {torch.float32: [2.0, 2.0], torch.bfloat16: low}
    monkeypatch.setattr(benchmark, "_products", lambda shape, dtype: spent[dtype])
    cpu = torch.device("cpu")
    assert benchmark.faster_dtype(SHAPES["smollm-135m"], cpu) == expected
    assert Recipe(shape="smollm-135m").named().dtype == str(expected).removeprefix("torch.")


def test_what_a_recipe_names_must_exist():
    with pytest.raises(InputError, match="float99"):
        Recipe(dtype="float99").load(10)
    with pytest.raises(UnknownNameError, match=r"smollm-135m"):
        Recipe(shape="smollm").load(10)
