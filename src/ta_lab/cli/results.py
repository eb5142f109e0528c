"""Results of cases as they come, and cases that cannot be served."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from transactional_attention.errors import InputError, RetentionError


class Unusable:
    """What a case that cannot be served does: it ends the run, or is named and left out."""

    def __init__(self, *, skip: bool) -> None:
        self.skip, self.count = skip, 0

    def add(self, place: str, error: RetentionError) -> None:
        """Name a case by its place.

        Raises:
            InputError: unless such cases are skipped.
        """
        problem = InputError(f"{place}: {error}")
        if not self.skip:
            raise problem from None
        self.count += 1
        Console(stderr=True).print(f"skipped: {problem}", markup=False, soft_wrap=True)


@contextmanager
def result_lines(path: Path | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write results, one JSON line each; what is written stays when the run ends early.

    A new file is readable by its owner only (mode 0600), as answers are values; it takes the
    place of an old one, whose mode may be another.

    Raises:
        InputError: when the file cannot be written.
    """
    if path is None:
        yield lambda result: None
        return
    with _refused(path):
        if path.is_file():
            path.unlink()
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w")

    def write(result: dict[str, Any]) -> None:
        with _refused(path):
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
            file.flush()

    with file:
        yield write


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
