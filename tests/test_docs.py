"""Pages are executed: every python block, in order, in one namespace. Tables follow code."""

import re
from pathlib import Path

import pytest

from transactional_attention.methods import METHODS

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "docs/scaling.md", "docs/streaming.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """(first line, source) of every python block."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start(1)) + 1, m.group(1)) for m in BLOCK.finditer(text)]


@pytest.mark.parametrize("name", PAGES)
def test_every_python_block_of_a_page_runs(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    found, namespace = blocks(ROOT / name), {"__name__": "__main__"}
    assert found
    for line, source in found:
        code = "\n" * (line - 1) + source  # a traceback names the line of the page
        exec(compile(code, str(ROOT / name), "exec"), namespace)


def test_the_table_of_methods_says_what_the_code_says():
    rows = {}
    for line in (ROOT / "docs" / "methods.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 8:
            rows[cells[0].strip("`")] = cells
    assert rows.keys() == METHODS.keys()
    for name, method in METHODS.items():
        _, source, _, reads, decode, saving, _, _ = rows[name]
        said = (method.source, method.observes, method.saving)
        assert (source, reads, saving) == said
        assert decode == ("-" if method.unlimited else method.decode)
