"""The network that is trained: a Llama with float32 master weights.

Its arithmetic is bfloat16 on a GPU and where the processor has instructions for it (two to three
times as fast), else float32, which is then the faster one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .attention import attend
from .tokenizer import MAX_POSITIONS, VOCABULARY

LAYERS = 6


@dataclass(frozen=True, slots=True)
class NetworkSize:
    """Sizes of the network; the defaults give 6.23 million parameters."""

    vocabulary: int = VOCABULARY
    hidden: int = 256
    layers: int = LAYERS
    heads: int = 4
    kv_heads: int = 2
    head_width: int = 64
    feed_forward: int = 640
    theta: float = 500_000.0
    positions: int = MAX_POSITIONS
    epsilon: float = 1e-5


def fastest_arithmetic(device: str = "cpu") -> torch.dtype:
    """bfloat16 on GPUs and processors that multiply in it (AMX, AVX-512), float32 on others."""
    if torch.device(device).type != "cpu":
        return torch.bfloat16
    read = getattr(torch.cpu, "get_capabilities", None)
    able = read() if read is not None else {}
    fast = able.get("amx_bf16") or able.get("avx512_bf16")
    return torch.bfloat16 if fast else torch.float32


def _matrix(rows: int, columns: int, scale: float = 1.0) -> nn.Parameter:
    return nn.Parameter(torch.randn(rows, columns) * (scale * columns**-0.5))


class Layer(nn.Module):
    """One decoder layer: attention and a gated feed-forward part, each after an RMS norm."""

    def __init__(self, size: NetworkSize, arithmetic: torch.dtype) -> None:
        super().__init__()
        self.size = size
        self.arithmetic = arithmetic
        into_residual = 1 / math.sqrt(2 * size.layers)
        width, heads = size.head_width, size.heads + 2 * size.kv_heads
        self.query_key_value = _matrix(heads * width, size.hidden)
        self.output = _matrix(size.hidden, size.heads * width, into_residual)
        self.gate_up = _matrix(2 * size.feed_forward, size.hidden)
        self.down = _matrix(size.hidden, size.feed_forward, into_residual)
        self.attention_norm = nn.Parameter(torch.ones(size.hidden))
        self.feed_forward_norm = nn.Parameter(torch.ones(size.hidden))

    def forward(self, hidden: Tensor, cosine: Tensor, sine: Tensor, visible: Tensor | None):
        """The layer's output for float32 `hidden` (batch, length, hidden)."""
        hidden = hidden + self._attend(self._normed(hidden, "attention"), cosine, sine, visible)
        inner = F.linear(self._normed(hidden, "feed_forward"), self.gate_up.to(self.arithmetic))
        gate, up = inner.chunk(2, -1)
        return hidden + F.linear(F.silu(gate) * up, self.down.to(self.arithmetic))

    def _normed(self, hidden: Tensor, part: str) -> Tensor:
        weight = self.attention_norm if part == "attention" else self.feed_forward_norm
        normed = F.rms_norm(hidden, (self.size.hidden,), weight, self.size.epsilon)
        return normed.to(self.arithmetic)

    def _attend(self, normed: Tensor, cosine: Tensor, sine: Tensor, visible: Tensor | None):
        size = self.size
        batch, length, _ = normed.shape
        heads = size.heads + 2 * size.kv_heads
        mixed = F.linear(normed, self.query_key_value.to(self.arithmetic))
        mixed = mixed.view(batch, length, heads, size.head_width).transpose(1, 2)
        turned, value = mixed.split([size.heads + size.kv_heads, size.kv_heads], 1)
        query, key = rotate(turned, cosine, sine).split([size.heads, size.kv_heads], 1)
        grouped = (query * size.head_width**-0.5).reshape(
            batch, size.kv_heads, size.heads // size.kv_heads, length, size.head_width
        )
        output = attend(grouped, key.contiguous(), value.contiguous(), visible)
        joined = output.view(batch, size.heads, length, size.head_width).transpose(1, 2)
        return F.linear(joined.reshape(batch, length, -1), self.output.to(self.arithmetic))


def rotate(heads: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions, halves paired as in Llama."""
    first, second = heads.chunk(2, -1)
    return heads * cosine + torch.cat([-second, first], -1) * sine


class Network(nn.Module):
    """Token ids to logits; the embeddings are also the output matrix."""

    cosine: Tensor
    sine: Tensor

    def __init__(
        self, size: NetworkSize | None = None, arithmetic: torch.dtype = torch.float32
    ) -> None:
        """Random weights from torch's generator."""
        super().__init__()
        self.arithmetic = arithmetic
        self.size = size = size or NetworkSize()
        self.embeddings = nn.Parameter(torch.randn(size.vocabulary, size.hidden) * 0.02)
        self.layers = nn.ModuleList(Layer(size, arithmetic) for _ in range(size.layers))
        self.norm = nn.Parameter(torch.ones(size.hidden))
        steps = torch.arange(0, size.head_width, 2).float() / size.head_width
        angles = torch.outer(torch.arange(size.positions).float(), size.theta**-steps)
        self.register_buffer("cosine", torch.cat([angles.cos()] * 2, -1), persistent=False)
        self.register_buffer("sine", torch.cat([angles.sin()] * 2, -1), persistent=False)

    def forward(
        self,
        ids: Tensor,
        positions: Tensor,
        visible: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> Tensor:
        """Logits of all rows, or of the `selected` ones only.

        `ids` and `positions` are (batch, length), `visible` bool (batch, length, length),
        `selected` bool (batch, length); the result is (batch, length or rows, vocabulary).
        """
        hidden = F.embedding(ids, self.embeddings)
        cosine = self.cosine[positions][:, None].to(self.arithmetic)
        sine = self.sine[positions][:, None].to(self.arithmetic)
        for layer in self.layers:
            hidden = layer(hidden, cosine, sine, visible)
        if selected is not None:
            hidden = hidden[selected]
        hidden = F.rms_norm(hidden, (self.size.hidden,), self.norm, self.size.epsilon)
        return F.linear(hidden.to(self.arithmetic), self.embeddings.to(self.arithmetic))

    def matrices(self) -> list[nn.Parameter]:
        """The matrices of the layers, which Muon trains."""
        return [weight for weight in self.layers.parameters() if weight.dim() == 2]

    def others(self) -> list[nn.Parameter]:
        """Embeddings and norms, which AdamW trains."""
        norms = [weight for weight in self.layers.parameters() if weight.dim() == 1]
        return [self.embeddings, self.norm, *norms]
