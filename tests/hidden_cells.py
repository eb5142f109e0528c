"""A cache beside the same library from which no cell is removed."""

import numpy as np

from transactional_attention.engines.llama_cpp import Context
from transactional_attention.engines.llama_cpp.cells import HEAD, read_cells
from transactional_attention.engines.llama_cpp.context import Tokens

CHUNK, K = 150, 64
SAME = 1e-4  # the same cells, elsewhere in the memory, are added up in another order
OPTIONS = dict(chunk=CHUNK, cell_type="f32", threads=1)


class Hidden:
    """The same library: no cell is removed, but those that a cache holds no more are left out of
    the bytes with which each forward begins. What is beside the cells is always whole. ``order``:
    the cells in any other order, which no sum of real numbers would see."""

    def __init__(self, model, order=None):
        self.order = order
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
            if self.order is not None:
                which = self.order.permutation(which)
            context.restore(sequence, cells.spliced(state[:HEAD], which, ()))
        (logits,) = context.forward([Tokens(sequence, ids, self.end, wanted)])
        self.end += len(ids)
        return logits


def check_as_hidden(cache, ids, steps):
    """A cache of K tokens reads a text and says ``steps`` tokens, with the logits of ``Hidden``."""
    hidden = Hidden(cache.context.model)
    for start in range(0, len(ids), CHUNK):
        part, held = np.array(ids[start : start + CHUNK]), cache.positions
        expected = hidden.forward(part, held)
        logits = cache.feed(part, final=start + CHUNK >= len(ids))
        np.testing.assert_allclose(logits, expected, atol=SAME, rtol=0)
    assert cache.positions.tolist() != list(range(len(ids) - K, len(ids)))
    for _ in range(steps):
        token, held = int(logits[-1].argmax()), cache.positions
        logits = cache.step(token)[None]
        kept = np.intersect1d(held, cache.positions)
        np.testing.assert_allclose(logits, hidden.forward([token], kept), atol=SAME, rtol=0)
    assert cache.most_between == K and cache.most_within <= K + CHUNK
