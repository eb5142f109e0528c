"""The page of llama.cpp is executed, on a tiny file that has the name it gives."""

import pytest

import page_blocks
from gguf_files import write_gguf


@pytest.mark.parametrize("name", page_blocks.PAGES["tests/llama_cpp/test_pages.py"])
def test_every_python_block_of_a_page_runs(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write_gguf(tmp_path / "model.gguf")
    page_blocks.run_page(name)
    assert (tmp_path / "session.safetensors").exists()
