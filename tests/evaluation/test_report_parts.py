"""Names of cells, commands, verdicts and panels: what a report is put together from."""

import shlex

import pytest

import report_records as made
from ta_lab.report.context_panels import LackingError, parts
from ta_lab.report.figures import drawn, redrawn
from ta_lab.report.page import text_html
from ta_lab.report.records import command


def test_a_command_has_all_that_decides_the_figures():
    asked = {"arguments": {"size": "quick", "trials": 3, "filler": "pydoc"}, "seed": 4}
    record = made.needle() | {"provenance": asked, "given": {"data": "my data"}}
    words = shlex.split(command("needle", record, "out/report"))
    assert words == [
        "ta", "reproduce", "needle", "--quick", "--seed", "4", "--trials", "3", "--data",
        "my data", "--out", "out/report",
    ]  # fmt: skip
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
