"""What a forward holds, in bytes: why a method that keeps ``output_attentions`` runs out of memory.

Counted by formula from a model's shape; ``storage_meter.py`` counts the same on a real forward. All
figures are for one row, in bytes; a gigabyte is 1e9 of them, as in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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


LLAMA_1B = ModelShape(16, 32, 8, 64, 2048, 8192, 128_256)
SHAPES: dict[str, ModelShape] = {
    "Llama-3.2-1B": LLAMA_1B,
    "Llama-3.1-8B": ModelShape(32, 32, 8, 128, 4096, 14_336, 128_256, tied=False),
    "Mistral-7B-v0.3": ModelShape(32, 32, 8, 128, 4096, 14_336, 32_768, tied=False),
}


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
    layers are cut to ``budget`` one after the other, so that one of them is whole at a time.
    """
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
