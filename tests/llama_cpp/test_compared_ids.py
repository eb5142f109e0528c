"""Ids that transformers reads out of a GGUF, beside llama.cpp's."""

import pytest

from gguf_families import write_family
from transactional_attention import gguf
from transactional_attention.errors import UnsupportedError
from transactional_attention.gguf import GgufTokenizer, bindings
from transactional_attention.models import load_tokenizer
from transactional_attention.models.compared import _probes


def test_transformers_is_refused_a_file_that_it_reads_as_other_ids(tmp_path, monkeypatch):
    monkeypatch.setenv("TA_CACHE", str(tmp_path / "cache"))
    load_tokenizer(str(write_family(tmp_path / "same.gguf", pre="gpt-2")))
    path = write_family(tmp_path / "other.gguf", pre="stablelm2")
    with pytest.raises(UnsupportedError) as refused:
        load_tokenizer(str(path))
    for part in ("other.gguf", "tokenizer.ggml.pre: stablelm2", "--engine llama.cpp"):
        assert part in str(refused.value)


def test_smollm2_and_its_probes(smollm2):
    _, tokenizer = smollm2
    theirs = load_tokenizer("smollm2")
    assert isinstance(tokenizer, GgufTokenizer) and tokenizer.get_vocab() == theirs.get_vocab()
    assert all(tokenizer(text) == {"input_ids": theirs(text)["input_ids"]} for text in _probes())


def test_a_file_whose_ids_cannot_be_compared_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("TA_CACHE", str(tmp_path / "cache"))
    path = write_family(tmp_path / "same.gguf", pre="gpt-2")
    monkeypatch.setattr(bindings, "PACKAGE", "llama_cpp_that_is_missing")
    monkeypatch.setattr(gguf.files, "library", bindings.library.__wrapped__)  # not what is loaded
    with pytest.raises(UnsupportedError, match=r"same\.gguf.*compared.*pip install"):
        load_tokenizer(str(path))
