"""Random gates for the tiny models of tests: the instrument, trained for nothing."""

import torch
from safetensors.torch import save_file

from ta_lab.baselines.gates import Gate, metadata_of, tensors_of
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.models.embedded.derived import weights_sha256


def random_gates(model):
    """A gate for every layer of a model; log beta lies about evenly between -4 and 0."""
    config, generator = model.config, torch.Generator().manual_seed(1)

    def draw(*shape):
        return torch.randn(*shape, generator=generator).half().float()  # as files hold them

    hidden, heads = config.hidden_size, config.num_key_value_heads
    return {
        index: Gate(draw(32, hidden) / 8, draw(32) / 8, draw(heads, 32) / 2, torch.ones(heads))
        for index in range(config.num_hidden_layers)
    }


def write_gates(model, path, gates=None):
    """A file of gates for a model's weights; returns its path."""
    weights = weights_sha256(find_decoder(model))
    save_file(tensors_of(gates or random_gates(model)), path, metadata_of(weights))
    return path
