"""One thread, no network, few hypothesis examples: the same on every machine."""

import contextlib
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch
from hypothesis import settings

import ta_lab.baselines  # noqa: F401  (registers them, whatever is installed)
from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.detection import catalogue as detectors
from transactional_attention.methods import registry as methods

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


@pytest.fixture
def registered():
    """What a test registers is forgotten after it."""
    tables = (
        methods.METHODS,
        methods.TWINS,
        methods.ALL_METHODS,
        methods._REGISTERED,
        detectors.DETECTORS,
    )
    before = [dict(table) for table in tables]
    yield
    for table, known in zip(tables, before, strict=True):
        table.clear()
        table.update(known)
