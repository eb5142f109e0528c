"""install(): every generate() without a cache of its own gets a retention cache; and how
transformers names a cache, which one file knows."""

import ast
import re
from pathlib import Path

import pytest
import torch
import transformers
from transformers import DynamicCache

import transactional_attention as ta
from scenes import TEXTS, encode, generated
from transactional_attention.engines.transformers import arguments, install
from transactional_attention.engines.transformers.arguments import NAME, cache_argument

SIXTEEN = ta.Retention(budget=16)
ROOT = Path(__file__).parents[2]


def test_plain_generate_is_bounded_inside_the_block(model, tokenizer):
    expected = generated(model, tokenizer, ta.RetentionCache(model, tokenizer, SIXTEEN))
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        output = generated(model, tokenizer)
        cache = installed.cache
        assert torch.equal(generated(model, tokenizer), output)  # a new sequence
        assert cache.ledger.between == 16 and installed.cache is not cache
    assert torch.equal(output, expected)


def test_the_block_leaves_the_model_as_it_was_after_an_error_too(model, tokenizer):
    before = generated(model, tokenizer)
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        assert not torch.equal(generated(model, tokenizer), before)
    with pytest.raises(ZeroDivisionError), ta.install(model, tokenizer, SIXTEEN) as installed:
        _ = 1 / 0
    installed.uninstall()  # once more does nothing
    assert model.config._attn_implementation == "sdpa"
    assert "_prepare_cache_for_generation" not in vars(model)
    assert torch.equal(generated(model, tokenizer), before)


def test_a_cache_of_the_caller_goes_first_and_no_cache_means_none(model, tokenizer):
    before = generated(model, tokenizer)
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        native = DynamicCache(config=model.config)
        assert torch.equal(generated(model, tokenizer, native), before)
        generated(model, tokenizer, use_cache=False)
        assert installed.cache is None


def test_a_model_whose_files_say_no_cache_is_refused(model, tokenizer):
    model.generation_config.use_cache = False
    with pytest.raises(ta.UnsupportedError, match=r"generation_config.json says use_cache: false"):
        ta.install(model, tokenizer, SIXTEEN)
    model.generation_config.use_cache = True
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        generated(model, tokenizer)
        assert installed.cache is not None


def overlooked(generation_config, model_kwargs, *args):
    """What a transformers does that has renamed its argument: a cache of its own, and not ours."""
    model_kwargs[NAME] = DynamicCache()


@pytest.mark.parametrize("gone", ["overlooked", "renamed"])
def test_a_generation_without_its_cache_says_so_and_nothing_else_does(
    model, tokenizer, monkeypatch, gone
):
    if gone == "overlooked":
        monkeypatch.setattr(type(model), install.HOOK, staticmethod(overlooked))
    else:
        monkeypatch.setattr(install, "HOOK", "_prepare_cache_some_day")
    with ta.install(model, tokenizer, SIXTEEN):
        with pytest.raises(ta.CacheStateError, match=f"is {transformers.__version__}, tested are"):
            generated(model, tokenizer)
        ids, _ = encode(tokenizer, TEXTS[0])
        assert model(ids).logits.isfinite().all()  # no generation, and no promise
    assert not {"generate", install.HOOK} & vars(model).keys()


def test_the_remedies_are_to_pass_a_cache_or_none(model, tokenizer, monkeypatch):
    monkeypatch.setattr(install, "HOOK", "_prepare_cache_some_day")
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    with ta.install(model, tokenizer, SIXTEEN):
        generated(model, tokenizer, **cache_argument(cache))
    assert cache.ledger.between == 16


def test_a_call_that_fails_early_leaves_later_forwards_alone(model, tokenizer):
    with ta.install(model, tokenizer, SIXTEEN):
        with pytest.raises(ValueError, match="stop strings"):
            generated(model, tokenizer, stop_strings="x")
        assert model(encode(tokenizer, TEXTS[0])[0]).logits.isfinite().all()


def test_installing_twice_is_refused_and_the_first_goes_on(model, tokenizer):
    with ta.install(model, tokenizer, SIXTEEN) as outer:
        with pytest.raises(ta.CacheStateError, match="installed on this model already"):
            ta.install(model, tokenizer, SIXTEEN)
        generated(model, tokenizer)
        assert outer.cache.ledger.between == 16


def test_a_cache_made_before_outlives_the_block(model, tokenizer):
    """The block gives the model back as it was: attached."""
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    with ta.install(model, tokenizer, SIXTEEN):
        generated(model, tokenizer)
    generated(model, tokenizer, past_key_values=cache)
    assert cache.ledger.between == 16


def test_bad_choices_fail_at_once_and_leave_the_model_alone(model, tokenizer):
    with pytest.raises(ta.BudgetError, match="smaller than the 5 tokens"):
        ta.install(model, tokenizer, ta.Retention(budget=3))
    assert model.config._attn_implementation == "sdpa"


# the name of a cache


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


@pytest.mark.parametrize("name", sorted({"past_key_values", NAME}))
def test_generate_and_the_decoder_take_a_cache_by_every_name(model, tokenizer, name):
    ids, mask = encode(tokenizer, TEXTS[0])
    outputs = []
    for given in (name, NAME):
        cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
        options = dict(attention_mask=mask, max_new_tokens=6, do_sample=False)
        outputs.append(model.generate(ids, **{given: cache}, **options))
        assert cache.ledger.between == 16
        model.get_decoder()(input_ids=torch.tensor([[40]]), **{given: cache})
        assert cache.num_columns == ids.shape[1] + 6
    assert torch.equal(*outputs)


def test_a_cache_that_reaches_no_hook_names_the_version(model, tokenizer):
    """As one within another object would be, which transformers may hand on some day."""
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    outer = DynamicCache()
    outer.update, outer.get_mask_sizes = cache.update, cache.get_mask_sizes
    outer.get_seq_length = cache.get_seq_length
    with pytest.raises(ta.CacheStateError, match=re.escape(arguments.versions())):
        model(encode(tokenizer, TEXTS[0])[0], **cache_argument(outer))


def test_what_is_called_tested_is_what_the_package_takes_and_the_matrix_runs():
    low, high = (tuple(map(int, v.split("."))) for v in arguments.TESTED.split(" to "))
    low_text, high_text = (".".join(map(str, v)) for v in (low, (high[0], high[1] + 1)))
    project = (ROOT / "pyproject.toml").read_text()
    assert f'"transformers>={low_text},<{high_text}"' in project
    lists = (ROOT / ".ci").glob("skips-transformers-*.txt")
    run = sorted(tuple(map(int, re.findall(r"\d+", p.name)[:2])) for p in lists)
    assert (run[0], run[-1]) == (low, high)
