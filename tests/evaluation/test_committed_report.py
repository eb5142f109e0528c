"""The committed report is what its records make: every table, verdict and judgement."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest

from browser import dom_of
from ta_lab.report import write_report
from ta_lab.report.tables import fill_paper
from transactional_attention.inspection import provenance

DOCS = Path(__file__).parents[2] / "docs"
OWN = "2c22205e2bc8b9464cc1737b4e7ced571b781fd8"  # that made the rows which come of other records


def plain(text):
    """A page without the folder that commands name."""
    return re.sub(r"--out [^\s<]+", "--out R", text)


@pytest.fixture(scope="module", params=["report", "report-embedded"])
def report(request):
    """A folder of ``docs``: of a real model, and of the one for tests."""
    return DOCS / request.param


@pytest.fixture(scope="module")
def made(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "R"
    shutil.copytree(report / "records", folder / "records")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance, "_git", lambda *words: OWN if "HEAD" in words else "")
        write_report(folder)
    return folder


@pytest.fixture(scope="module")
def page(report):
    return (report / "index.html").read_text()


def test_its_text_and_its_page(made, report):
    for name in ("report.md", "index.html"):
        lines, known = (plain((at / name).read_text()).splitlines() for at in (made, report))
        assert [pair for pair in zip(lines, known) if pair[0] != pair[1]][:3] == []
        assert len(lines) == len(known)


def words(path):
    """Those of a figure: how they are drawn is matplotlib's."""
    return re.findall(r">([^<>]+)</text>", path.read_text())


def test_the_words_of_its_figures(made, report):
    known = sorted((report / "figures").iterdir())
    assert [path.name for path in sorted((made / "figures").iterdir())] == [p.name for p in known]
    assert [p.name for p in known if words(p) != words(made / "figures" / p.name)] == []


def test_its_columns_have_names_and_no_line_or_id_stands_twice(page, report):
    assert not re.findall(r"<th[^>]*></th>", page)
    for name in ("differs", "ceilings"):
        (part,) = re.findall(rf'<section id="{name}">.*?</section>', page, re.DOTALL)
        lines = re.findall(r"<tr>.*?</tr>", part, re.DOTALL)
        assert len(lines) == len(set(lines)) > 1
    (part,) = re.findall(r'<section id="figures">.*?</section>', page, re.DOTALL)
    assert part.count("<svg ") == len(list((report / "figures").iterdir()))
    ids = re.findall(r'id="([a-z][0-9a-f]{10})"', part)
    assert ids and len(ids) == len(set(ids))  # of clip paths and markers, over all panels
    assert "<metadata" not in part and "<dc:" not in part


CLICKS = (Path(__file__).with_name("clicks.html")).read_text()


def test_a_reader_clicks_through_it(page, tmp_path):
    clicked = tmp_path / "clicked.html"
    clicked.write_text(page.replace("default-src 'none'", "default-src * 'unsafe-inline'") + CLICKS)
    found = re.search(r'<pre id="found">(.*?)</pre>', dom_of(clicked, tmp_path))[1]
    result = json.loads(html.unescape(found))
    assert len(result["said"]) > 15 and all(result["said"].values())
    assert result["open"] and result["rows"] > 20 and result["shut"] == 0
    assert result["buttons"] > 20
    assert result["wide"] <= 390  # wide tables scroll inside themselves
    assert result["title"] == "The paper, measured again"


@pytest.mark.parametrize("name", ["reproduction.md", "tables/reproduction.md"])
def test_the_paper_beside_ours_on_its_pages(name):
    page = (DOCS / name).read_text()
    assert page.count("\n<!-- ") == 2
    assert fill_paper(page, (DOCS / name).parent) == page
