"""The committed report is what its records make: every table, verdict, judgement and CSV."""

import re
import shutil
from pathlib import Path

import pytest

from ta_lab.report import write_report
from ta_lab.report.tables import fill_verdicts
from transactional_attention.inspection import provenance

DOCS = Path(__file__).parents[2] / "docs"
OWN = "2c22205e2bc8b9464cc1737b4e7ced571b781fd8"  # that made the rows which come of other records
LATER = r"answered|ruler"  # experiments that were added since, without a record there


def plain(text):
    """A page without the folder that commands name, and without experiments added since."""
    text = re.sub(r"--out [^\s<]+", "--out R", text)
    text = re.sub(rf'^(\| ({LATER}) \||<a href="#({LATER})").*\n', "", text, flags=re.MULTILINE)
    text = re.sub(rf", <a href=\"#({LATER})\">\w+</a>", "", text)
    text = re.sub(rf'^<section id="({LATER})">.*\n', "", text, flags=re.MULTILINE)
    text = re.sub(rf"## ({LATER}): .*\n\nNo record yet\.\n\n```\n.*\n```\n\n", "", text)
    return re.sub(r"\d+ of \d+ experiments have a record", "", text)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "R"
    shutil.copytree(DOCS / "report" / "records", folder / "records")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance, "_git", lambda *words: OWN if "HEAD" in words else "")
        write_report(folder)
    return folder


def test_its_text_and_its_page(made):
    for name in ("report.md", "index.html"):
        lines, known = (
            plain((at / name).read_text()).splitlines() for at in (made, DOCS / "report")
        )
        assert [pair for pair in zip(lines, known) if pair[0] != pair[1]][:3] == []
        assert len(lines) == len(known)


def test_its_csv_and_figures(made):
    for folder in ("csv", "figures"):
        known = sorted((DOCS / "report" / folder).iterdir())
        assert [path.name for path in sorted((made / folder).iterdir())] == [p.name for p in known]
        if folder == "csv":
            differ = [p.name for p in known if p.read_text() != (made / "csv" / p.name).read_text()]
            assert differ == []


def test_the_page_of_verdicts():
    page = (DOCS / "reproduction.md").read_text()
    assert plain(fill_verdicts(page, DOCS)) == plain(page)
