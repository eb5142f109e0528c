"""Tables and figures are built from records alone."""

import json
from pathlib import Path

import pytest

from ta_lab.cases.sweep import counts
from ta_lab.report.page_figures import needle_figure
from ta_lab.report.tables import EMBEDDED, caption, fill_page, needle_table
from transactional_attention import InputError

RECORDS = Path(__file__).parents[2] / "docs" / "records"


def record(correct, live):
    row = {
        "method": "oracle",
        "budget": 16,
        "depth": 0.5,
        **counts(
            trials=20, correct=correct, retained=20, contains=20, anchors=0, max_live_tokens=live
        ),
    }
    arguments = {
        "trials": 20,
        "depths": [0.5],
        "context": 4096,
        "filler": "pydoc",
        "protocol": "hidden",
        "ledger": "strict",
        "preset": "default",
    }
    origin = {
        "commit": "abcdef012345",
        "dirty": False,
        "seed": 0,
        "arguments": arguments,
        "versions": {"transformers": "5.0"},
    }
    return {"provenance": origin, "rows": [row]}


def test_a_cell_has_accuracy_interval_and_retention():
    assert "| oracle | 35 [18, 57] · 100 | ≤ K |" in needle_table(record(7, 16))


def test_a_broken_ledger_shows():
    assert "| 35 |" in needle_table(record(7, 35))


def shared(method, saving="physical", live=24, mean=16.0, stored=100):
    made = record(7, live)
    measured = {"mean_live_tokens": mean, "stored_bytes": stored, "pair_bytes": 100}
    made["rows"] = [{**made["rows"][0], "method": method, "saving": saving, **measured}]
    return made


def test_a_budget_that_is_shared_out_is_told_from_one_that_is_exceeded():
    assert "| mean 16, max 24 at K=16 |" in needle_table(shared("pyramidkv"))
    assert "| mean 17.5, max 24 at K=16 |" in needle_table(shared("pyramidkv", mean=17.5))
    assert "| 24 |" in needle_table(shared("full", mean=24.0))


def test_masked_savings_and_other_bytes_are_marked_and_explained():
    ragged, low, plain = shared("kvzip", "masked"), shared("arkv", stored=61), shared("tova")
    assert "| kvzip (masked) |" in needle_table(ragged) and "; masked: " in caption(ragged)
    assert "bytes, % of pairs |" in needle_table(low) and "| 61 |" in needle_table(low)
    assert "; bytes: keys and values held" in caption(low)
    assert "bytes" not in needle_table(plain) + caption(plain)
    assert "masked" not in needle_table(plain) + caption(plain)


def test_passes_of_a_methods_own_are_a_column_where_there_are_some():
    several = shared("kvzip")
    several["rows"] += shared("tova")["rows"]
    several["rows"][0] |= {"pass_tokens": 4158.0, "pass_seconds": 7.04}
    table = needle_table(several)
    assert "| own passes |" in table and "| 4,158, 7.0 s |" in table
    assert table.splitlines()[-1].endswith("|  |")
    assert "; own passes: " in caption(several)
    assert "own passes" not in needle_table(shared("tova")) + caption(shared("tova"))


def test_a_record_of_several_commits_names_them_all():
    several = record(7, 16)
    several["provenance"]["commits"] = ["abcdef012345", "0123456789ab"]
    assert "commit abcdef0, 0123456, " in caption(several)


def test_the_caption_names_protocol_ledger_and_commit():
    line = caption(record(7, 16))
    assert all(word in line for word in ("hidden", "strict", "pydoc", "20 cases", "abcdef0"))


@pytest.mark.parametrize("path", sorted(RECORDS.glob("needle*.json")), ids=lambda p: p.stem)
def test_committed_records_make_the_table_of_the_docs(path):
    record = json.loads(path.read_text())
    other = record["provenance"]["model"] != EMBEDDED
    every = path.stem.startswith("needle-all")
    name = "embedded-model" if other else "every-method" if every else "measurements"
    page = (RECORDS.parent / f"{name}.md").read_text()
    assert needle_table(record) in page, f"docs/{name}.md does not show {path.name} as it is"


def test_a_record_without_rows_is_refused(tmp_path):
    with pytest.raises(InputError, match="no rows"):
        needle_figure({"rows": []}, tmp_path / "x.svg")


def test_the_readme_shows_the_main_record():
    table = needle_table(json.loads((RECORDS / "needle-hidden.json").read_text()))
    assert table in (RECORDS.parents[1] / "README.md").read_text()


def test_a_page_gets_its_tables_from_the_records_that_it_links(tmp_path):
    (tmp_path / "new.json").write_text(json.dumps(record(7, 16)))
    page = "Before.\n\nold ([record](new.json)):\n\n| a |\n|---|\n| 1 |\n\n| other |\n|---|\n"
    filled = fill_page(page, tmp_path)
    assert needle_table(record(7, 16)) in filled and caption(record(7, 16)) in filled
    assert filled.startswith("Before.\n\n") and filled.endswith("\n\n| other |\n|---|\n")
    assert "| 1 |" not in filled and fill_page(filled, tmp_path) == filled


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/measurements.md",
        "docs/every-method.md",
        "docs/embedded-model.md",
        "docs/detection.md",
    ],
)
def test_the_committed_pages_are_what_their_records_make(name):
    path = RECORDS.parents[1] / name
    text = path.read_text()
    assert fill_page(text, path.parent) == text


def strings(node):
    if isinstance(node, dict | list):
        for item in node.values() if isinstance(node, dict) else node:
            yield from strings(item)
    elif isinstance(node, str):
        yield node


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda p: p.stem)
def test_a_committed_record_names_no_path_of_a_machine(path):
    assert not [text for text in strings(json.loads(path.read_text())) if text.startswith("/")]
