"""One thread, no network, few hypothesis examples: the same on every machine."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from hypothesis import settings

from scenes import byte_tokenizer
from teacher_forced import tiny_llama

settings.register_profile("project", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("project")
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tokenizer():
    return byte_tokenizer()


@pytest.fixture
def model(tokenizer):
    """A random three-layer Llama over bytes; a fresh one for every test, so hooks never leak."""
    return tiny_llama(vocab_size=len(tokenizer))
