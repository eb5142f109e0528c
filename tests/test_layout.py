"""What may import what, and how long a file and a function may be."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "transactional_attention"
FILES = sorted(PACKAGE.rglob("*.py"))
OUTER = ("evaluation", "training", "benchmarks", "cli")
CACHES = "transformers.cache_utils"
CACHE_CLASSES = {"Cache", "DynamicCache", "DynamicLayer", "StaticCache", "QuantizedCache"}
MAX_FILE, MAX_FUNCTION = 300, 40
PEERS = ("benchmarks",)  # they measure the native cache beside ours
LONG_FILES = {"text.py": "four ways of decoding that share one state"}
LONG_FUNCTIONS: dict[str, str] = {}


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path):
    """Absolute names of every module and object that a file imports, inside functions too."""
    package = ["transactional_attention", *path.relative_to(PACKAGE).parts[:-1]]
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def part_of(path):
    return path.relative_to(PACKAGE).parts[0]


CORE = [path for path in FILES if part_of(path) not in OUTER]


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_the_core_imports_none_of_what_stands_on_it(path):
    outer = {f"transactional_attention.{part}" for part in OUTER}
    found = {name for name in imported(path) for part in outer if f"{name}.".startswith(f"{part}.")}
    assert not found


def knows_no_cache(path):
    if path.name == "press_runner.py":  # kvpress's own presses fill one
        return False
    return part_of(path) not in PEERS and path.parent != PACKAGE / "engines" / "transformers"


@pytest.mark.parametrize("path", [path for path in FILES if knows_no_cache(path)], ids=name_of)
def test_caches_of_transformers_are_imported_by_one_engine_only(path):
    names = imported(path)
    assert not {name for name in names if name.startswith(CACHES)}
    assert not names & {f"transformers.{name}" for name in CACHE_CLASSES}


def test_the_direction_is_really_read():
    """The judge itself: relative imports inside functions are resolved."""
    session = imported(PACKAGE / "engines" / "transformers" / "session.py")
    assert "transactional_attention.engines.transformers.cache.RetentionCache" in session
    assert "transactional_attention.errors.UnsupportedError" in session


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_is_one_idea(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_FILE or name_of(path) in LONG_FILES


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_function_fits_a_screen(path):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = {
        f"{name_of(path)}::{node.name}": length_of(node)
        for node in ast.walk(tree_of(path))
        if isinstance(node, kinds) and length_of(node) > MAX_FUNCTION
    }
    assert {name: size for name, size in long.items() if name not in LONG_FUNCTIONS} == {}


def length_of(node):
    """Lines of a function's body without its docstring; the options of a command are no body."""
    documented = ast.get_docstring(node) is not None
    body = node.body[1:] if documented else node.body
    return node.end_lineno - body[0].lineno + 1 if body else 0
