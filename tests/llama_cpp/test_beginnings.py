"""Beginnings that sessions share on llama.cpp: as if all were read anew, bit for bit."""

import pytest

import shared_beginnings as shared
from chat_templates import chat_tokenizer
from shared_beginnings import OFF, RETENTIONS
from transactional_attention import Retention
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine


@pytest.fixture
def start(serve, gguf):
    """A server whose seats are fewer than its sessions."""

    def start(folder=None, bounds=None, **options):
        given = Retention(**{"budget": 96, **options})
        sizes = dict(chunk=64, parallel=2, cell_type="f32", threads=1)
        engine = LlamaEngine("tiny", gguf, chat_tokenizer("chatml"), given, **sizes)
        return serve(engine, folder, bounds, **options)

    return start


@pytest.mark.parametrize("options", RETENTIONS, ids=str)
def test_what_is_read_once_is_as_if_read_anew(start, options):
    shared.check_as_read_anew(start(**options), start(bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS[:2], ids=str)
def test_a_history_before_the_last_message_is_shared_too(start, options):
    shared.check_last_message(start(**options), start(bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS, ids=str)
def test_beginnings_survive_a_restart(start, tmp_path, options):
    shared.check_restart(lambda folder: start(folder, **options), tmp_path)
