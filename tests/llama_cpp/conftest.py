"""The engine llama.cpp, on tiny Llamas written to GGUF files and on SmolLM2 itself."""

import pytest

from gguf_files import write_gguf
from llama_cpp_chats import llama_engine
from llama_wheel import skip_without_smollm2, skip_without_wheel
from transactional_attention.engines.llama_cpp import GgufModel
from transactional_attention.gguf import GgufTokenizer


@pytest.fixture(scope="session", autouse=True)
def _engine():
    skip_without_wheel()


@pytest.fixture(scope="session")
def pair(tmp_path_factory):
    """A tiny Llama over bytes in float32: of transformers, and as llama.cpp runs its file."""
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    return write_gguf(path), GgufModel(str(path))


@pytest.fixture(scope="session")
def short_pair(tmp_path_factory):
    """The same with 512 positions."""
    path = tmp_path_factory.mktemp("gguf") / "short.gguf"
    return write_gguf(path, positions=512), GgufModel(str(path))


@pytest.fixture(scope="session")
def gguf(pair):
    return pair[1]


@pytest.fixture
def start(serve, gguf):
    """Starts servers whose seats are fewer than their sessions."""

    def start(folder=None, bounds=None, checkpoints=2, **options):
        engine = llama_engine(gguf, checkpoints=checkpoints, **options)
        return serve(engine, folder, bounds, **options)

    return start


@pytest.fixture(scope="session")
def smollm2():
    """SmolLM2-135M as llama.cpp runs it, and its tokenizer."""
    skip_without_smollm2()
    model = GgufModel("smollm2")
    return model, GgufTokenizer(model)
