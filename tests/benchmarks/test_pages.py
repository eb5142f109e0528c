"""Tables and the page of benchmark records."""

import json
import re
from pathlib import Path

import pytest

from ta_lab.benchmarks.registry import BENCHMARKS, RUNS
from ta_lab.benchmarks.tables import COLUMNS, bench_table
from ta_lab.report.tables import fill_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "performance.md", ROOT / "docs" / "tables" / "performance.md"]


def test_a_section_waits_for_its_record_and_is_filled_when_it_comes(tmp_path):
    page = "Not yet recorded ([record](new.json)):\n\n| not yet recorded |\n|---|\n"
    assert fill_page(page, tmp_path) == page
    record = (ROOT / "docs" / "records" / "bench-decode.json").read_text()
    (tmp_path / "new.json").write_text(record)
    filled = fill_page(page, tmp_path)
    assert bench_table(json.loads(record)) in filled and "ot yet recorded" not in filled
    (tmp_path / "new.json").unlink()
    with pytest.raises(OSError, match=r"new\.json"):
        fill_page(filled, tmp_path)


def shown_text():
    """The page and its longer tables."""
    return "".join(page.read_text() for page in PAGES)


def test_every_benchmark_has_a_run_sizes_and_a_table():
    assert RUNS.keys() == BENCHMARKS.keys()
    records = (ROOT / "docs" / "records").glob("bench-*.json")
    shown = {row["benchmark"] for r in records for row in json.loads(r.read_text())["rows"]}
    assert COLUMNS.keys() == RUNS.keys() | shown  # records of former benchmarks are shown too


def test_the_page_shows_every_benchmark():
    text = shown_text()
    for name in BENCHMARKS:
        assert f"records/bench-{name}.json)):" in text
        assert f"bench {name}" in text


def test_the_page_and_the_script_run_the_same_commands_and_no_range_is_one_number():
    page = shown_text().replace("\\\n", " ")
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
