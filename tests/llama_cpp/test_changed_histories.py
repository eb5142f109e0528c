"""A message edited in the middle on llama.cpp: read again from a state before it, bit for bit."""

import pytest

from changed_histories import check_edits
from chat_templates import chat_tokenizer
from shared_beginnings import RETENTIONS
from transactional_attention import Retention
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine


@pytest.fixture
def start(serve, gguf):
    """A server whose seats are fewer than its sessions."""

    def start(folder, bounds, **options):
        given = Retention(**{"budget": 96, **options})
        sizes = dict(chunk=64, parallel=2, checkpoints=4, cell_type="f32", threads=1)
        engine = LlamaEngine("tiny", gguf, chat_tokenizer("chatml"), given, **sizes)
        return serve(engine, folder, bounds, **options)

    return start


@pytest.mark.parametrize("options", RETENTIONS[1:], ids=str)
def test_what_is_read_again_is_as_read_for_the_first_time(start, options):
    check_edits(lambda folder, bounds: start(folder, bounds, **options))


@pytest.mark.parametrize("options", RETENTIONS[::4], ids=str)
def test_a_saved_session_has_its_states(start, tmp_path, options):
    check_edits(lambda folder, bounds: start(folder, bounds, **options), tmp_path)
