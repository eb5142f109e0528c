"""llama.cpp behind a server: sessions that take turns in the cells of one context.

A context has cells for as many sessions as take steps together. Those that rest keep theirs until
another one needs them, and are then a snapshot in the host's memory, as are the states before
earlier replies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ...config import Retention
from ...errors import InputError
from ...gguf.bindings import library
from ...retention.checkpoints import spread
from ...retention.chunks import CHUNK, chunk_ends, content_begin, shared_ends
from ...retention.flow import RetentionFlow
from ...types import Ints, Span
from ..free_memory import free_memory
from ..prompts import Prompt, num_held, num_pinned
from ..sampling import Sampling, Token
from ..session import Session
from ..session_files import SessionFiles, load_session
from .cache import LlamaCache
from .cells import HEAD, read_cells
from .context import BESIDE, Context, Tokens
from .model import GgufModel
from .saving import pooled, unpooled
from .snapshot import Snapshot
from .supported import asked_layers, check_served, num_cells

ON_TOP = 1024  # cells of an answer that rides on top


def _length(state: Snapshot) -> int:
    return int(state.flow.lengths[0])


class LlamaSession(Session):
    """One conversation: its sequence, in the context or beside it, and states to go back to."""

    def __init__(
        self,
        engine: LlamaEngine,
        retention: Retention,
        states: list[Snapshot] | None = None,
        rest: Snapshot | None = None,
        files: SessionFiles | None = None,
    ) -> None:
        self.engine, self.retention = engine, retention
        self.checkpoints, self.rest = states or [], rest
        self.cache: LlamaCache | None = None
        self.files = files or SessionFiles()

    @property
    def flow(self) -> RetentionFlow | None:
        """What was decided, with all that was said read."""
        if (flow := self._flow()) is not None:
            return flow
        return self.checkpoints[-1].flow if self.checkpoints else None

    def _flow(self) -> RetentionFlow | None:
        """Of what it is now; None before the first token, and after an error."""
        if self.rest is not None:
            return self.rest.flow
        if self.cache is None or self.cache.broken or not self.cache.num_tokens:
            return None
        self.cache.check_usable()
        return self.cache.flow

    @property
    def states(self) -> list[int]:
        """Where it can go on from, ascending."""
        flows = [self._flow(), *(state.flow for state in self.checkpoints)]
        return sorted({int(flow.lengths[0]) for flow in flows if flow is not None})

    def now(self) -> Snapshot | None:
        """A snapshot of it; None before the first token, and after an error."""
        if self.rest is not None or self.cache is None or self._flow() is None:
            return self.rest
        return self.cache.snapshot()

    def settle(self) -> None:
        """Its turn has ended: from now on it is a snapshot, which others' forwards do not touch."""
        self.rest = self.now()

    def close(self) -> None:
        """Give back its cells."""
        self.engine.unseat(self)

    def _all(self) -> list[Snapshot]:
        """What ``states`` counts."""
        now = self.now()
        return self.checkpoints if now is None else [*self.checkpoints, now]

    def fork(self, state: int) -> LlamaSession:
        """Another session at one of ``states``."""
        snapshot = next(item for item in self._all() if item.flow.lengths[0] == state)
        before = [item for item in self.checkpoints if item.flow.lengths[0] <= state]
        return LlamaSession(self.engine, self.retention, before, snapshot.copy())

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new, then tokens for as long as there is room for them."""
        engine, border = self.engine, prompt.border
        engine.grow(num_pinned(self.retention, prompt.sources), self.retention)
        cache = self._go_back(prompt.ids)
        cache.flow.sequences[0].ranges.sources = list(prompt.sources)
        cache.context_open, begin = True, cache.num_tokens
        if cache.flow.method.whole_prompt:
            border = begin
        asks, sources = cache.memory is not None, prompt.sources
        shared = shared_ends(sources, border)
        unread = Span(begin, border)
        for stop in chunk_ends(sources, unread, engine.chunk, shared, asks=asks):
            cache.feed(prompt.ids[cache.num_tokens : stop], final=False, asks=stop == border)
            if stop in shared:  # whether a state is kept here or not
                cache.close_gaps()
            yield None
            cache = engine.seat(self)
        if begin < border:
            known, first = [*self.checkpoints, cache.snapshot()], content_begin(sources)
            self.checkpoints = spread(known, _length, first, engine.checkpoints)
        logits = cache.feed(prompt.ids[cache.num_tokens :], final=True)[-1]
        sampler = sampling.sampler(prompt.ids)
        while True:
            token = sampler.choose(logits)
            yield token
            cache = engine.seat(self)
            if not engine.has_room(cache):
                return
            logits = cache.step(token.id)

    def _go_back(self, ids: Ints) -> LlamaCache:
        """Stand at the longest state that a prompt begins with and goes on after."""
        flow = self._flow()
        if flow is None or not self._fits(flow, ids):
            self.engine.unseat(self)
            self.checkpoints = [state for state in self.checkpoints if self._fits(state.flow, ids)]
            self.rest = self.checkpoints[-1].copy() if self.checkpoints else None
        cache = self.engine.seat(self)
        self.files.forget(cache.num_tokens)
        return cache

    @staticmethod
    def _fits(flow: RetentionFlow, ids: Ints) -> bool:
        length = int(flow.lengths[0])
        return length < len(ids) and flow.sequences[0].ids.common(ids) == length

    def stored_bytes(self) -> int:
        """Bytes of its keys and values."""
        if self.rest is not None:
            return self.rest.cells.num_bytes
        return 0 if self.cache is None else self.cache.stored_bytes()

    def full_bytes(self) -> int:
        """Bytes that all its tokens would take."""
        live, beside = self.live_tokens(), self._beside_bytes()
        grows = self.stored_bytes() - beside
        return grows * len(self.ids) // live + beside if live else 0

    def _beside_bytes(self) -> int:
        """Of these, windows and recurrent states, which do not grow."""
        if self.rest is not None:
            return len(self.rest.cells.form.beside.data)
        if self.cache is None:
            return 0
        return self.engine.context.held_bytes(self.cache.sequence, BESIDE)

    def needs(self, prompt: Prompt) -> int:
        """Bytes beside what is held: of the sequence at rest and the state before the reply, and of
        a larger context, if what is pinned needs one."""
        engine, pinned = self.engine, num_pinned(self.retention, prompt.sources)
        states = 2 * num_held(self.retention, prompt) * engine.cell_bytes - self.stored_bytes()
        cells = engine.wanted_cells(pinned, self.retention)
        return max(0, states) + cells * engine.parallel * engine.cell_bytes

    def save(self, folder: Path, about: Mapping[str, Any]) -> list[str]:
        """Write what changed."""
        saved = [pooled(state, self.engine.context) for state in self._all()]
        return self.files.save(folder, saved, self.ids, {"engine": "llama.cpp", "session": about})


class LlamaEngine:
    """A GGUF model that sessions share.

    Args:
        retention: the server's own, whose budget no request may exceed: a session's cells are made
            for it.
        parallel: sessions that take steps together.
        chunk: tokens a forward while a prompt is read.
        checkpoints: states before replies that a session keeps (``spread``); K tokens each.
    """

    def __init__(
        self,
        name: str,
        model: GgufModel,
        tokenizer: Any,
        retention: Retention,
        *,
        parallel: int = 4,
        chunk: int = CHUNK,
        checkpoints: int = 2,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        check_served(retention)
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.retention, self.chunk, self.checkpoints = retention, chunk, checkpoints
        self.settings: Mapping[str, Any] = {"engine": "llama.cpp", "chunk": chunk, **options}
        cells = num_cells(model, retention, None, chunk, ON_TOP)
        given = {"sequences": parallel, "chunk": chunk, "threads": threads, **options}
        given["queries"] = asked_layers(model, retention)
        self._make = partial(Context, model, **given)
        self.context = self._make(cells=cells)
        self.layers, self.cell_bytes = self.context.layers, self._cell_bytes()
        self.end_ids = model.ends | frozenset(i for i in [tokenizer.eos_token_id] if i is not None)
        self.parallel = parallel
        self.smaller = "a smaller --budget or --parallel, or --cell-type q8_0"
        self._seated: list[LlamaSession] = []  # the longest unused first

    def limit(self, retention: Retention) -> int | None:
        """The model's trained length, or all the cells of a session without a budget."""
        if retention.positions != "original" and retention.budgets():
            return None
        return self.model.trained_length

    def can_roll(self, retention: Retention) -> bool:
        """Where the context shifts keys, and there is a budget."""
        return bool(retention.budgets()) and self.context.can_shift

    def session(self, retention: Retention) -> LlamaSession:
        """A session that has read nothing. Raises InputError for one that needs more cells."""
        check_served(retention)
        RetentionFlow(retention, self.tokenizer, 1)
        needed = num_cells(self.model, retention, None, self.chunk, ON_TOP)
        if needed > self.context.cells:
            rest = ON_TOP if self.retention.ledger == "on-top" else 1
            room = self.context.cells - self.chunk - rest
            most = max(self.retention.budgets(), default=room)
            raise InputError(
                f"a session of this server has {self.context.cells} cells, this retention needs "
                f"{needed}: ask for a budget of at most {most} under the "
                f"{self.retention.ledger} ledger, or serve with a larger --budget"
            )
        return LlamaSession(self, retention)

    def _cell_bytes(self) -> int:
        """Bytes of a cell's keys and values, as a state of one token has them."""
        sequence = self.context.take_sequence()
        self.context.forward([Tokens(sequence, [0], 0)])
        rows = read_cells(self.context.exported(sequence), HEAD).rows()
        self.context.give_back(sequence)
        return rows.shape[1]

    def free_bytes(self) -> int | None:
        """Of the host; None where a GPU may hold the cells."""
        return None if library().calls.llama_supports_gpu_offload() else free_memory()

    def wanted_cells(self, pinned: int, retention: Retention) -> int:
        """Cells of a session that pins tokens beside K, where it has too few; otherwise 0."""
        needed = num_cells(self.model, retention, None, self.chunk, ON_TOP, pinned)
        return needed if pinned and needed > self.context.cells else 0

    def grow(self, pinned: int, retention: Retention) -> None:
        """Make room for what a prompt pins beside K: where the cells are too few all sessions rest,
        and go on in a context of more. Raises InputError when the machine cannot have them, and
        leaves all as it was."""
        if not (needed := self.wanted_cells(pinned, retention)):
            return
        try:
            larger = self._make(cells=needed)
        except InputError as error:
            raise InputError(
                f"{pinned} pinned tokens have no room: {error}; shorten the system message, offer "
                f"fewer tools, or serve with --pin none, {self.smaller}"
            ) from None
        for session in list(self._seated):
            self.unseat(session)
        self.context.close()
        self.context = larger

    def has_room(self, cache: LlamaCache) -> bool:
        """Whether another token may be said: some token can give way to it; where answers ride on
        top, there are cells for it, and the next turn's first chunk finds them all there."""
        if cache.is_stuck:
            return False
        if self.retention.ledger != "on-top" or not cache.retention.budgets():
            return True
        return len(cache.places) + 1 + self.context.chunk <= self.context.cells

    def load(self, path: Path) -> LlamaSession:
        """A session that was saved."""
        files, saved, ids, record = load_session(path)
        if record.get("engine") != "llama.cpp" or not saved:
            raise InputError(f"{path} is no session of the engine llama.cpp")
        states = [unpooled(path, state, self.context, self.tokenizer, ids) for state in saved]
        retention = states[-1].flow.retention
        return LlamaSession(self, retention, states[:-1], states[-1], files)

    def seat(self, session: LlamaSession) -> LlamaCache:
        """The session's sequence in the context; where there is no room the longest unused goes."""
        if session.cache is None:
            if len(self._seated) >= self.parallel:
                self.unseat(self._seated[0])
            session.cache = (
                LlamaCache(self.context, self.tokenizer, session.retention)
                if session.rest is None
                else LlamaCache.resumed(self.context, session.rest)
            )
        else:
            self._seated.remove(session)
        session.rest = None
        self._seated.append(session)
        return session.cache

    def unseat(self, session: LlamaSession) -> None:
        """Free a session's cells: it rests as it is."""
        if session.cache is not None:
            session.rest = session.now()
            session.cache.close()
            session.cache = None
            self._seated.remove(session)
