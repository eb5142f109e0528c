"""Memory and the long reading: peaks that are counted."""

from bench_requests import request
from ta_lab.benchmarks import memory
from ta_lab.benchmarks.benchmark import Request
from ta_lab.experiments.footprint import shape_of_model


def test_the_peak_is_k_a_layer_and_one_chunk_at_every_length(model, tokenizer):
    asked = request(model, tokenizer, tokens=(512, 128))
    rows = memory.reading(asked, asked.subject(), memory.streaming(64, "ta"))
    shape = shape_of_model(model)
    peak = shape.cached(64) + shape.of_layers(1).cached(asked.chunk)
    assert [(row["tokens"], row["kv_peak_bytes"]) for row in rows] == [(128, peak), (512, peak)]
    assert rows[1]["kv_share"] == peak / shape.cached(512)


def test_a_full_cache_grows_and_is_computed_where_it_is_not_filled(model, tokenizer, monkeypatch):
    monkeypatch.setattr(memory, "LIMIT", 300)
    asked = request(model, tokenizer, tokens=(128, 256, 4096))
    rows = memory.reading(asked, asked.subject(), None)
    cached = shape_of_model(model).cached
    assert [(row["kv_peak_bytes"], row["measured"]) for row in rows] == [
        (cached(128), True), (cached(256), True), (cached(4096), False)
    ]  # fmt: skip
    assert all(row["rss_peak_bytes"] >= row["rss_before_bytes"] > 0 for row in rows[:2])


def test_every_arm_reads_in_a_process_of_its_own(model, tokenizer, monkeypatch):
    asked, started = request(model, tokenizer, tokens=(128,)), []

    class Pool:
        def __init__(self, workers, mp_context):
            started.append((workers, mp_context.get_start_method()))

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def submit(self, work, request, arm):
            assert request.progress is Request.__dataclass_fields__["progress"].default
            self.result = lambda: work(request, arm)
            return self

    monkeypatch.setattr(memory, "ProcessPoolExecutor", Pool)
    rows = memory.run_memory(asked).rows
    assert started == [(1, "spawn")] * 3
    assert [row["name"] for row in rows] == [memory.FULL, "streaming-llm", "ta"]


def test_every_round_reads_another_text_and_its_value_is_held(model, tokenizer):
    asked = request(model, tokenizer, tokens=(1000,), methods=("ta",), rounds=2)
    rows = memory.run_stream(asked).rows
    assert [row["seed"] for row in rows] == [0, 1] and all(row["held"] for row in rows)
    assert all(row["marks"][-1]["tokens"] == row["tokens"] == 1000 for row in rows)
    peaks = [[mark["kv_peak_bytes"] for mark in row["marks"]] for row in rows]
    assert all(peak == sorted(peak) for peak in peaks)
