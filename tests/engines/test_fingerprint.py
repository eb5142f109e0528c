"""What a saved cache compares of a model: what it does, not how its configuration words it."""

from types import SimpleNamespace

import pytest

import transactional_attention as ta
from tiny_families import build
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.fingerprint import FACTS, check_same, model_facts

OLDER = {
    "llama": dict(rope_theta=10_000.0, rope_scaling=None),
    "phi": dict(rope_theta=10_000.0, rope_scaling=None, partial_rotary_factor=0.5),
    "gemma3": dict(rope_theta=1e6, rope_local_base_freq=10_000.0, rope_scaling=None),
    "yarn": dict(rope_theta=10_000.0, rope_scaling={"rope_type": "yarn", "factor": 4.0}),
}
"""How transformers 4.57 words the rotation of tiny models."""


@pytest.mark.parametrize("name", OLDER)
def test_a_model_is_the_same_however_its_configuration_words_the_rotation(name):
    scaling = {"rope_type": "yarn", "factor": 4.0}
    model = build("llama", rope_scaling=scaling) if name == "yarn" else build(name)
    decoder = find_decoder(model)
    facts, config = model_facts(decoder), decoder.config
    plain = {field: getattr(config, field, None) for field in (*FACTS, "max_position_embeddings")}
    if name != "gemma3":
        plain |= {"head_dim": None, "layer_types": None}
    decoder.config = SimpleNamespace(**plain, **OLDER[name])
    check_same(facts, model_facts(decoder), "file")


@pytest.mark.parametrize(("change", "same"), [(1 + 1e-6, True), (1 + 1e-4, False)])
def test_frequencies_are_compared_to_their_last_digits(model, change, same):
    facts, other = (model_facts(find_decoder(model)) for _ in range(2))
    other["rope"]["full"]["frequencies"][0][-1] *= change
    if same:
        check_same(facts, other, "file")
        return
    with pytest.raises(ta.CacheStateError, match="other frequencies"):
        check_same(facts, other, "file")
