"""Sponsorship as the page for users of kvpress shows it."""

import pytest

pytest.importorskip("kvpress", reason="needs kvpress: run .ci/parity")

import page_blocks


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("name", page_blocks.PAGES["tests/parity/test_pages.py"])
def test_every_python_block_of_a_page_runs(capsys, name):
    page_blocks.run_page(name)
    assert capsys.readouterr().out.strip() == "QX7K-93PL"
