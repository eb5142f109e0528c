"""The network that is trained: a Llama with float32 master weights, its attention and optimiser.

Its arithmetic is bfloat16 on a GPU and where the processor has instructions for it (two to three
times as fast), else float32, which is then the faster one. Attention on a CPU goes in blocks of
rows, twice as fast as the fused kernel: a block multiplies only the columns it may see, so half of
the square is never computed; the probabilities are kept for the backward pass (about 0.8 GB at
4,096 tokens and 6 layers).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .tokenizer import MAX_POSITIONS, VOCABULARY

ROWS = 128
# Sequences computed together: short ones are batched, long ones would leave the processor cache.
TOKENS_TOGETHER = 1024


def attend(query: Tensor, key: Tensor, value: Tensor, visible: Tensor | None) -> Tensor:
    """softmax(q kᵀ + mask) v by whatever is fastest where the tensors are; as `BlockAttention`."""
    if query.device.type != "cpu":
        return fused_attention(query, key, value, visible)
    output = BlockAttention.apply(query, key, value, visible)
    assert isinstance(output, Tensor)
    return output


def fused_attention(query: Tensor, key: Tensor, value: Tensor, visible: Tensor | None) -> Tensor:
    """The same by torch's fused kernels, which take grouped queries and a mask only if repeated."""
    batch, heads, group, length, width = query.shape
    flat = query.reshape(batch, heads * group, length, width)
    key, value = (part.repeat_interleave(group, 1) for part in (key, value))
    mask = None if visible is None else visible[:, None]
    output = F.scaled_dot_product_attention(
        flat, key, value, attn_mask=mask, is_causal=mask is None, scale=1.0
    )
    return output.view(query.shape)


class BlockAttention(torch.autograd.Function):
    """softmax(q kᵀ + mask) v for grouped queries; gradients for q, k and v."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, visible: Tensor | None):
        """Attend.

        `query` (batch, kv heads, group, length, width) is scaled already; `key` and `value` are
        (batch, kv heads, length, width); `visible` is bool (batch, length, length) or None for
        plain causal attention. Returns a tensor like `query`."""
        output = torch.empty_like(query)
        probabilities = []
        for sequences, begin, end in _blocks(query):
            scores = _scores(query[sequences, :, :, begin:end], key[sequences, :, :end])
            _hide(scores, None if visible is None else visible[sequences, begin:end, :end], begin)
            flat = scores.flatten(0, 1).flatten(1, 2).softmax(-1)
            probabilities.append(flat)
            mixed = torch.bmm(flat, value[sequences, :, :end].flatten(0, 1))
            output[sequences, :, :, begin:end] = mixed.view_as(query[sequences, :, :, begin:end])
        ctx.save_for_backward(query, key, value)
        ctx.probabilities = probabilities
        return output

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor):
        """Gradients of q, k, v (and none for the mask)."""
        query, key, value = ctx.saved_tensors
        query_grad = torch.empty_like(query)
        key_grad = torch.zeros_like(key, dtype=torch.float32)
        value_grad = torch.zeros_like(value, dtype=torch.float32)
        for (sequences, begin, end), flat in zip(_blocks(query), ctx.probabilities):
            rows = query[sequences, :, :, begin:end]
            upstream = gradients[0][sequences, :, :, begin:end].flatten(0, 1).flatten(1, 2)
            keys, values = (part[sequences, :, :end].flatten(0, 1) for part in (key, value))
            shape = key_grad[sequences, :, :end].shape
            value_grad[sequences, :, :end] += torch.bmm(flat.transpose(1, 2), upstream).view(shape)
            flat_grad = torch.bmm(upstream, values.transpose(1, 2))
            scores_grad = torch.ops.aten._softmax_backward_data(flat_grad, flat, -1, flat.dtype)
            query_grad[sequences, :, :, begin:end] = torch.bmm(scores_grad, keys).view_as(rows)
            turned = scores_grad.transpose(1, 2)
            key_grad[sequences, :, :end] += torch.bmm(
                turned, rows.flatten(0, 1).flatten(1, 2)
            ).view(shape)
        ctx.probabilities = None
        return query_grad, key_grad.to(key.dtype), value_grad.to(value.dtype), None


def _blocks(query: Tensor):
    """(sequences, first row, last row) of every block, in a fixed order."""
    batch, length = query.shape[0], query.shape[3]
    together = max(1, TOKENS_TOGETHER // length)
    for first in range(0, batch, together):
        for begin in range(0, length, ROWS):
            yield slice(first, min(batch, first + together)), begin, min(length, begin + ROWS)


def _scores(rows: Tensor, keys: Tensor) -> Tensor:
    """(batch, kv heads, group, rows, columns) products of a block."""
    batch, heads, group, count, _ = rows.shape
    flat = torch.bmm(rows.flatten(0, 1).flatten(1, 2), keys.flatten(0, 1).transpose(1, 2))
    return flat.view(batch, heads, group, count, keys.shape[2])


def _hide(scores: Tensor, visible: Tensor | None, begin: int) -> None:
    """Set what a row may not see to minus infinity, in place."""
    if visible is not None:
        scores.masked_fill_(~visible[:, None, None], float("-inf"))
        return
    count = scores.shape[3]
    future = torch.full((count, count), float("-inf"), dtype=scores.dtype).triu_(1)
    scores[..., begin:] += future


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
        `selected` bool (batch, length); the result is (batch, length or rows, vocabulary)."""
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


NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)


def orthogonalise(matrix: Tensor, rounds: int = 5) -> Tensor:
    """A matrix with the same singular vectors and singular values near 1, in its own precision."""
    a, b, c = NEWTON_SCHULZ
    tall = matrix.shape[0] > matrix.shape[1]
    result = matrix
    result = result.T if tall else result
    result = result / (result.norm() + 1e-7)
    for _ in range(rounds):
        gram = result @ result.T
        result = a * result + (b * gram + c * gram @ gram) @ result
    return result.T if tall else result


class Muon(torch.optim.Optimizer):
    """Orthogonalised Nesterov momentum for two-dimensional parameters."""

    def __init__(
        self,
        weights: Iterable[Tensor],
        lr: float,
        momentum: float = 0.95,
        arithmetic: torch.dtype = torch.float32,
    ) -> None:
        """`lr` is the size of a step along an orthogonal matrix, found in `arithmetic`."""
        super().__init__(list(weights), {"lr": lr, "momentum": momentum})
        self.arithmetic = arithmetic

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update every weight that has a gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if not state:
                    state["average"] = torch.zeros_like(weight)
                average = state["average"]
                average.lerp_(weight.grad, 1 - group["momentum"])
                ahead = weight.grad.lerp(average, group["momentum"])
                update = orthogonalise(ahead.to(self.arithmetic)).to(weight.dtype)
                stretch = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
                weight.add_(update, alpha=-group["lr"] * stretch)
