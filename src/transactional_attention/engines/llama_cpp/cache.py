"""A sequence of llama.cpp that holds K tokens between forwards, chosen by a retention.

It feeds ids to the ``RetentionFlow`` and carries out its ``Step``: cells of tokens not kept are
removed after a chunk of a prompt, or before a generated token. Keys and values are llama.cpp's;
what waits passes here as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ...config import Memory, Retention, retention_from
from ...errors import (
    UNFINISHED,
    CacheStateError,
    InputError,
    NumericsError,
    PositionsError,
    UnsupportedError,
)
from ...inspection.report import Report, build_report
from ...retention.chunks import chunk_size
from ...retention.flow import RetentionFlow, Step
from ...retention.forgetting import forget_text
from ...retention.swap import Swap, TokenMove, memory_of
from ...selection.places import Placed, lowered, placed
from ...selection.slot_table import SlotTable
from ...text.token_stream import TokenStream
from ...types import ASKED, Bools, Ints, SourceRange
from .. import cache_file
from . import saving
from .cells import Rows
from .context import Context, Logits, Tokens
from .segment_cells import SegmentCells, exported, rebuilt
from .shared_cells import SharedCells
from .snapshot import Snapshot
from .supported import check_served

COMPACT = "use positions='compact' (--positions compact), or a larger budget"


class LlamaCache:
    """One sequence of a context, at most K tokens of it held between forwards.

    Args:
        context: where its cells are; it takes a sequence of its own there until ``close``.
        tokenizer: the file's own (``gguf.GgufTokenizer``), or one of transformers with its ids.
        retention: budget, method and the rest, or the budget alone.
        sources: who wrote which tokens of the prompt.

    Raises:
        UnsupportedError: see ``check_served``; also for positions that are not original, of a model
            whose keys llama.cpp cannot shift.
        BudgetError: when the budget cannot hold the mandatory tokens.
    """

    def __init__(
        self,
        context: Context,
        tokenizer: Any,
        retention: Retention | int | None = None,
        *,
        sources: Sequence[SourceRange] = (),
    ) -> None:
        retention = retention_from(retention)
        check_served(retention)
        flow = RetentionFlow(retention, tokenizer, 1)
        flow.set_sources([sources])
        self._begin(context, flow)

    def _begin(self, context: Context, flow: RetentionFlow) -> None:
        self.context, self.flow, self.retention = context, flow, flow.retention
        if self.retention.positions != "original" and not context.can_shift:
            raise UnsupportedError(
                f"llama.cpp cannot shift keys of {context.model.architecture} in cells of "
                f"{context.cell_type}: use original positions"
            )
        given = self.retention.memory
        heads = context.model.kv_heads
        self.memory = SegmentCells(given, heads) if isinstance(given, Memory) else None
        self._open_field: str | None = None  # the label that the newest token opens
        self.sequence = context.take_sequence()
        self._said: list[int] = []  # generated, and not told to the text yet
        self._gaps = False  # between its cells, where a restored sequence has none
        self.context_open, self._broken = True, ""
        self.most_between = self.most_within = 0  # live tokens, after and inside a forward
        self.places = self.positions  # where the cells of the held tokens are, in their order

    @property
    def table(self) -> SlotTable:
        """What is held."""
        return self.flow.table

    @property
    def broken(self) -> bool:
        """Whether an error, or ``close``, ended it."""
        return bool(self._broken)

    @property
    def positions(self) -> Ints:
        """Original positions of the tokens that are held, in order."""
        return np.sort(self.table.positions[0])

    @property
    def held(self) -> Placed:
        """What is held, and where its cells are."""
        return Placed(self.positions, self.places)

    @property
    def num_tokens(self) -> int:
        """Tokens read and generated so far."""
        return int(self.flow.lengths[0])

    @property
    def is_stuck(self) -> bool:
        """Whether only the newest token could give way to the next one: all others are protected,
        and llama.cpp does not go on after a gap."""
        table, retention = self.table, self.retention
        goes_on = retention.positions == "compact" and not self.context.model.recurrent
        if goes_on or retention.ledger != "strict" or not table.full:
            return False
        free = table.positions[0, ~table.held[0]]
        return len(free) == 1 and int(free[0]) == self.num_tokens - 1

    def stored_bytes(self) -> int:
        """Bytes of the keys and values that are held."""
        return self.context.held_bytes(self.sequence)

    def read(
        self,
        prompt: Sequence[int] | Ints | TokenStream,
        *,
        chunk: int | None = None,
        progress: Any = None,
    ) -> Logits:
        """Feed a prompt after what was read, cut to K after each chunk; its end ends a turn.

        Returns logits [1, vocab] of its last token.

        Args:
            prompt: ids, or a text that streams (docs/streaming.md), whose text is then forgotten
                as it goes.
            chunk: new tokens between two cuts; None: the context's, or all of them for a method
                that needs them at once.
            progress: called with (tokens read, None) after every chunk.

        Raises:
            InputError: for an empty prompt, ids of another vocabulary, a chunk below 1.
            PositionsError: when it outgrows the model's positions.
            CacheStateError: when the cells do not suffice, or an error broke the sequence.
        """
        if chunk is not None and chunk < 1:
            raise InputError(f"chunk must be at least 1 token, got {chunk}")
        logits, streams = None, isinstance(prompt, TokenStream)
        if isinstance(prompt, TokenStream):
            portions = prompt.parts(chunk or self.context.chunk)
        else:
            whole = len(prompt) or 1 if self.flow.method.whole_prompt else self.context.chunk
            portions = parts(prompt, chunk or whole, asks=self.memory is not None)
        for ids, final in portions:
            logits = self.feed(ids, final=final, asks=final, wanted=int(final))
            if streams:
                forget_text(self.flow)
            if progress is not None:
                progress(self.num_tokens, None)
        if logits is None:
            raise InputError("the prompt is empty: give at least one token")
        return logits

    def feed(self, ids: Ints, *, final: bool, asks: bool = True, wanted: int = 1) -> Logits:
        """One forward over new tokens of a prompt, ``final`` with its last; raises as ``read``.

        ``asks``: they end the text that asks for what left (docs/memory.md). ``wanted``: of how
        many of the last tokens it returns logits, [wanted, vocab]."""
        self._check(ids)
        self._broken = UNFINISHED
        self._tell()
        if self.context.model.window:  # which moved on with each generated token
            self.close_gaps()
        known, first = self.held, self.num_tokens
        moved = self.flow.read(ids[None], np.ones((1, len(ids)), bool), final=final, asks=asks)
        start = self._make_room(first, known, moved)
        before = self.positions
        step = Step()
        if self.retention.ledger == "strict" or self.context_open:
            step = self.flow.cut(self.table)
        self.context_open = self.context_open and not final
        (logits,) = self.context.forward([Tokens(self.sequence, ids, start, wanted)])
        self.places = np.concatenate([self.places, np.arange(start, start + len(ids))])
        self._keep(step.leaving, before)
        self._remove(before, self.positions)
        self._gaps = self._gaps or len(before) > self.table.width
        if final:
            self.close_gaps()
        self._close_forward(len(before), logits)
        return logits

    def step(self, token: int) -> Logits:
        """Feed one generated token; logits [vocab] of the next."""
        return decode([self], [token])[0]

    def plan_step(self, token: int) -> tuple[Tokens, int]:
        """What a forward feeds for a generated token, and how many are live then; the token that
        it displaces is gone already."""
        ids = np.array([token])
        self._check(ids)
        self._broken = UNFINISHED
        before = self.positions
        if self.memory is not None:  # the text is read at every step: it may open a field
            self._said.append(token)
            self._tell()
            field = self.flow.open_field()
            if self.context.model.plain:  # others cannot read again
                self._open_field = field
        (step,) = self.flow.decode(evict=self.retention.ledger == "strict")
        if self.memory is None:
            self._said.append(token)
        if self.retention.detect_in_generated:
            self._tell()
        self._keep(step.leaving, before)
        self._remove(before, self.positions)
        self._gaps = self._gaps or bool(self.context.model.window)
        place = self._make_room(self.num_tokens - 1)
        self.places = np.append(self.places, place)
        return Tokens(self.sequence, ids, place), len(self.places)

    def _close_forward(self, live: int, logits: Logits) -> None:
        """Keep the ledger; refuse logits that are not numbers."""
        if not np.isfinite(logits).all():
            self._broken = "its logits are not finite"
            raise NumericsError("the model produced NaN or infinite logits: check its weights")
        self.most_within = max(self.most_within, live)
        self.most_between = max(self.most_between, self.table.width)
        self._broken = ""

    def _keep(self, leaving: Sequence[TokenMove], before: Ints) -> None:
        """Copy the cells of segments that leave, while they are there; ``before``: positions of all
        that is there."""
        if leaving:
            assert self.memory is not None
            cells = exported(self.context.exported(self.sequence))
            self.memory.take(self.flow, cells, Placed(before, self.places), leaving)

    def _lowered(self) -> int:
        """How much lower than their positions tokens stand now."""
        trained = self.context.model.trained_length
        return lowered(self.retention.positions, self.num_tokens, trained)

    def _make_room(
        self,
        first: int,
        known: Placed | None = None,
        moved: Swap | None = None,
        whole: Rows | None = None,
    ) -> int:
        """Before the forward of the tokens from ``first`` on: segments leave for the host, others
        come back, and keys are shifted to where they stand now. Returns the place of the first new
        token.

        ``known``: the tokens whose cells are there, given with ``moved``; ``whole``: the cells, if
        they were exported already. Moved cells wait for the forward that shifts their keys, so
        nothing may be exported before it."""
        by = self._lowered()
        if moved is None and not by:
            return first
        held = self.positions
        held = held[held < first]
        places = placed(held, by)
        if moved is not None and known is not None:
            self._exchange(known, held, places, moved, whole)
        else:
            self._move(places)
        self.places = places
        return max(int(places[-1]) + 1 if len(places) else 0, first - by)

    def _move(self, places: Ints) -> None:
        """Move what is held to ``places`` [token]."""
        shifts = places - self.places
        ranges = [(start, end) for start, end in runs(shifts) if shifts[start]]
        down = [(start, end) for start, end in ranges if shifts[start] < 0]
        up = [(start, end) for start, end in ranges if shifts[start] > 0]
        for start, end in [*down, *reversed(up)]:  # so that none meets another's cells
            begin, last = int(self.places[start]), int(self.places[end - 1])
            self.context.move(self.sequence, begin, last + 1, int(shifts[start]))

    def _exchange(
        self, known: Placed, held: Ints, places: Ints, moved: Swap, whole: Rows | None
    ) -> None:
        """Hold the cells of other tokens, at their places: of those ``known``, and of those that
        return."""
        assert self.memory is not None
        whole = self.context.exported(self.sequence) if whole is None else whole
        stays = np.isin(held, known.positions, assume_unique=True)
        now = known.places[known.positions.searchsorted(held[stays])]
        back = self.memory.at(held[~stays])
        self.memory.take(self.flow, exported(whole), known, moved.leaving)
        to = np.concatenate([places[stays], places[~stays]])
        self.context.restore(self.sequence, rebuilt(self.context, whole, now, back, to))
        self._gaps = False

    def read_again(self, queries: Sequence[Logits]) -> Logits | None:
        """After the forward of a generated token: where it opens a field, what it asks for by its
        ``queries`` [layer][head, dim] and by its label comes back, the tokens of the turn are read
        again, and give the logits [vocab]."""
        field, self._open_field = self._open_field, None
        if field is None or self.memory is None:
            return None
        flow, whole = self.flow, self.context.exported(self.sequence)
        if self.retention.positions == "rolling":
            self.memory.follow(self.context, self._lowered(), flow.num_pinned)
        scores = self.memory.scores(exported(whole), queries)
        wanted = memory_of(flow.sequences[0]).by_field(field, scores)
        if not flow.lacks(0, wanted):
            return None
        self._broken = UNFINISHED
        tail, known = flow.tail(), self.held
        flow.without_tail(tail, self.table)
        moved = flow.bring([wanted], ASKED, tail) or Swap((), 0, ())
        start = self._make_room(self.num_tokens - tail, known, moved, whole)
        flow.append_again(tail)
        ids = flow.sequences[0].ids.array[-tail:].astype(np.int64)
        (logits,) = self.context.forward([Tokens(self.sequence, ids, start)])
        self.places = np.concatenate([self.places, np.arange(start, start + tail)])
        self._close_forward(self.table.width, logits)
        return logits[-1]

    def close_gaps(self) -> None:
        """Lay the cells as a restored sequence has them: sums depend on their order. A generated
        token takes the cell of the one that gives way and leaves no gap."""
        if self._gaps and not self.context.shared:  # a shared cell would be doubled
            self.context.restore(self.sequence, self.context.exported(self.sequence))
        self._gaps = False

    def _check(self, ids: Ints) -> None:
        if self._broken:
            raise CacheStateError(f"this sequence cannot go on: {self._broken}")
        model = self.context.model
        if len(ids) and not 0 <= ids.min() <= ids.max() < model.vocab_size:
            raise InputError(
                f"token id {ids.max()} lies outside the model's vocabulary of {model.vocab_size}: "
                "is this the model's own tokenizer?"
            )
        original = self.retention.positions == "original"
        end = len(ids) + (self.num_tokens if original else self.table.width)
        if not original and len(ids) == 1 and self.retention.ledger == "strict":
            end = min(end, *self.retention.budgets(), end)  # it takes another one's place
        if end > model.trained_length:
            remedy = "hold less: a smaller budget or --chunk, or less that is pinned"
            if original:
                remedy = "shorten the text"
            if original and self.context.can_shift:
                remedy += ", or let it be cut while it is read (--positions rolling)"
            raise PositionsError(
                f"{end} tokens outgrow the model's {model.trained_length} positions: {remedy}"
            )

    def _remove(self, before: Ints, after: Ints) -> None:
        """Free the cells of positions [token] that are no longer among those ``after``."""
        kept = np.isin(before, after, assume_unique=True)
        if kept.all():
            return
        recurrent = self.context.model.recurrent  # a state cannot lose a token
        if not kept[-1] and (recurrent or self.retention.positions != "compact"):
            self._broken = "the newest token had to give way"
            shifts = not recurrent and self.context.can_shift
            remedy = COMPACT if shifts else "use a larger budget"
            raise UnsupportedError(
                "all other tokens of this budget are protected, so the newest one gives way, and "
                f"llama.cpp does not go on after a gap: {remedy}"
            )
        gone = [
            (int(self.places[start]), int(self.places[end - 1]) + 1)
            for start, end in runs(kept)
            if not kept[start]
        ]
        self.context.cut(self.sequence, gone)
        self.places = self.places[kept]

    def _tell(self) -> None:
        """Tell the text what was generated."""
        if self._said:
            tokens, self._said = self._said, []
            self.flow.read_generated([tokens])

    def generate(self, logits: Logits, limit: int) -> Iterator[int]:
        """Greedy tokens after ``logits`` [.., vocab], up to an end of the model, which is not
        given, or ``limit`` of them. Each is fed when the next one is asked for."""
        for left in range(limit, 0, -1):
            token = int(logits.reshape(-1, logits.shape[-1])[-1].argmax())
            if token in self.context.model.ends:
                return
            yield token
            if left > 1:
                logits = self.step(token)

    def cut(self, retention: Retention) -> LlamaCache:
        """A sequence with the tokens of this one, cut to another retention's budget.

        This one stays as it is. Raises InputError when it has a budget or has generated tokens,
        when the context has no sequence left, or for moved positions of shared cells;
        UnsupportedError as ``check_served``, and where the newest token would have to go.
        """
        check_served(retention)
        if self.table.budget is not None:
            raise InputError("only a sequence without a budget can be cut to another retention")
        if self.context.shared and retention.positions != "original":
            raise InputError(
                "a cell that two sequences share is at one position for both: use original "
                "positions, or a Context that is not shared"
            )
        other = object.__new__(LlamaCache)
        other._begin(self.context, self.flow.forked(retention))
        self.context.copy(self.sequence, other.sequence)
        other.context_open, other.places = False, self.places
        before = other.positions
        try:
            other.flow.cut(other.table)
            other._remove(before, other.positions)
            other._gaps = True
            other.close_gaps()
        except BaseException:
            other.close()
            raise
        other.most_between = other.table.width
        return other

    def report(self, *, reveal: bool = False) -> Report:
        """What is kept and why; the text of values only with ``reveal``."""
        self._tell()
        return build_report(self.flow, 0, reveal=reveal)

    def snapshot(self) -> Snapshot:
        """What it is now. Raises CacheStateError when an error broke it."""
        self.check_usable()
        self.close_gaps()
        live = self.most_between, self.most_within
        cells = SharedCells.of(self.context.exported(self.sequence))
        given = self.flow, cells, self.places.copy(), self.context_open, live, self.memory
        return Snapshot(*given).copy()

    @classmethod
    def resumed(cls, context: Context, held: Snapshot) -> LlamaCache:
        """A sequence of a context of the same model that goes on from a snapshot, whose flow it
        takes. Raises CacheStateError when the cells do not suffice."""
        cache = object.__new__(cls)
        cache._begin(context, held.flow)
        try:
            context.restore(cache.sequence, held.cells.exported())
        except BaseException:
            cache.close()
            raise
        cache.places, cache.context_open = held.places, held.context_open
        cache.memory = held.memory
        cache.most_between, cache.most_within = held.live
        return cache

    def save(self, path: str | Path) -> None:
        """Write all that is held and decided to one file, for ``load_cache`` of this package.

        Raises: as ``saving.exported``; InputError when the file cannot be written.
        """
        cache_file.write(Path(path), *saving.exported(self.snapshot(), self.context))

    def check_usable(self) -> None:
        """Bring the text up to date. Raises CacheStateError when an error broke the sequence."""
        if self._broken:
            raise CacheStateError(f"this sequence cannot go on: {self._broken}")
        self._tell()

    def close(self) -> None:
        """Give the sequence and its cells back to the context."""
        self.context.give_back(self.sequence)
        self._broken = "it was closed"


def decode(caches: Sequence[LlamaCache], tokens: Sequence[int]) -> list[Logits]:
    """Feed one generated token to each of several sequences of a context, in one forward; logits
    [vocab] of each. Raises InputError for sequences of several contexts."""
    if len({id(cache.context) for cache in caches}) != 1:
        raise InputError("one forward serves the sequences of one context")
    plans = [cache.plan_step(token) for cache, token in zip(caches, tokens, strict=True)]
    context = caches[0].context
    asks = any(cache._open_field is not None for cache in caches)  # by its queries, then
    batch_logits = context.forward([part for part, _ in plans], show=asks)
    queries = [context.shown(column, len(caches)) for column in range(len(caches))]
    for cache, (_, live), logits in zip(caches, plans, batch_logits, strict=True):
        cache._close_forward(live, logits)
    again = [cache.read_again(output) for cache, output in zip(caches, queries, strict=True)]
    return [
        logits[-1] if output is None else output
        for logits, output in zip(batch_logits, again, strict=True)
    ]


def parts(
    prompt: Sequence[int] | Ints, chunk: int, *, asks: bool = False
) -> Iterator[tuple[Ints, bool]]:
    """Parts of a prompt, and whether each is the last; ``asks``: as ``chunk_size``."""
    ids, start = np.asarray(prompt, np.int64).reshape(-1), 0
    while start < len(ids):
        end = start + chunk_size(len(ids) - start, chunk, asks=asks)
        yield ids[start:end], end == len(ids)
        start = end


def runs(values: Ints | Bools) -> list[tuple[int, int]]:
    """Half-open ranges of an array [index], each as long as its values stay the same."""
    borders = np.flatnonzero(np.diff(values)) + 1
    edges = [0, *borders.tolist(), len(values)]
    return [(a, b) for a, b in pairwise(edges) if a < b]
