"""Contexts that a method reads in a way of its own, which one prefill and one cut would not be.

SideQuest ends a turn behind the context: a judge is asked, and tool outputs go. TRIM-KV cuts while
the context streams in. Both are charged with the tokens that they feed and the time that they take.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.compress import compress
from transactional_attention.engines.transformers.passes import OwnPass
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.engines.transformers.side_quest import end_turn
from transactional_attention.types import SourceRange, Span

from .decoding import forward

if TYPE_CHECKING:
    from .encoding import EncodedCase

OUTPUT_CHARACTERS = 1000  # of a made tool output: about 16 of them in 4,096 tokens
WHOLE = Retention(budget=None, method="full")


def tool_outputs(encoded: EncodedCase) -> list[SourceRange]:
    """Tool outputs of a case: those that it names, else its own text taken for some.

    Paragraphs in a row are one output, of ``OUTPUT_CHARACTERS`` or more. All of the text is taken,
    the paragraph of a value too: a method is not told where values stand.
    """
    named = [item for item in encoded.sources if item.source == "tool"]
    if named:
        return named
    spans, start, end = [], 0, 0
    for line in encoded.case.context.splitlines(keepends=True):
        end += len(line)
        if end - start >= OUTPUT_CHARACTERS:
            spans.append(Span(start, end))
            start = end
    if start < end:
        spans.append(Span(start, end))
    return [SourceRange(encoded.tokens_of(span.start, span.end), "tool") for span in spans]


def judged(
    snapshot: RetentionCache, retention: Retention, model: Any, encoded: EncodedCase
) -> OwnPass:
    """The context without what a judge deletes at the end of its one turn, before any cut to K.

    The judge is the model itself, asked in a side branch over the whole context; only the side
    branch is charged. ``retention`` has no budget: one turn's end serves all of them. A twin knows
    the outputs as a tool's words too, and vetoes.
    """
    told = snapshot
    if not any(item.source == "tool" for item in encoded.sources):
        told = compress(snapshot, WHOLE)
        told.set_sources([tool_outputs(encoded)])
    cache = compress(told, retention)
    start = time.process_time()
    (end,) = end_turn(model, cache)
    seconds = time.process_time() - start
    gone = len(encoded.ids) - sum(p < len(encoded.ids) for p in _positions(cache))
    return OwnPass(None, end.side_tokens, seconds, cache, gone)


def _positions(cache: RetentionCache) -> list[int]:
    return cache.flow.tables[None].positions[0].tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Streamed:
    """A context that was cut while it was read, the logits [vocab] behind it, and what it cost."""

    cache: RetentionCache
    logits: torch.Tensor
    tokens: int
    seconds: float


def streamed(
    snapshot: RetentionCache, retention: Retention, model: Any, prompt: list[int], buffer: int
) -> Streamed:
    """``prompt`` read under its budget K: whenever K + ``buffer`` tokens are held, cut to K.

    ``snapshot``: a cache that has read it; tokenizer and sources are its.
    """
    start = time.process_time()
    sources = [sequence.sources for sequence in snapshot.flow.sequences]
    cache = RetentionCache(model, snapshot.tokenizer, retention, sources=sources)
    prefill(model, torch.tensor([prompt]), cache, chunk=buffer)
    logits = forward(model, cache, prompt[-1:])
    return Streamed(cache, logits, len(prompt), time.process_time() - start)
