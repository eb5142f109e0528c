"""Latency and memory beside the paper's: its own rows, then ours at the same length, and ratios."""

from __future__ import annotations

from ta_lab.experiments import scaling
from ta_lab.experiments.footprint import LLAMA_1B, explain
from ta_lab.templates import markdown


def forward(method, tokens=4085, budget=16, part="forward", shape="embedded", **measured):
    place = {"part": part, "shape": shape, "tokens": tokens, "budget": budget, "method": method}
    return place | measured


FREE = {"prefill_seconds": 0.5, "decode_seconds": 0.002, "peak_bytes": 50e6, "held_bytes": 1}
READS = {"prefill_seconds": 0.4, "decode_seconds": 0.003, "peak_bytes": 51e6, "held_bytes": 1}
KEPT = {"prefill_seconds": 4.0, "peak_bytes": 2e9, "held_bytes": 1, "formula_bytes": 1.5e9}
ROWS = [
    forward("ta-fast-semantic", **FREE),
    forward("tova", **READS),
    forward("eager, attention kept", **KEPT),
]


def table(found):
    return markdown((), found)


def lines(text, *begin):
    return [line for line in text.splitlines() if line.startswith("| " + " | ".join(begin))]


def test_latency_is_compared_by_ratio():
    shown = table(scaling.latency(ROWS))
    assert lines(shown, "4,096", "16", "the paper")[0].endswith("| 180 | 175 | 0.97 | – |")
    assert lines(shown, "4,096", "16", "a prefill, embedded")[0].endswith(
        "| 500.0 | 400.0 | 0.80 | 8.00 |"
    )
    assert lines(shown, "4,096", "16", "a step, embedded")[0].endswith("| 2.0 | 3.0 | 1.50 | – |")
    assert lines(shown, "7,168", "32", "the paper")[0].endswith("| 372 | out of memory | – | – |")
    assert len(lines(shown, "7,168")) == 1  # none of ours has that length


def test_memory_is_compared_by_ratio():
    model = explain("Llama-3.2-1B", 4096, 16)
    shown = table(scaling.memory([*ROWS, model]))
    assert lines(shown, "4,096", "16", "the paper")[0].endswith("| 2.1 | 2.0 | 0.95 | -5 |")
    assert lines(shown, "4,096", "16", "measured, embedded")[0].endswith("| 2.00 | 40 | 98 |")
    saved = 1 - model["attention_free"] / model["keeps_attention"]
    assert lines(shown, "4,096", "16", "memory model")[0].endswith(f"| {100 * saved:.0f} |")
    assert lines(shown, "7,168", "32", "the paper")[0].endswith("| 6.8 | >50 | >7.35 | >86 |")
    assert "| 2.7 | 5.8 | 2.15 | 53 |" in shown


def test_the_judgement_ends_with_the_ratios_of_memory():
    models = [explain("Llama-3.2-1B", *place) for place in ((4096, 16), (7168, 32), (8192, 64))]
    others = [explain("Mistral-7B-v0.3", 4096, 16)]
    last = scaling.render({"rows": [*models, *others]}).splitlines()[-1]
    assert last.startswith("Judgement: not comparable (the paper has no number for these cells); ")
    said = (
        "Llama-3.2-1B, 7.98 at 4,096 tokens (the paper 0.95), 22 at 7,168 tokens (the paper >7.35)."
    )
    assert last.endswith(said)
    quick = {"rows": models, "provenance": {"arguments": {"size": "quick"}}}
    assert "attention kept takes" not in scaling.render(quick).splitlines()[-1]


def test_what_did_not_fit_stands_by_its_formula():
    kept = forward("eager, attention kept", formula_bytes=1.5e9, not_run="needs more")
    shown = table(scaling.memory([ROWS[0], kept]))
    (line,) = lines(shown, "4,096", "16", "measured, embedded (attention kept: formula)")
    assert line.endswith("| 50.0 MB | 1.50 | 30 | 97 |")


def test_other_lengths_and_scaled_layers_are_not_set_beside_the_papers():
    others = [
        forward("ta-fast-semantic", tokens=6000, **FREE),
        forward("ta-fast-semantic", budget=64, **FREE),
        forward("ta-fast-semantic", shape="two layers", scale=8, **FREE),
    ]
    assert len(lines(table(scaling.latency(others)), "4,096")) == 1


def test_the_papers_own_saving_is_that_of_a_length_which_it_does_not_name():
    shown = scaling.render({"rows": ROWS[:1]})
    assert "2.7 of 5.8 GB are 53% less, and the text prints 52%" in shown
    tokens = int(shown.split("attention weights of ")[1].split(" tokens")[0].replace(",", ""))
    assert LLAMA_1B.attentions(tokens) <= 3.1e9 < LLAMA_1B.attentions(tokens + 1)


def test_answers_beyond_the_trained_positions_stand_beside_the_papers():
    place = {"part": "beyond", "tokens": 16_384, "budget": 64, "trials": 20, "accuracy": 0.9}
    row = place | {"method": "ta-fast-semantic", "ci95": [0.7, 0.97], "retained": 20}
    shown = scaling.render({"rows": [row, row | {"method": "ta"}]})
    assert [line.split("|")[-2].strip() for line in lines(shown, "16,384")] == ["100", "–"]
