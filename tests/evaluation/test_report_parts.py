"""Names of cells, commands, verdicts and panels: what a report is put together from."""

from __future__ import annotations

import shlex

import pytest

import report_records as made
from ta_lab.experiments import get_experiment
from ta_lab.experiments.comparing import DIFFERS, INCOMPARABLE
from ta_lab.experiments.comparing import OUTCOMES as WORDS
from ta_lab.report.content import (
    ceilings,
    cells_of,
    differences,
    judgement_of,
    paper_tables,
    passings,
    verdicts,
)
from ta_lab.report.figures import LackingError, drawn, parts, redrawn
from ta_lab.report.page import text_html
from ta_lab.report.records import cell_names, command, without_cells
from transactional_attention.errors import UnknownNameError

QUICK = made.ORIGIN | {"arguments": {"size": "quick", "trials": 3, "filler": "pydoc"}, "seed": 4}


def quick(record):
    return record | {"provenance": QUICK}


def test_every_cell_has_a_name_of_its_own():
    for make in made.ALL:
        names = cell_names(make()["rows"])
        assert len(names) == len(set(names))
    rows = [
        {"part": "stream", "method": method, "budget": k, "perplexity": 3.0, "tokens": 9}
        for method in ("tova", "ta")
        for k in (16, 32)
    ]
    assert cell_names(rows)[:2] == ["stream, tova, 16", "stream, tova, 32"]
    assert cell_names([rows[0], rows[0]])[1].endswith(", 2")


def test_a_command_has_all_that_decides_the_figures():
    record = quick(made.needle()) | {"given": {"data": "my data"}}
    words = shlex.split(command("needle", record, "out/report", "needle, ta, K=16"))
    assert words == [
        "ta", "reproduce", "needle", "--quick", "--seed", "4", "--trials", "3", "--data",
        "my data", "--out", "out/report", "--again", "needle, ta, K=16",
    ]  # fmt: skip
    assert command("bfcl", None, "out") == "ta reproduce bfcl --out out"


def test_taking_cells_out_leaves_the_others():
    record = made.needle()
    rows = without_cells(record, ["needle, ta, K=16"])
    assert len(rows) == len(record["rows"]) - 1
    assert [row for row in record["rows"] if row in rows] == rows
    with pytest.raises(UnknownNameError, match="did you mean needle, ta, K=16"):
        without_cells(record, ["needle, ta, K=1"])


def test_verdicts_count_and_differences_list_the_same_figures():
    cells = cells_of(made.needle())
    counted, listed = verdicts(cells), differences(cells)
    assert counted["above"] + counted["below"] == len(listed) == 5
    assert sum(counted.values()) == len(cells.judged)
    assert {item.side for item in listed} == {"above", "below"}


def test_a_ceiling_under_95_percent_makes_answers_incomparable():
    cells = cells_of(made.needle(full=18))
    (ceiling,) = ceilings(cells)
    assert not ceiling.fair and ceiling.answered.startswith("90 [")
    assert set(verdicts(cells)) == {"not comparable"}
    assert {item.by for item in differences(cells)} == {"kept"}
    (main, _) = paper_tables(cells)
    full = dict(main.lines)["full"]
    assert full[0] is not None and full[0].verdict == "under 95%"


def test_each_model_of_a_table_has_its_own_column_and_what_was_not_run_says_why():
    arms = [made.Arm("ta-fast-regex", 16, preset="paper"), made.Arm("ta", 16)]
    rows = [made.cell("llama3", 20, arm, answered=False) for arm in arms]
    record = made.record("models", rows)
    (table,) = paper_tables(cells_of(record))
    assert "llama3, K=16 (the paper: its model in the column" in table.title
    assert table.columns == ["Llama-3.2-1B", "Llama-3.1-8B"]
    lines = dict(table.lines)
    assert [cell.paper for cell in lines["ta-fast-regex, as printed"]] == ["100", "100"]
    assert [(cell.paper, cell.note) for cell in lines["tova"]] == 2 * [("0", "needs the model")]
    assert [cell.paper for cell in lines["ta-fast-semantic, without sponsorship"]] == ["0", "0"]
    text = get_experiment("models").render(record)
    assert "100 (Llama-3.2-1B), 100 (Llama-3.1-8B)" in text
    assert "Table 3 (Llama-3.2-1B, Llama-3.1-8B, Mistral-7B, n unstated; lines 286 to 289)" in text


def test_the_paper_on_other_models_and_in_words_is_in_the_section():
    arms = [made.Arm("ta-fast-semantic", 16, preset="paper"), made.Arm("ta", 16)]
    rows = [made.cell("5 confusers", 7, arm) for arm in arms]
    text = get_experiment("confusers").render(made.record("confusers", rows))
    assert "Llama-3.1-8B: LearnRank 75, Regex 30, Learned 40, TOVA 0" in text
    assert "Mistral-7B: LearnRank 60, Regex 0, Learned 25, TOVA 0" in text
    (line,) = [line for line in text.splitlines() if "fails at 5+ decoys" in line]
    assert "ta-fast-semantic, as printed keeps 35 [18, 57]" in line and "; ta keeps 35" in line


def test_one_of_a_thing_is_no_plural():
    names = cell_names([made.cell(f"{n} confusers", 7, made.Arm("ta", 16)) for n in (1, 10)])
    assert names == ["1 confuser, ta, K=16", "10 confusers, ta, K=16"]


def test_a_figure_of_the_paper_that_differs_names_its_model():
    arm = made.Arm("ta-fast-regex", 16, preset="paper")
    record = made.record("models", [made.cell("llama3", 9, arm, answered=False)])
    assert [one.paper for one in differences(cells_of(record))] == [
        "100 (Llama-3.2-1B)", "100 (Llama-3.1-8B)",
    ]  # fmt: skip


def test_a_table_without_figures_of_cells_does_not_deny_the_others():
    rows = [made.cell("needle", 9, made.Arm("ta", 16))]
    said = "The paper has no number for these cells."
    assert said not in get_experiment("tokenizers").render(made.record("tokenizers", rows))
    assert said in get_experiment("composition").render(made.record("composition", rows))


def test_a_quick_run_is_shown_and_not_judged():
    record = quick(made.hardmode())
    cells = cells_of(record)
    assert not verdicts(cells) and not differences(cells) and not passings(record)
    (table,) = paper_tables(cells)
    found = [cell for _, line in table.lines for cell in line if cell is not None]
    assert any(cell.paper for cell in found) and not any(cell.verdict for cell in found)


def test_ta_passes_where_its_interval_lies_above_the_papers_figure():
    found = {item.cell: item for item in passings(made.hardmode())}
    similar = found["Table 11, ta-learned, similar, K=64"]
    assert similar.told.word == "passes" and similar.paper.startswith("35 (Similar anchors")
    assert found["Table 11, ta-learned, overall, K=64"].told.word != "passes"
    assert passings(made.needle()) == []


@pytest.mark.parametrize("make", made.ALL)
def test_every_experiment_ends_in_a_verdict(make):
    record = make()
    last = get_experiment(record["experiment"]).render(record).splitlines()[-1]
    verdict = last.removeprefix("Judgement: ")
    assert last != verdict and verdict.startswith((*WORDS, DIFFERS, INCOMPARABLE, "mixed"))


def test_the_last_line_of_judgement_is_taken():
    text = "Judgement: first.\n\n| a |\n\nJudgement: reproduced: 2 figures.\nEnd."
    assert judgement_of(text) == "reproduced: 2 figures."
    assert judgement_of("No line.") == ""


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
        parts(made.mechanism(), "rank")


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
