"""Sessions whose rows are moved by hand, and a memory that is told where an argument stands."""

import json
from itertools import islice

import numpy as np
import pytest
import torch

from session_runs import recorded, refusal, tiny_engine
from ta_lab.sessions.calls import calls_of
from ta_lab.sessions.deciding import DecidingEngine
from ta_lab.sessions.files import AgentSession
from ta_lab.sessions.moving import EveryRow, MovingEngine, Shifting
from ta_lab.sessions.playing import EVERY_ROW, MEMORY, SHIFT, TOLD, Arm, Forced, play
from ta_lab.sessions.rows import NoRows, TransformersRows
from teacher_forced import tiny_llama
from transactional_attention import InputError
from transactional_attention.engines.prompts import Prompt

PINNED, K, CHUNK = 5, 24, 8
IDS = np.random.default_rng(0).integers(3, 200, 90)


def said(session, ids, tokens):
    """The model's first choices and what it is told to say."""
    rule = Forced(reply=list(tokens))
    steps = session.steps(Prompt(ids, [], len(ids) - 1), rule)
    list(islice((token for token in steps if token is not None), len(tokens)))
    return rule.first


def bounded_mask(size, last):
    """[query, key]: blocks see pinned tokens, K before them and themselves; all from ``last`` on
    see everything."""
    query, key = np.arange(size)[:, None], np.arange(size)[None]
    begin = query // CHUNK * CHUNK
    return (key <= query) & ((key < PINNED) | (key >= begin - K) | (query >= last))


@torch.no_grad()
def choices_of(model, ids, mask):
    bias = torch.zeros(mask.shape).masked_fill(~torch.from_numpy(mask), -torch.inf)
    logits = model(torch.from_numpy(ids)[None], attention_mask=bias[None, None]).logits[0]
    return logits.argmax(-1).tolist()


def test_every_row_is_seen_as_a_bounded_session_computed_it():
    model = tiny_llama()
    session = EveryRow(TransformersRows(model), PINNED, K, CHUNK)
    for size in (49, 81, 65):  # a conversation that goes on, and another question about it
        ids, tokens = IDS[:size], IDS[size : size + 4]
        whole = np.concatenate([ids, tokens])
        expected = choices_of(model, whole, bounded_mask(len(whole), size - 1))[size - 1 : -1]
        assert said(session, ids, tokens) == expected
        others = choices_of(model, whole, bounded_mask(len(whole), len(whole)))[size - 1 : -1]
        assert expected != others  # a window alone says something else
        assert session.flow.positions[0].tolist() == list(range(size))


def test_a_shift_halves_what_is_not_pinned_and_moves_the_rest_up():
    """With one layer a row is its token at its place: what is held is as a prompt of its own."""
    model = tiny_llama(layers=1)
    session = Shifting(TransformersRows(model), PINNED, K, CHUNK)
    choices = said(session, IDS[:48], IDS[48:49])
    # 29 fit: of 24 go 9, after 8 more of 23 again 9, of 22 then 8
    held = session.flow.positions[0]
    assert held.tolist() == [*range(5), *range(31, 48)]
    assert choices == choices_of(model, IDS[held], np.tri(len(held), dtype=bool))[-1:]
    other = session.fork(48)
    for each, more in ((session, IDS[48:60]), (other, IDS[60:72])):
        ids = np.concatenate([IDS[:48], more])
        choices = said(each, ids, IDS[:3])
        held = each.flow.positions[0]
        tokens = np.concatenate([ids, IDS[:2]])[held]
        assert len(held) <= PINNED + K and held[-1] == 61
        assert choices[2] == choices_of(model, tokens, np.tri(len(tokens), dtype=bool))[-1]
    said(session, IDS[1:40], IDS[:1])  # another conversation is read anew
    assert session.flow.positions[0][-1] == 38


@pytest.mark.parametrize("kind", [Shifting, EveryRow])
def test_without_a_model_the_same_is_held(kind):
    held = []
    for rows in (NoRows(), TransformersRows(tiny_llama())):
        session = kind(rows, PINNED, K, CHUNK)
        for size in (48, 80):
            said(session, IDS[:size], IDS[size : size + 2])
        held.append(session.flow.positions.tolist())
    assert held[0] == held[1]


def test_layers_that_slide_are_refused():
    from transformers import MistralConfig, MistralForCausalLM  # noqa: PLC0415

    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": 211}
    model = MistralForCausalLM(MistralConfig(**small, **heads, sliding_window=8)).eval()
    with pytest.raises(InputError, match="slide"):
        TransformersRows(model).read(IDS[:4], 0)


WALK = "We walked along the river. "
LINES = [f"The ticket is TK-58213. {WALK}", *[f"{n} boats went by. {WALK}" for n in range(30)]]
CALL = {"type": "function", "function": {"name": "close", "arguments": {"ticket": "TK-58213"}}}
SESSION = {
    "id": "s1",
    "messages": [
        {"role": "system", "content": "You may call tools."},
        {"role": "user", "content": "\n".join(LINES)},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [CALL],
        },
    ],
}


def test_a_memory_that_is_told_holds_what_it_is_told():
    engine = tiny_engine()
    tokenizer = engine.tokenizer
    lines = "\n".join([*LINES, *["A ticket, my ticket, the ticket: no ticket."] * 9])
    calls_of_many = dict(SESSION["messages"][1], content=lines)  # the label finds others
    session = AgentSession("s", [SESSION["messages"][0], calls_of_many, SESSION["messages"][2]], [])
    calls = list(calls_of(session, tokenizer, engine.end_ids))
    for plays in (engine, DecidingEngine(tokenizer, chunk=64)):
        held = {
            arm.method: [outcome.held for _, outcome in play(arm, plays, calls, "strict")]
            for arm in (Arm("ta", 200, memory=True), Arm(TOLD, 200))
        }
        assert held == {"ta": [False], TOLD: [True]}


def test_the_command_plays_them(tmp_path):
    (path := tmp_path / "sessions.jsonl").write_text(json.dumps(SESSION))
    methods = ("--methods", f"{SHIFT},{EVERY_ROW},{TOLD},{MEMORY}", "--budgets", "200")
    counts = {}
    for name, more in (("answered", ()), ("held", ("--held-only",))):
        record = recorded(tmp_path / name, path, *methods, *more)
        rows = [row for row in record["rows"] if row["bucket"] == "all"]
        assert [("answered" in row) for row in rows] == [not more] * 4
        counts[name] = {(row["method"], row["memory"]): row["held"] for row in rows}
    assert counts["held"] == counts["answered"]
    assert counts["held"][SHIFT, False] == 0 < counts["held"][EVERY_ROW, False]
    assert "told" in refusal(path, *methods, "--questions", "--held-only")


def test_an_engine_makes_sessions_of_a_kind():
    engine = MovingEngine(Shifting, NoRows, PINNED, K)
    first, second = engine.session(None), engine.session(None)
    said(first, IDS, IDS[:1])
    assert len(second.flow.positions[0]) == 0 < len(first.flow.positions[0])
