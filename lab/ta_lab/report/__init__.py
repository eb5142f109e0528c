"""The report of ``ta reproduce``: from a folder of records to one page, Markdown and figures.

No model is loaded. A record that is absent or broken is named, the others are shown."""

from __future__ import annotations

from pathlib import Path

from transactional_attention.errors import InputError
from transactional_attention.files import write_whole

from .content import Report, read_report
from .drawing import standalone
from .page import page, text
from .records import FOLDER, GIVEN, LEFT_OUT, UNFINISHED, path_of

PAGE, TEXT = "index.html", "report.md"


def write_report(folder: Path) -> Report:
    """Writes ``index.html``, ``report.md`` and ``figures/`` beside ``records/``. Raises
    InputError for a folder without records, or one that cannot be written."""
    report = read_report(folder)
    contents = {PAGE: page(report), TEXT: text(report)}
    contents |= {
        f"figures/{drawn.name}.svg": standalone(drawn.svg)
        for figure in report.figures
        for drawn in figure.panels
        if drawn.svg
    }
    for name, content in contents.items():
        _write(folder / name, content)
    return report


def _write(path: Path, text: str) -> None:
    """In one step: a reader sees the old file or the whole new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("utf-8"), 0o644)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


__all__ = [
    "FOLDER", "GIVEN", "LEFT_OUT", "PAGE", "TEXT", "UNFINISHED", "Report", "path_of",
    "write_report",
]  # fmt: skip
