"""``--engine llama.cpp``: a GGUF file answers, is saved and gone on with, measured, and refused."""

import json
from pathlib import Path

import pytest

from gguf_families import write_family
from gguf_files import write_gguf
from gguf_hybrids import write_hybrid
from llama_wheel import skip_without_smollm2, skip_without_wheel
from ta_lab.benchmarks import servers
from transactional_attention import InputError, Retention
from transactional_attention.cli.engines import chosen

VALUE = "QX7K9-ZP41"
TEXT = f"{'It rained all day. ' * 20}The api_key: {VALUE}.\n{'Nobody came by. ' * 20}"
LLAMA = ("--engine", "llama.cpp", "--model")


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    skip_without_wheel()
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf(path)
    return path


@pytest.fixture(autouse=True)
def _cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TA_CACHE", str(tmp_path / "cache"))


def generate(ta, gguf, *more, stdin=TEXT):
    """What ``ta`` is given, or ``recorded``."""
    more = (*LLAMA, gguf, "--raw", "--threads", 1, *more)
    return ta("generate", *more, stdin=stdin.encode())


def test_it_answers_and_says_what_it_held(ta, recorded, gguf):
    given = ("--budget", 48, "--chunk", 100, "--max-new-tokens", 5, "--report")
    done, record = generate(recorded, gguf, *given)
    assert record["provenance"]["arguments"]["engine"] == "llama.cpp"
    assert record["prompt_tokens"] == len(TEXT) and record["max_live_tokens"] == 48
    assert record["peak_live_tokens"] == 148 and record["stored_bytes"] > 0
    assert "sponsored" in done.err and VALUE not in done.err + json.dumps(record)
    assert VALUE in generate(ta, gguf, *given, "--reveal").err


def test_it_says_what_is_managed(ta, recorded, gguf, tmp_path):
    path = write_hybrid(tmp_path / "lfm2.gguf", "lfm2")
    for file, managed, layers in ((gguf, 3, 3), (path, 2, 6)):
        _, record = generate(recorded, file, "--max-new-tokens", 2)
        assert (record["managed_layers"], record["layers"]) == (managed, layers)
    done = generate(ta, path, "--save", tmp_path / "s", "--positions", "compact")
    assert done.status == 0, done.err
    done = generate(ta, write_hybrid(tmp_path / "m.gguf", "mamba"))
    assert done.status == 2 and done.err.count("error:") == 1 and "without attention" in done.err


def test_what_a_grammar_costs_is_measured_a_step(recorded, gguf):
    sizes = ("--tokens", 100, "--budget", 64, "--rounds", 2, "--threads", 1)
    _, record = recorded("bench", "grammar", "--model", gguf, *sizes)
    without, within = record["rows"]
    assert (without["name"], within["name"]) == ("any token", "schema of ten fields")
    assert without["ratio"] == 1 and within["ratio"] > 0 and within["said"] == 32


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_in_two_runs_it_says_what_it_says_in_one(ta, gguf, tmp_path, positions):
    saved, options = tmp_path / "s", ("--budget", 48, "--positions", positions)
    first = generate(ta, gguf, *options, "--max-new-tokens", 3, "--save", saved)
    assert first.status == 0, first.err
    again = generate(ta, gguf, "--max-new-tokens", 4, "--load", saved, stdin="Which?")
    assert again.status == 0, again.err
    assert VALUE.encode() not in saved.read_bytes()
    assert "--budget is what the saved" in generate(ta, gguf, *options, "--load", saved).err


def test_a_saved_cache_of_the_other_engine_says_which(ta, gguf, tmp_path):
    for engine, other in (("transformers", "llama.cpp"), ("llama.cpp", "transformers")):
        given = ("generate", "--raw", "--max-new-tokens", 1, "--model", gguf, "--engine")
        done = ta(*given, engine, "--save", tmp_path / engine, stdin=TEXT.encode())
        assert done.status == 0, done.err
        done = ta(*given, other, "--load", tmp_path / engine, stdin=b"Which?")
        assert done.status == 2 and f"--engine {engine}" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--method", "h2o"), "'h2o' reads"),
        (("--method", "ta+snapkv"), "--engine transformers"),
        (("--dtype", "float32"), "the types of the file"),
        (("--storage", "int8"), "cells are of one type"),
        (("--engine", "vllm"), "one of transformers, llama.cpp"),
        (("--model", "embedded"), "runs a GGUF file"),
        (("--tokenizer", "embedded"), "reads with the file's"),
        (("--cell-type", "q3"), "one of f32, f16, bf16, q8_0"),
        (("--cell-type", "q8_0"), "block size 32 does not divide n_embd_head_k=16"),
        (("--flash-attn", "yes"), "one of auto, on, off"),
        (("--gpu-layers", -1), "gpu_layers must be at least 0"),
        (
            ("--engine", "transformers", "--flash-attn", "on"),
            "--flash-attn is of --engine llama.cpp",
        ),
    ],
)
def test_what_it_cannot_do_is_one_line(ta, gguf, options, said):
    done = generate(ta, gguf, *options)
    assert done.status == 2 and said in done.err and "Traceback" not in done.err


def test_what_runs_no_model_reads_with_the_files_tokenizer(ta, gguf, tmp_path):
    """A file whose way to split words transformers does not know."""
    path = write_family(tmp_path / "glm4.gguf", "glm4", length=4096)
    for command in ("plan", "inspect"):
        done = ta(command, "-", "--tokenizer", path, "--budget", 64, stdin=TEXT.encode())
        assert done.status in (0, 1) and not done.err, done.err
        assert "api_key" in done.out


def test_characters_of_several_tokens_are_written_whole(ta, gguf):
    done = generate(ta, gguf, "--budget", 48, "--max-new-tokens", 30, stdin="😀漢字é" * 30)
    assert done.status == 0 and done.out.endswith("\n"), done.err


def test_llama_cpp_runs_a_file_that_it_serves_where_nobody_names_an_engine(gguf):
    def engine(model, dtype="auto", tokenizer=None, **given):
        return chosen(None, str(model), Retention(128, **given), dtype, tokenizer)

    assert engine(gguf) == "llama.cpp"
    assert engine(gguf, dtype="float32") == engine(gguf, method="snapkv") == "transformers"
    assert engine(gguf, tokenizer="embedded") == "transformers"
    assert engine("embedded") == engine(gguf.parent / "none") == "transformers"
    with pytest.raises(InputError, match="no such file"):
        engine(gguf.parent / "none.gguf")


@pytest.mark.parametrize(
    ("given", "engine"), [((), "llama.cpp"), (("--storage", "int8"), "transformers")]
)
def test_generate_takes_it_by_itself_where_it_serves(recorded, gguf, given, engine):
    more = ("--model", gguf, "--raw", "--max-new-tokens", 2, *given)
    _, record = recorded("generate", *more, stdin=TEXT.encode())
    assert record["provenance"]["arguments"]["engine"] == engine


def test_cells_of_other_types_take_other_space(recorded, gguf):
    stored = {}
    for kind, flash in (("f32", "off"), ("f16", "on"), ("bf16", "auto")):
        given = ("--cell-type", kind, "--flash-attn", flash, "--gpu-layers", 0)
        stored[kind] = generate(recorded, gguf, *given, "--budget", 48)[1]["stored_bytes"]
    assert stored["f32"] > 1.9 * stored["f16"] and stored["f16"] == stored["bf16"]


def test_a_needle_is_counted(ta, recorded, gguf):
    sizes = ("--context", 400, "--trials", 1, "--depths", "0.5", "--budgets", 48)
    methods = ("--methods", "full,oracle,ta", "--filler", "anchor-free")
    _, record = recorded("needle", *LLAMA, gguf, *sizes, *methods, "--threads", 1)
    rows = {row["method"]: row for row in record["rows"]}
    assert rows["ta"]["retained"] == rows["full"]["retained"] == rows["oracle"]["retained"] == 1
    assert rows["ta"]["max_live_tokens"] == 48 < rows["full"]["max_live_tokens"]
    assert rows["ta"]["stored_bytes"] < rows["full"]["stored_bytes"] / 4
    refused = ta("needle", *LLAMA, gguf, *sizes, "--methods", "ta,h2o,snapkv")
    assert refused.status == 2 and "h2o" in refused.err and "snapkv" in refused.err


def test_the_benchmark_measures_beside_its_own_peers(recorded, gguf):
    sizes = ("--tokens", 300, "--budget", 48, "--rounds", 1, "--chunk", 100)
    _, record = recorded("bench", "llama-cpp", "--model", gguf, *sizes)
    rows = {row["name"]: row for row in record["rows"]}
    assert list(rows)[:2] == ["full context", "context shift"]
    assert rows["ta"]["kv_bytes"] < rows["full context"]["kv_bytes"] / 4
    assert rows["ta"]["kv_bytes"] == rows["ta, compact positions"]["kv_bytes"]
    assert all(row["decode_tokens_per_s"] > 0 for row in rows.values())


def test_the_server_is_measured_and_an_interrupted_run_goes_on(recorded, gguf, tmp_path):
    pytest.importorskip("servers")
    state = tmp_path / "state"
    sizes = ("--tokens", 1600, "--turns", 5, "--budget", 96, "--rounds", 1, "--chunk", 128)
    given = ("bench", "serve", "--model", gguf, *sizes, "--state", state)
    done, record = recorded(*given)
    rows = {row["name"]: row for row in record["rows"]}
    assert list(rows) == [
        *("bare engine", "ta serve", "ta serve: ta", "context shift", "full context"),
        "keep-sets of transformers",
    ]
    ours, full = rows["ta serve: ta"], rows["full context"]
    assert ours["kv_early_bytes"] == ours["kv_bytes"] < full["kv_bytes"] / 4
    assert ours["turns"] == full["turns"] == 5 and ours["read"] > 1200
    assert rows["keep-sets of transformers"]["same"] == 20
    assert "ta serve: ta" in done.out and "20/20" in done.out
    for path in state.glob("*/turns.json"):
        turns = json.loads(path.read_text())
        path.write_text(json.dumps(turns[:3]))
        recorded(*given)
        assert [t["tokens"] for t in json.loads(path.read_text())] == [t["tokens"] for t in turns]


@pytest.mark.parametrize("model", ["embedded", "smollm2"])
def test_conversations_after_one_document_are_measured_beside_a_peer(recorded, model):
    pytest.importorskip("servers")
    if model == "smollm2":
        skip_without_smollm2()
    sizes = ("--tokens", 150, "--budget", 128, "--rounds", 1)
    _, record = recorded("bench", "beginnings", "--model", model, *sizes)
    peer = "llama-server" if model == "smollm2" else "ta serve, all read anew"
    named = [(row["what"].split()[0], row["name"]) for row in record["rows"]]
    assert named == [(n, arm) for n in ("first", "second", "third") for arm in (peer, "ta serve")]
    assert all(row["median_ms"] > 0 for row in record["rows"]) and "load" in record["notes"][0]


def test_the_server_and_the_stock_one_are_measured_as_a_process_each(
    ta, recorded, tmp_path, monkeypatch
):
    pytest.importorskip("servers")
    skip_without_smollm2()
    monkeypatch.setattr(servers, "TURNS", 1)
    monkeypatch.setattr(servers, "SAID", 8)
    sizes = ("--tokens", 60, "--budget", 256, "--rounds", 1, "--state", tmp_path)
    given = ("bench", "llama-server", "--model", "smollm2", *sizes)
    absent = ta(*given, "--ta", tmp_path / "absent")
    assert absent.status == 2 and "absent does not start" in absent.err
    done, record = recorded(*given)
    stock, ours = record["rows"]
    assert (stock["name"], ours["name"]) == ("llama-server", "ta serve")
    assert "load" in record["notes"][0] and "ta serve" in done.out
    for row in (stock, ours):
        for measure, speed in (("cold", None), ("next", None), ("token", "speed")):
            ratio = row[f"{measure}_s"] / stock[f"{measure}_s"]
            assert row[f"{speed or measure}_ratio"][1] == pytest.approx(
                1 / ratio if speed else ratio
            )
        assert 0 < row["listening_s"] <= row["ready_s"]
        if Path("/proc/self/status").is_file():
            assert 0 < row["listening_cpu_s"] <= row["ready_cpu_s"]
            assert row["rss_peak_bytes"] >= row["rss_bytes"] > 1e8
    _, again = recorded(*given, "--ta", tmp_path / "absent")  # all is in the state
    assert again["rows"] == record["rows"]
