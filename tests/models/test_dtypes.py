"""The type that a model computes in: decided by what is stored and what the processor can."""

import pytest
import torch

import transactional_attention as ta
from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.models import dtype_of, machine


@pytest.fixture
def folder(tmp_path):
    def save(dtype):
        tiny_llama(vocab_size=len(byte_tokenizer())).to(dtype).save_pretrained(tmp_path)
        byte_tokenizer().save_pretrained(tmp_path)
        return str(tmp_path)

    return save


@pytest.mark.parametrize("flags", ["avx2 avx512f", "avx2 avx512f avx512_bf16"])
@pytest.mark.parametrize("stored", [torch.float32, torch.float16, torch.bfloat16])
def test_auto_is_bfloat16_where_it_is_faster_and_loses_nothing(
    folder, tmp_path, monkeypatch, flags, stored
):
    name = folder(stored)
    (tmp_path / "cpuinfo").write_text(f"model name : Some CPU\nflags : {flags}\n")
    monkeypatch.setattr(machine, "CPUINFO", tmp_path / "cpuinfo")
    fast = "avx512_bf16" in flags and stored != torch.float32
    expected = "bfloat16" if fast else "float32"
    assert dtype_of(name) == expected
    assert ta.load(name)[0].dtype == getattr(torch, expected)
    assert dtype_of("embedded") == "float32"


def test_a_type_that_is_asked_for_is_taken(folder):
    assert ta.load(folder(torch.float32), dtype="bfloat16")[0].dtype == torch.bfloat16
    assert ta.load("embedded", dtype="bfloat16")[0].dtype == torch.bfloat16
    with pytest.raises(ta.InputError, match="--dtype must be auto or one of"):
        ta.load("embedded", dtype="int8")
