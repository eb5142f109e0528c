"""Tables, figures and the page of benchmark records; commands that refuse what cannot be."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

from ta_lab.benchmarks.figures import FIGURES, agent_figure, decode_figure, draw, memory_figure
from ta_lab.benchmarks.registry import BENCHMARKS
from ta_lab.benchmarks.tables import bench_table
from ta_lab.report.tables import fill_page
from transactional_attention import InputError

ROOT = Path(__file__).parents[2]


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


def test_the_page_shows_every_benchmark():
    page = (ROOT / "docs" / "performance.md").read_text()
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


def words(svg):
    return re.findall(r">([^<>]+)</text>", svg.read_text())


def test_figures_are_those_of_the_records_that_are_there(tmp_path):
    assert draw(tmp_path, tmp_path) == []
    drawn = draw(ROOT / "docs" / "records", tmp_path)
    assert [path.stem for path in drawn] == list(FIGURES)
    for path in drawn:
        assert words(path) == words(ROOT / "docs" / "images" / path.name) != []


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
