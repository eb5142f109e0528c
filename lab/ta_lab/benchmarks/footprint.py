"""What a forward takes: bytes by formula and as measured, seconds of a prefill and of steps.

By formula: from a model's shape, for one row; a gigabyte is 1e9 bytes, as in the paper. Measured:
live tensors, not the process's memory, which allocators round and keep."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache, detach
from transactional_attention.engines.transformers.arguments import cache_argument

from ..data import table
from .timing import stopwatch

Row = dict[str, Any]
GIGABYTE = 1e9
SCORE = 4  # transformers takes the softmax of eager attention in float32


@dataclass(frozen=True)
class ModelShape:
    """Sizes of a Llama-like decoder. ``item``: bytes of a number (2 in bfloat16 and float16)."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    hidden: int
    intermediate: int
    vocabulary: int
    tied: bool = True
    item: int = 2

    @property
    def parameters(self) -> int:
        """Weights of the decoder, its embeddings, norms and output projection."""
        queries = 2 * self.hidden * self.heads * self.head_dim
        keys = 2 * self.hidden * self.kv_heads * self.head_dim
        layer = queries + keys + 3 * self.hidden * self.intermediate + 2 * self.hidden
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2)
        return self.layers * layer + embeddings + self.hidden

    @property
    def weights(self) -> int:
        """Bytes of the parameters."""
        return self.parameters * self.item

    def cached(self, tokens: int) -> int:
        """Bytes of the keys and values of ``tokens`` in every layer and kv head."""
        return 2 * self.layers * self.kv_heads * self.head_dim * tokens * self.item

    def attentions(self, tokens: int) -> int:
        """Bytes of the attention weights that ``output_attentions`` keeps until a prompt's end."""
        return self.layers * self.heads * tokens * tokens * self.item

    def one_layer_eager(self, tokens: int) -> int:
        """Least that eager attention takes in a layer: its scores, and their softmax in float32."""
        return self.heads * tokens * tokens * (self.item + SCORE)

    def logits(self, tokens: int, item: int | None = None) -> int:
        """Bytes of the logits of ``tokens``; ``item`` 4 when they are turned to float32."""
        return tokens * self.vocabulary * (item or self.item)

    def of_layers(self, layers: int) -> ModelShape:
        """The same shape with another number of layers."""
        return replace(self, layers=layers)


PUBLISHED = {name: ModelShape(**sizes) for name, sizes in table("shapes").items()}
SHAPES = {n: PUBLISHED[n] for n in ("Llama-3.2-1B", "Llama-3.1-8B", "Mistral-7B-v0.3")}
"""Those of the paper's models."""
LLAMA_1B = PUBLISHED["Llama-3.2-1B"]


def shape_of_model(model: Any) -> ModelShape:
    """The shape of a loaded Llama-like model: its configuration, and the type of its weights."""
    config = model.config.get_text_config(decoder=True)
    heads = config.num_attention_heads
    return ModelShape(
        layers=config.num_hidden_layers,
        heads=heads,
        kv_heads=getattr(config, "num_key_value_heads", None) or heads,
        head_dim=getattr(config, "head_dim", None) or config.hidden_size // heads,
        hidden=config.hidden_size,
        intermediate=config.intermediate_size,
        vocabulary=config.vocab_size,
        tied=bool(config.tie_word_embeddings),
        item=next(model.parameters()).element_size(),
    )


def held(shape: ModelShape, tokens: int, budget: int | None, *, keeps_attention: bool) -> int:
    """Least bytes of a prefill of ``tokens``, logits of the last token alone.

    ``keeps_attention``: eager, with the weights of all layers kept to its end, from which a method
    chooses afterwards; the whole prompt is cached until then. Otherwise nothing of [n, n] exists:
    layers are cut to ``budget`` one after the other, so that one of them is whole at a time."""
    last = shape.weights + shape.logits(1)
    if keeps_attention:
        return last + shape.cached(tokens) + shape.attentions(tokens)
    if budget is None or budget >= tokens:
        return last + shape.cached(tokens)
    others = shape.of_layers(shape.layers - 1).cached(budget)
    return last + others + shape.of_layers(1).cached(tokens)


def explain(name: str, tokens: int, budget: int) -> dict[str, Any]:
    """The memory model of a shape at a length: a row of ``scaling``."""
    shape = SHAPES[name]
    parts = {
        "weights": shape.weights,
        "kv_full": shape.cached(tokens),
        "kv_budget": shape.cached(budget),
        "attentions": shape.attentions(tokens),
        "one_layer_eager": shape.one_layer_eager(tokens),
        "all_logits": shape.logits(tokens),
        "all_logits_float32": shape.logits(tokens, 4),
    }
    return {
        "part": "model",
        "shape": name,
        "tokens": tokens,
        "budget": budget,
        "bytes": parts,
        "attention_free": held(shape, tokens, budget, keeps_attention=False),
        "keeps_attention": held(shape, tokens, None, keeps_attention=True),
    }


class StorageMeter(TorchDispatchMode):
    """``with StorageMeter() as meter:``; ``live`` and ``peak`` are bytes of what was made inside.

    Storages that existed before count when an operation returns them (views of weights do not: name
    what is known with ``ignore``)."""

    def __init__(self, ignore: tuple[torch.Tensor, ...] = ()) -> None:
        super().__init__()
        self.live = self.peak = 0
        self._known = {tensor.untyped_storage().data_ptr() for tensor in ignore}
        self._sizes: dict[int, int] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run an operation and count what it returns."""
        output = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(output):
            if isinstance(leaf, torch.Tensor):
                self._note(leaf.untyped_storage())
        return output

    def _note(self, storage: torch.UntypedStorage) -> None:
        address, size = storage.data_ptr(), storage.nbytes()
        if address == 0 or address in self._known or address in self._sizes:
            return
        self._sizes[address] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._freed, address)

    def _freed(self, address: int) -> None:
        self.live -= self._sizes.pop(address, 0)


STEPS = 8  # decode steps after a prefill, of which the median counts


def random_model(shape: ModelShape, positions: int, dtype: torch.dtype = torch.bfloat16) -> Any:
    """A Llama of a shape with random weights: time and memory do not depend on what they are."""
    from transformers import LlamaConfig, LlamaForCausalLM  # noqa: PLC0415  (slow)

    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        max_position_embeddings=positions,
        tie_word_embeddings=shape.tied,
        eos_token_id=None,
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        return LlamaForCausalLM(config).eval()
    finally:
        torch.set_default_dtype(before)


@torch.inference_mode()
def managed(model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention) -> Row:
    """A prefill of the whole prompt under a retention, and decode steps after it.

    ``peak_bytes``: most that was live inside the prefill beside the weights; ``held_bytes``: keys
    and values afterwards. Detection is part of ``prefill_seconds``."""
    inputs = torch.tensor([list(ids)], device=model.device)
    started = time.perf_counter()
    with StorageMeter(tuple(model.parameters())) as meter:
        cache = RetentionCache(model, tokenizer, retention)
        model(inputs, **cache_argument(cache), use_cache=True, logits_to_keep=1)
        _wait(model)
    prefill_seconds = time.perf_counter() - started

    def step() -> None:
        model(inputs[:, :1], **cache_argument(cache), use_cache=True)
        _wait(model)

    held = cache.stored_bytes()
    return {
        "prefill_seconds": prefill_seconds,
        "decode_seconds": _median(step),
        "peak_bytes": meter.peak,
        "held_bytes": held,
    }


@torch.inference_mode()
def head_seconds(model: Any) -> float:
    """What no layer takes of a forward: the last norm and the logits of one token."""
    hidden = torch.zeros(1, 1, model.config.hidden_size, dtype=model.dtype, device=model.device)

    def step() -> None:
        model.lm_head(model.model.norm(hidden))
        _wait(model)

    return _median(step)


@contextmanager
def eager(model: Any) -> Iterator[None]:
    """Eager attention inside, without our hooks; the model's own comes back."""
    detach(model)
    previous = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(previous)


@torch.inference_mode()
def eager_kept(model: Any, ids: Sequence[int]) -> Row:
    """A prefill with eager attention and ``output_attentions``, as a method needs that chooses from
    the weights of a forward that transformers returns."""
    inputs = torch.tensor([list(ids)], device=model.device)
    with eager(model):
        started = time.perf_counter()
        with StorageMeter(tuple(model.parameters())) as meter:
            output = model(inputs, use_cache=True, output_attentions=True, logits_to_keep=1)
            _wait(model)
        seconds = time.perf_counter() - started
    kept = sum(weights.untyped_storage().nbytes() for weights in output.attentions)
    return {"prefill_seconds": seconds, "peak_bytes": meter.peak, "held_bytes": kept}


def _median(step: Callable[[], None]) -> float:
    return sorted(stopwatch(step) for _ in range(STEPS))[STEPS // 2]


def _wait(model: Any) -> None:
    """Kernels of a GPU run behind the host."""
    if model.device.type == "cuda":
        torch.cuda.synchronize(model.device)
