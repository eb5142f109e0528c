"""kvpress is optional: without it, or with a version that was not checked, one clear line."""

import importlib.metadata
import subprocess
import sys

import pytest

from transactional_attention.errors import UnsupportedError

NAME = "transactional_attention.engines.kvpress"


@pytest.mark.parametrize(
    ("found", "message"),
    [(None, "kvpress is not installed: in a clone"), ("0.5.2", "kvpress 0.5.2 is not supported")],
)
def test_one_clear_line(monkeypatch, found, message):
    def version(name):
        if found is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return found

    for module in [name for name in sys.modules if name.startswith(NAME)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(UnsupportedError, match=message) as caught:
        importlib.import_module(NAME)
    assert "\n" not in str(caught.value)


def test_nothing_else_imports_kvpress():
    code = "import sys, transactional_attention.cli; sys.exit('kvpress' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
