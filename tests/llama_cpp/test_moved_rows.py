"""Rows that are moved by hand in llama.cpp give what transformers gives."""

from itertools import islice

import numpy as np
import pytest

from ta_lab.sessions.calls import Argument, CallTokens
from ta_lab.sessions.llama_rows import LlamaRows
from ta_lab.sessions.moving import EveryRow, Shifting
from ta_lab.sessions.playing import TOLD, Arm, Forced, play
from ta_lab.sessions.rows import TransformersRows
from transactional_attention.engines.llama_cpp import Context
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.types import Span

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
    rule = Noted(reply=tuple(tokens))
    steps = session.steps(Prompt(ids, [], len(ids) - 1), rule)
    list(islice((token for token in steps if token is not None), len(tokens)))
    return np.stack([item for item in rule.first if isinstance(item, np.ndarray)])


@pytest.mark.parametrize(("kind", "cells", "more"), [(Shifting, 256, {}), (EveryRow, 512, KEPT)])
def test_both_engines_say_the_same(pair, kind, cells, more):
    model, gguf = pair
    context = Context(gguf, cells, chunk=64, cell_type="f32", threads=1, **more)
    sessions = [kind(rows, 5, 40, 16) for rows in (LlamaRows(context), TransformersRows(model))]
    for size in (30, 90, 130):  # then questions, each of which goes on from the same state
        ours, theirs = (
            logits_of(session, IDS[:size], IDS[size : size + 5]) for session in sessions
        )
        np.testing.assert_allclose(ours, theirs, atol=2e-3, rtol=0)
        assert sessions[0].flow.positions.tolist() == sessions[1].flow.positions.tolist()
    states = (
        [session.fork(134) for session in sessions],
        [session.fork(134) for session in sessions],
    )
    for forks, more_ids in zip(states, (IDS[:20], IDS[40:70]), strict=True):
        ids = np.concatenate([IDS[:134], more_ids])
        ours, theirs = (logits_of(session, ids, IDS[:3]) for session in forks)
        np.testing.assert_allclose(ours, theirs, atol=2e-3, rtol=0)


def test_a_memory_that_is_told_holds_the_same(pair, tokenizer):
    def ids(text):
        return np.array(tokenizer(text, add_special_tokens=False).input_ids)

    before, value = "The number of mine is ", "TK-58213"
    lines = "".join(f"A ticket, the ticket of boat {n}.\n" for n in range(40))
    prompt, call = ids(f"{before}{value}.\n{lines}"), f'{{"ticket": "{value}"}}'
    at = len(prompt) + call.index(value)  # the tokenizer is of bytes
    stated = Span(len(before), len(before) + len(value))
    argument = Argument("ticket", Span(at, at + len(value)), (stated,), len(prompt))
    asked = CallTokens(0, Prompt(prompt, [], len(prompt) - 1), ids(call), (argument,), 0)
    model, gguf = pair
    arms = Arm("ta", 150, memory=True), Arm(TOLD, 150)
    engines = (
        LlamaEngine("tiny", gguf, tokenizer, arms[1].retention(0, "strict"), chunk=64, threads=1),
        TransformersEngine("tiny", model, tokenizer, chunk=64, checkpoints=0),
    )
    for engine in engines:
        held = [[o.held for _, o in play(arm, engine, [asked], "strict")] for arm in arms]
        assert held == [[False], [True]]
