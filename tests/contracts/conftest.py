"""Methods that need gates get random ones, written for the model of the test."""

import pytest

from gate_files import write_gates
from teacher_forced import tiny_llama
from transactional_attention.engines.transformers.gating import use_gates


@pytest.fixture
def model(tokenizer, tmp_path):
    model = tiny_llama(vocab_size=len(tokenizer))
    use_gates(model, write_gates(model, tmp_path / "gates.safetensors"))
    return model
