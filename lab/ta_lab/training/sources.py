"""Text that a machine with this package has: docstrings, licences, source code, translations.

Read from the standard library, from the package's own permissively licensed dependencies and, when
it is given, from a folder with the Universal Declaration of Human Rights in many languages.
`pydoc_data` (the evaluation filler) is never read.
"""

from __future__ import annotations

import ast
import importlib.util
import random
import re
import sysconfig
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from transactional_attention.errors import InputError

from ..data import table
from .facts import is_held_out

TABLE = table("training/sources")
EXCLUDED_PARTS = frozenset({"pydoc_data", "site-packages", "dist-packages", "__pycache__"})
BYTES_PER_SOURCE = 1_200_000
MIN_CHARACTERS, MAX_CHARACTERS = 60, 900


def standard_library_files() -> list[Path]:
    """Python sources of the standard library, without `pydoc_data`, in a fixed order."""
    return _sources(Path(sysconfig.get_path("stdlib")))


def package_files(name: str) -> list[Path]:
    """Python sources of an installed package, or none when it is not installed."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return []
    return _sources(Path(found.origin).parent)


def _sources(root: Path) -> list[Path]:
    files = ((path, path.relative_to(root).parts) for path in root.rglob("*.py"))
    return sorted(path for path, parts in files if not EXCLUDED_PARTS.intersection(parts))


def licence_texts() -> Iterator[str]:
    """Licences of Python and of the packages."""
    site = Path(sysconfig.get_path("purelib"))
    for name in TABLE["packages"]:
        for path in sorted(site.glob(f"{name}-*.dist-info/**/LICENSE*")):
            yield path.read_text(encoding="utf-8", errors="ignore")
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("LICENSE*")):
        yield path.read_text(encoding="utf-8", errors="ignore")


def _parsed(source: str) -> ast.Module | None:
    """A module's tree; None where Python does not read it."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def docstrings(source: str) -> Iterator[str]:
    """Docstrings of one module's source and its comments of three lines and more."""
    if (tree := _parsed(source)) is None:
        return
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield text
    for match in re.finditer(r"(?:^[ \t]*#[^\n]*\n){3,}", source, re.MULTILINE):
        yield re.sub(r"^[ \t]*#+ ?", "", match.group(), flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of prose, each on one line; tables, code and very short lines are left out."""
    for block in re.split(r"\n\s*\n", text):
        if ">>>" in block or "```" in block:
            continue
        line = " ".join(block.split())[:MAX_CHARACTERS]
        letters = sum(character.isalpha() or character == " " for character in line)
        if len(line) < MIN_CHARACTERS or letters < 0.75 * len(line) or not line.isascii():
            continue
        if not is_held_out(line):
            yield line


def source_texts(files: list[Path]) -> Iterator[str]:
    """Docstrings and comments of the files, in a fixed order, of a few megabytes."""
    taken = 0
    random.Random(0).shuffle(files)
    for path in files:
        for text in docstrings(path.read_text(encoding="utf-8", errors="ignore")):
            yield text
            taken += len(text)
        if taken > BYTES_PER_SOURCE * 2:
            return


def code_blocks(source: str) -> Iterator[str]:
    """Functions and classes of one module's source, cut at MAX_CHARACTERS, docstrings left out."""
    lines, tree = source.splitlines(), _parsed(source)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not ast.get_docstring(node):
            block = "\n".join(lines[node.lineno - 1 : node.end_lineno])[:MAX_CHARACTERS]
            if len(block) >= MIN_CHARACTERS and block.isascii() and not is_held_out(block):
                yield block.rstrip()


def prose_groups() -> Iterator[Iterator[str]]:
    """Paragraphs of prose, source by source."""
    groups: list[Iterator[str]] = [source_texts(standard_library_files()), licence_texts()]
    groups += [source_texts(package_files(name)) for name in TABLE["packages"]]
    for group in groups:
        yield (line for text in group for line in paragraphs(text))


def code() -> Iterator[str]:
    """Code of the standard library, in a fixed order of files."""
    files = standard_library_files()
    random.Random(0).shuffle(files)
    for path in files:
        yield from code_blocks(path.read_text(encoding="utf-8", errors="ignore"))


class _Paragraphs(HTMLParser):
    """Collects the text of <p> elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "p"
        if self.inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1] += data


def translations(folder: Path | None) -> dict[str, list[str]]:
    """Language -> paragraphs of the declaration's files (`spa.html` ...) in `folder`.

    Raises InputError for a folder that holds none of them."""
    if folder is None:
        return {}
    found = {}
    for name, language in TABLE["translations"].items():
        if (file := folder / f"{name}.html").is_file():
            parser = _Paragraphs()
            parser.feed(file.read_text(encoding="utf-8"))
            found[language] = [" ".join(text.split()) for text in parser.found if text.strip()]
    if not found:
        raise InputError(f"{folder} holds no translation: it needs files such as spa.html")
    return found
