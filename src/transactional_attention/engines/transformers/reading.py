"""A transformers model as a reader of text, for ``detection/model_detectors.py``.

``hidden`` is a forward of the detector's own, without a cache, before the prompt is fed: it is not
attention-free in time, so its tokens and seconds are counted by detector.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from ...detection.model_detectors import TokenSpans
from ...errors import CacheStateError, InputError
from ...methods.method import Shape
from ...models.embedded.derived import find_detector, vectors
from ...text.token_text import TokenText
from ...types import Floats32
from .decoder import check_readable, device_of_ids, find_decoder, layers_of, whole

BATCH_TOKENS = 4096  # of a forward, padding included
PADDING = 32  # tokens of it in a forward, which takes as long as a short one more


@dataclass(frozen=True)
class Cost:
    """What reading took: tokens fed, and seconds of the process's time, threads added up."""

    tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.seconds + other.seconds)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.tokens - other.tokens, self.seconds - other.seconds)


class ModelReader:
    """Reads text with a model and its tokenizer; neither is changed."""

    def __init__(self, decoder: Any, tokenizer: Any) -> None:
        self._decoder, self._tokenizer = weakref.ref(decoder), tokenizer
        self._blank: TokenText | None = None  # its table is looked up once, not for every line
        self._weights: dict[str, npt.NDArray[Any]] | None = None
        self.costs: dict[str, Cost] = {}

    @property
    def decoder(self) -> Any:
        """The decoder; raises CacheStateError when it is gone."""
        decoder = self._decoder()
        if decoder is None:
            raise CacheStateError("the model that a detector reads with is gone")
        return decoder

    @torch.no_grad()
    def embeddings(self, ids: npt.NDArray[np.int64]) -> Floats32:
        """Input embeddings of tokens, [token, width]."""
        place = device_of_ids(self.decoder)
        vectors = self.decoder.get_input_embeddings()(torch.from_numpy(ids).to(place)[None])[0]
        return whole(vectors).float().cpu().numpy()

    def tokens(self, text: str) -> TokenSpans:
        """The tokens of a text, without special ones."""
        ids = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return self._covering(list(ids), text)

    def hidden(
        self, texts: Sequence[str], asker: str, layer: int
    ) -> list[tuple[TokenSpans, Floats32]]:
        """Tokens of texts, and their hidden states after ``layer`` layers, [token, width].

        Every text is read after a line break, as it is a line of something: the first token's
        state says little, since all others attend to it. That, and the tokenizer's own special
        tokens, are left out of the result. Layers after that one are not run; after the last one
        stands the decoder's norm.
        """
        begun = time.process_time()
        encoded = [list(self._tokenizer("\n" + text)["input_ids"]) for text in texts]
        readings: list[tuple[TokenSpans, Floats32]] = [None] * len(texts)  # type: ignore[list-item]
        for group in _batches([len(ids) for ids in encoded]):
            for index, states in zip(group, self._forward([encoded[i] for i in group], layer)):
                tokens = self._covering(encoded[index], texts[index])
                inside = tokens.ends > tokens.starts
                kept = TokenSpans(tokens.ids[inside], tokens.starts[inside], tokens.ends[inside])
                readings[index] = kept, states[inside]
        spent = Cost(sum(map(len, encoded)), time.process_time() - begun)
        self.costs[asker] = self.costs.get(asker, Cost()) + spent
        return readings

    def learned_weights(self) -> dict[str, npt.NDArray[Any]]:
        """Weights of the learned detector; raises InputError when none are of this model."""
        if self._weights is None:
            check_readable(vectors(self.decoder))
            self._weights = find_detector(self.decoder)
        return self._weights

    @torch.no_grad()
    def _forward(self, rows: Sequence[list[int]], layer: int) -> list[Floats32]:
        """Hidden states of every row, [token, width]; padding stands on the right."""
        decoder, device = self.decoder, device_of_ids(self.decoder)
        ids = pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
        mask = pad_sequence([torch.ones(len(row), dtype=torch.long) for row in rows], True)
        hidden_states = _states(
            decoder, layer, input_ids=ids.to(device), attention_mask=mask.to(device)
        )
        states = hidden_states.float().cpu().numpy()
        return [states[i, : len(row)] for i, row in enumerate(rows)]

    def _covering(self, ids: list[int], text: str) -> TokenSpans:
        """Spans in the characters of ``text``; special tokens before it are empty."""
        if self._blank is None:
            self._blank = TokenText(self._tokenizer)
        token_text = self._blank.copy()
        token_text.append(ids)
        token_text.settle()
        shift = token_text.text.find(text)
        if shift < 0:
            raise InputError("the tokenizer does not give the text back unchanged")
        starts, ends = (
            np.clip(at - shift, 0, len(text)) for at in (token_text.starts, token_text.ends)
        )
        return TokenSpans(np.array(ids, np.int64), starts, ends)


class _Reached(Exception):  # noqa: N818
    """A forward has come to the layer that is asked for: not an error."""

    def __init__(self, states: Tensor) -> None:
        self.states = states


def _states(decoder: Any, layer: int, **inputs: Tensor) -> Tensor:
    """States after ``layer`` layers, where the forward ends; the decoder's output after all."""
    layers, thread = layers_of(decoder), threading.get_ident()

    def stop(module: nn.Module, args: tuple, kwargs: dict) -> None:
        if threading.get_ident() == thread:  # another thread's forward goes on
            raise _Reached(args[0] if args else kwargs["hidden_states"])

    if layer >= len(layers):
        return decoder(**inputs, use_cache=False).last_hidden_state
    handle = layers[layer].register_forward_pre_hook(stop, with_kwargs=True)
    try:
        decoder(**inputs, use_cache=False)
    except _Reached as reached:
        return reached.states
    finally:
        handle.remove()
    raise CacheStateError(f"the decoder did not run its layer {layer}: its states are not there")


def shape_of(decoder: Any, config: Any, layers: int, tokenizer: Any) -> Shape:
    """What methods must know of a model of which ``layers`` layers are managed."""
    heads = getattr(config, "num_key_value_heads", config.num_attention_heads)
    return Shape(layers, heads, ModelReader(decoder, tokenizer))


def model_shape(model: Any, tokenizer: Any) -> Shape:
    """The same for a model that has no cache: what reads text with it."""
    config = model.config.get_text_config(decoder=True)
    return shape_of(find_decoder(model), config, config.num_hidden_layers, tokenizer)


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Indices in groups of like length, of at most ``BATCH_TOKENS`` and ``PADDING``."""
    groups: list[list[int]] = []
    padding = 0
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = lengths[groups[-1][0]] if groups else 0
        padding += longest - lengths[index]
        full = not groups or (len(groups[-1]) + 1) * longest > BATCH_TOKENS
        if full or padding > PADDING:
            groups.append([index])
            padding = 0
        else:
            groups[-1].append(index)
    return groups
