"""The report of a folder of records: all of it is there, nothing of a record is markup."""

import csv
import html
import io
import json
import re
import sys
from collections import Counter

import pytest

import report_records as made
from browser import dom_of
from ta_lab.experiments import EXPERIMENTS
from ta_lab.experiments.paper import figures
from ta_lab.report import PAGE, write_report
from ta_lab.report.content import read_report
from ta_lab.report.tables import fill_verdicts
from transactional_attention import InputError

HOSTILE = '<script>document.title="taken"</script> ![x](http://a.example/x.png) <b>"quoted"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report of records for every figure, one of them hostile, two broken, one left out."""
    path = made.write(tmp_path_factory.mktemp("report"))
    hostile = made.hardmode()
    refused = made.cell("similar", 1, made.Arm("tova", 64)) | {
        "refused": HOSTILE,
        "filler": HOSTILE,
    }
    hostile["rows"].append(refused)
    mechanism = made.mechanism()
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


def test_every_column_has_a_name_and_no_line_stands_twice(page):
    assert not re.findall(r"<th[^>]*></th>", page)
    for name in ("passes", "differs", "ceilings"):
        lines = re.findall(r"<tr>.*?</tr>", part(page, name), re.DOTALL)
        assert len(lines) == len(set(lines)) > 1


def test_every_figure_is_drawn_and_no_id_is_taken_twice(page, folder):
    assert {path.stem.partition("-")[0] for path in folder.glob("figures/*.svg")} >= {
        "hero", "mechanism", "failure", "scaling", "composition",
    }  # fmt: skip
    figures = part(page, "figures")
    assert figures.count("<svg ") == len(list(folder.glob("figures/*.svg")))
    ids = re.findall(r'id="([a-z][0-9a-f]{10})"', figures)
    assert ids and len(ids) == len(set(ids))  # of clip paths and markers, over all panels
    assert "<metadata" not in figures and "<dc:" not in figures


def test_tables_stand_beside_the_papers(page):
    needle = part(page, "needle")
    assert "Table 1, needle (the paper: Llama-3.2-1B, n=50)" in needle
    line = re.search(r'<tr><th scope="row">tova</th>(.*?)</tr>', needle, re.DOTALL)[1]
    cells = line.split("</td>")
    assert "paper 0" in cells[0] and "= as in the paper" in cells[0]
    assert "<b>30</b> [15, 52]" in cells[1] and "▲ above" in cells[1]
    assert needle.count('<tr class=own><th scope="row">ta</th>') >= 1


def test_the_summary_has_each_baseline_in_its_best_setting(page, folder):
    summary = part(page, "summary")
    assert "Against each baseline's best honest setting" in html.unescape(summary)
    assert "question hidden, strict, 4 sinks and the tail" in summary
    assert "Against each baseline's best honest setting" in (folder / "report.md").read_text()


def test_what_differs_and_what_passes_is_listed(page):
    assert "hardmode: Table 11, ta-learned, similar, K=64" in part(page, "passes")
    assert "needle: ta-fast-semantic, as printed, needle, K=16" in part(page, "differs")
    assert "hardmode: overall" in part(page, "ceilings")


def test_markdown_and_csv_say_the_same(folder):
    text = (folder / "report.md").read_text()
    assert "### needle, n=20" in text and "![b. Kept whole at K=16](figures/hero-b.svg)" in text
    rows = list(csv.DictReader(io.StringIO((folder / "csv" / "needle.csv").read_text())))
    cell = next(row for row in rows if row["cell"] == "needle, tova, K=64")
    assert (cell["retained"], cell["trials"], json.loads(cell["marks"])[""][:6]) == (
        "6", "20", "bbbbbb",
    )  # fmt: skip
    beside = list(csv.DictReader(io.StringIO((folder / "csv" / "paper.csv").read_text())))
    found = [row for row in beside if row["method"] == "h2o" and row["column"] == "paraphrased"]
    assert [(row["paper"], row["verdict"]) for row in found] == [("60", "below")]


def test_the_csv_has_every_figure_of_the_paper(folder):
    beside = list(csv.DictReader(io.StringIO((folder / "csv" / "paper.csv").read_text())))
    known = [(name, one) for name in EXPERIMENTS for one in figures(name)]
    assert len(beside) >= len(known) > 200
    lines = {(row["experiment"], row["line"]) for row in beside}
    assert [one for name, one in known if (name, str(one.line)) not in lines] == []
    told = Counter((row["experiment"], row["line"]) for row in beside)
    wanted = Counter((name, str(one.line)) for name, one in known)
    assert {place: n for place, n in wanted.items() if told[place] < n} == {}
    alone = [row for row in beside if row["note"]]
    assert all(row["paper"] and not row["answered"] + row["kept"] for row in alone)
    notes = {row["experiment"]: row["note"] for row in alone}
    assert notes["models"] == "no cell here: not run" and "measured" in notes["ablation"]


def test_a_page_says_what_holds_with_the_record_of_each(folder):
    page = f"Before.\n\n<!-- verdicts {folder.name} -->\n\nBehind.\n"
    made = fill_verdicts(page, folder.parent)
    assert fill_verdicts(made, folder.parent) == made
    assert made.startswith("Before.") and made.endswith("|\n\nBehind.\n")
    lines = {line.split(" | ")[0]: line for line in made.splitlines() if line.startswith("|")}
    needle = lines[f"| [needle]({folder.name}/records/needle.json)"]
    assert "reproduced" in needle and "0 of" in needle
    assert any("formats.json" in line and "| formats |" in line for line in lines.values())
    assert any("no text, see --data" in line for line in lines.values())


def test_without_matplotlib_all_but_the_figures_is_there(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    report = write_report(made.write(tmp_path, made.needle()))
    assert "install the extra `report`" in report.no_figures
    page = (tmp_path / PAGE).read_text()
    assert "install the extra `report`" in part(page, "figures")
    assert "as in the paper" in part(page, "needle")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no records: make one with `ta reproduce needle"):
        read_report(tmp_path)


CLICKS = """
<script>
addEventListener("load", () => {
  const said = {};
  for (const link of document.querySelectorAll("nav a")) {
    const target = document.getElementById(link.getAttribute("href").slice(1));
    link.click();
    said[link.textContent] = target !== null && location.hash === link.getAttribute("href");
  }
  const fold = document.querySelector("#needle details");
  fold.querySelector("summary").click();
  const rows = fold.querySelectorAll("table tr").length;
  dispatchEvent(new Event("beforeprint"));
  const shut = document.querySelectorAll("details:not([open]):not(.runs)").length;
  const frame = document.createElement("iframe");
  frame.style.width = "390px";
  frame.srcdoc = document.documentElement.outerHTML.replaceAll("<script", "<template");
  frame.onload = () => {
    const body = frame.contentDocument.documentElement;
    const out = {said, open: fold.open, rows, shut, wide: body.scrollWidth, title: document.title,
                 buttons: document.querySelectorAll(".run button").length};
    document.body.innerHTML = "<pre id=found></pre>";
    document.getElementById("found").textContent = JSON.stringify(out);
  };
  document.body.append(frame);
});
</script>
"""


def test_a_reader_clicks_through_it(folder, page, tmp_path):
    clicked = tmp_path / "clicked.html"
    clicked.write_text(page.replace("default-src 'none'", "default-src * 'unsafe-inline'") + CLICKS)
    found = re.search(r'<pre id="found">(.*?)</pre>', dom_of(clicked, tmp_path))[1]
    result = json.loads(html.unescape(found))
    assert len(result["said"]) > 15 and all(result["said"].values())
    assert result["open"] and result["rows"] > 20 and result["shut"] == 0
    assert result["buttons"] > 20
    assert result["wide"] <= 390  # wide tables scroll inside themselves
    assert result["title"] == "The paper, measured again"
