"""Sessions and talks run on the model and the engine that are asked for, which are loaded once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from transactional_attention.cli.engines import LLAMA_CPP, TRANSFORMERS
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.models import load_model, load_tokenizer

from .asking import ask
from .calls import CallTokens, calls_of, pinned_of
from .compaction import play_compacted
from .deciding import DecidingEngine
from .files import AgentSession
from .likelihood import FULL, likelihoods, replies, requested
from .moving import EveryRow, MovingEngine, Shifting
from .playing import COMPACTION, EVERY_ROW, MOVED, Arm, Model, Plays, play
from .rows import NoRows, Rows, TransformersRows
from .survival import survived
from .talks import Talk, read_talks
from .texts import is_text, read_texts

NO_MODEL = "none"


@dataclass(frozen=True)
class SessionRunner:
    """The engine that is asked for, and how; what it needs is loaded once."""

    model: str
    engine: str
    dtype: str
    threads: int | None
    ledger: str
    pin: bool
    survival: bool = False
    likelihood: bool = False
    _known: dict[str, list[CallTokens]] = field(default_factory=dict)
    _said: dict[str, list[list[int]]] = field(default_factory=dict)

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        """The model, None where none is run, and its tokenizer."""
        if self.engine == LLAMA_CPP:
            from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415

            return GgufModel(self.model), load_tokenizer(self.model)
        if self.engine == NO_MODEL:
            return None, load_tokenizer(self.model)
        return load_model(self.model, dtype=self.dtype)

    @cached_property
    def _end_ids(self) -> frozenset[int]:
        model, tokenizer = self.loaded
        if self.engine == LLAMA_CPP:
            return model.ends  # type: ignore[no-any-return]
        if self.engine == NO_MODEL:
            return frozenset({tokenizer.eos_token_id} - {None})
        return self._transformers.end_ids

    @cached_property
    def _transformers(self) -> TransformersEngine:
        return TransformersEngine("sessions", *self.loaded, checkpoints=0)

    def requests(self, file: Path, seed: int, last: int | None) -> list[Talk]:
        """What is judged of a file, of its first talks or of texts by a seed."""
        if is_text(file):
            talks = read_texts(file, self.loaded[1], seed, last)
        else:
            talks = read_talks(file, last)
        return [requested(talk) for talk in talks]

    def _calls(self, session: AgentSession) -> list[CallTokens]:
        """Of one session at a time, which is played in many ways."""
        if session.id not in self._known:
            self._known.clear()
            calls = calls_of(session, self.loaded[1], self._end_ids, pin=self.pin)
            self._known[session.id] = list(calls)
        return self._known[session.id]

    def _replies(self, talk: Talk, pinned: int) -> list[list[int]]:
        """What the full cache says of one talk at a time."""
        if talk.id not in self._said:
            self._said.clear()
            model = Model(self._plays(FULL, pinned), self.loaded[1], self._end_ids, says=True)
            self._said[talk.id] = replies(model, talk, pinned, self.ledger)
        return self._said[talk.id]

    def outcomes(self, item: AgentSession | Talk, arm: Arm) -> Iterator[dict[str, Any]]:
        """Of the arguments of a session, or the questions of a talk, what a record may hold:
        places, and nothing of the text."""
        tokenizer, says = self.loaded[1], self.engine != NO_MODEL
        if isinstance(item, Talk):
            pinned = pinned_of(chat_prompt(tokenizer, item.messages)) if self.pin else 0
            model = Model(self._plays(arm, pinned), tokenizer, self._end_ids, says)
            if self.likelihood:
                said = self._replies(item, pinned)
                for reply in likelihoods(arm, model, item, said, pinned, self.ledger):
                    yield reply._asdict()
                return
            for one in ask(arm, model, item, pinned, self.ledger):
                where = {"message": one.number, "place": 0, "back": None}
                kind = {} if one.kind is None else {"kind": one.kind}
                yield {**where, **kind, "held": one.held, "answered": one.answered}
            return
        if self.survival:
            prompt = chat_prompt(tokenizer, item.messages, item.tools or None)
            pinned = pinned_of(prompt) if self.pin else 0
            given = arm, self._plays(arm, pinned), item, tokenizer, pinned, self.ledger
            for number, (value, back, held) in enumerate(survived(*given)):
                where = {"message": number, "place": value.places[-1].start, "back": back}
                yield {**where, "kind": value.kind, "held": held, "answered": None}
            return
        calls = self._calls(item)
        pinned = calls[0].pinned if calls else 0
        plays = self._plays(arm, pinned)
        if arm.method == COMPACTION:
            model = Model(plays, tokenizer, self._end_ids, says)
            pairs = play_compacted(model, item, calls, arm.budget or 0)
        else:
            pairs = play(arm, plays, calls, self.ledger)
        for call, outcome in pairs:
            argument = outcome.argument
            where = {"message": call.number, "place": argument.tokens.start, "back": argument.back}
            state = {"held": outcome.held, "answered": outcome.answered, "kept": outcome.kept}
            yield {**where, "argument": argument.name, **state}

    def _plays(self, arm: Arm, pinned: int) -> Plays:
        """What makes the sessions of an arm."""
        if arm.method in MOVED:
            kind = EveryRow if arm.method == EVERY_ROW else Shifting
            rows = partial(self._rows, arm, pinned)
            return MovingEngine(kind, rows, pinned, arm.budget or 0)
        if self.engine == NO_MODEL:
            return DecidingEngine(self.loaded[1])
        if self.engine == TRANSFORMERS:
            return self._transformers
        from transactional_attention.engines.llama_cpp.sessions import (  # noqa: PLC0415  (extra)
            LlamaEngine,
        )

        given = "sessions", *self.loaded, arm.retention(pinned, self.ledger)
        return LlamaEngine(*given, parallel=2, checkpoints=0, threads=self.threads)

    def _rows(self, arm: Arm, pinned: int) -> Rows:
        model = self.loaded[0]
        if model is None:
            return NoRows()
        if self.engine == TRANSFORMERS:
            return TransformersRows(model)
        from .llama_rows import LlamaRows  # noqa: PLC0415  (extra)

        return LlamaRows.of(
            model, None if arm.method == EVERY_ROW else pinned + (arm.budget or 0), self.threads
        )
