"""Methods that need gates get random ones."""

import pytest

from gate_files import random_gates
from ta_lab.baselines.gates import Gates
from teacher_forced import tiny_llama
from transactional_attention.engines.transformers.decoder import find_decoder


@pytest.fixture
def model(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer))
    find_decoder(model)._retention_gates = Gates(random_gates(model))
    return model
