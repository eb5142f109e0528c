import pytest
import torch
from safetensors.torch import load_file

from ta_lab.training.export import EMBEDDINGS, export_model, llama_weights, load_llama_weights
from ta_lab.training.network import BlockAttention, Muon, Network, NetworkSize, orthogonalise
from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder, load_embedded


def trained() -> Network:
    weights = load_file(folder("main") / "model.safetensors")
    layers = sum(name.endswith("input_layernorm.weight") for name in weights)
    network = Network(NetworkSize(vocabulary=len(weights[EMBEDDINGS]), layers=layers))
    load_llama_weights(network, weights)
    return network


def test_logits_equal_those_of_the_exported_llama():
    model, _ = load_embedded()
    network = trained()
    ids = torch.randint(3, 2048, (2, 300), generator=torch.Generator().manual_seed(1))
    positions = torch.arange(300).repeat(2, 1)
    with torch.no_grad():
        ours = network(ids, positions)
        theirs = model(ids, position_ids=positions).logits
    assert (ours - theirs).abs().max() < 2e-3


def test_export_writes_what_from_pretrained_reads(tmp_path):
    network = trained()
    path = export_model(network, folder("main"), tmp_path / "model")
    weights = load_file(path / "model.safetensors")
    assert weights.keys() == llama_weights(network).keys()
    assert all(weight.dtype is torch.bfloat16 for weight in weights.values())
    assert (path / "model.safetensors").stat().st_size < 16_000_000


def test_weights_of_another_size_are_refused():
    with pytest.raises(InputError, match="do not fit"):
        load_llama_weights(Network(), {})


@pytest.mark.parametrize("masked", [False, True])
def test_block_attention_equals_plain_attention(masked: bool):
    generator = torch.Generator().manual_seed(0)
    length = 300
    query = torch.randn(2, 2, 2, length, 16, generator=generator, requires_grad=True)
    key, value = (
        torch.randn(2, 2, length, 16, generator=generator, requires_grad=True) for _ in range(2)
    )
    visible = torch.ones(2, length, length, dtype=torch.bool).tril()
    if masked:
        visible &= torch.rand(visible.shape, generator=generator) < 0.5
        visible |= torch.eye(length, dtype=torch.bool)
    ours = BlockAttention.apply(query, key, value, visible if masked else None)
    scores = query @ key.transpose(-1, -2)[:, :, None]
    scores = scores.masked_fill(~visible[:, None, None], float("-inf"))
    plain = scores.softmax(-1) @ value[:, :, None]
    torch.testing.assert_close(ours, plain, atol=1e-5, rtol=1e-4)
    weights = torch.randn(plain.shape, generator=generator)
    expected = torch.autograd.grad((plain * weights).sum(), (query, key, value))
    found = torch.autograd.grad((ours * weights).sum(), (query, key, value))
    for left, right in zip(found, expected):
        torch.testing.assert_close(left, right, atol=1e-4, rtol=1e-3)


def test_muon_steps_along_an_orthogonal_matrix():
    update = orthogonalise(torch.randn(64, 32, generator=torch.Generator().manual_seed(2)))
    singular = torch.linalg.svdvals(update)
    assert singular.min() > 0.5
    assert singular.max() < 1.5
    weight = torch.nn.Parameter(torch.zeros(8, 8))
    weight.grad = torch.eye(8)
    Muon([weight], lr=0.1).step()
    assert weight.diagonal().max() < 0
