"""Cumulative attention: what blocks add up to is what eager attention's weights add up to."""

import pytest
import torch

from ta_lab.cases.encoding import encode_case
from ta_lab.experiments.dormancy_measure import dormancy, received, value_ranks
from ta_lab.generators.needle import needle_case
from transactional_attention import detach, load_embedded


def test_sums_are_those_of_eager_attention(model, tokenizer):
    ids = torch.randint(0, 90, (1, 40), generator=torch.Generator().manual_seed(1))
    parts = received(model, tokenizer, ids[0, :30].tolist(), ids[0, 30:].tolist())
    detach(model)
    with torch.inference_mode():
        model.set_attn_implementation("eager")
        weights = model(ids, use_cache=False, output_attentions=True).attentions
    for index, layer in enumerate(weights):
        mean = layer[0].mean(0).double()
        for queries, sums in zip((30, 40), parts, strict=True):
            expected = mean[:queries, :queries].sum(0)
            torch.testing.assert_close(sums[index], expected, atol=1e-4, rtol=0)


def test_ranks_and_rows():
    loaded = load_embedded()
    case = needle_case(loaded[1], context=256, depth=0.5, seed=0)
    encoded = encode_case(loaded[1], case)
    (span,) = encoded.values
    for before, after in value_ranks(*loaded, encoded):
        assert len(before) == len(after) == span.end - span.start
        assert all(1 <= rank <= len(encoded.ids) for rank in (*before, *after))
    rows = dormancy(*loaded, tokens=256, trials=2, seed=0, filler="pydoc")
    assert [row["layer"] for row in rows] == list(range(loaded[0].config.num_hidden_layers))
    for row in rows:
        assert row["trials"] == 2
        assert row["before"]["best"] <= row["before"]["median"] <= row["before"]["worst"]
        assert row["chance"] == pytest.approx(row["positions"] / 2, abs=1)
