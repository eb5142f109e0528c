"""Caches of transformers belong to one engine, the laboratory to one version of the library;
``pyproject.toml`` has the direction of imports."""

import ast
import sys
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import transactional_attention

ROOT = Path(__file__).parents[1]
CACHES = "transformers.cache_utils"
CACHE_CLASSES = {"Cache", "DynamicCache", "DynamicLayer", "StaticCache", "QuantizedCache"}
PEERS = ("lab/ta_lab/benchmarks",)  # they measure the native cache
ENGINE = "src/transactional_attention/engines/transformers"
LIBRARY = "transactional_attention"


def name_of(path):
    return path.relative_to(ROOT).as_posix()


FILES = [
    path
    for folder in ("src", "lab")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not name_of(path).startswith((ENGINE, *PEERS))
]


def imported(path):
    """Names of every module and object that a file imports from elsewhere, in functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_caches_of_transformers_are_imported_by_one_engine_only(path):
    names = imported(path)
    assert not {name for name in names if name.startswith(CACHES)}
    assert not names & {f"transformers.{name}" for name in CACHE_CLASSES}


def test_imports_inside_functions_are_seen():
    engine = ROOT / ENGINE
    assert any(name.startswith(CACHES) for path in engine.glob("*.py") for name in imported(path))


def test_the_laboratory_is_of_the_version_of_the_library():
    library, laboratory = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        for folder in (".", "lab")
    )
    assert laboratory["version"] == library["version"] == transactional_attention.__version__
    assert f"{library['name']}[transformers]=={library['version']}" in laboratory["dependencies"]
    assert f"\nversion: {library['version']}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {library['version']}\n" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("package", [LIBRARY, "ta_lab"])
def test_no_module_imports_itself_by_way_of_others(package):
    """Imports in functions count, those of types in the library alone; a circle is in the error."""
    types = package == LIBRARY
    graph = grimp.build_graph(package, cache_dir=None, exclude_type_checking_imports=not types)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    TopologicalSorter(imports).prepare()


def type_names(code):
    """Of classes, wherever they are, and of aliases and type variables of a module."""
    tree = ast.parse(code)
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for node in tree.body:
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            name = getattr(target, "id", "")
            if name[:1].isupper() and not name.isupper():  # no constant
                yield name
        if type(node).__name__ == "TypeAlias":  # Python 3.12
            yield node.name.id


def shared_names(codes):
    pairs = [(name, place) for place, code in codes.items() for name in type_names(code)]
    count = Counter(name for name, _ in pairs)
    return [each for each in pairs if count[each[0]] > 1]


def test_a_type_name_has_one_meaning_in_the_library():
    paths = sorted((ROOT / "src").rglob("*.py"))
    assert shared_names({name_of(path): path.read_text("utf-8") for path in paths}) == []


@pytest.mark.parametrize(
    "code",
    ["class Rows: ...", "Rows = list[int]", "Rows: TypeAlias = int | str", "Rows = TypeVar('Rows')"]
    + ["type Rows = list[int]"] * (sys.version_info >= (3, 12)),
)
def test_a_shared_type_name_is_seen(code):
    pairs = shared_names({"one.py": code, "other.py": "Rows = set[int]\nROWS = 1", "third.py": ""})
    assert pairs == [("Rows", "one.py"), ("Rows", "other.py")]
