"""Models with PEFT's adapters: those of weights are served, virtual tokens are refused."""

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, TEXTS, Conversation, encode, generated
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache

peft = pytest.importorskip("peft", reason="needs peft: run .ci/extras")

pytestmark = pytest.mark.filterwarnings(
    "ignore:`is_gradient_checkpointing`:FutureWarning"
)  # peft's
SIXTEEN = Retention(budget=16)
WEIGHTS = {
    "LoraConfig": dict(target_modules=["q_proj", "v_proj"], init_lora_weights=False),
    "IA3Config": dict(target_modules=["k_proj"], feedforward_modules=[], init_ia3_weights=False),
}


def adapted(tokenizer, name="LoraConfig", mixed=False, **options):
    options = options or WEIGHTS[name]
    config = getattr(peft, name)(task_type="CAUSAL_LM", **options)
    plain = tiny_llama(vocab_size=len(tokenizer))
    torch.manual_seed(1)
    return peft.get_peft_model(plain, config, mixed=mixed).eval()


@pytest.mark.parametrize(("name", "mixed"), [*((n, False) for n in WEIGHTS), ("LoraConfig", True)])
def test_a_wrapped_model_is_served_exactly_and_installed(tokenizer, name, mixed):
    model = adapted(tokenizer, name, mixed)
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    talk = Conversation(model.base_model.model, cache, *encode(tokenizer, TEXTS[0]))
    talk.turn(chunk=7)
    assert talk.error() < EXACT
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        assert torch.equal(generated(model, tokenizer), expected)
        assert installed.cache.ledger.between == 16
        with pytest.raises(ta.CacheStateError, match="installed on this model already"):
            ta.install(model.base_model.model, tokenizer, SIXTEEN)
    assert not torch.equal(generated(model, tokenizer), expected)


def test_a_saved_cache_belongs_to_the_adapters_that_ran(tokenizer, tmp_path):
    model, path = adapted(tokenizer), tmp_path / "cache"
    ids, _ = encode(tokenizer, TEXTS[0])

    def save():
        cache = RetentionCache(model, tokenizer, SIXTEEN)
        ta.prefill(model, ids, cache, keep_last=False).save(path)

    save()
    ta.load_cache(path, model, tokenizer)
    ta.load_cache(path, model.get_base_model(), tokenizer)
    with (
        model.disable_adapter(),
        pytest.raises(ta.CacheStateError, match=r"\{'default': \[1.0\]\}, this model runs none"),
    ):
        ta.load_cache(path, model, tokenizer)
    with model.disable_adapter():
        save()
        ta.load_cache(path, model, tokenizer)
    with pytest.raises(ta.CacheStateError, match="factors: none, this model runs"):
        ta.load_cache(path, model, tokenizer)
    save()
    for module in model.modules():
        if hasattr(module, "set_scale"):
            module.set_scale("default", 0.5)
    with pytest.raises(ta.CacheStateError, match=r"runs \{'default': \[0.5\]\}"):
        ta.load_cache(path, model, tokenizer)


@pytest.mark.parametrize("name", ["PromptTuningConfig", "PrefixTuningConfig"])
def test_virtual_tokens_are_refused_by_name(tokenizer, name):
    model = adapted(tokenizer, name, num_virtual_tokens=4)
    for make in (RetentionCache, ta.install):
        with pytest.raises(ta.UnsupportedError, match=f"{name} puts virtual tokens"):
            make(model, tokenizer, SIXTEEN)
    RetentionCache(model.get_base_model(), tokenizer, SIXTEEN)
