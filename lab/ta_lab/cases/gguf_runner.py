"""Cases on llama.cpp: one is read once by a sequence that holds all of it, of which every retention
keeps a copy cut to its budget; copies share cells. ``runner.py`` does the same on transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.llama_cpp import (
    Context,
    GgufModel,
    LlamaCache,
    check_served,
)
from transactional_attention.methods.observation import Observation
from transactional_attention.retention.flow import RetentionFlow

from .cases import Case
from .encoding import encode_case
from .metrics import judge
from .runner import FULL, Outcome, Protocol, most_tokens, outcome_of, with_oracle
from .sweep import Engine


def on_llama_cpp(model: GgufModel, tokenizer: Any, threads: int | None) -> Engine:
    """A GGUF file on llama.cpp."""

    def attempt(retention: Retention) -> object:
        check_served(retention)
        return RetentionFlow(retention, tokenizer, 1)

    return Engine(attempt, partial(GgufRunner, model, tokenizer, threads))


class GgufRunner:
    """One case, prefilled once, answered under many retentions."""

    def __init__(
        self,
        model: GgufModel,
        tokenizer: Any,
        threads: int | None,
        case: Case,
        protocol: Protocol,
        observe: Observation,
    ) -> None:
        self.tokenizer, self.protocol = tokenizer, protocol
        self.encoded = encode_case(tokenizer, case)
        self.limit = most_tokens(tokenizer, self.encoded)
        prompt = self.encoded.ids + (self.encoded.question if protocol == "visible" else [])
        cells = len(prompt) + len(self.encoded.question) + self.limit + 1
        context = Context(model, cells, sequences=2, shared=True, threads=threads)
        self.whole = LlamaCache(context, tokenizer, FULL, sources=self.encoded.sources)
        self.logits = self.whole.read(prompt)

    def run_all(self, retentions: Sequence[Retention]) -> list[Outcome]:
        """Compress, ask and score under each."""
        return [self.run(retention) for retention in retentions]

    def run(self, retention: Retention) -> Outcome:
        """Compress, ask and score."""
        cache = self.whole.cut(with_oracle(retention, self.encoded))
        try:
            outcome, stored = outcome_of(cache.flow, self.encoded, 0), cache.stored_bytes()
            logits = self.logits
            if self.protocol == "hidden":
                logits = cache.read(self.encoded.question)
            ids = list(cache.generate(logits, self.limit + 1))
            text = self.tokenizer.decode(ids[: self.limit], skip_special_tokens=True)
            return replace(
                outcome,
                max_live_tokens=cache.most_between,
                mean_live_tokens=cache.most_between,
                stored_bytes=stored,
                pair_bytes=stored,
                answer=text,
                **judge(text, self.encoded.answers, len(ids) <= self.limit)._asdict(),
            )
        finally:
            cache.close()
