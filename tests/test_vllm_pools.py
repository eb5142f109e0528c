"""The tables of docs/vllm.md are what the script prints."""

from pathlib import Path

from ta_lab.report.vllm_pools import tables

PAGE = Path(__file__).parents[1] / "docs" / "vllm.md"


def test_the_page_shows_the_tables():
    page = PAGE.read_text(encoding="utf-8")
    for table in tables():
        assert table.strip() in page
