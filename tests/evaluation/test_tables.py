"""Tables and figures are built from records alone."""

import json
import re
from pathlib import Path

import pytest

from ta_lab.report.page_figures import needle_figure
from ta_lab.report.tables import fill_page, kind_of, needle_table, parts_of, table_of
from transactional_attention import InputError
from transactional_attention.models.loading import SMOLLM2

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "docs" / "records"
DOCS = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/tables/*.md")]
PAGES = [p for p in [ROOT / "README.md", *DOCS] if "([record](" in p.read_text()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_committed_pages_are_what_their_records_make(path):
    text = path.read_text()
    assert fill_page(text, path.parent) == text
    assert len(PAGES) > 6


def test_tables_that_are_out_of_date_are_made_anew():
    folder = RECORDS.parent / "tables"
    page = (folder / "embedded-model.md").read_text()
    table = needle_table(json.loads((RECORDS / "needle-hidden.json").read_text()))
    stale = page.replace(table, "| old |\n|---|\n| 1 |")
    assert stale != page and fill_page(stale, folder) == page


@pytest.mark.parametrize("path", sorted(RECORDS.glob("needle*.json")), ids=lambda p: p.stem)
def test_every_needle_record_is_on_its_page(path):
    record = json.loads(path.read_text())
    model = record["provenance"]["model"]
    all_methods = path.stem.startswith("needle-all")
    name = "every-method" if all_methods else "embedded-model"
    name = "real-models" if model == SMOLLM2 or model.endswith(".gguf") else name
    pages = (RECORDS.parent / folder / f"{name}.md" for folder in (".", "tables"))
    assert any(needle_table(record) in page.read_text() for page in pages)


def test_other_records_are_none_of_these():
    assert kind_of({"rows": [{"method": "ta", "budget": 16}]}) == ""
    assert kind_of({"experiment": "latency", "rows": []}) == ""
    assert parts_of({"experiment": "bfcl", "rows": []}) == ("dialogue", "tools")
    needle = json.loads((RECORDS / "needle-hidden.json").read_text())
    assert kind_of(needle) == ""
    with pytest.raises(KeyError):
        table_of(json.loads((RECORDS / "bfcl.json").read_text()), "nothing")


def test_a_record_without_rows_is_refused(tmp_path):
    with pytest.raises(InputError, match="no rows"):
        needle_figure({"rows": []}, tmp_path / "x.svg")


PICTURES = {"needle": "records/needle-hidden", "answered": "report/records/answered"}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_a_page_is_the_same_in_every_run(tmp_path, name):
    record = json.loads((RECORDS.parent / f"{PICTURES[name]}.json").read_text())
    first, again = tmp_path / "first.svg", tmp_path / "again.svg"
    for path in (first, again):
        needle_figure(record, path)
    assert first.read_bytes() == again.read_bytes()
    known = (RECORDS.parent / "images" / f"{name}.svg").read_text()
    shown, words = (re.findall(r">([^<>]+)</text>", svg) for svg in (first.read_text(), known))
    assert shown == words and "ta" in words


def strings(node):
    if isinstance(node, dict | list):
        for item in node.values() if isinstance(node, dict) else node:
            yield from strings(item)
    elif isinstance(node, str):
        yield node


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda p: p.stem)
def test_a_committed_record_names_no_path_of_a_machine(path):
    assert not [text for text in strings(json.loads(path.read_text())) if text.startswith("/")]
