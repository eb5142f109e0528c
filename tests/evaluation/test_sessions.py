"""Sessions of agents played on engines: where arguments stand, what is held and answered."""

import json
from itertools import islice

import numpy as np
import pytest
import torch

from chat_templates import READ, chat_tokenizer
from session_runs import recorded, refusal, tiny_engine
from ta_lab.cli.sessions import arms_of
from ta_lab.sessions import changes, rows
from ta_lab.sessions.asking import ask
from ta_lab.sessions.calls import Argument, CallTokens, calls_of
from ta_lab.sessions.deciding import DecidingEngine
from ta_lab.sessions.files import read_sessions
from ta_lab.sessions.playing import Arm, Forced, Model, play
from ta_lab.sessions.summary import paired, rows_of
from ta_lab.sessions.talks import read_talks
from teacher_forced import tiny_llama
from transactional_attention import InputError
from transactional_attention.types import Span

PATH, TICKET = "/srv/data/a b.csv", "TK-58213"
WALK = "We walked along the river. "


def called(name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": function}],
    }


SESSION = {
    "id": "s1",
    "tools": [READ],
    "messages": [
        {"role": "system", "content": "You may call tools."},
        {"role": "user", "content": f"The file is {PATH}, the ticket {TICKET}. {WALK * 8}"},
        called("read", path=PATH, unseen="zzzz"),
        {"role": "tool", "content": f"ok {WALK * 4}"},
        {"role": "assistant", "content": f"I have read {PATH}."},
        {"role": "user", "content": f"Close the ticket. {WALK * 9}"},
        called("close", ticket=TICKET, notes=[{"path": PATH}], n=5),
    ],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sessions.jsonl"
    path.write_text(json.dumps(SESSION) + "\n\n" + json.dumps({**SESSION, "id": "s2"}) + "\n")
    return path


@pytest.fixture
def session(file):
    return read_sessions(file, 1)[0]


@pytest.mark.parametrize("template", ["tools", "case-calls"])
def test_arguments_stand_where_their_text_is(session, template):
    tokenizer = chat_tokenizer(template)
    first, second = calls_of(session, tokenizer, frozenset({tokenizer.eos_token_id}))
    assert [call.number for call in (first, second)] == [2, 6]
    named = {a.name.split(".")[-1]: a for a in second.arguments}
    assert [a.name for a in first.arguments] == ["read.path"] and set(named) == {"ticket", "path"}
    for call, argument, value, times in (
        (first, first.arguments[0], PATH, 1),
        (second, named["ticket"], TICKET, 1),
        (second, named["path"], PATH, 3),
    ):
        ids = np.concatenate([call.prompt.ids, call.reply])
        assert tokenizer.decode(ids[argument.tokens.start : argument.tokens.end]) == value
        statements = [tokenizer.decode(ids[s.start : s.end]) for s in argument.statements]
        assert statements == [value] * times
        assert argument.back == len(call.prompt.ids) - argument.statements[-1].start
    begin = tokenizer.decode(second.prompt.ids[: second.pinned])
    assert "may call tools" in begin and "The file is" not in begin
    ids = second.prompt.ids[: len(first.prompt.ids) + len(first.reply)]
    assert np.array_equal(ids, np.concatenate([first.prompt.ids, first.reply]))


def test_what_is_answered_is_the_models_first_choice(session):
    """The calls of a session are those that a plain forward would make, but for one token."""
    engine = tiny_engine()
    call = next(calls_of(session, engine.tokenizer, engine.end_ids))
    ids, tokens = torch.tensor(call.prompt.ids)[None], []
    with torch.no_grad():
        for _ in range(12):
            chosen = engine.model(ids).logits[0, -1].argmax()
            tokens.append(int(chosen))
            ids = torch.cat([ids, chosen[None, None]], 1)
    tokens[9] = (tokens[9] + 1) % 200
    start = len(call.prompt.ids)

    def argument(first, end):
        return Argument(f"{first}", Span(start + first, start + end), (Span(40, 45),), 100)

    arguments = argument(0, 4), argument(5, 9), argument(8, 10)
    forced = CallTokens(2, call.prompt, np.array(tokens), arguments, 0)
    verdicts = [o.answered for _, o in play(Arm("full", None), engine, [forced], "strict")]
    assert verdicts == [True, True, False]
    rule = Forced(reply=tokens)
    steps = engine.session(Arm("full", None).retention(0, "strict")).steps(call.prompt, rule)
    spoken = [t.id for t in islice((t for t in steps if t is not None), len(tokens))]
    assert spoken == tokens and rule.first[:9] == tokens[:9] and rule.first[9] != tokens[9]


ARMS = ["full", "streaming-llm", "truncate", "ta"]


def test_what_is_held_is_the_same_without_a_model(session):
    engine = tiny_engine()
    calls = list(calls_of(session, engine.tokenizer, engine.end_ids))
    held = {}
    for arm in arms_of(ARMS, [150], memory=False) + arms_of(["ta"], [300], memory=False):
        for ledger in ("strict", "on-top") if arm.method == "ta" else ("strict",):
            by = [
                [o.held for _, o in play(arm, plays, calls, ledger)]
                for plays in (engine, DecidingEngine(engine.tokenizer, chunk=64))
            ]
            assert by[0] == by[1], (arm, ledger)
            held[arm.method, arm.memory, arm.budget, ledger] = by[0]
    assert all(held["full", False, None, "strict"])
    assert held["truncate", False, 150, "strict"] == [False, False, False]
    assert held["streaming-llm", False, 150, "strict"] == [False, False, False]
    assert held["ta", False, 300, "strict"][1]  # the ticket, which the window does not hold


def test_truncated_prompts_hold_the_last_tokens(session):
    engine = tiny_engine()
    calls = list(calls_of(session, engine.tokenizer, engine.end_ids))
    last = calls[1].arguments
    for budget in (200, 500):
        outcomes = [o for _, o in play(Arm("truncate", budget), engine, calls, "strict")]
        assert [o.held for o in outcomes[1:]] == [a.back <= budget for a in last], budget


def test_rows_and_paired_differences():
    def row(method, message, place, answered, back=10):
        about = {"session": "s", "message": message, "place": place, "back": back, "held": True}
        budget = None if method == "full" else 64
        return {**about, "method": method, "memory": False, "budget": budget, "answered": answered}

    places = [(message, place, 2000 if place else 10) for message in range(4) for place in range(2)]
    full = [row("full", m, p, True, back) for m, p, back in places]
    ours = [row("ta", m, p, not (m == 0 and p), back) for m, p, back in places]
    rows = rows_of([*full, *ours])
    table = {(r["method"], r["bucket"]): r for r in rows}
    assert table["ta", "all"]["answered"] == 7 and table["ta", ">1024"]["answered"] == 3
    difference, low, high = table["ta", "all"]["minus"]["full"]
    assert difference == -12.5 and low < -12.5 < high <= 0
    assert table["ta", "<=256"]["minus"]["full"] == [0.0, 0.0, 0.0]
    assert table["ta", "all"]["minus"]["streaming-llm"] is None
    assert paired(ours, []) is None


def test_the_command_resumes_and_holds_no_value(file, tmp_path):
    out = tmp_path / "out.json"
    options = ("--methods", "streaming-llm,ta", "--budgets", "200", "--held-only")
    first = recorded(out, file, "--limit", "1", *options)
    assert len(first["units"]) == 2 and {r["session"] for r in first["arguments"]} == {"s1"}
    record = recorded(out, file, *options)
    assert record["arguments"][: len(first["arguments"])] == first["arguments"]
    assert len(record["units"]) == 4 and record["rows"][0]["n"] == 2 * first["rows"][0]["n"]
    assert TICKET not in out.read_text() and PATH not in out.read_text()
    assert "pin" in refusal(file, "--pin", "none", *options, "--json", out)


def test_the_command_leaves_out_the_first(file, tmp_path):
    options = ("--methods", "ta", "--budgets", "200", "--held-only")
    record = recorded(tmp_path / "out.json", file, "--skip", "1", "--limit", "1", *options)
    assert {unit["session"] for unit in record["units"]} == {"s2"}
    assert record["provenance"]["arguments"]["skip"] == 1
    assert "--skip 9" in refusal(file, "--skip", "9", "--methods", "ta", "--held-only")


def test_a_memory_is_a_way_of_its_own(file, tmp_path):
    options = ("--methods", "ta", "--budgets", "200", "--limit", "1", "--memory")
    rows = {}
    for name, more in (("held", ["--held-only"]), ("answered", [])):
        entries = recorded(tmp_path / name, file, *options, *more)["rows"]
        rows[name] = {row["memory"]: row for row in entries if row["bucket"] == "all"}
        assert set(rows[name]) == {False, True}
    assert rows["held"][False]["n"] == rows["answered"][True]["n"] > 0
    named = ("--methods", "memory", "--budgets", "200", "--limit", "1")
    record = recorded(tmp_path / "alone", file, *named)
    entries = [r for r in record["rows"] if r["bucket"] == "all"]
    assert [row["memory"] for row in entries] == [True]
    keys = {"method", "memory", "n", "held", "answered"}
    same = [
        {k: v for k, v in row.items() if k in keys} for row in (entries[0], rows["answered"][True])
    ]
    assert same[0] == same[1]


def test_the_command_answers_with_a_model(file, tmp_path):
    options = ("--limit", "1", "--methods", "full,truncate,ta", "--budgets", "300")
    rows = recorded(tmp_path / "out.json", file, *options)["rows"]
    assert {row["method"] for row in rows} == {"full", "truncate", "ta"}
    assert all(set(row["minus"]) <= {"full", "streaming-llm"} for row in rows if row["n"])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "line 1: no JSON"),
        ("[1]", "a session is an object"),
        ('{"messages": "x"}', "a session is an object"),
        ('{"messages": [{"content": "x"}]}', "a message is an object with a role"),
        ('{"messages": [{"role": "assistant", "tool_calls": [1]}]}', "a call has a function"),
        ('{"messages": [], "tools": 3}', "tools are a list"),
        ("", "holds no session"),
    ],
)
def test_files_that_hold_no_sessions(tmp_path, line, why):
    path = tmp_path / "bad.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=why):
        read_sessions(path)


TALK = {
    "id": "t1",
    "messages": [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": "\n".join([WALK, f"Ann: the code is {TICKET}.", *[WALK] * 9])},
        {"role": "assistant", "content": "I have read it."},
    ],
    "questions": [
        {"question": "What is the code?", "answer": TICKET, "evidence": [f"the code is {TICKET}"]},
        {"question": "And the weather?", "answer": "zzzz", "evidence": ["not in the talk"]},
    ],
}


@pytest.fixture
def talks(tmp_path):
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps(TALK))
    return path


def test_questions_go_on_from_one_state(talks, tmp_path):
    """Evidence is held as a session that is asked nothing else holds it, with a model and without;
    the lines that BM25 finds hold it at a budget that the window does not."""
    engine, (talk,) = tiny_engine(), read_talks(talks)
    held = {}
    for says in (True, False):
        plays = engine if says else DecidingEngine(engine.tokenizer, chunk=64)
        model = Model(plays, engine.tokenizer, engine.end_ids, says)
        for arm in arms_of([*ARMS, "bm25"], [150], memory=False):
            outcomes = list(ask(arm, model, talk, 0, "strict"))
            assert [one.number for one in outcomes] == [0, 1]
            assert {one.answered for one in outcomes} <= ({True, False} if says else {None})
            held[arm.method, says] = [one.held for one in outcomes]
    assert all(held[name, True] == held[name, False] for name, _ in held)
    assert held["full", True] == held["ta", True] == held["bm25", True] == [True, False]
    assert held["streaming-llm", True] == held["truncate", True] == [False, False]


def test_an_answer_that_contains_the_right_one_is_right(talks):
    """The model repeats what the question says: forced by its head, as a real one might."""
    engine, (talk,) = tiny_engine(), read_talks(talks)
    ids = engine.tokenizer(f"It is {TICKET}.", add_special_tokens=False)["input_ids"]
    tokens = iter([*ids, *engine.end_ids] * 2)
    calls = [0]

    def force(module, given, logits):
        calls[0] += 1
        if calls[0] > reads:
            logits[..., next(tokens)] += 1e6
        return logits

    reads = 1  # the state before the questions says a token, too
    hook = engine.model.lm_head.register_forward_hook(force)
    model = Model(engine, engine.tokenizer, engine.end_ids, True)
    outcomes = list(ask(Arm("ta", 200), model, talk, 0, "strict"))
    hook.remove()
    assert [one.answered for one in outcomes] == [True, False]


def test_locomos_own_file(tmp_path):
    turn = {"speaker": "Ann", "dia_id": "D1:2", "text": f"The code is {TICKET}."}
    talk = {
        "session_1_date_time": "1 May",
        "session_1": [{"speaker": "Bob", "dia_id": "D1:1", "text": "Hi!"}, turn],
        "session_2_date_time": "2 May",
        "session_2": [],
    }
    asked = [
        {"question": "Which code?", "answer": TICKET, "category": 1, "evidence": ["D1:2"]},
        {"question": "Why?", "answer": "no", "category": 5, "evidence": ["D1:2"]},
        {"question": "Two?", "answer": 2, "category": 1, "evidence": ["D1:1", "D1:2"]},
    ]
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps([{"conversation": talk, "qa": asked}]))
    (parsed_talk,) = read_talks(path)
    (question,) = parsed_talk.questions
    assert question.evidence == (f"Ann: The code is {TICKET}.",) and question.answer == TICKET
    assert parsed_talk.messages[1]["content"].endswith("[2 May]")
    for text in ("{", "[1]", '[{"conversation": {}}]'):
        path.write_text(text)
        with pytest.raises(InputError, match="not LoCoMo's file"):
            read_talks(path)


def test_the_command_asks_questions(talks, tmp_path):
    out = tmp_path / "out.json"
    options = ("--questions", "--budgets", "40", "--held-only")
    record = recorded(out, talks, "--methods", "streaming-llm,bm25,ta", *options)
    assert [(row["method"], row["bucket"], row["n"], row["held"]) for row in record["rows"]] == [
        ("streaming-llm", "all", 2, 0),
        ("bm25", "all", 2, 1),
        ("ta", "all", 2, 1),
    ]
    assert TICKET not in out.read_text()


LONG = [
    {"role": "system", "content": "Be brief."},
    *(
        message
        for number in range(5)
        for message in (
            {"role": "user", "content": f"Read file {number}. {WALK}"},
            called("read", path=f"/srv/{number}"),
            {"role": "tool", "content": f"{number} ok. {WALK}"},
            {"role": "assistant", "content": f"File {number} is read."},
        )
    ),
]


def test_changed_histories_and_rows_kept_after_them(tmp_path):
    """Where nothing after the change sees it, rows that are kept are those read anew."""
    (path := tmp_path / "s.jsonl").write_text(json.dumps({"id": "s", "messages": LONG}) + "\n")
    tokenizer = chat_tokenizer("tools")
    (session,) = read_sessions(path)
    edits = {change.kind: change for change in changes.changes_of(session, tokenizer)}
    assert list(edits) == ["edited message", "removed result", "moved reminder"]
    for change in edits.values():
        first = len(change.before) - change.equal
        same = change.after[change.place - change.equal : change.place]
        assert (change.before[first:] == same).all() and change.equal > 20
        assert (change.before[: change.common] == change.after[: change.common]).all()
        assert change.before[change.common] != change.after[change.common]
        counted = changes.counted(change)
        reads = [counted[name] for name in ("behind_change", "8_states", "4_states", "2_states")]
        assert 0 < counted["rows_kept"] < reads[0] and reads == sorted(reads)
        assert reads[-1] <= counted["no_beginning"]
    edited = edits["edited message"].kept
    assert edited[0] == 0 < edited[-1] <= edits["edited message"].common
    assert len(set(edits["moved reminder"].kept)) == 1 and edits["moved reminder"].kept[0] > 0
    model = tiny_llama(vocab_size=len(tokenizer)).eval()
    judge = changes.Comparison(model, chunk=64)
    comparison = judge.of(edits["edited message"])
    assert comparison["kl"] > 1e-6  # rows that had seen another text are not those read anew
    for layer in model.model.layers[1:]:
        layer.self_attn.o_proj.weight.data.zero_()  # rows of all layers: of a token and its place
    model.model.layers[0].self_attn.o_proj.weight.data.zero_()
    comparison = changes.Comparison(model, chunk=64).of(edits["edited message"])
    assert comparison["kl"] == pytest.approx(0, abs=1e-6) and comparison["agree"] == len(
        edits["edited message"].reply
    )


def test_turned_keys_are_those_of_the_new_place():
    model = tiny_llama().eval()
    ids = np.arange(5, 45)
    with torch.no_grad():
        _, one = changes.read(model, None, ids, 64)
        _, other = changes.read(model, None, np.concatenate([ids[:7], ids]), 64)
    cos, sin = rows.angles(model, 7)
    turned = rows.turned(one.layers[0].keys, cos, sin)
    torch.testing.assert_close(turned, other.layers[0].keys[..., 7:, :], atol=1e-5, rtol=1e-4)
