"""Memory and the long reading: peaks that are counted, a run that goes on where it stopped."""

import numpy as np
import pytest

from bench_requests import request
from ta_lab.benchmarks import memory
from ta_lab.benchmarks.benchmark import Request
from ta_lab.benchmarks.corpus import LongText
from ta_lab.experiments.footprint import shape_of_model
from transactional_attention import InputError
from transactional_attention.engines.transformers import prefill as prefilling


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


@pytest.fixture
def asked(model, tokenizer, monkeypatch):
    """A request of one stream, and the tokens with their places that its caches end up with."""
    ends, ask = [], memory._ask

    def watched(subject, text, cache):
        table = next(iter(cache.flow.tables.values()))
        ends.append(np.stack([table.positions, table.ids], -1).tolist())
        return ask(subject, text, cache)

    monkeypatch.setattr(memory, "_ask", watched)
    sizes = {"tokens": (1000,), "methods": ("ta",)}
    return (lambda **more: request(model, tokenizer, **{**sizes, **more})), ends


def stop_at(tokens):
    def progress(done, total):
        if done >= tokens:
            raise KeyboardInterrupt

    return progress


def test_an_interrupted_reading_goes_on_as_if_nothing_had_happened(asked, tmp_path, tokenizer):
    make, ends = asked
    (whole,) = memory.run_stream(make()).rows
    for place in (400, 700):
        with pytest.raises(KeyboardInterrupt):
            memory.run_stream(make(state=tmp_path, progress=stop_at(place)))
    (again,) = memory.run_stream(make(state=tmp_path)).rows
    assert (whole["sittings"], again["sittings"]) == (1, 3)
    assert ends[0] == ends[1] and whole["held"] and again["held"]
    same = ("tokens", "kv_peak_bytes", "correct", "max_live_tokens", "value_at")
    assert {name: whole[name] for name in same} == {name: again[name] for name in same}
    places = [[mark["tokens"] for mark in row["marks"]] for row in (whole, again)]
    assert places[0] == places[1] and places[0][-1] == 1000
    answer = LongText(tokenizer, 1000, "anchor-free", 0).stated.answer.encode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2 and not any(answer in path.read_bytes() for path in files)


def test_a_reading_goes_on_when_its_text_is_forgotten(asked, tmp_path, monkeypatch):
    make, ends = asked
    forget = prefilling.forget_text
    monkeypatch.setattr(prefilling, "forget_text", lambda flow: forget(flow, keep=100))
    with pytest.raises(KeyboardInterrupt):
        memory.run_stream(make(state=tmp_path, progress=stop_at(900)))
    (again,) = memory.run_stream(make(state=tmp_path)).rows
    assert again["sittings"] == 2 and again["held"] and again["marks"][-1]["tokens"] == 1000
    assert again["max_live_tokens"] == len(ends[0][0])


def test_what_a_folder_holds_must_be_the_same_run(asked, tmp_path):
    make, _ = asked
    with pytest.raises(KeyboardInterrupt):
        memory.run_stream(make(state=tmp_path, progress=stop_at(400)))
    with pytest.raises(InputError, match="another chunk: remove it"):
        memory.run_stream(make(state=tmp_path, chunk=17))
    (found,) = tmp_path.rglob(memory.PROGRESS)
    found.write_text(found.read_text()[:-5])
    with pytest.raises(InputError, match="is damaged"):
        memory.run_stream(make(state=tmp_path))


def test_every_round_reads_another_text(asked, tmp_path):
    make, ends = asked
    rows = memory.run_stream(make(state=tmp_path, rounds=2)).rows
    assert [row["seed"] for row in rows] == [0, 1] and all(row["held"] for row in rows)
    assert len(list(tmp_path.iterdir())) == len(ends) == 2 and ends[0] != ends[1]


def test_a_folder_that_cannot_be_written_is_named(asked, tmp_path):
    make, _ = asked
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot save to"):
        memory.run_stream(make(state=tmp_path / "file"))
