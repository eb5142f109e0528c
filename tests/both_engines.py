"""One sequence in llama.cpp and in transformers, on the same weights: every forward is compared."""

import numpy as np
import torch

import transactional_attention as ta
from transactional_attention.engines.llama_cpp import Context, LlamaCache

LOGITS = 1e-3  # float32, added up in another order; compact keys are turned again and again
CHUNK = 150


class Both:
    """One sequence in both engines; every forward is compared."""

    def __init__(self, pair, tokenizer, retention, sources=(), cells=512, queries=None):
        self.model, gguf = pair
        self.theirs = ta.RetentionCache(self.model, tokenizer, retention, sources=[sources])
        context = Context(gguf, cells, chunk=CHUNK, cell_type="f32", threads=1, queries=queries)
        self.ours = LlamaCache(context, tokenizer, retention, sources=sources)
        self.worst = 0.0

    @torch.no_grad()
    def read(self, ids):
        """A prompt in chunks, in both; logits of the last token."""
        seen, strict = self.theirs.num_columns, self.theirs.retention.ledger == "strict"
        if strict or not seen:  # on top a later turn rides, as in generate()
            self.theirs.expect_prompt(seen + len(ids))
        for start in range(0, len(ids), CHUNK):
            logits = self._theirs(ids[start : start + CHUNK])
        self._same(self.ours.read(ids)[-1], logits)

    @torch.no_grad()
    def say(self, count):
        """Greedy tokens of llama.cpp, fed to both."""
        for _ in range(count):
            token = int(self.logits.argmax())
            theirs = self._theirs([token])
            self._same(self.ours.step(token), theirs)

    def _theirs(self, ids):
        given = torch.tensor([list(ids)])
        return self.model(given, past_key_values=self.theirs).logits[0, -1].numpy()

    def _same(self, ours, theirs):
        held = np.sort(self.theirs.flow.tables[self.ours.table.budget].positions[0])
        assert self.ours.positions.tolist() == held.tolist()
        assert self.ours.most_between == self.theirs.ledger.between
        assert self.ours.most_within == self.theirs.ledger.within
        np.testing.assert_allclose(ours, theirs, atol=LOGITS, rtol=0)
        assert ours.argmax() == theirs.argmax()
        self.logits = ours
