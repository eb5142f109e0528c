"""What a memory takes to find what is asked for among many segments: by words, and by addresses.

No model runs: settings and source code are cut into segments, keys and queries are random."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from transactional_attention.retention.addresses import PLACES, LayerQuery, shares
from transactional_attention.retention.memory import MOST_FOUND
from transactional_attention.retrieval.word_index import Segment, WordIndex, words_of
from transactional_attention.text.segments import Segmenter
from transactional_attention.text.token_text import TokenText

from .benchmark import Outcome, Request, Row
from .detection import LONGEST, configuration, source_code
from .timing import stopwatch

QUESTIONS, WORDS = 40, (1, 2, 8)  # of how many words each
SHAPE = 2, 7, 64  # kv heads, queries of each, width: of Qwen2.5-0.5B
FORWARD = 1 << 16  # tokens that are read at once


def run(request: Request) -> Outcome:
    """Rows a length: words, addresses."""
    rows: list[Row] = []
    for tokens, budget in request.cells():
        segments = _segments(request, tokens)
        about = {"tokens": tokens, "budget": budget, "segments": len(segments)}
        rows += [
            {**about, "name": "words", **_timed(_words(segments, request.seed))},
            {**about, "name": "addresses", **_timed(_addresses(len(segments), budget))},
        ]
    return Outcome(rows)


def _segments(request: Request, tokens: int) -> list[Segment]:
    tokenizer = request.recipe.tokenizer()
    size = tokens * LONGEST // 2
    ids = tokenizer(configuration(size, request.seed) + source_code(size, request.seed)).input_ids
    text, segmenter, segments = TokenText(tokenizer), Segmenter(), list[Segment]()
    for start in range(0, min(tokens, len(ids)), FORWARD):
        text.append(ids[start : min(start + FORWARD, tokens)])
        for span in segmenter.read(text):
            segments.append(Segment(span, "tool", words_of(text.text_of(span))))
    return segments


def _words(segments: Sequence[Segment], seed: int) -> list[Callable[[], object]]:
    rng, index = random.Random(seed), WordIndex()
    index.follow(segments)
    asked = list[Callable[[], object]]()
    for number in range(QUESTIONS):
        words = rng.choice(segments).words.split() or ["nothing"]
        question = " ".join(rng.choices(words, k=WORDS[number % len(WORDS)]))
        asked.append(partial(index.ask, segments, question, MOST_FOUND))
    return asked


def _addresses(number: int, budget: int) -> list[Callable[[], object]]:
    rng = np.random.default_rng(0)
    heads, group, width = SHAPE

    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    means, sizes = drawn(len(PLACES), heads, number, width), np.full(number, 40)
    keys, query = drawn(heads, budget, width), drawn(heads * group, width)
    looks = [LayerQuery(query, keys, means[place]) for place in range(len(PLACES))]
    return [partial(shares, looks, sizes)] * QUESTIONS


def _timed(asked: Sequence[Callable[[], object]]) -> Row:
    spent = [1000 * stopwatch(one) for one in asked]
    return {"median_ms": statistics.median(spent), "range_ms": [min(spent), max(spent)]}
