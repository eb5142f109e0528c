"""Sessions of agents on a tiny model, and ``ta sessions`` run in this process."""

import json

from typer.testing import CliRunner

from chat_templates import chat_tokenizer
from ta_lab.sessions.playing import Model
from teacher_forced import tiny_llama
from transactional_attention import InputError
from transactional_attention.cli import app
from transactional_attention.engines.transformers.sessions import TransformersEngine


def tiny_engine():
    tokenizer = chat_tokenizer("tools")
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=8192)
    return TransformersEngine("tiny", model, tokenizer, chunk=64, checkpoints=0)


def tiny_model():
    engine = tiny_engine()
    return Model(engine, engine.tokenizer, engine.end_ids, True)


def run(*arguments):
    return CliRunner().invoke(app, ["sessions", *map(str, arguments)], catch_exceptions=True)


def recorded(out, *arguments):
    """The record that it writes to ``out``."""
    done = run(*arguments, "--json", out)
    assert done.exit_code == 0, done.exception
    return json.loads(out.read_text())


def refusal(*arguments):
    """The words with which it refuses."""
    error = run(*arguments).exception
    assert isinstance(error, InputError)
    return str(error)
