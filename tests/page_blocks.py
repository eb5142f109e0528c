"""Python blocks of pages: which test runs them, and how."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "tests/test_docs.py": [
        "README.md",
        "docs/chat.md",
        "docs/embedded-model.md",
        "docs/extending.md",
        "docs/memory.md",
        "docs/saving.md",
        "docs/scaling.md",
        "docs/streaming.md",
    ],
    "tests/llama_cpp/test_pages.py": ["docs/llama-cpp.md"],
    "tests/parity/test_pages.py": ["docs/methods.md"],
    "tests/server/test_pages.py": ["docs/clients.md", "docs/serving.md"],
    "tests/vllm/test_server.py": ["docs/vllm.md"],
}
"""Each page with such a block, by the test that runs it."""
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^[ \t]+```python.*", re.MULTILINE)
IMPORT = re.compile(r"^(?:import [\w.]+|from [\w.]+ import )", re.MULTILINE)


def blocks(name):
    """(first line, source) of every python block of a page."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = [m for m in FENCED.finditer(text) if m[1] == "python"]
    return [(text.count("\n", 0, m.start(2)) + 1, m[2]) for m in found]


def unseen(name):
    """Blocks of Python that ``blocks`` passes over: unmarked, or indented."""
    text = (ROOT / name).read_text(encoding="utf-8")
    unmarked = [m[2] for m in FENCED.finditer(text) if m[1] != "python" and IMPORT.search(m[2])]
    return unmarked + INDENTED.findall(text)


def run_block(name, line, source, namespace):
    """One block; a traceback names the line of the page."""
    exec(compile("\n" * (line - 1) + source, str(ROOT / name), "exec"), namespace)


def run_page(name, **given):
    """All blocks, in order, in one namespace that has ``given``; returns it."""
    namespace = {"__name__": "__main__", **given}
    for line, source in blocks(name):
        run_block(name, line, source, namespace)
    return namespace
