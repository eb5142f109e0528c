"""Conversations that are compacted: the model's own words, at most K tokens, and what they hold."""

import json
from contextlib import contextmanager

import pytest
import torch

from session_runs import recorded, refusal, tiny_model
from ta_lab.sessions.asking import ask
from ta_lab.sessions.calls import calls_of, pinned_of
from ta_lab.sessions.compaction import (
    REQUEST,
    SUMMARY,
    Compaction,
    compacted,
    parts,
    play_compacted,
)
from ta_lab.sessions.files import AgentSession
from ta_lab.sessions.playing import COMPACTION, Arm
from ta_lab.sessions.talks import Question, Talk

K, TICKET, PATH = 440, "TK-58213", "/srv/a.csv"
WALK = "We walked along the river. "
CALL = {"type": "function", "function": {"name": "close", "arguments": {"id": TICKET, "at": PATH}}}
MESSAGES = [
    {"role": "system", "content": "You may call tools."},
    {"role": "user", "content": f"The ticket is {TICKET}. {WALK}"},
    {"role": "assistant", "content": WALK * 6},
    {"role": "user", "content": f"{WALK * 7}\nThe path is {PATH}."},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "content": "done"},
]


@pytest.fixture(scope="module")
def model():
    return tiny_model()


@torch.no_grad()
def greedy(model, ids, most):
    tokens = []
    while len(tokens) < most:
        given = torch.tensor([[*ids, *tokens]])
        tokens.append(int(model.engine.model(given).logits[0, -1].argmax()))
        if tokens[-1] in model.end_ids:
            break
    return model.tokenizer.decode(tokens, skip_special_tokens=True).strip()


def test_the_models_own_summary_takes_the_place_of_what_it_read(model):
    compaction = Compaction(model, K)
    for message in MESSAGES[:3]:
        compaction.add(message)
    assert compaction.messages == MESSAGES[:3]
    asked = compaction.prompt({"role": "user", "content": REQUEST})
    compaction.add(MESSAGES[3])
    summary = {"role": "user", "content": SUMMARY + greedy(model, asked.ids, K // 4)}
    assert compaction.messages == [MESSAGES[0], summary, MESSAGES[3]]
    prompt = compaction.prompt()
    assert len(prompt.ids) - pinned_of(prompt) <= K


def test_a_long_message_is_read_in_parts(model):
    text = "\n".join([WALK * 3] * 8) + "x" * 300
    long = {"role": "tool", "content": text}
    pieces = list(parts(long, model.tokenizer, 200))
    assert "".join(part["content"] for part in pieces) == text
    sizes = [len(model.tokenizer(part["content"]).input_ids) for part in pieces]
    assert max(sizes) <= 200 and all(part["content"].endswith("\n") for part in pieces[:3])
    rest = compacted(model, [MESSAGES[0], long], K)
    assert rest[0] == MESSAGES[0] and rest[1]["content"].startswith(SUMMARY)
    assert sum(len(part["content"]) for part in rest) < K + 100


@contextmanager
def saying(model, text):
    """Let the model say a text after every prompt, by its head: as a real one might."""
    ids = [*model.tokenizer(text, add_special_tokens=False).input_ids, *model.end_ids]
    steps = []

    def begin(module, given, named):
        if named["input_ids"].shape[1] > 1:
            steps.clear()

    def force(module, given, logits):
        logits[..., ids[min(len(steps), len(ids) - 1)]] += 1e6
        steps.append(0)
        return logits

    decoder = model.engine.model
    hooks = (
        decoder.model.register_forward_pre_hook(begin, with_kwargs=True),
        decoder.lm_head.register_forward_hook(force),
    )
    yield
    for hook in hooks:
        hook.remove()


@pytest.mark.parametrize("tells", [True, False])
def test_an_argument_is_held_where_it_still_stands(model, tells):
    session = AgentSession("s", MESSAGES, [])
    calls = list(calls_of(session, model.tokenizer, model.end_ids))
    with saying(model, f"The ticket: {TICKET}." if tells else "We walked."):
        outcomes = list(play_compacted(model, session, calls, K))
    assert [o.argument for _, o in outcomes] == list(calls[0].arguments)
    held = {outcome.argument.name: outcome.held for _, outcome in outcomes}
    assert held == {"close.id": tells, "close.at": True}
    assert {outcome.answered for _, outcome in outcomes} <= {True, False}


def test_questions_are_asked_after_what_is_left(model):
    questions = (
        Question("Which ticket?", TICKET, (f"ticket is {TICKET}",)),
        Question("Which path?", PATH, (f"path is {PATH}",)),
    )
    talk = Talk("t", MESSAGES[:4], questions)
    outcomes = list(ask(Arm(COMPACTION, K), model, talk, 0, "strict"))
    assert [one.held for one in outcomes] == [False, True]
    assert [one.answered for one in outcomes] == [False, False]


def test_the_command_compacts(tmp_path):
    (path := tmp_path / "s.jsonl").write_text(json.dumps({"id": "s", "messages": MESSAGES}))
    given, out = (path, "--methods", COMPACTION, "--budgets", "150"), tmp_path / "out.json"
    (row, *_) = recorded(out, *given)["rows"]
    assert (row["method"], row["n"]) == (COMPACTION, 2) and TICKET not in out.read_text()
    assert "summaries" in refusal(*given, "--held-only")
