"""The plugin of vLLM on tiny Llamas over bytes, in this process."""

import pytest

from vllm_engine import running, save_tiny, set_environment, skip_without_vllm


@pytest.fixture(scope="session", autouse=True)
def _engine():
    skip_without_vllm()
    set_environment()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tiny")


@pytest.fixture(scope="session")
def tiny(folder):
    """Of transformers: the model and its tokenizer."""
    return save_tiny(folder)


@pytest.fixture(scope="module")
def engine(folder, tiny):
    """Prefix caching on, as it is by default; a batch takes three chunks of a prompt."""
    with running(folder, max_model_len=4096, max_num_batched_tokens=200) as engine:
        yield engine
