"""The report of a folder of records: all of it is there, nothing of a record is markup."""

import json
import re
import shlex
import sys

import pytest

import report_records as made
from ta_lab.report import PAGE, write_report
from ta_lab.report.content import read_report
from ta_lab.report.context_panels import LackingError, parts
from ta_lab.report.figures import drawn, redrawn
from ta_lab.report.page import text_html
from ta_lab.report.records import command
from transactional_attention import InputError

HOSTILE = '<script>document.title="taken"</script> ![x](http://a.example/x.png) <b>"quoted"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report of records for every figure, one of them hostile, two broken, one left out."""
    path = made.write(tmp_path_factory.mktemp("report"), made.needle())
    hostile = made.committed("hardmode")
    refused = made.cell("similar", 1, made.Arm("tova", 64)) | {
        "refused": HOSTILE,
        "filler": HOSTILE,
    }
    hostile["rows"].append(refused)
    mechanism = made.committed("mechanism")
    mechanism["rows"][0]["pieces"][0] = HOSTILE
    made.write(path, hostile, mechanism)
    for name, text in (
        ("formats", "{oops"),
        ("variants", '{"experiment": "variants", "rows": [{"a": 1}]}'),
        ("toolcall", '{"experiment": "needle", "rows": []}'),
        ("perplexity", json.dumps(made.record("perplexity", [], left_out="no text, see --data"))),
    ):
        (path / "records" / f"{name}.json").write_text(text)
    write_report(path)
    return path


@pytest.fixture(scope="module")
def page(folder):
    return (folder / PAGE).read_text()


def part(page, name):
    """The section of that id."""
    return re.search(rf'<section id="{name}">.*?</section>', page, re.DOTALL)[0]


def test_it_needs_no_network(page):
    assert "default-src 'none'" in page
    found = re.sub(re.escape("![x](http://a.example/x.png)"), "", page)
    assert not re.search(r"https?://|\bsrc=|@import|<img|<link", found)
    assert set(re.findall(r"url\((.)", found)) <= {"#"}


def test_text_of_records_is_no_markup(page, folder):
    assert page.count("<script>") == 1 and page.count("</script>") == 1
    assert '<b>"quoted"' not in page
    assert "&lt;script&gt;" in part(page, "hardmode")
    assert "<script" not in "".join(p.read_text() for p in folder.glob("figures/*.svg"))


def test_a_broken_record_is_named_and_the_others_are_shown(page):
    for name in ("formats", "variants", "toolcall"):
        assert f"records/{name}.json cannot be shown" in part(page, name)
    assert "it is no JSON" in part(page, "formats") and "KeyError" in part(page, "variants")
    assert "Left out: no text, see --data." in part(page, "perplexity")
    absent = part(page, "models")
    assert "No record yet." in absent and "ta reproduce models --out" in absent
    assert "paper 100" in part(page, "needle")
    longbench = part(page, "longbench")
    assert "No record yet." in longbench and "no record is beside" in longbench
    assert "<td>42</td>" in longbench and "<td>45</td>" in longbench


def test_without_matplotlib_all_but_the_figures_is_there(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    report = write_report(made.write(tmp_path, made.needle()))
    assert "install the extra `figures`" in report.no_figures
    page = (tmp_path / PAGE).read_text()
    assert "install the extra `figures`" in part(page, "figures")
    assert "as in the paper" in part(page, "needle")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no records: make one with `ta reproduce needle"):
        read_report(tmp_path)


def test_it_says_what_it_was_measured_on(tmp_path):
    origin = {"model": "m.gguf", "arguments": {"size": "default", "tokens": 2048}}
    folder = made.write(tmp_path, made.needle() | {"provenance": origin})
    write_report(folder)
    shown = (folder / PAGE).read_text()
    assert "Measured on m.gguf." in shown and "here in 2,048 tokens" in part(shown, "needle")
    assert "measured on m.gguf. Shares" in (folder / "report.md").read_text()


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


def test_a_panel_says_which_record_it_needs():
    panels = redrawn("composition", {}).panels
    assert [(p.needs, p.why, p.svg) for p in panels] == 2 * [
        ("composition", "No record of composition.", "")
    ]
    alone = made.record("composition", [made.cell("needle", 3, made.Arm("tova", 16))])
    assert (
        "no method beside its twin at K=16"
        in redrawn("composition", {"composition": alone}).panels[0].why
    )
    broken = made.record("composition", [{"method": "tova"}, 3])
    assert "cannot be drawn" in redrawn("composition", {"composition": broken}).panels[0].why
    with pytest.raises(LackingError, match="no rows of its part rank"):
        parts(made.committed("mechanism"), "rank")


def test_a_panel_is_the_same_twice_and_takes_the_pages_colours():
    def once():
        draw = lambda axes, record: axes.plot([1, 2], label="<x>")  # noqa: E731
        return drawn({"needle": {}}, "panel", "", "", "needle", draw).svg

    first = once()
    assert first == once() and first.startswith("<svg ")
    assert "var(--faint" in first and "#6a6d71" not in first.replace(", #6a6d71)", "")


@pytest.mark.parametrize(
    "text", ["[a](javascript:x)", "![a](http://a.example)", "<img src=x>", "<http://a.example>"]
)
def test_markdown_makes_no_link_and_no_image(text):
    html = text_html(f"| a |\n|---|\n| {text} |")
    assert "<a " not in html and "<img" not in html and 'class="scroll"' in html
