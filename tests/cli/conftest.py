"""Runs ``ta`` in this process: arguments in; exit status, stdout and stderr out."""

import io
import json
import sys
from dataclasses import dataclass

import pytest
from transformers.utils import logging as transformers_logging

from transactional_attention.cli import main

# ``main`` says it by the environment, which is read before the tests begin.
transformers_logging.set_verbosity_error()
transformers_logging.disable_progress_bar()


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def ta(monkeypatch, capsys):
    def run(*arguments, stdin: bytes = b"") -> Finished:
        monkeypatch.setattr(sys, "argv", ["ta", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.setenv("COLUMNS", "200")
        status = 0
        try:
            main()
        except SystemExit as done:
            status = done.code if isinstance(done.code, int) else 0
        captured = capsys.readouterr()
        return Finished(status, captured.out, captured.err)

    return run


@pytest.fixture
def recorded(ta, tmp_path):
    """Runs a command that must end as it should; what it left behind, and its record."""

    def run(*arguments, status=0, stdin=b""):
        path = tmp_path / "record.json"
        done = ta(*arguments, "--json", path, stdin=stdin)
        assert done.status == status, done.err
        return done, json.loads(path.read_text())

    return run


@pytest.fixture
def prompt(request, tmp_path):
    """A file with the text of the module."""
    path = tmp_path / "p.txt"
    path.write_text(request.module.TEXT)
    return path
