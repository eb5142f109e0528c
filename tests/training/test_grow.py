from pathlib import Path

import pytest
import torch

from ta_lab.training.export import llama_weights, load_llama_weights
from ta_lab.training.initial import grown, layers_of, new_layers
from ta_lab.training.network import Network, NetworkSize
from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder


def network(layers: int) -> Network:
    return Network(NetworkSize(vocabulary=64, hidden=32, layers=layers, feed_forward=48))


@pytest.mark.parametrize("layers", [2, 3, 5])
def test_a_grown_network_computes_the_same_and_learns_in_every_layer(layers: int):
    torch.manual_seed(0)
    small, large = network(2), network(layers)
    load_llama_weights(large, grown(llama_weights(small), layers))
    ids = torch.randint(64, (2, 20))
    positions = torch.arange(20).repeat(2, 1)
    logits = large(ids, positions)
    assert torch.allclose(small(ids, positions), logits, atol=1e-5)
    logits.square().mean().backward()
    assert all(layer.output.grad.abs().max() > 0 for layer in large.layers)


def test_new_layers_are_spread_and_the_last_layer_is_an_old_one():
    assert new_layers(4, 6) == [False, False, True, False, True, False]
    assert sum(new_layers(3, 9)) == 6
    assert new_layers(4, 4) == [False] * 4


def test_a_network_with_fewer_layers_is_refused():
    with pytest.raises(InputError, match="3 layers, the network has 2"):
        grown(llama_weights(network(3)), 2)


def test_the_layers_of_a_model_are_read_from_its_configuration(tmp_path: Path):
    assert layers_of(folder("main")) >= 4
    with pytest.raises(InputError, match=f"{tmp_path.name} is no model folder"):
        layers_of(tmp_path)
