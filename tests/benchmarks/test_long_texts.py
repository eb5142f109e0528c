"""The long reading: peaks that are counted, a value that is held."""

from bench_requests import request
from ta_lab.benchmarks import stream
from ta_lab.benchmarks.footprint import shape_of_model


def test_every_round_reads_another_text_whose_value_is_held_at_a_flat_peak(model, tokenizer):
    asked = request(model, tokenizer, tokens=(600, 300), methods=("ta",), rounds=2)
    rows = stream.run(asked).rows
    assert [(row["seed"], row["tokens"]) for row in rows] == [
        (seed, n) for seed in (0, 1) for n in (600, 300)
    ]
    shape = shape_of_model(model)
    peak = shape.cached(64) + shape.of_layers(1).cached(asked.chunk)
    assert all(row["held"] and row["kv_peak_bytes"] == peak for row in rows)
    assert rows[0]["kv_share"] == peak / shape.cached(600)
