"""Figures of the paper come from its data file alone, and stand in the lines that it names."""

import copy
import json
import math
import re
from pathlib import Path

import pytest

import report_records as made
from report_records import PAPER, needs_paper
from ta_lab.benchmarks.footprint import explain
from ta_lab.experiments import ablation, audit, needle, paper, scaling
from ta_lab.experiments.catalogue import EXPERIMENTS
from ta_lab.experiments.paper import figure, figures, figures_for

AUDIT = json.loads(
    (Path(__file__).parents[3] / "docs/report-embedded/records/audit.json").read_text()
)
DERIVED = {("ablation", "spread", 73)}  # 100 less 27
IN_WORDS = {"failing on all non-English": 0, "OOM": "out of memory", "$>$50GB": ">50"}


def stated(one, line):
    """Whether a line of the source has a figure, as it is or in words."""
    line += re.sub(r"-{2,3}", "–", re.sub(r"[\\$]", "", line))  # beside it, as it reads in print
    worded = any(
        words in line for words, value in IN_WORDS.items() if value in (one.value, one.words)
    )
    return worded or any(text in line for text in (one.shown, f"{one.value:g}", f"{one.value:,}"))


@needs_paper
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_figure_stands_in_the_line_that_it_names(name):
    lines = PAPER.read_text(encoding="utf-8").splitlines()
    lost = [
        (one.name, one.line, one.shown)
        for one in figures(name)
        if (name, one.measure, one.value) not in DERIVED and not stated(one, lines[one.line - 1])
    ]
    assert lost == []


CELL = re.compile(r"(\d+(?:\.\d+)?)(?:%|GB|ms)?")


@needs_paper
def test_every_number_in_a_table_of_the_paper_is_a_figure():
    known = [one for name in EXPERIMENTS for one in figures(name)]
    omissions, inside = [], False
    for number, line in enumerate(PAPER.read_text(encoding="utf-8").splitlines(), 1):
        inside = (inside or "\\begin{tabular" in line) and "\\end{tabular" not in line
        entries = [one for one in known if one.line == number]
        values = {one.value for one in entries} | {one.match.get("budget") for one in entries}
        cells = re.sub(r"\\textbf|[{}\\$>]", "", line).split("&") if inside else []
        numbers = [match[1] for cell in cells if (match := CELL.fullmatch(cell.strip()))]
        omissions += [(number, value) for value in numbers if float(value) not in values]
    assert omissions == []


def test_a_figure_is_a_number_or_words_with_its_bound():
    assert (figure("audit", "rank").value, figure("audit", "rank").shown) == (3847, "3847")
    more = figure("scaling", "memory", block="7168", method="tova")
    assert (more.value, more.shown, more.unit) == (50, ">50", "GB")
    lost = figure("scaling", "latency", block="7168", method="tova")
    assert math.isinf(lost.value) and lost.shown == "out of memory"


def test_a_figure_that_is_not_the_only_one_is_refused():
    with pytest.raises(LookupError, match="2 figures of scaling, memory"):
        figure("scaling", "memory", block="4096")
    with pytest.raises(LookupError, match="0 figures of audit, weight"):
        figure("audit", "weight")


def test_only_shares_of_cases_stand_beside_cells():
    assert {one.unit for name in EXPERIMENTS for one in figures_for(name)} == {"%", "% kept"}
    assert figures("scaling", "memory") and not figures_for("latency")


@pytest.fixture
def changed(monkeypatch):
    """Every number of the data file is another."""

    def more(value):
        if value is None or isinstance(value, str):
            return value
        return value + 9 if value < 4000 else 2 * value

    data = copy.deepcopy(paper.data())
    for table in data["tables"]:
        for row in table["rows"]:
            row["values"] = [more(value) for value in row["values"]]
    monkeypatch.setattr(paper, "data", lambda: data)
    figures.cache_clear()
    yield
    figures.cache_clear()


def arms(name):
    return {"name": name, "median_ms": 1.0, "range_ms": [1.0, 1.0], "ratio": 1.0,
            "ratio_range": [0.98, 1.02], "rounds": 3}  # fmt: skip


TIMED = {"part": "prefill", "tokens": 4096, "budget": 16, "rounds": 3, "threads": 1,
         "arms": [arms("plain"), arms("ta-fast-semantic")]}  # fmt: skip
MODELLED = [explain("Llama-3.2-1B", *place) for place in ((4096, 16), (7168, 32), (8192, 64))]
CREDENTIAL = {"part": "credential", "tokenizer": "llama3", "tokens": 7}


def shown():
    """All that says a figure of the paper of what is no share of cases."""
    return "\n".join([
        audit.tables(AUDIT),
        ablation.tables(made.committed("ablation")),
        scaling.tables(made.record("scaling", MODELLED)),
        scaling.latency_tables({"rows": [TIMED]}),
        needle.token_tables(made.record("tokenizers", [CREDENTIAL])),
    ])  # fmt: skip


BEFORE = ("3,847th of 4,000", "spread 73, least 27, most 100", "4, 12, 0",
          "12 main, 4 protected", "| 2.1 | 2.0 |", "4.5 GB", "8.7 GB", "5.8 GB", "52 % of memory",
          "0.361", "| llama3 | 7 | 7 |")  # fmt: skip


def test_tables_say_what_the_data_file_says():
    text = shown()
    assert [phrase for phrase in BEFORE if phrase not in text] == []


def test_no_figure_of_the_paper_stands_in_code(changed):
    text = shown()
    kept = [phrase for phrase in BEFORE if phrase in text]
    assert kept == []
    assert "3,856th of 8,000" in text and "| 11.1 | 2.0 |" in text
