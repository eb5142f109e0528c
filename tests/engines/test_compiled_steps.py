"""torch.compile: the graph of one decode step serves all later steps and changes no logits."""

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch._dynamo.utils import counters

from transactional_attention import Retention, RetentionCache

PROMPT, STEPS = 40, 10
SETTLED = 2  # steps after which every number that changes from step to step is known to change


@pytest.fixture(autouse=True)
def fresh_compiler():
    torch.compiler.reset()
    counters.clear()
    yield
    torch.compiler.reset()


def feed(model, tokenizer, retention, rows, step):
    """Logits of each of ``STEPS`` tokens after a prompt that runs without a compiler."""
    ids = torch.randint(3, len(tokenizer), (rows, PROMPT + STEPS), generator=torch.manual_seed(3))
    cache = RetentionCache(model, tokenizer, retention)
    cache.expect_prompt(PROMPT)
    with torch.no_grad():
        model(input_ids=ids[:, :PROMPT], past_key_values=cache, use_cache=True)
        for column in range(PROMPT, PROMPT + STEPS):
            one = ids[:, column : column + 1]
            yield step(input_ids=one, past_key_values=cache, use_cache=True).logits


@pytest.mark.parametrize(("positions", "rows"), [("original", 1), ("compact", 3)])
def test_one_graph_serves_every_step(model, tokenizer, positions, rows):
    retention = Retention(16, "ta", positions=positions)
    plain = list(feed(model, tokenizer, retention, rows, model))
    counter = CompileCounterWithBackend("aot_eager")
    step = torch.compile(model.forward, backend=counter)
    graphs, breaks = [], []
    for expected, logits in zip(plain, feed(model, tokenizer, retention, rows, step), strict=True):
        assert (logits - expected).abs().max() < 1e-6
        graphs.append(counter.frame_count)
        breaks.append(sum(counters["graph_break"].values()))
    assert 0 < graphs[-1] <= 4  # decoder, head, and once more with what has changed
    assert graphs[SETTLED:] == graphs[-1:] * (STEPS - SETTLED)  # no compilation a token
    assert breaks[-1] == breaks[SETTLED] <= 6  # into the hooks, out of them
