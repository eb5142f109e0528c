"""The committed reports are what their records make, and so is the page of the paper's figures."""

import re
import shutil
from pathlib import Path

import pytest

from ta_lab.report.report import PAGE, write_report
from ta_lab.report.tables import fill_paper

DOCS = Path(__file__).parents[2] / "docs"
REMAKE = "make it anew: ta reproduce report --out docs/{}"


def plain(text):
    """Lines of a page without the folder that commands name."""
    return re.sub(r"--out \S+", "--out R", text).splitlines()


@pytest.mark.parametrize("name", ["report", "report-embedded", "report-qwen2.5-coder-1.5b"])
def test_a_report_is_made_of_its_records(tmp_path, name):
    shutil.copytree(DOCS / name / "records", tmp_path / "records")
    assert write_report(tmp_path) == []
    lines, known = (plain((folder / PAGE).read_text()) for folder in (tmp_path, DOCS / name))
    assert [pair for pair in zip(lines, known) if pair[0] != pair[1]][:3] == [], REMAKE.format(name)
    assert len(lines) == len(known), REMAKE.format(name)


def test_the_paper_beside_ours_on_its_page():
    path = DOCS / "tables" / "reproduction.md"
    page = path.read_text()
    assert page.count("\n<!-- paper ") == 3
    remake = "make it anew: python -m ta_lab.report.tables docs/tables/reproduction.md"
    assert fill_paper(page, path.parent) == page, remake
