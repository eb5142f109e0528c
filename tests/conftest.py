"""One thread, no network, few hypothesis examples: the same on every machine."""

import contextlib
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


@pytest.fixture
def serve():
    """Starts servers, and stops them after the test."""
    import servers  # noqa: PLC0415  (it skips without the extra)

    with contextlib.ExitStack() as stack:

        def start(engine=None, folder=None, bounds=None, line=None, access=None, **rest):
            parts = (bounds or servers.Bounds(), line or servers.Line(), access or servers.Access())
            running = servers.Running(engine or servers.tiny_engine(), folder, *parts, **rest)
            stack.callback(running.stop)
            return running

        yield start
