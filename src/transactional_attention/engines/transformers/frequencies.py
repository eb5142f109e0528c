"""Which rotary frequencies a decoder turns its keys with: by family, rope type and kind of layer.

They are read from transformers' own modules and computed nowhere here. What can be turned anew is
said by two lists: families whose every layer turns all keys last of all, pairing the halves of the
head or of its first part; and rope types whose frequencies are known for a given length.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from ...errors import UnsupportedError

FAMILIES = tuple(
    "llama mistral mixtral qwen2 qwen3 qwen3_moe phi phi3 gemma gemma2 gemma3_text gpt_neox "
    "starcoder2 olmo2 granite".split()
)
FIXED = ("default", "linear", "llama3", "yarn")
VARYING = ("dynamic", "longrope")  # by the length of the sequence
ORIGINAL = "original_max_position_embeddings"
FULL, SLIDING = "full_attention", "sliding_attention"


class Frequencies:
    """Frequencies of one kind of layer, and the factor that its rope type puts on queries and keys.

    ``dynamic`` (NTK) and ``longrope`` depend on the length. transformers changes the model's module
    to that end as a side effect of every forward, whoever runs it, so what it holds follows its
    history. Here a module made afresh is asked, and the answer depends on the length alone.
    """

    def __init__(self, module: nn.Module, layer_type: str | None) -> None:
        self._module, self._layer_type = module, layer_type
        self._fresh: tuple[int, nn.Module] | None = None

    @property
    def rope_type(self) -> str:
        """Its name in transformers."""
        rope_type: Any = self._module.rope_type
        return rope_type if self._layer_type is None else rope_type[self._layer_type]

    @property
    def varies(self) -> bool:
        """Whether they depend on the length."""
        return self.rope_type in VARYING

    @property
    def switch(self) -> int | None:
        """Longest sequence with the short factors of ``longrope``; None for other rope types."""
        if self.rope_type != "longrope":
            return None
        config: Any = self._module.config
        rope = getattr(config, "rope_parameters", None)
        if rope is None:  # transformers 4.57
            return getattr(config, ORIGINAL, config.max_position_embeddings)
        return int((rope if self._layer_type is None else rope[self._layer_type])[ORIGINAL])

    def at(self, length: int) -> tuple[Tensor, float]:
        """Inverse frequencies [rotary_dim / 2] in a sequence of ``length`` tokens, and the factor
        on queries and keys."""
        module: Any = self._at_length(length) if self.varies else self._module
        prefix = "" if self._layer_type is None else f"{self._layer_type}_"
        return getattr(module, f"{prefix}inv_freq"), getattr(module, f"{prefix}attention_scaling")

    def _at_length(self, length: int) -> nn.Module:
        fresh = self._fresh  # another thread may ask for another length
        if fresh is None or fresh[0] != length:
            module = type(self._module)(config=self._module.config)
            kind = () if self._layer_type is None else (self._layer_type,)
            module(torch.empty(0), torch.tensor([[length - 1]]), *kind)
            self._fresh = fresh = length, module
        return fresh[1]


def switch_length(decoder: nn.Module) -> int | None:
    """Where the full-attention layers of any decoder change their factors; None if nowhere."""
    return by_kind(decoder)[0].switch if has_frequencies(decoder) else None


def trained_length(config: Any) -> int | None:
    """Positions of a model, those that its rope type adds to them included; None: no bound.

    Of ``linear`` no configuration says whether its bound is that before or after: taken as it is.
    """
    limit = getattr(config, "max_position_embeddings", None)
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    rope = rope.get(FULL, rope)
    dynamic = rope.get("rope_type", rope.get("type")) == "dynamic"
    if limit is None or not (dynamic or ORIGINAL in rope):
        return limit
    return max(limit, int(rope.get(ORIGINAL, limit) * (rope.get("factor") or 1)))


def has_frequencies(decoder: nn.Module) -> bool:
    """Whether a decoder, of any family, has a rotary module of the usual kind."""
    kinds: Any = getattr(getattr(decoder, "rotary_emb", None), "rope_type", None)
    return kinds is not None and (not isinstance(kinds, dict) or FULL in kinds)


def by_kind(decoder: nn.Module) -> tuple[Frequencies, Frequencies]:
    """Frequencies of full-attention layers, and of sliding ones, whatever the rope type."""
    module: Any = decoder.rotary_emb
    if isinstance(module.rope_type, dict):  # Gemma 3 in transformers 5
        kinds = (FULL, SLIDING if SLIDING in module.rope_type else FULL)
        return Frequencies(module, kinds[0]), Frequencies(module, kinds[1])
    full = Frequencies(module, None)
    local: Any = getattr(decoder, "rotary_emb_local", None)  # Gemma 3 in transformers 4.57
    return full, full if local is None else Frequencies(local, None)


def takes_long(length: int, switch: int, held: bool | None) -> bool:
    """Whether a sequence takes the long factors; ``held``: those of the keys that a cache holds,
    None for any. Raises UnsupportedError when they are the others."""
    long = length > switch
    if held not in (None, long):
        raise UnsupportedError(
            f"at {length} tokens longrope takes other factors than for the keys that the cache "
            f"holds (it changes beyond {switch}): use positions='compact', or feed a text "
            "that ends beyond it in one forward"
        )
    return long
