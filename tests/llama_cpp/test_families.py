"""Families whose layers do not all hold what a retention keeps: hybrids, sliding windows, M-RoPE."""

import numpy as np
import pytest

import transactional_attention as ta
from gguf_hybrids import FAMILIES, WINDOW, write_hybrid
from scenes import byte_tokenizer
from ta_lab.cases.encoding import encode_case
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache, load_cache
from transactional_attention.engines.llama_cpp.cells import HEAD, read_cells
from transactional_attention.engines.llama_cpp.context import Layers, Tokens

CHUNK, K = 150, 64
SAME = 1e-4  # the same cells, elsewhere in the memory, are added up in another order
OPTIONS = dict(chunk=CHUNK, cell_type="f32", threads=1)
LAYERS = {
    "lfm2": Layers(2, 0, 4, 6),
    "qwen35": Layers(2, 0, 4, 6),
    "granitehybrid": Layers(2, 0, 4, 6),
    "jamba": Layers(2, 0, 4, 6),
    "falcon-h1": Layers(3, 0, 3, 3),
    "nemotron_h": Layers(2, 0, 2, 6),
    "gemma3": Layers(1, 5, 0, 6),
    "gemma4": Layers(1, 2, 0, 6),
    "qwen2vl": Layers(3, 0, 0, 3),
}


@pytest.fixture(scope="module", params=FAMILIES)
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("family")
    return GgufModel(str(write_hybrid(folder / "tiny.gguf", request.param)))


@pytest.fixture(scope="module")
def case():
    setting = Setting(1100, 0.3, 0, "anchor-free", "")
    return encode_case(byte_tokenizer(), make("needle", byte_tokenizer(), setting)[0])


def cache_of(model, tokenizer, cells=K + CHUNK + 1, **options):
    context = Context(model, cells, **OPTIONS)
    return LlamaCache(context, tokenizer, ta.Retention(**{"budget": K, **options}))


class Hidden:
    """The same library: all cells stay, but those that a cache holds no more are left out of the bytes with which
    each forward begins. What is beside the cells is always whole."""

    def __init__(self, model):
        self.context = Context(model, 4096, **OPTIONS)
        self.sequence = self.context.take_sequence()
        self.end = 0

    def forward(self, ids, held, wanted=1):
        context, sequence = self.context, self.sequence
        if self.end:
            state = context.exported(sequence)
            cells = read_cells(state, HEAD)
            which = np.flatnonzero(np.isin(cells.places, held))
            assert len(which) == len(held)
            context.restore(sequence, np.concatenate([state[:HEAD], cells.spliced(which, ())]))
        (logits,) = context.forward([Tokens(sequence, ids, self.end, wanted)])
        self.end += len(ids)
        return logits


def test_removed_cells_are_as_hidden_ones(model, tokenizer, case):
    """The windows of layers that slide and the states of recurrent ones are untouched."""
    cache, hidden = cache_of(model, tokenizer), Hidden(model)
    for start in range(0, len(case.ids), CHUNK):
        part, held = np.array(case.ids[start : start + CHUNK]), cache.positions
        expected = hidden.forward(part, held)
        logits = cache.feed(part, final=start + CHUNK >= len(case.ids))
        np.testing.assert_allclose(logits, expected, atol=SAME, rtol=0)
    assert cache.positions.tolist() != list(range(len(case.ids) - K, len(case.ids)))
    for _ in range(2 * WINDOW):
        token, held = int(logits[-1].argmax()), cache.positions
        logits = cache.step(token)[None]
        kept = np.intersect1d(held, cache.positions)
        np.testing.assert_allclose(logits, hidden.forward([token], kept), atol=SAME, rtol=0)
    assert cache.most_between == K and cache.most_within <= K + CHUNK


def test_what_is_managed_is_told(model, tokenizer, case):
    cache = cache_of(model, tokenizer)
    assert cache.context.layers == LAYERS[model.architecture]
    cache.read(case.ids)
    cells = read_cells(cache.context.exported(cache.sequence), HEAD)
    assert cells.layers == cache.context.layers.managed
    assert len(cells.places) == K and sorted(cells.places.tolist()) == cache.positions.tolist()
