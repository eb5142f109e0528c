"""The transformers engine behind a server: sessions are chats whose tokens come one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...config import Retention
from ...errors import InputError
from ...methods.registry import get_method
from ...retention.chunks import CHUNK
from ...retention.flow import RetentionFlow
from ...retention.saving.records import check
from ..cache_file import understanding
from ..free_memory import free_memory
from ..prompts import Prompt, num_held
from ..sampling import Sampling, Token
from ..session import Session
from ..session_files import Pool, SavedState, SessionFiles, load_session
from .cache import RetentionCache
from .conversation import Chat
from .decoder import end_ids
from .frequencies import trained_length
from .layer import RetentionLayer, counted
from .loading import restored
from .prefill import next_logits
from .rotary import can_shift
from .tensor_file import Tensors, arrays_of, tensors_of

POOL = "pairs"  # in a session's files


class TransformersSession(Session):
    """A ``Chat`` of which prompts are tokens, and that says one token at a time."""

    def __init__(
        self, engine: TransformersEngine, chat: Chat, files: SessionFiles | None = None
    ) -> None:
        self.engine, self.chat, self.files = engine, chat, files or SessionFiles()
        self.retention = chat.cache.retention

    @property
    def states(self) -> list[int]:
        """Where it can go on from, ascending."""
        return sorted({state.num_columns for state in self.chat.usable()})

    @property
    def flow(self) -> RetentionFlow | None:
        """What its cache decided, with all that was said read."""
        if not self.chat.cache.num_columns:
            return None
        self.chat.cache.read_generated()
        return self.chat.cache.flow

    def fork(self, state: int) -> TransformersSession:
        """Another session at one of ``states``."""
        return TransformersSession(self.engine, self.chat.fork(state))

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new, then tokens for ever."""
        chat, ids = self.chat, torch.from_numpy(prompt.ids)[None]
        chat.go_back(ids)
        self.files.forget(chat.cache.num_columns)
        for _ in chat.reading(ids, list(prompt.sources), prompt.border):
            yield None
        sampler, new = sampling.sampler(prompt.ids), ids[:, chat.cache.num_columns :]
        while True:
            logits = next_logits(chat.model, chat.cache, new)
            token = sampler.choose(logits.float().cpu().numpy())
            yield token
            new = torch.tensor([[token.id]])

    def settle(self) -> None:
        """Tell the text what was said."""
        self.chat.cache.read_generated()

    def close(self) -> None:
        """Nothing: its tensors go with it."""

    def stored_bytes(self) -> int:
        """Bytes of its keys and values."""
        return self.chat.cache.stored_bytes()

    def full_bytes(self) -> int:
        """Bytes of a cache of all its tokens, in the model's type."""
        cache = self.chat.cache
        return cache.num_columns * sum(layer.token_bytes() for layer in cache.managed)

    def needs(self, prompt: Prompt) -> int:
        """Bytes beside what is held."""
        chat = self.chat
        copies = 1 + min(len(chat.checkpoints) + 1, chat.num_checkpoints)
        held = sum(cache.stored_bytes() for cache in (chat.cache, *chat.checkpoints))
        return max(0, copies * num_held(self.retention, prompt) * self.engine.token_bytes - held)

    def save(self, folder: Path, about: Mapping[str, Any]) -> list[str]:
        """Write what changed."""
        states = [_pooled(state) for state in (*self.chat.checkpoints, self.chat.cache)]
        return self.files.save(folder, states, self.ids, {"session": about})


def _pooled(cache: RetentionCache) -> SavedState:
    """A state for ``SessionFiles``; tokens that all layers and heads hold have rows, but for those
    of a cache with a memory, which come back in another precision."""
    tensors, record = cache.exported()
    table, *others = cache.flow.tables.values()
    names = [
        f"layers.{index}.{part}"
        for index, layer in enumerate(cache.layers)
        if isinstance(layer, RetentionLayer)
        for part in ("keys", "values")
    ]
    known = [tensors[name] for name in names if name in tensors]
    whole = len(known) == len(names) and all(t.shape[2] == table.width for t in known)
    whole &= not (table.padded or cache.memory)
    if others or len(table.positions) > 1 or not whole:
        return SavedState({}, arrays_of(tensors), record)
    rows = arrays_of({name: tensors.pop(name)[0].movedim(1, 0) for name in names})
    pools = {POOL: Pool(table.positions[0].copy(), rows)}
    return SavedState(pools, arrays_of(tensors), record)


def _whole(state: SavedState) -> Tensors:
    given = state.pools[POOL].rows if POOL in state.pools else {}
    for name, array in given.items():
        check(array.ndim == 3, name)
    rows = {name: np.moveaxis(array, 0, 1)[None].copy() for name, array in given.items()}
    return tensors_of({**state.tensors, **rows})


class TransformersEngine:
    """A model of transformers that sessions share.

    Args:
        chunk: tokens a forward while a prompt is read.
        checkpoints: states before replies that a session keeps, as ``Chat``; K tokens a layer each.
    """

    def __init__(
        self, name: str, model: Any, tokenizer: Any, *, chunk: int = CHUNK, checkpoints: int = 2
    ) -> None:
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.settings: Mapping[str, Any] = {"engine": "transformers", "chunk": chunk}
        self.numbers: dict[str, Any] = {"chunk": chunk, "checkpoints": checkpoints}
        self.smaller = "a smaller --budget or fewer --checkpoints"
        self.end_ids = end_ids(model, tokenizer)
        cache = RetentionCache(model, tokenizer)
        self.layers, self._can_shift = counted(cache.layers), can_shift(cache.decoder)
        next_logits(model, cache, torch.zeros(1, 1, dtype=torch.long))
        self.token_bytes = sum(layer.token_bytes() for layer in cache.managed)  # as it makes them

    def free_bytes(self) -> int | None:
        """Of the host, or of the one GPU; None for a model on several devices or others."""
        device, *others = {weight.device for weight in self.model.parameters()}
        if others or device.type not in ("cpu", "cuda"):
            return None
        if device.type == "cpu":
            return free_memory()
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return torch.cuda.mem_get_info(device)[0] + kept

    def limit(self, retention: Retention) -> int | None:
        """The model's trained length, to which original positions alone are bound."""
        if retention.positions != "original":
            return None
        return trained_length(self.model.config.get_text_config(decoder=True))

    def can_roll(self, retention: Retention) -> bool:
        """Where the model's keys can be turned, and all layers and heads, which the method does not
        read, have one budget."""
        one, method = len(set(retention.budgets())) == 1, get_method(retention.method)
        plain = method.allocation is None and not method.scorer(retention).observes
        return one and plain and self._can_shift

    def session(self, retention: Retention) -> TransformersSession:
        """A session that has read nothing."""
        chat = Chat(self.model, self.tokenizer, retention, **self.numbers)
        return TransformersSession(self, chat)

    def load(self, path: Path) -> TransformersSession:
        """A session that was saved."""
        files, saved, ids, _ = load_session(path)
        if not saved or not all("layers" in state.record for state in saved):
            raise InputError(f"{path} is no session of the engine transformers")
        read = torch.from_numpy(ids)[None]
        with understanding(path):
            tensors = [_whole(state) for state in saved]
        states = [
            restored(path, self.model, self.tokenizer, state_tensors, state.record, read)
            for state_tensors, state in zip(tensors, saved, strict=True)
        ]
        chat = Chat.of(states, self.model, self.tokenizer, **self.numbers)
        return TransformersSession(self, chat, files)
