"""kvpress needs an environment of its own (.ci/parity); without it these tests skip."""

import copy

import pytest

from teacher_forced import tiny_llama
from transactional_attention.methods import registry


@pytest.fixture
def llama(tmp_path, tokenizer):
    """A random Llama whose folder holds the tokenizer: some presses look it up there."""
    model = tiny_llama(vocab_size=len(tokenizer), factor=1.5, hidden_size=64, head_dim=32)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    model.config.name_or_path = str(tmp_path)
    return model


@pytest.fixture
def words(tokenizer):
    """A tokenizer that presses may change."""
    return copy.deepcopy(tokenizer)


@pytest.fixture
def methods():
    """The registries forget what a test adds to them."""
    tables = (registry.METHODS, registry.TWINS, registry.ALL_METHODS)
    before = [set(table) for table in tables]
    yield
    for table, names in zip(tables, before, strict=True):
        for name in set(table) - names:
            del table[name]
