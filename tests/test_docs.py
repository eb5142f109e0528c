"""The README is executed: every python block, in order, in one namespace."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    """(first line, source) of every python block."""
    text = README.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start(1)) + 1, m.group(1)) for m in BLOCK.finditer(text)]


def test_every_python_block_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found, namespace = blocks(), {"__name__": "__main__"}
    assert found
    for line, source in found:
        code = "\n" * (line - 1) + source  # a traceback names the line of the README
        exec(compile(code, str(README), "exec"), namespace)
