"""A sliding window with attention sinks as a plain cache of transformers: StreamingLLM's peer.

Source: Xiao et al., "Efficient Streaming Language Models with Attention Sinks" (2023): the first
tokens and the newest ones stay. Keys keep their positions here; the paper turns all of them to
their place in the window at every step, which costs more.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import Cache
from transformers.cache_utils import DynamicLayer

SINKS = 4


class WindowLayer(DynamicLayer):
    """Keys and values [row, kv_head, <= size, head_dim]: ``sinks`` first tokens and the newest.

    A step of one token drops the oldest before it attends, so that ``size`` tokens are seen; more
    tokens at once attend to all that is held, and what is over is dropped behind them.
    """

    def __init__(self, size: int, sinks: int) -> None:
        super().__init__()
        self.size, self.sinks, self.seen = size, min(sinks, size - 1), 0

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add tokens; returns what they may see."""
        if self.seen and key_states.shape[-2] == 1:
            assert self.keys is not None and self.values is not None
            held = (self.keys, self.values)
            self.keys, self.values = (self._cut(states, self.size - 1) for states in held)
        seen = super().update(key_states, value_states)
        self.seen += key_states.shape[-2]
        self.keys, self.values = (self._cut(states, self.size) for states in seen)
        return seen

    def _cut(self, states: torch.Tensor, size: int) -> torch.Tensor:
        over = states.shape[-2] - size
        if over <= 0:
            return states
        rest = states[..., self.sinks + over :, :]
        return torch.cat([states[..., : self.sinks, :], rest], -2)

    def get_seq_length(self, *args: Any) -> int:
        """Tokens seen, dropped ones included: positions go on counting."""
        return self.seen

    def get_mask_sizes(self, query_length: Any) -> tuple[int, int]:
        """(columns that attention sees, the column at which they start)."""
        queries = query_length if isinstance(query_length, int) else query_length.shape[0]
        held = 0 if self.keys is None or not self.seen else self.keys.shape[-2]
        if held and queries == 1:
            held = min(held, self.size - 1)
        return held + queries, self.seen - held


def window_cache(config: Any, size: int, sinks: int = SINKS) -> Cache:
    """An empty window of ``size`` tokens in every layer."""
    layers = config.get_text_config(decoder=True).num_hidden_layers
    return Cache(layers=[WindowLayer(size, sinks) for _ in range(layers)])
