"""Rows that are moved by hand in llama.cpp give what transformers gives."""

from itertools import islice

import numpy as np
import pytest

from ta_lab.sessions.llama_rows import LlamaRows
from ta_lab.sessions.moving import EveryRow, Shifting
from ta_lab.sessions.playing import Forced
from ta_lab.sessions.rows import TransformersRows
from transactional_attention.engines.llama_cpp import Context
from transactional_attention.engines.prompts import Prompt

IDS = np.random.default_rng(0).integers(3, 200, 160)
KEPT = {"sequences": 2, "shared": True}


class Noted(Forced):
    """Says what it is told, and notes logits."""

    def sampler(self, prompt):
        inner = super().sampler(prompt)
        choose = inner.choose
        inner.choose = lambda logits: self.first.append(logits) or choose(logits)
        return inner


def logits_of(session, ids, tokens):
    rule = Noted(said=tuple(tokens))
    steps = session.steps(Prompt(ids, [], len(ids) - 1), rule)
    list(islice((token for token in steps if token is not None), len(tokens)))
    return np.stack([item for item in rule.first if isinstance(item, np.ndarray)])


@pytest.mark.parametrize(("kind", "cells", "more"), [(Shifting, 256, {}), (EveryRow, 512, KEPT)])
def test_both_engines_say_the_same(pair, kind, cells, more):
    model, gguf = pair
    context = Context(gguf, cells, chunk=64, cell_type="f32", threads=1, **more)
    both = [kind(rows, 5, 40, 16) for rows in (LlamaRows(context), TransformersRows(model))]
    for size in (30, 90, 130):  # then questions, each of which goes on from the same state
        ours, theirs = (logits_of(session, IDS[:size], IDS[size : size + 5]) for session in both)
        np.testing.assert_allclose(ours, theirs, atol=2e-3, rtol=0)
        assert both[0].flow.positions.tolist() == both[1].flow.positions.tolist()
    states = [session.fork(134) for session in both], [session.fork(134) for session in both]
    for forks, more_ids in zip(states, (IDS[:20], IDS[40:70]), strict=True):
        ids = np.concatenate([IDS[:134], more_ids])
        ours, theirs = (logits_of(session, ids, IDS[:3]) for session in forks)
        np.testing.assert_allclose(ours, theirs, atol=2e-3, rtol=0)
