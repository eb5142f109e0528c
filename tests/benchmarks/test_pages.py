"""Tables, figures and the page of benchmark records; commands that refuse what cannot be."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest

from ta_lab.benchmarks.figures import FIGURES, agent_figure, decode_figure, draw, memory_figure
from ta_lab.benchmarks.prefill import PARTS, PATH, WHOLE
from ta_lab.benchmarks.registry import BENCHMARKS
from ta_lab.benchmarks.tables import COLUMNS, bench_table, size
from ta_lab.report.tables import caption, fill_page
from transactional_attention import InputError

ROOT = Path(__file__).parents[2]
TIMED = {
    "name": "ta",
    "tokens": 4096,
    "budget": 16,
    "median_ms": 2.0,
    "range_ms": [1.0, 3.0],
    "ratio": 1.25,
    "ratio_range": [1.0, 1.5],
    "rounds": 7,
}
HELD = {"kv_peak_bytes": 2_500_000, "kv_share": 0.0005, "rss_peak_bytes": 4e8, "seconds": 240.0}
ROWS = {
    "detectors": {**TIMED, "mb_per_s": 2.5},
    "agent": {**TIMED, "last_ms": 9.0, "tokens_per_s": 70.0, "kv_bytes": 1e6, "held": 3,
              "values": 3, "correct": 2},
    "memory": {**TIMED, **HELD, "measured": True},
    "stream": {**TIMED, **HELD, "value_at": 0.005, "held": True, "correct": False, "sittings": 2,
               "seed": 0, "marks": [{"tokens": 2048, **HELD}, {"tokens": 2100, **HELD}]},
    "columns": {**TIMED, "peak_bytes": 1e9, "bytes_ratio": 0.1},
    "peers": {**TIMED, "what": "prefill", "kv_bytes": 1e6},
}  # fmt: skip


def record(benchmark, **row):
    made = {"benchmark": benchmark, **ROWS.get(benchmark, TIMED), **row}
    arguments = {"dtype": "float32", "shape": None, "device": "cpu"}
    origin = {
        "commit": "abcdef012345",
        "dirty": False,
        "model": "embedded",
        "arguments": arguments,
        "machine": {"cpus": 2, "cpu": "a processor", "threads": 1},
        "versions": {"torch": "2.0", "transformers": "5.0"},
    }
    return {"provenance": origin, "rows": [made], "notes": ["no peer is installed"]}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_benchmark_has_a_table(benchmark):
    head, rule, line = bench_table(record(benchmark)).splitlines()
    assert (
        len(COLUMNS[benchmark]) == head.count("|") - 1 == line.count("|") - 1 == rule.count("---")
    )
    assert "| ta |" in line


def test_cells_say_what_was_measured_and_what_was_not():
    assert "| 2/3 |" in bench_table(record("agent"))
    assert "| 4.0 min | 2.5 MB | 0.05% |" in bench_table(record("stream"))
    assert "no |" in bench_table(record("stream"))
    assert "(computed)" in bench_table(record("memory", measured=False))
    assert [size(n) for n in (999, 1000, 32_768, 4.3e9)] == ["999 B", "1 KB", "32.8 KB", "4.3 GB"]


def test_the_caption_names_model_machine_commit_and_what_is_missing():
    line = caption(record("decode"))
    wanted = (
        "embedded in float32",
        "7 rounds",
        "1 thread,",
        "a processor (2 cores)",
        "abcdef0",
        "no peer",
    )
    assert all(word in line for word in wanted)
    card = record("decode")
    card["provenance"]["arguments"] |= {"card": "a card", "shape": "llama-3.2-1b"}
    card["provenance"]["arguments"]["tokenizer"] = "llama3"
    card["provenance"]["machine"]["threads"] = 16
    line = caption(card)
    for word in ("a card", "random weights", "16 threads,", "tokenizer llama3,"):
        assert word in line


def test_a_section_waits_for_its_record_and_is_filled_when_it_comes(tmp_path):
    page = "Not yet recorded ([record](new.json)):\n\n| not yet recorded |\n|---|\n"
    assert fill_page(page, tmp_path) == page
    (tmp_path / "new.json").write_text(json.dumps(record("decode")))
    filled = fill_page(page, tmp_path)
    assert bench_table(record("decode")) in filled and "ot yet recorded" not in filled
    (tmp_path / "new.json").unlink()
    with pytest.raises(OSError, match=r"new\.json"):
        fill_page(filled, tmp_path)


def test_the_page_is_what_its_records_make_and_shows_every_benchmark():
    page = (ROOT / "docs" / "performance.md").read_text()
    assert fill_page(page, ROOT / "docs") == page
    for name in BENCHMARKS:
        assert f"](records/bench-{name}.json)):" in page
        assert f"bench {name}" in page


def test_the_page_and_the_script_run_the_same_commands_and_no_range_is_one_number():
    page = (ROOT / "docs" / "performance.md").read_text().replace("\\\n", " ")
    script = (ROOT / "docs" / "records" / "make").read_text().replace("\\\n", " ")
    shown = {
        name: command.split()
        for command, name in re.findall(r"^ta bench (.*) --json \S+/bench-(.*)\.json$", page, re.M)
    }
    run = {
        name: command.split()
        for name, command in re.findall(r"^(?:if .*; then )?bench (\S+) ([^;\n]*)", script, re.M)
    }
    assert shown == run
    asked = [
        command[command.index("--rounds") + 1] for command in run.values() if "--rounds" in command
    ]
    assert asked and min(map(int, asked)) >= 3
    assert run["memory"][-1].endswith(",1048576")


def test_figures_are_drawn_from_the_records_that_are_there(tmp_path):
    assert draw(tmp_path, tmp_path) == []
    prefill = record("prefill", name="bare forward")
    prefill["rows"] += [{**TIMED, "name": f"ta: {part}"} for part in (WHOLE, *PARTS, PATH)]
    peers = record("peers", name="bare forward")
    peers["rows"] += [
        {**ROWS["peers"], "name": name} for name in ("ours: ta", "kvpress KVzipPress")
    ]
    steps = record("decode", name="QuantizedCache fp8, 4096 random tokens")
    for name in ("DynamicCache, 16 tokens", "ta", "ta, compact positions"):
        steps["rows"].append({**TIMED, "name": name})
    records = {
        "bench-memory": record("memory", measured=False, name="full cache", budget=None),
        "bench-stream": record("stream"),
        "bench-decode": steps,
        "bench-prefill-1b": prefill,
        "bench-agent-6k": record("agent", sessions=5, first_ms=[3.0, 2.0, 2.5]),
        "bench-peers": peers,
    }
    for name, made in records.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(made))
    drawn = draw(tmp_path, tmp_path)
    assert [path.stem for path in drawn] == list(FIGURES)
    words = {
        "prefill": ("embedded, 4,096 tokens, K = 16", "eviction", "2.00 ms, 1.2e+02%"),
        "decode": (
            *("DynamicCache of K tokens", "QuantizedCache fp8 of n tokens", "K = 16"),
            *("ta, compact positions", "4,096"),
        ),
        "agent": ("3 turns before the questions", "ta, K = 16"),
        "memory": ("ta, K = 16", "tokens read"),
        "peers": ("ours: ta", "kvpress KVzipPress", "over that of: bare forward"),
    }
    for path in drawn:
        written = path.read_text()
        assert all(word in written for word in words[path.stem]), path.stem


def test_the_page_shows_the_figures_that_exist_and_no_other(tmp_path):
    page = "Text.\n\n<!-- figure images/decode.svg: a step -->\n\nMore.\n"
    assert fill_page(page, tmp_path) == page
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "decode.svg").write_text("<svg/>")
    shown = fill_page(page, tmp_path)
    assert shown == page.replace("-->\n", "-->\n![a step](images/decode.svg)\n")
    assert fill_page(shown, tmp_path) == shown
    (tmp_path / "images" / "decode.svg").unlink()
    assert fill_page(shown, tmp_path) == page


def test_the_page_has_a_place_for_every_figure():
    page = (ROOT / "docs" / "performance.md").read_text()
    places = re.findall(r"^<!-- figure images/(\S+)\.svg: ", page, re.MULTILINE)
    assert sorted(places) == sorted(FIGURES)


@pytest.mark.parametrize(
    "figure",
    [partial(memory_figure, []), partial(decode_figure, [], 16), partial(agent_figure, {})],
)
def test_no_rows_make_no_figure(tmp_path, figure):
    with pytest.raises(InputError, match="no rows"):
        figure(tmp_path / "x.svg")
