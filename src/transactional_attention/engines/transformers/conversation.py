"""A chat on one cache: every turn brings the whole list of messages, and what is new is read.

Templates change what stands before: replies come back trimmed, as parsed calls, or without their
thoughts. So the tokens of every rendering are compared with those that were read. A cache cannot
undo an eviction; copies of it, one for every prompt, can be gone back to: each is K tokens.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ...config import Retention, retention_from
from ...errors import InputError, UnsupportedError
from ...methods.registry import get_method
from ...retention.checkpoints import spread
from ...retention.chunks import CHUNK, chunk_ends, content_begin, shared_ends
from ...retention.layout import for_chats
from ...retention.saving.records import Count, check, part_of, read
from ...types import SourceRange, Span
from ..cache_file import under, understanding
from ..chat_sources import Message, warn_of_tools
from . import tensor_file
from .arguments import NAMES, cache_argument
from .cache import RetentionCache
from .chat import encode_chat
from .decoder import device_of_ids
from .loading import restored
from .prefill import read_columns

OURS = ("input_ids", "inputs", "attention_mask", "inputs_embeds", *NAMES)


class SavedChat(NamedTuple):
    """The record of a saved chat."""

    states: list[dict[str, Any]]
    chunk: Count
    checkpoints: Count


@dataclass(frozen=True)
class Reply:
    """What the model said, and what of the chat was read for it; numbers are tokens.

    ``text`` is without special tokens, ``ids`` are all that were generated; neither is in the
    ``repr``. ``prompt``: tokens of the rendered chat; of them ``kept`` were read in earlier turns
    and not again. ``changed_at``: the first token that differs from what had been read; None when
    the chat just went on.
    """

    text: str = field(repr=False)
    ids: tuple[int, ...] = field(repr=False)
    prompt: int
    kept: int
    changed_at: int | None

    @property
    def message(self) -> Message:
        """The reply as the next turn's list of messages may hold it."""
        return {"role": "assistant", "content": self.text}


class Chat:
    """Replies to chats that grow, or change, from turn to turn; one cache of K tokens.

    Args:
        retention: not a method with passes of its own. A budget alone, or nothing, is held as
            ``for_chats`` says: with a memory, and system and tools beside K.
        tools: as for ``apply_chat_template``, written in every turn.
        chunk: tokens a forward while a prompt is read; methods that need the whole prompt read
            what is new at once.
        checkpoints: copies of the cache, before replies, that a changed chat goes back to: the
            latest two, and others spread over the history; K tokens a layer each.
        template_options: other arguments of the template (``enable_thinking``, ...).

    Raises:
        UnsupportedError, BudgetError: as ``RetentionCache``, and for methods with passes.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        retention: Retention | int | None = None,
        *,
        tools: Sequence[Any] | None = None,
        chunk: int = CHUNK,
        checkpoints: int = 4,
        **template_options: Any,
    ) -> None:
        if chunk < 1 or checkpoints < 0:
            raise InputError(f"chunk {chunk} must be >= 1, and checkpoints {checkpoints} >= 0")
        self.model, self.tokenizer, self.tools = model, tokenizer, tools
        self.chunk, self.num_checkpoints = chunk, checkpoints
        self.template_options = template_options
        if not isinstance(retention, Retention):
            retention = for_chats(retention_from(retention))
        self.cache = RetentionCache(model, tokenizer, retention)
        warn_of_tools(tools, self.cache.retention)
        self.checkpoints: list[RetentionCache] = []
        self.beginning: RetentionCache | None = None  # after the system's message and the tools
        self._method = get_method(self.cache.retention.method)
        if self._method.passes:
            raise UnsupportedError(
                f"method {self._method.name!r} needs passes of its own over one whole prompt: a "
                "chat of several turns takes another (`ta methods`)"
            )

    @torch.no_grad()
    def reply(
        self,
        messages: Sequence[Message],
        *,
        max_new_tokens: int = 256,
        streamer: Any = None,
        **generate_options: Any,
    ) -> Reply:
        """Read what is new in the whole list of messages, and generate.

        What differs from what was read is read anew, from the last checkpoint before it on; another
        conversation from the end of the system's message and the tools, where these are the same.

        Args:
            messages: all of the chat so far, as for ``apply_chat_template``.
            streamer: of ``model.generate``.
            generate_options: of ``model.generate``, too.

        Raises:
            InputError: as ``encode_chat``, and for arguments that the chat gives itself.
        """
        if ours := [name for name in OURS if name in generate_options]:
            raise InputError(f"a chat gives generate() its inputs itself: leave out {ours[0]}")
        inputs, (sources,) = encode_chat(
            messages, self.tokenizer, tools=self.tools, **self.template_options
        )
        ids = inputs["input_ids"]
        changed_at = self.go_back(ids)
        kept = self.cache.num_columns
        border = sources[-1].span.start if sources[-1].template else ids.shape[1] - 1
        begun = next(iter(shared_ends(sources, border)), None)
        for _ in self.reading(ids, sources, border):
            if self.cache.num_columns == begun:
                self.beginning = self.cache.clone()
        device = device_of_ids(self.model)
        output = self.model.generate(
            input_ids=ids.to(device),
            attention_mask=torch.ones_like(ids).to(device),
            **cache_argument(self.cache),
            max_new_tokens=max_new_tokens,
            streamer=streamer,
            **generate_options,
        )
        sequences = output if isinstance(output, Tensor) else output.sequences
        reply_ids = sequences[0, ids.shape[1] :].tolist()
        text = self.tokenizer.decode(reply_ids, skip_special_tokens=True)
        return Reply(text, tuple(reply_ids), ids.shape[1], kept, changed_at)

    def usable(self) -> list[RetentionCache]:
        """The cache, its checkpoints and its beginning, latest first, without those that cannot go
        on."""
        self.cache.read_generated()
        begun = () if self.beginning is None else (self.beginning,)
        known = (self.cache, *self.checkpoints[::-1], *begun)
        states = [state for state in known if state.num_columns and not state._broken]
        return [state for state in states if len(state.flow.sequences) == 1]

    def fork(self, state: int) -> Chat:
        """A copy of this chat after its first ``state`` tokens, a length of ``usable``."""
        other = copy.copy(self)
        cache = next(known for known in self.usable() if known.num_columns == state)
        other.cache = cache.clone()
        other.checkpoints = [c for c in self.checkpoints if c.num_columns <= state]
        return other

    def go_back(self, ids: Tensor) -> int | None:
        """Stand where all that was read begins a prompt [1, token]; its first change, if any."""
        tokens = ids[0].numpy()
        states = self.usable()
        common = {id(state): state.flow.sequences[0].ids.common(tokens) for state in states}
        fitting = [
            state
            for state in states
            if common[id(state)] == state.num_columns and state.num_columns < len(tokens)
        ]
        best_state = max(fitting, key=lambda state: state.num_columns, default=None)
        untouched = not (self.checkpoints or self.cache.num_columns or self.cache._broken)
        if best_state is self.cache or untouched:
            return None
        changed_at = common.get(id(self.cache))
        if best_state is None:
            if changed_at is not None:
                warnings.warn(
                    f"this chat differs from what was read at token {changed_at}, before every "
                    f"checkpoint: all {len(tokens)} tokens are read anew",
                    stacklevel=4,
                )
            self.cache = RetentionCache(self.model, self.tokenizer, self.cache.retention)
            self.checkpoints = []
        else:
            self.cache = best_state.clone()
            limit = best_state.num_columns
            self.checkpoints = [p for p in self.checkpoints if p.num_columns <= limit]
        return changed_at

    @torch.no_grad()
    def reading(self, ids: Tensor, sources: list[SourceRange], border: int) -> Iterator[None]:
        """Read a prompt up to the header of its reply, a forward at a time, and keep a checkpoint
        there. The rest is left for ``generate``, and all of it to methods that read it at once."""
        if self.cache.num_columns:
            self.cache.flow.sequences[0].ranges.sources = list(sources)
        else:
            self.cache.set_sources([sources])
        self.cache.expect_prompt(ids.shape[1])
        if self._method.whole_prompt or border <= self.cache.num_columns:
            return
        shared, asks = shared_ends(sources, border), self.cache.memory is not None
        unread = Span(self.cache.num_columns, border)
        for end in chunk_ends(sources, unread, self.chunk, shared, asks=asks):
            for _ in read_columns(ids, self.cache, end, self.chunk, asks_at=border):
                yield
        known, begin = [*self.checkpoints, self.cache.clone()], content_begin(sources)
        self.checkpoints = spread(known, lambda c: c.num_columns, begin, self.num_checkpoints)

    def save(self, path: str | Path) -> None:
        """Write cache, checkpoints and the ids that they have read to one file, mode 0600.

        The ids spell the chat: keep the file as secret as the chat itself. Raises CacheStateError,
        UnsupportedError, InputError as ``RetentionCache.save``.
        """
        tensors: tensor_file.Tensors = {}
        records = []
        for number, state in enumerate([*self.checkpoints, self.cache]):
            state_tensors, record = state.exported()
            tensors |= {f"states.{number}.{name}": tensor for name, tensor in state_tensors.items()}
            array = state.flow.sequences[0].ids.array
            tensors[f"ids.{number}"] = torch.from_numpy(array.copy())
            records.append(record)
        about = {"states": records, "chunk": self.chunk, "checkpoints": self.num_checkpoints}
        tensor_file.write(Path(path), tensors, about)

    @classmethod
    def load(
        cls,
        path: str | Path,
        model: Any,
        tokenizer: Any,
        *,
        tools: Sequence[Any] | None = None,
        **template_options: Any,
    ) -> Chat:
        """The chat that ``save`` wrote; tools and template options are given again. Raises
        InputError, CacheStateError, UnsupportedError as ``load_cache``."""
        path = Path(path)
        tensors, record = tensor_file.read(path)
        if "states" not in record:
            raise InputError(f"{path} holds a cache and no chat: load it with ta.load_cache")
        with understanding(path):
            saved = read(SavedChat, record)
            check(saved.states, "states")
            ids = [
                part_of(tensors, f"ids.{number}", [None], torch.int32, torch.int64).long()[None]
                for number in range(len(saved.states))
            ]
        states = [
            restored(path, model, tokenizer, under(f"states.{number}.", tensors), *pair)
            for number, pair in enumerate(zip(saved.states, ids, strict=True))
        ]
        numbers = {"chunk": saved.chunk, "checkpoints": saved.checkpoints}
        return cls.of(states, model, tokenizer, tools=tools, **numbers, **template_options)

    @classmethod
    def of(
        cls, states: Sequence[RetentionCache], model: Any, tokenizer: Any, **options: Any
    ) -> Chat:
        """The chat whose cache is the last of some states, the others its checkpoints."""
        chat = cls(model, tokenizer, states[-1].retention, **options)
        *chat.checkpoints, chat.cache = states
        return chat
