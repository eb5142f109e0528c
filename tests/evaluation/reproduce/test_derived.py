"""``variant-map``: lines from records of others; absent and broken ones named."""

import json

import pytest

from report_records import PAPER, needs_paper, row
from ta_lab.experiments import variant_map
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import Arm
from ta_lab.experiments.variant_map import saved
from transactional_attention import InputError

ALL, NONE = 20 * "b", 20 * "-"
TA = Arm("ta", 32)


def write(folder, name, rows):
    (folder / f"{name}.json").write_text(json.dumps({"experiment": name, "rows": rows}))


def context(folder):
    return Context(lambda: pytest.fail("no model is needed"), records=folder)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"experiment": "needle", "rows": []}'])
def test_a_file_that_is_no_record_is_named(tmp_path, content):
    (tmp_path / "formats.json").write_text(content)
    with pytest.raises(InputError, match=r"formats\.json is no record of formats"):
        saved(tmp_path, ["formats"])
    assert saved(None, ["formats"]) == saved(tmp_path / "nowhere", ["formats"]) == {}


def test_a_run_of_modified_code_marks_all_of_its_rows(tmp_path):
    write(tmp_path, "needle", [row("needle", ALL, TA)])
    made = context(tmp_path)
    made.origin = {"commit": "r" * 40, "dirty": True}
    assert all(r["dirty"] for r in variant_map.run(made)["rows"])


def test_a_folder_without_records_has_no_map(tmp_path):
    for folder in (None, tmp_path):
        with pytest.raises(InputError, match=r"there are none yet: run needle, .* into the same"):
            variant_map.run(context(folder))
    write(tmp_path, "needle", [])  # left out, or interrupted at once
    with pytest.raises(InputError, match="there are none yet"):
        variant_map.run(context(tmp_path))


def test_the_map_stands_beside_the_papers_own_tables():
    rows = {line["name"]: variant_map.mapped(line, None) for line in variant_map.variants()}
    assert len(rows) == 9
    models = rows["Multi-model"]
    assert models["methods"] == ["ta-fast-regex", "ta-full"]
    assert models["shown"] == ["ta-fast-regex", "ta-fast-semantic"] and not models["recorded"]
    assert not rows["4-value agent"]["shown"]  # the paper has no table of it


def test_what_was_run_is_told_with_what_it_kept(tmp_path):
    learned = row("similar", ALL, Arm("ta-learned", 64)) | {"refused": "no detector"}
    learned = {name: value for name, value in learned.items() if name != "trials"}
    semantic = Arm("ta-fast-semantic", 64, preset="paper")
    rows = [learned, row("similar", ALL, semantic), row("early", NONE, semantic),
            row("similar", ALL, Arm("ta-fast-semantic", 128, preset="paper")),
            row("similar", ALL, Arm("tova", 64))]  # fmt: skip
    write(tmp_path, "hardmode", rows)
    rows = variant_map.run(context(tmp_path))["rows"]
    (line,) = (r for r in rows if r["name"] == "Hard Mode")
    expected = {"method": "ta-fast-semantic", "allow": False, "budget": 64}
    assert line["printed"] == [{**expected, "trials": 40, "kept": 20}] and line["built"] == []
    assert list(line["refused"]) == ["ta-learned"]
    shown = variant_map.tables({"rows": rows})
    assert "| ta-fast-semantic at K=64 50 [35, 65] | – | ta-learned |" in shown


@needs_paper
def test_the_papers_statements_stand_in_the_lines_that_they_name():
    text = PAPER.read_text(encoding="utf-8").splitlines()
    for line in variant_map.variants():
        assert line["name"] in text[line["line"] - 1]
