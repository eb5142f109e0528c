"""Weights to start from: those of a trained model, with more layers, or for another tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, pre_tokenizers
from torch import Tensor

from transactional_attention.errors import InputError

# Shorter words are parts of random strings, of which every letter counts.
SHORTEST_WORD = 3
# The part of an embedding that tells the spellings of a word apart.
OWN = 0.3
PREFIX = "model.layers."
# What a layer adds to the residual stream goes through these.
OUTPUTS = ("self_attn.o_proj.weight", "mlp.down_proj.weight")


def carried_embeddings(old: Tokenizer, embeddings: Tensor, new: Tokenizer) -> Tensor:
    """Embeddings (new vocabulary, hidden) from (old vocabulary, hidden).

    All spellings of a word (with a space, a capital, in capitals) begin close to the word in small
    letters; another piece as the mean of those in which the old tokenizer spells it; what has no
    text of its own, a byte of a character, as the mean of all."""
    generator = torch.Generator().manual_seed(0)
    scale = OWN * embeddings.std()
    found = embeddings.mean(0).repeat(new.get_vocab_size(), 1)
    alphabet = set(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = old.get_vocab()
    for piece, token in new.get_vocab().items():
        word = piece.lstrip("Ġ▁")
        own = vocabulary.get(piece)
        if word.isascii() and word.isalpha() and len(word) >= SHORTEST_WORD:
            found[token] = embeddings[_spelled(old, " " + word.lower())].mean(0)
            if own is None:
                noise = torch.randn(embeddings.shape[1], generator=generator)
                found[token] += scale * noise
            else:
                found[token] += OWN * (embeddings[own] - found[token])
        elif own is not None:
            found[token] = embeddings[own]
        elif ids := _spelled(old, _text(piece, new, token, alphabet)):
            found[token] = embeddings[ids].mean(0)
    return found


def _spelled(old: Tokenizer, text: str) -> list[int]:
    return old.encode(text, add_special_tokens=False).ids


def _text(piece: str, new: Tokenizer, token: int, alphabet: set[str]) -> str:
    """The text of a piece; nothing for a part of a character."""
    if set(piece) <= alphabet:
        text = new.decode([token], skip_special_tokens=False)
        return "" if "\N{REPLACEMENT CHARACTER}" in text else text
    return "" if piece.startswith("<0x") else piece.replace("▁", " ")


def grown(weights: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Weights named as in LlamaForCausalLM with `layers` layers instead of fewer.

    New layers are spread over the upper part: copies of the one below them that add nothing (their
    output matrices are zero) until they are trained. Raises InputError for a network with more."""
    found = {name: weight for name, weight in weights.items() if not name.startswith(PREFIX)}
    inner = [name.removeprefix(f"{PREFIX}0.") for name in weights if name.startswith(f"{PREFIX}0.")]
    old = sum(name.endswith(OUTPUTS[0]) for name in weights)
    if not 0 < old <= layers:
        raise InputError(f"the initial weights have {old} layers, the network has {layers}")
    source = -1
    for number, new in enumerate(new_layers(old, layers)):
        source += not new
        for name in inner:
            weight = weights[f"{PREFIX}{source}.{name}"]
            dropped = new and name in OUTPUTS
            found[f"{PREFIX}{number}.{name}"] = torch.zeros_like(weight) if dropped else weight
    return found


def new_layers(old: int, layers: int) -> list[bool]:
    """Which of `layers` layers are new: a new one above each old one but the last, upper first."""
    added = [0] * old
    for count in range(layers - old):
        added[old - 1 - (count + 1) % old] += 1
    return [above > 0 for new in added for above in range(new + 1)]


def layers_of(model: Path) -> int:
    """Layers of the model in a folder; raises InputError when its configuration is missing."""
    try:
        config = json.loads((model / "config.json").read_text(encoding="utf-8"))
        return int(config["num_hidden_layers"])
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{model.name} is no model folder: config.json cannot be read") from error
