"""One file knows how transformers names a cache; every name reaches the engine."""

import ast
import re
from pathlib import Path

import pytest
import torch
from transformers import DynamicCache

import transactional_attention as ta
from scenes import TEXTS, encode
from transactional_attention.engines.transformers import arguments

ROOT = Path(__file__).parents[2]
NAMES = sorted({"past_key_values", arguments.NAME})


def said(tree):
    """Every name and text of a program that could be an argument's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword | ast.arg):
            yield node.arg
        elif isinstance(node, ast.Constant):
            yield node.value


def test_no_other_file_names_the_argument():
    package = ROOT / "src" / "transactional_attention"
    named = [
        p for p in package.rglob("*.py") if "past_key_values" in said(ast.parse(p.read_text()))
    ]
    assert named == [package / "engines" / "transformers" / "arguments.py"]


@pytest.mark.parametrize("name", NAMES)
def test_generate_and_the_decoder_take_a_cache_by_every_name(model, tokenizer, name):
    ids, mask = encode(tokenizer, TEXTS[0])
    found = []
    for given in (name, arguments.NAME):
        cache = ta.RetentionCache(model, tokenizer, ta.Retention(budget=16))
        options = dict(attention_mask=mask, max_new_tokens=6, do_sample=False)
        found.append(model.generate(ids, **{given: cache}, **options))
        assert cache.ledger.between == 16
        model.get_decoder()(input_ids=torch.tensor([[40]]), **{given: cache})
        assert cache.num_columns == ids.shape[1] + 6
    assert torch.equal(*found)


def test_a_cache_that_reaches_no_hook_names_the_version(model, tokenizer):
    """As one within another object would be, which transformers may hand on some day."""
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(budget=16))
    outer = DynamicCache()
    outer.update, outer.get_mask_sizes = cache.update, cache.get_mask_sizes
    outer.get_seq_length = cache.get_seq_length
    with pytest.raises(ta.CacheStateError, match=re.escape(arguments.versions())):
        model(encode(tokenizer, TEXTS[0])[0], **arguments.cache_argument(outer))


def test_what_is_called_tested_is_what_the_package_takes_and_the_matrix_runs():
    low, high = (tuple(map(int, v.split("."))) for v in arguments.TESTED.split(" to "))
    low_text, high_text = (".".join(map(str, v)) for v in (low, (high[0], high[1] + 1)))
    project = (ROOT / "pyproject.toml").read_text()
    assert f'"transformers>={low_text},<{high_text}"' in project
    lists = (ROOT / ".ci").glob("skips-transformers-*.txt")
    run = sorted(tuple(map(int, re.findall(r"\d+", p.name)[:2])) for p in lists)
    assert (run[0], run[-1]) == (low, high)
