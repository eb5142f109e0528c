"""Forwards of a method's own over a full cache; they give the scores that it is cut by.

``PASSES`` names one for each scorer that declares ``Observation(passes=True)``. KVzip repeats the
context on top of the full cache, chunk by chunk. StructKV runs the prompt once more, of which deep
layers get the structural tokens alone: it gives a cache of its own, which is cut in place of the
full one. Hooks on the decoder's own layers cut the hidden states; no layer is written again here.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ...config import Retention, retention_from
from ...errors import InputError, UnsupportedError
from ...methods.observation import NOTHING, AttentionRule, Observation
from ...methods.registry import get_method
from ...methods.scorers import Scorer
from ...methods.scorers.kvzip import CHUNK, OVERLAP, SINKS, KVzip, most_received
from ...methods.scorers.struct_kv import StructKV
from ...selection.slot_table import SlotTable
from ...types import Ints, SourceRange
from .cache import RetentionCache
from .compression import compress, forked
from .forward import TableForward
from .layer import RetentionLayer
from .observe import Observer
from .prefill import Progress, prefill

FIRST = "\n\nRepeat the text above, word for word:\n"
NEXT = "\n\nRepeat the text above, word for word, from where it says:\n"
# What a decoder hands to each layer with one entry a token, and the dimension of the tokens.
PER_TOKEN = {"position_ids": -1, "cache_position": -1, "position_embeddings": -2}
Needed = frozenset[int]
Scored = tuple[list[Tensor], int, RetentionCache]  # scores, tokens fed, what they are of


class ChunkReader(Observer):
    """Measures the attention that one chunk of a layer's context receives in one forward."""

    def __init__(self, branch: RetentionCache, chunk: slice) -> None:
        super().__init__(NOTHING, None, branch.decoder)
        self.chunk = chunk
        self.scores: Tensor | None = None

    def update(
        self, query: Tensor, key: Tensor, rule: AttentionRule, forward: TableForward
    ) -> None:
        """Score [row, kv_head, token] the chunk; slots of an uncut cache are in order."""
        first, size = min(SINKS, self.chunk.start), self.chunk.stop - self.chunk.start
        slots = torch.arange(key.shape[2], device=key.device)
        fed = slots[-query.shape[2] :]
        compared = torch.cat([slots[:first], slots[self.chunk], fed])
        positions = forward.slot_positions(key.device)[..., compared]
        asking = forward.asking(key.device)
        received = most_received(query, key[:, :, compared], positions, asking, rule)
        self.scores = received[..., first : first + size]


def reconstruct(scorer: KVzip, source: RetentionCache, needed: Needed) -> Scored:
    """S [layer][row, kv_head, slot] of every token of ``source``."""
    ids = source.flow.tables[None].ids[0].tolist()
    parts: list[list[Tensor]] = [[] for _ in source.managed]
    tokens = 0
    for start in range(0, len(ids), CHUNK):
        chunk = slice(start, min(start + CHUNK, len(ids)))
        request = source.tokenizer(NEXT if start else FIRST, add_special_tokens=False)["input_ids"]
        fed = [*request, *ids[max(start - OVERLAP, 0) : chunk.stop]]
        for part, scores in zip(parts, _repeat(source, fed, chunk), strict=True):
            part.append(scores)
        tokens += len(fed)
    return [torch.cat(part, 2) for part in parts], tokens, source


def _repeat(source: RetentionCache, fed: list[int], chunk: slice) -> list[Tensor]:
    """Feed a repetition to a branch of the cache; what the chunk received [layer]."""
    branch = compress(source, Retention(budget=None, method="full"))
    readers = [ChunkReader(branch, chunk) for _ in branch.managed]
    for layer, reader in zip(branch.managed, readers, strict=True):
        layer.observer = reader
    branch.feed(torch.tensor([fed]), torch.arange(len(fed))[None] + source.num_columns)
    return [reader.scores for reader in readers if reader.scores is not None]


class PrunedCache(RetentionCache):
    """The tokens of another cache, to be computed again with fewer of them in deep layers.

    Its flow has read the whole prompt; ``layer.table`` says what each layer holds.
    """

    def prune(self, first: int, kept: Ints, observe: Observation) -> None:
        """Layers from ``first`` on get the slots ``kept`` alone; note what is to be observed."""
        whole = self.flow.tables[None]
        part = SlotTable.empty(None, 1)
        part.append(whole.positions, whole.ids)
        part.take(kept[None])
        self._tables = [whole, part]
        for index, layer in enumerate(self.managed):
            layer.observer = Observer(observe, None, self.decoder)
            if index >= first:
                layer.table, self._table_index[index] = part, 1
                layer.seen = whole.width - part.width  # columns that never reach it

    def begin(self, decoder: nn.Module, *args: Tensor | None) -> Tensor | None:
        """The tokens are read already, and nothing is cut."""
        self.check_usable(decoder)
        self._forwards = [_uncut(table) for table in self._tables]
        self._traced()
        return None


def _uncut(table: SlotTable) -> TableForward:
    """A forward of all tokens of a table of one row."""
    return TableForward(table, table.positions, check=True)


def propagate(scorer: StructKV, source: RetentionCache, needed: Needed) -> Scored:
    """S [layer][row, 1, slot] of the tokens that each layer holds.

    ``needed``: tokens that go through every layer, whatever their centrality. Raises InputError
    when the prefill did not collect the last queries; UnsupportedError when the model's layers
    cannot be run on some of the tokens.
    """
    before = torch.stack([_measured(scorer, layer).double().cpu() for layer in source.managed])
    scores = before[:, 0, 0]
    pivot = scorer.pivot_of(scores)
    kept = scorer.structure(scorer.centrality(scores, pivot), needed)
    cache = forked(source, Retention(budget=None, method="full"), PrunedCache)
    cache.prune(pivot + 1, kept.numpy(), Observation(queries=scorer.window))
    whole = cache.flow.tables[None]
    with pruned(cache, pivot + 1, kept):
        cache.feed(torch.from_numpy(whole.ids), torch.from_numpy(whole.positions))
    if any(layer.pending or layer.seen != whole.width for layer in cache.managed):
        raise UnsupportedError(
            f"layers of {type(cache.decoder).__name__} do not attend to just the tokens that they "
            "are given: structkv cannot prune them"
        )
    return [_measured(scorer, layer) for layer in cache.managed], whole.width, cache


def _measured(scorer: StructKV, layer: RetentionLayer) -> Tensor:
    """S [row, 1, slot] of a layer that was prefilled, from the queries it collected."""
    observer = layer.observer
    if observer is None or observer.queries is None or observer.wanted.queries < scorer.window:
        raise InputError(
            f"the prefill did not collect the last {scorer.window} queries that structkv reads: "
            "name them before it (RetentionCache(observe=...))"
        )
    assert layer.table is not None
    return scorer.measure(observer.seen(*layer.states(), _uncut(layer.table)))


@contextmanager
def pruned(cache: RetentionCache, first: int, kept: Tensor) -> Iterator[None]:
    """While it is open, decoder layers from ``first`` on compute on the tokens ``kept`` alone.
    Raises UnsupportedError when the decoder has no list of layers, or hands them something else."""
    layers, name = getattr(cache.decoder, "layers", None), type(cache.decoder).__name__
    if not isinstance(layers, nn.ModuleList) or len(layers) != len(cache.layers):
        raise UnsupportedError(
            f"{name} has no list of decoder layers that run on some of the tokens: structkv needs "
            "one, as in Llama, Mistral, Qwen and Phi-3"
        )

    def enter(layer: nn.Module, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict]:
        given = dict(kwargs)
        hidden = args[0] if args else given.pop("hidden_states")
        if layer is layers[first]:
            hidden = hidden.index_select(1, kept.to(hidden.device))
        given = {key: _cut(name, key, value, kept) for key, value in given.items()}
        return (hidden, *(_cut(name, "positional", value, kept) for value in args[1:])), given

    handles = [layer.register_forward_pre_hook(enter, with_kwargs=True) for layer in layers[first:]]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _cut(model: str, key: str, value: Any, kept: Tensor) -> Any:
    """The entries of ``kept`` in an argument of a decoder layer."""
    if isinstance(value, tuple):
        return tuple(_cut(model, key, item, kept) for item in value)
    if not isinstance(value, Tensor):
        return value
    if key not in PER_TOKEN:
        raise UnsupportedError(
            f"{model} hands its layers a tensor {key!r} that structkv cannot cut to some tokens"
        )
    return value.index_select(PER_TOKEN[key], kept.to(value.device))


@dataclass(frozen=True)
class OwnPass:
    """Scores [layer][row, kv_head or 1, slot], and what they cost.

    ``tokens``: fed; ``seconds``: of the process's time, all its threads added up.

    ``cache``: what ``compress`` cuts by them; the source itself unless the pass prunes, or a judge
    deleted ``deleted`` tokens of tool outputs, where there are no scores (``end_turn``).
    """

    scores: list[Tensor] | None
    tokens: int
    seconds: float
    cache: RetentionCache
    deleted: int = 0


PASSES: dict[type[Scorer], Callable[..., Scored]] = {KVzip: reconstruct, StructKV: propagate}
PRUNING = (StructKV,)  # whose caches lack tokens in some layers


def needed_by(scorer: Scorer, retention: Retention, source: RetentionCache) -> Needed:
    """Tokens that a pruning pass must carry through every layer of a row.

    The mandatory ends, ranges that the caller names, sponsored values with their closing tokens,
    and labels: none could be kept in a layer that never held it. Empty where the pass prunes
    nothing, so that one pass serves a method, its twin and all budgets.
    """
    if not isinstance(scorer, PRUNING):
        return frozenset()
    _check_row(scorer, source)
    flow = source.flow.forked(retention)
    length, ends = int(flow.lengths[0]), flow.selection
    tokens = {*range(min(ends.sinks, length)), *range(max(length - ends.recent, 0), length)}
    for span in (*(span for span, _ in flow.sequences[0].explicit()), *flow.sponsored(0)):
        tokens.update(range(span.value.start, min(ends.extent(span).end, length)))
        tokens.update(t for part in ends.before(span) for t in part)
    return frozenset(tokens)


def run_pass(scorer: Scorer, source: RetentionCache, needed: Needed = frozenset()) -> OwnPass:
    """Run what ``scorer`` needs over ``source``, an unlimited cache of one row; it is not changed.

    ``needed``: see ``needed_by``. Raises UnsupportedError for several rows or padding.
    """
    _check_row(scorer, source)
    start = time.process_time()
    with torch.no_grad():
        scores, tokens, cache = PASSES[type(scorer)](scorer, source, needed)
    return OwnPass(scores, tokens, time.process_time() - start, cache)


def _check_row(scorer: Scorer, source: RetentionCache) -> None:
    table = source.flow.tables.get(None)
    if table is None or len(table.rows) != 1 or table.padded:
        raise UnsupportedError(
            f"{type(scorer).__name__} reads one row of an unlimited cache, without padding"
        )


def prefill_whole(
    model: Any,
    input_ids: Tensor,
    tokenizer: Any,
    retention: Retention | int,
    *,
    chunk: int = 512,
    sources: Sequence[Sequence[SourceRange]] | None = None,
    keep_last: bool = True,
    progress: Progress | None = None,
) -> RetentionCache:
    """A cache that has read one prompt whole, run the method's own passes, and cut it to K.

    What KVzip and StructKV need; then call ``generate`` with the same inputs, as after
    ``prefill``. Other methods can do the same: they are cut once, behind the prompt. The peak is
    the whole prompt in every layer.

    Args:
        input_ids: one row, [1, column], without padding.
        chunk: new tokens a forward, all of which stay until the cut.
        keep_last: leave the last token for ``generate``. False feeds all.
        progress: as for ``prefill``.

    Raises:
        InputError: for an empty prompt, or compact positions.
        UnsupportedError: for several rows, or layers that the method cannot read.
    """
    retention = retention_from(retention)
    scorer = get_method(retention.method).scorer(retention)
    whole = Retention(budget=None, method="full")
    cache = RetentionCache(model, tokenizer, whole, sources=sources, observe=scorer.observes)
    prefill(model, input_ids, cache, chunk=chunk, keep_last=keep_last, progress=progress)
    if not cache.num_columns:  # a prompt of one token, which generate() reads
        return RetentionCache(model, tokenizer, retention, sources=sources)
    if not scorer.observes.passes:
        return compress(cache, retention)
    own = run_pass(scorer, cache, needed_by(scorer, retention, cache))
    return compress(own.cache, retention, own.scores)
