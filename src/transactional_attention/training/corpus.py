"""English technical prose that every machine with this package has: docstrings and licences.

Read from the standard library and from the package's own permissively licensed dependencies.
`pydoc_data` (the evaluation filler) is never read, and a paragraph that shares a run of words
with it is dropped.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import random
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transactional_attention.errors import InputError
from transactional_attention.training.facts import is_held_out

# Package -> licence. Only permissive ones; all are dependencies of this package.
PACKAGES = {
    "torch": "BSD-3-Clause",
    "transformers": "Apache-2.0",
    "numpy": "BSD-3-Clause",
    "sympy": "BSD-3-Clause",
    "networkx": "BSD-3-Clause",
    "huggingface_hub": "Apache-2.0",
    "rich": "MIT",
}
EXCLUDED_PARTS = frozenset({"pydoc_data", "site-packages", "dist-packages", "__pycache__"})
BYTES_PER_SOURCE = 1_200_000
HELD_OUT_PARAGRAPHS = 600
SHINGLE_WORDS = 10
MIN_CHARACTERS, MAX_CHARACTERS = 60, 900


@dataclass(frozen=True, slots=True)
class Corpus:
    """Paragraphs to train on, and the last ones, which are held out."""

    train: list[str]
    held_out: list[str]
    sha256: str


def standard_library_files() -> list[Path]:
    """Python sources of the standard library, without `pydoc_data`, in a fixed order."""
    root = Path(sysconfig.get_path("stdlib"))
    return _sources(root)


def package_files(name: str) -> list[Path]:
    """Python sources of an installed package, or none when it is not installed."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return []
    return _sources(Path(found.origin).parent)


def _sources(root: Path) -> list[Path]:
    files = (path for path in root.rglob("*.py"))
    return sorted(
        path for path in files if not EXCLUDED_PARTS.intersection(path.relative_to(root).parts)
    )


def _licence_texts() -> Iterator[str]:
    site = Path(sysconfig.get_path("purelib"))
    for name in PACKAGES:
        for path in sorted(site.glob(f"{name}-*.dist-info/**/LICENSE*")):
            yield path.read_text(encoding="utf-8", errors="ignore")
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("LICENSE*")):
        yield path.read_text(encoding="utf-8", errors="ignore")


def docstrings(source: str) -> Iterator[str]:
    """Docstrings of one module's source and its comments of three lines and more."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
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


def shingles(text: str) -> set[int]:
    """Hashes of every run of SHINGLE_WORDS words."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {
        hash(tuple(words[start : start + SHINGLE_WORDS]))
        for start in range(len(words) - SHINGLE_WORDS + 1)
    }


def evaluation_shingles() -> set[int]:
    """Runs of words of the evaluation filler, which no training paragraph may share."""
    try:
        from pydoc_data import topics  # noqa: PLC0415  (half a megabyte, needed here only)
    except ImportError:
        return set()
    return set().union(*(shingles(text) for text in topics.topics.values()))


def _source_texts(files: list[Path]) -> Iterator[str]:
    taken = 0
    random.Random(0).shuffle(files)
    for path in files:
        for text in docstrings(path.read_text(encoding="utf-8", errors="ignore")):
            yield text
            taken += len(text)
        if taken > BYTES_PER_SOURCE * 2:
            return


def build_corpus(seed: int = 0) -> Corpus:
    """Read the sources of this machine into a corpus of a few megabytes.

    The order depends on `seed` alone, the text on the installed versions (`Corpus.sha256`).
    Raises InputError when nothing usable is found.
    """
    forbidden = evaluation_shingles()
    kept: dict[str, None] = {}
    groups: list[Iterator[str]] = [_source_texts(standard_library_files()), _licence_texts()]
    groups += [_source_texts(package_files(name)) for name in PACKAGES]
    for group in groups:
        taken = 0
        for text in group:
            for line in paragraphs(text):
                if line in kept or not forbidden.isdisjoint(shingles(line)):
                    continue
                kept[line] = None
                taken += len(line)
            if taken > BYTES_PER_SOURCE:
                break
    return split_corpus(list(kept), seed)


def split_corpus(lines: list[str], seed: int) -> Corpus:
    """Shuffle paragraphs and hold out the last ones; raises InputError for too few."""
    if len(lines) < 4 * HELD_OUT_PARAGRAPHS:
        raise InputError(
            f"the training corpus has {len(lines)} paragraphs, {4 * HELD_OUT_PARAGRAPHS} are "
            "needed: install Python with its standard library sources, and the package's "
            "dependencies with theirs"
        )
    lines = sorted(lines)
    random.Random(seed).shuffle(lines)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return Corpus(lines[:-HELD_OUT_PARAGRAPHS], lines[-HELD_OUT_PARAGRAPHS:], digest)


def write_corpus(corpus: Corpus, path: Path) -> None:
    """Write one paragraph a line, the held-out ones last."""
    path.write_text("\n".join([*corpus.train, *corpus.held_out]) + "\n", encoding="utf-8")


def read_corpus(path: Path) -> Corpus:
    """Read what `write_corpus` wrote; raises InputError for a missing or short file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: start the run without --resume") from error
    if len(lines) < 2 * HELD_OUT_PARAGRAPHS:
        raise InputError(f"{path.name} is empty or cut short: start the run without --resume")
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return Corpus(lines[:-HELD_OUT_PARAGRAPHS], lines[-HELD_OUT_PARAGRAPHS:], digest)


def frequent_words(lines: list[str]) -> list[str]:
    """Lower-case words of three to nine letters, for invented keys, in a fixed order."""
    return sorted({word for line in lines[:4000] for word in re.findall(r"\b[a-z]{3,9}\b", line)})
