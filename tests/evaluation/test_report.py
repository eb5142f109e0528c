"""The report of a folder of records: all of it is there, and what cannot be read is named."""

import json
import re
import shlex

import pytest

import report_records as made
from ta_lab.report.records import command
from ta_lab.report.report import PAGE, write_report
from transactional_attention import InputError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report of two records, three broken ones, and one left out."""
    path = made.write(tmp_path_factory.mktemp("report"), made.needle())
    refused = made.cell("similar", 1, made.Arm("tova", 64)) | {"refused": "no detector"}
    made.write(path, made.record("hardmode", [refused]))
    for name, text in (
        ("formats", "{oops"),
        ("variants", '{"experiment": "variants", "rows": [{"marks": 1, "secret": "canary"}]}'),
        ("toolcall", '{"experiment": "needle", "rows": []}'),
        ("perplexity", json.dumps(made.record("perplexity", [], left_out="no text, see --data"))),
    ):
        (path / "records" / f"{name}.json").write_text(text)
    problems = write_report(path)
    assert len(problems) == 3
    return path


def part(folder, name):
    """The section of an experiment."""
    page = (folder / PAGE).read_text()
    return re.search(rf"^## {name}: .*?(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)[0]


def test_a_broken_record_is_named_and_the_others_are_shown(folder):
    for name in ("formats", "variants", "toolcall"):
        assert f"records/{name}.json cannot be shown" in part(folder, name)
    assert "it is no JSON" in part(folder, "formats")
    assert "KeyError" in part(folder, "variants") and "canary" not in part(folder, "variants")
    assert "Left out: no text, see --data." in part(folder, "perplexity")
    assert "| ta | 16 | – | 100 [84, 100] | 100 [84, 100] | 100 | 20 |" in part(folder, "needle")
    assert "- Not run: tova (similar): no detector" in part(folder, "hardmode")


def test_what_the_paper_has_is_shown_without_a_record(folder):
    longbench = part(folder, "longbench")
    assert "No record yet." in longbench and "ta reproduce longbench --out" in longbench
    assert "| 42 | – |" in longbench and "| 45 | – |" in longbench
    assert "less than 1" in part(folder, "latency") and ">50 GB" in part(folder, "scaling")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no records: make one with `ta reproduce needle"):
        write_report(tmp_path)


def test_it_says_what_it_was_measured_on(tmp_path):
    origin = {"model": "m.gguf", "arguments": {"size": "default", "tokens": 2048}}
    folder = made.write(tmp_path, made.needle() | {"provenance": origin, "unfinished": True})
    write_report(folder)
    shown = part(folder, "needle")
    assert "here in 2,048 tokens. Model m.gguf; seed unknown; commit aaaaaaa;" in shown
    assert "The run was interrupted" in shown


def test_a_command_has_all_that_decides_the_figures():
    asked = {"arguments": {"size": "quick", "trials": 3, "filler": "pydoc"}, "seed": 4}
    record = made.needle() | {"provenance": asked, "given": {"data": "my data"}}
    words = shlex.split(command("needle", record, "out/report"))
    assert words == [
        "ta", "reproduce", "needle", "--quick", "--seed", "4", "--trials", "3", "--data",
        "my data", "--out", "out/report",
    ]  # fmt: skip
    asked["arguments"] = {"only": ["oracle", "ta"], "budgets": [16, 64], "tokens": 9, "raw": True}
    part = shlex.split(command("needle", record, "out"))
    assert part[3:-4] == [
        "--seed", "4", "--only", "oracle,ta", "--budgets", "16,64", "--tokens", "9", "--raw",
    ]  # fmt: skip
    assert "--only" not in command("all", record, "out")
    assert command("bfcl", None, "out") == "ta reproduce bfcl --out out"
