"""Tables of docs/vllm.md: what whole blocks cost, and how large a pool must be.

``python -m ta_lab.report.vllm_pools`` prints both. Nothing is timed and no model is run: blocks are
those that the plugin decides on for a text, pools are counted over sessions at random places in
their prompts. The same seed gives the same tables everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.engines.vllm.arguments import CHUNK
from transactional_attention.engines.vllm.blocks import BlockBudget, BlockFlow
from transactional_attention.models.embedded import load_embedded
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.slot_table import SlotTable
from transactional_attention.types import Ints, Span

from ..benchmarks.corpus import filler_tokens, state_value
from ..cases.runner import read_and_cut
from ..markdown import markdown

LABELS = "door code,order number,tracking number,account id,ticket,serial number,voucher,tax id"
TOKENS, VALUES, TRIALS = 4000, 8, 8
BUDGETS, SIZES = (128, 256, 512), (16, 32, 64)
SESSIONS, LENGTH, BATCH = (100, 1000, 10_000), 100_000, 8192
KEPT, SNAPSHOTS, BLOCK = (256, 1024, 4096), 50, 16
TOKEN_BYTES = 2 * 32 * 8 * 128 * 2  # Llama-3.1-8B in bfloat16
HOST_BYTES = 0.9 * 80e9 - 16.1e9  # a card of 80 GB without the weights


def text_of(tokenizer: Any, seed: int) -> tuple[Ints, list[Span]]:
    """A filler with ``VALUES`` statements at random places, [token], and where the values are."""
    rng, filler = random.Random(seed), filler_tokens(tokenizer, "anchor-free", seed)
    statements = [state_value(tokenizer, rng, label) for label in LABELS.split(",")]
    length = rng.randrange(TOKENS, TOKENS + 64)
    cuts = sorted(rng.sample(range(length - sum(len(s.ids) for s in statements)), VALUES))
    ids: list[int] = []
    spans = []
    for stated, gap in zip(statements, np.diff([0, *cuts]).tolist(), strict=True):
        ids += [next(filler) for _ in range(gap)]
        spans.append(Span(len(ids) + stated.span.start, len(ids) + stated.span.end))
        ids += stated.ids
    ids += [next(filler) for _ in range(length - len(ids))]
    return np.array(ids), spans


def _held(table: SlotTable, spans: Sequence[Span]) -> tuple[int, int]:
    """Tokens that are held, and how many of the values whole."""
    held = set(table.positions[0].tolist())
    return table.width, sum(held.issuperset(range(s.start, s.end)) for s in spans)


def _by_tokens(tokenizer: Any, ids: Ints, budget: int) -> SlotTable:
    """What single tokens hold at K, cut as the blocks are."""
    flow = RetentionFlow(Retention(budget), tokenizer, 1)
    read_and_cut(flow, ids, CHUNK)
    return flow.table


def _by_blocks(tokenizer: Any, ids: Ints, given: BlockBudget) -> SlotTable:
    flow = BlockFlow(given, tokenizer)
    flow.advance(ids.tolist(), len(ids), len(ids))
    return flow.table


def block_rows() -> Iterator[list[str]]:
    """K, block, full blocks, tokens held, over K, values held."""
    tokenizer = load_embedded()[1]
    texts = [text_of(tokenizer, seed) for seed in range(TRIALS)]
    for budget in BUDGETS:
        alone = [_held(_by_tokens(tokenizer, ids, budget), spans) for ids, spans in texts]
        yield _line(budget, "a token", "-", alone)
        for size in SIZES:
            given = BlockBudget(Retention(budget), size, CHUNK)
            counts = [_held(_by_blocks(tokenizer, ids, given), spans) for ids, spans in texts]
            yield _line(budget, str(size), str(given.blocks), counts)


def _line(budget: int, size: str, blocks: str, counts: list[tuple[int, int]]) -> list[str]:
    tokens, values = np.array(counts).mean(0)
    over = f"{100 * (tokens / budget - 1):.1f}%"
    return [str(budget), size, blocks, f"{tokens:.0f}", over, f"{values:.1f} of {VALUES}"]


def pool_blocks(sessions: int, budget: int | None, rng: np.random.Generator) -> int:
    """Most blocks that sessions at random places of ``LENGTH`` tokens hold, over ``SNAPSHOTS``.

    A step of ``BATCH`` tokens gives its chunks room beside what the sessions hold between steps.
    """
    most = -(-LENGTH // BLOCK)
    if budget is not None:
        given = BlockBudget(Retention(budget), BLOCK, CHUNK)
        most = given.blocks + 1
    places = rng.integers(0, LENGTH, (SNAPSHOTS, sessions))
    held = np.minimum(-(-places // BLOCK), most).sum(1)
    return int(held.max()) + -(-BATCH // BLOCK)


def pool_rows() -> Iterator[list[str]]:
    """Sessions, K, blocks, GB, cards; and cards where nothing is given up."""
    rng = np.random.default_rng(0)
    for sessions in SESSIONS:
        for budget in (None, *KEPT):
            blocks = pool_blocks(sessions, budget, rng)
            size = blocks * BLOCK * TOKEN_BYTES
            cards = -(-size // HOST_BYTES)
            name = "whole" if budget is None else f"{budget:,}"
            yield [f"{sessions:,}", name, f"{blocks:,}", f"{size / 1e9:,.0f}", f"{cards:,.0f}"]


def tables() -> tuple[str, str]:
    """Both tables, Markdown."""
    heads = ["K", "block", "full blocks", "tokens held", "over K", "values held"]
    pools = ["sessions", "K", f"blocks of {BLOCK}", "GB", "cards of 80 GB"]
    return markdown(heads, list(block_rows())), markdown(pools, list(pool_rows()))


if __name__ == "__main__":
    print("\n\n".join(tables()))
