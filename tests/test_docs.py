"""Pages are executed: every python block, in order, in one namespace. Tables follow code."""

import json
import re
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

import page_blocks
from page_blocks import ROOT
from ta_lab.report.vllm_pools import tables
from transactional_attention.engines.vllm.arguments import Defaults
from transactional_attention.methods.registry import METHODS

WORDS = 30_000
WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("name", page_blocks.PAGES["tests/test_docs.py"])
def test_every_python_block_of_a_page_runs(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    page_blocks.run_page(name)
    if name == "README.md":
        assert "ORD-58213" in capsys.readouterr().out.splitlines()[0]


def test_every_page_with_a_python_block_has_a_test_that_runs_it():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("lab/*.md")]
    names = [path.relative_to(ROOT).as_posix() for path in pages]
    listed = [name for pages in page_blocks.PAGES.values() for name in pages]
    assert sorted(name for name in names if page_blocks.blocks(name)) == sorted(listed)
    assert {name: found for name in names if (found := page_blocks.unseen(name))} == {}
    for place in page_blocks.PAGES:
        assert "page_blocks" in (ROOT / place).read_text(encoding="utf-8")


def test_the_request_of_the_page_of_vllm_is_one_that_the_plugin_takes():
    completions = Mock()
    client = SimpleNamespace(chat=SimpleNamespace(completions=completions))
    page_blocks.run_page("docs/vllm.md", client=client, text="It rained.")
    asked = completions.create.call_args.kwargs["extra_body"]["vllm_xargs"]
    retention = Defaults({}).retention(asked)
    assert (retention.budget, retention.protect_roles) == (512, ("system",))


def test_the_table_of_methods_says_what_the_code_says():
    rows = {}
    for line in (ROOT / "docs" / "tables" / "methods.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 8:
            rows[cells[0].strip("`")] = cells
    assert rows.keys() == METHODS.keys()
    page = (ROOT / "docs" / "methods.md").read_text()
    chosen = re.findall(r"^\| [^`|]+ \| (.*) \| .* \|$", page, re.MULTILINE)
    shown = {name for cell in chosen for name in re.findall(r"`([^`]+)`", cell)}
    assert shown == {name for name in METHODS if not name.endswith("-authors")}
    for name, method in METHODS.items():
        _, source, _, reads, decode, saving, _, _ = rows[name]
        expected = (method.source, method.observes, method.saving)
        assert (source, reads, saving) == expected
        assert decode == ("-" if method.unlimited else method.decode)


def test_the_pages_of_vllm_show_the_tables_of_its_script():
    made = (ROOT / "docs" / "tables" / "vllm.md").read_text(encoding="utf-8")
    assert all(table.strip() in made for table in tables())
    page = (ROOT / "docs" / "vllm.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| [\d,]+ \|.*", page, re.MULTILINE)
    assert len(shown) > 5
    assert set(shown) <= set(made.splitlines())


LEFT = {
    "detection-ablation": "992293e",
    "sinks": "a561cf7",
    "detector-development": "5264ab9",
    "detector-reading-smollm2": "35e90c7",
    "held-choice": "3f2947b",
    "bench-peers": "f4c3cf3",
    "bench-memory": "f4c3cf3",
    "sessions-first": "f9a5d53",
}
"""Records that `docs/records/make` does not make again; pages name their commit."""


def calls_of(name):
    """What `make` says of a record: its file, or a call of one of its functions."""
    kind, _, rest = name.partition("-")
    split, _, model = rest.partition("-")
    calls = {"needle": [f'"{rest} -'], "bench": [f"bench {rest} "]}
    calls["collection"] = [f"score {split} {model}", f"for split in {split}", f" {split}; do score"]
    if model in ("llama3", "mistral_v3"):
        calls["collection"].append(f'score {split} "$name"')
    return [f"{name}.json", *calls.get(kind, [f"reproduce {name}"])]


def test_every_record_is_made_again_or_its_commit_is_named():
    folder = ROOT / "docs" / "records"
    written = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md"), ROOT / "lab" / "LOG.md"]
    pages = "".join(page.read_text() for page in written)
    made = (folder / "make").read_text()
    for path in folder.glob("*.json"):
        if path.stem not in LEFT:
            assert any(word in made for word in calls_of(path.stem)), path.name
            continue
        commit = LEFT[path.stem]
        assert json.loads(path.read_text())["provenance"]["commit"].startswith(commit)
        assert commit in pages


def test_files_that_pages_name_are_there():
    for page in [ROOT / "README.md", ROOT / "lab" / "LOG.md", *ROOT.glob("docs/*.md")]:
        for name in re.findall(r"`(docs/records/[\w.-]+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def test_every_record_that_pages_show_is_of_a_finished_run():
    records = sorted((ROOT / "docs").rglob("records/*.json"))
    assert len(records) > 50
    begun = [r.name for r in records if '"unfinished": true' in r.read_text(encoding="utf-8")]
    assert begun == []


def test_a_page_has_at_most_200_lines_and_eight_rows_a_table():
    lengths = {page.name: len(page.read_text().splitlines()) for page in WRITTEN}
    assert lengths["README.md"] <= 110
    assert [name for name, length in lengths.items() if length > 200] == []
    for page in WRITTEN:
        tables = re.findall(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE)
        assert max((table.count("\n") - 2 for table in tables), default=0) <= 8, page.name


def test_the_pages_together_stay_short():
    """What is added to one page is taken out of another, or said in fewer words."""
    counts = {page.name: len(page.read_text(encoding="utf-8").split()) for page in WRITTEN}
    assert sum(counts.values()) <= WORDS, sorted(counts.items(), key=lambda item: -item[1])[:5]
