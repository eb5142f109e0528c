"""llama.cpp behind ``ta serve``, asked by the official client, beside transformers."""

import numpy as np
import pytest

import servers
import transactional_attention as ta
from chat_templates import READ, chat_tokenizer
from gguf_families import write_family
from gguf_files import TEMPLATE
from llama_cpp_chats import llama_engine
from llama_wheel import skip_without_smollm2
from ta_lab.cases.encoding import encode_case
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention.cli.startup import startup_lines
from transactional_attention.engines.llama_cpp.context import Context
from transactional_attention.engines.transformers.sessions import TransformersEngine

WALK = "We walked along the river. "
CHATS = [
    [
        {"role": "system", "content": f"Be brief. The door code is QX7K{n}M9P."},
        {"role": "user", "content": f"{n}. {WALK * (9 + n)}"},
    ]
    for n in range(3)
]
TURNS = ("What is the door code?", f"Thanks. The api_key: ZK48-QX7. {WALK}", "And the api_key?")


def alike(tokenizer):
    """A text with eight values of 64 tokens in all."""
    setting = Setting(1100, 0.2, 0, "anchor-free", "")
    return encode_case(tokenizer, make("alike", tokenizer, setting)[0])


def talk(server, chats=CHATS, turns=TURNS, *, bits=False):
    """All chats, a turn of each at a time: the answers, and positions held after every turn.
    ``bits``: with the numbers after the answers, which are text, so that every turn goes on
    after the one before instead of at a state that is a copy anyhow."""
    client, answers, held = server.client(), [], []
    options = dict(logprobs=True, logit_bias=servers.LETTERS) if bits else {}
    chats = [list(chat) for chat in chats]
    for turn in ("", *turns):
        for chat in chats:
            if turn:
                chat.append({"role": "user", "content": turn})
            answer = servers.ask(client, chat, max_tokens=6, **options)
            chat.append({"role": "assistant", "content": servers.said(answer)})
            shown = server.session(answer.session["id"])
            answers.append((servers.said(answer), answer.session["kept"], *logprobs(answer)))
            held.append((shown["runs"], shown["live"], [v["held"] for v in shown["values"]]))
    return answers, held


def logprobs(answer):
    """Of the tokens of an answer, where they were asked for."""
    field = answer.choices[0].logprobs
    return [] if field is None else [[entry.logprob for entry in field.content]]


@pytest.mark.parametrize("options", [{}, {"positions": "compact"}, {"ledger": "on-top"}], ids=str)
def test_answers_and_what_is_held_are_those_of_transformers(serve, pair, options):
    model, gguf = pair
    theirs = TransformersEngine("tiny", model, chat_tokenizer("chatml"), chunk=64, checkpoints=2)
    expected = talk(serve(theirs, **options))
    outcome = talk(serve(llama_engine(gguf, **options), **options))
    assert outcome == expected
    assert any(kept for _, kept in outcome[0]) and {"sponsored"} < {r[1] for r in outcome[1][0][0]}


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_sessions_that_share_one_seat_rest_in_memory(serve, gguf, positions):
    """Three chats take turns in the cells of one, and none of them can tell."""
    engine = llama_engine(gguf, parallel=3, positions=positions)
    wide = talk(serve(engine, positions=positions), bits=True)
    alone = serve(llama_engine(gguf, parallel=1, positions=positions), positions=positions)
    assert talk(alone, bits=True) == wide
    assert len(alone.engine._seated) == 1 and len(alone.service.sessions.live) == 3


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_session_goes_on_after_a_restart(serve, gguf, tmp_path, positions):
    """As one that never rests: each has its own cells beside the others."""
    engine = llama_engine(gguf, parallel=3, positions=positions)
    expected = talk(serve(engine, positions=positions), bits=True)
    first = serve(llama_engine(gguf, positions=positions), tmp_path, positions=positions)
    first_turns = talk(first, turns=TURNS[:2], bits=True)
    first.stop()
    again = serve(llama_engine(gguf, positions=positions), tmp_path, positions=positions)
    chats = [[*chat] for chat in CHATS]
    for number, (text, *_) in enumerate(first_turns[0]):  # a turn of each chat at a time
        turn, n = divmod(number, len(CHATS))
        chats[n].append({"role": "assistant", "content": text})
        chats[n].append({"role": "user", "content": TURNS[turn]})
    options = dict(max_tokens=6, logprobs=True, logit_bias=servers.LETTERS)
    replies = [servers.ask(again.client(), chat, **options) for chat in chats]
    answers = [(servers.said(a), a.session["kept"], *logprobs(a)) for a in replies]
    assert answers == expected[0][9:]
    shown = [again.session(answer.session["id"]) for answer in replies]
    assert [(s["runs"], s["live"]) for s in shown] == [held[:2] for held in expected[1][9:]]


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_appended_turns_are_those_of_whole_conversations(serve, gguf, tmp_path, positions):
    """After sessions in the cells, at rest in memory, and loaded from the disk."""

    def start(folder=None):
        engine = llama_engine(gguf, parallel=1, positions=positions)
        return serve(engine, folder, positions=positions)

    alone, server = start(), start(tmp_path)
    chats = [[*chat] for chat in CHATS[:2]]
    for turn in ("", *TURNS):
        for number, chat in enumerate(chats):
            name, added = str(number), chat
            if turn:
                added = [{"role": "user", "content": turn}]
                chat += added
            options = dict(session=name, max_tokens=6, logit_bias=servers.LETTERS)
            expected = servers.ask(alone.client(), chat, **options)
            answer = servers.ask(server.client(), added, append=bool(turn), **options)
            assert servers.said(answer) == servers.said(expected)
            assert answer.session == expected.session and answer.usage == expected.usage
            here, there = (known.session(name) for known in (server, alone))
            assert all(here[part] == there[part] for part in ("runs", "values", "live"))
            chat.append({"role": "assistant", "content": servers.said(expected)})
        if turn == TURNS[0]:
            server.stop()
            server = start(tmp_path)


def test_a_turn_writes_what_it_changed(serve, gguf, tmp_path):
    """The rows of a state are on the disk once, whatever the number of states that hold them."""
    server = serve(llama_engine(gguf, budget=300), tmp_path, budget=300)
    client, written = server.client(), []
    chat = [*CHATS[0][:1], {"role": "user", "content": WALK * 20}]
    for turn in range(12):
        known = set(tmp_path.glob("*.session"))
        answer = servers.ask(client, chat, max_tokens=4, session="mine")
        new = set(tmp_path.glob("*.session")) - known
        written.append(sum(path.stat().st_size for path in new))
        message = {"role": "assistant", "content": servers.said(answer)}
        chat += [message, {"role": "user", "content": f"Note {turn}."}]
    (record,) = server.service.sessions.records()
    held = record.history[-1][2]
    (session,) = server.service.sessions.live.values()
    assert len(session.states) == 3 and len(record.files) <= 8
    pools = [held for pools in session.files.known.values() for held in pools.values()]
    assert sum(held.size for held in pools) < 2 * 300
    assert np.median(written[1:]) < held < written[0] + held


def test_eight_sessions_share_two_seats(serve, gguf, tmp_path):
    """200 requests at once: each has its own answers, and nothing is held beyond K."""
    bounds, line = servers.Bounds(live=6), servers.Line(running=2)
    server = serve(llama_engine(gguf), tmp_path, bounds, line)
    servers.check_crowd(server, serve(llama_engine(gguf)))


@pytest.mark.parametrize("parallel", [1, 3])
def test_clients_leave_at_every_stage(serve, gguf, tmp_path, parallel):
    line = servers.Line(running=parallel)
    servers.check_leaving(
        serve(llama_engine(gguf, parallel=parallel), tmp_path, line=line), parallel
    )


def test_streams_tools_and_what_is_refused(serve, gguf):
    server = serve(llama_engine(gguf, "tools", budget=300), budget=300)
    client, question = server.client(), [{"role": "user", "content": "Read the file."}]
    whole = servers.ask(client, question, max_tokens=8, logprobs=True, top_logprobs=2)
    text, chunks = servers.streamed(client, question, max_tokens=8)
    assert text == servers.said(whole) and chunks[-1].choices[0].finish_reason
    assert all(len(entry.top_logprobs) == 2 for entry in whole.choices[0].logprobs.content)
    named = {"type": "function", "function": {"name": "read"}}
    called = servers.ask(client, question, tools=[READ], tool_choice=named, max_tokens=30)
    assert servers.said(called).startswith('<tool_call>\n{"name": "read"')
    for retention, why in (
        ({"method": "snapkv"}, "snapkv.*transformers"),
        ({"budget": 700}, "at most 300"),
        ({"ledger": "on-top"}, "at most 300"),
    ):
        with pytest.raises(servers.openai.BadRequestError, match=why):
            servers.ask(client, question, retention=retention)
    assert servers.said(servers.ask(client, question, max_tokens=8)) == text


def test_a_server_without_a_budget_says_which_one_fits(gguf):
    engine = llama_engine(gguf, method="full", budget=None)
    most = gguf.trained_length - 64 - 1
    with pytest.raises(ta.InputError, match=f"at most {most} under"):
        engine.session(ta.Retention(budget=most + 1))
    engine.session(ta.Retention(budget=most))


def test_a_session_that_is_forgotten_gives_back_its_cells(serve, gguf):
    server = serve(llama_engine(gguf))
    for session in ("mine", "mine", "other"):
        servers.ask(server.client(), CHATS[0], session=session)
    assert len(server.engine._seated) == 2
    servers.httpx.delete(f"{server.url}/v1/sessions/mine")
    assert server.engine._seated == list(server.service.sessions.live.values())


def test_an_answer_that_nothing_can_give_way_to_ends_by_its_length(serve, gguf):
    """Eight values fill the budget: with original positions llama.cpp cannot go on."""
    server = serve(llama_engine(gguf, budget=64), budget=64)
    client, chat = server.client(), [{"role": "user", "content": "Hello."}]
    first = servers.ask(client, chat, session="mine")
    chat.append({"role": "assistant", "content": servers.said(first)})
    values = server.engine.tokenizer.decode(alike(server.engine.tokenizer).ids)
    asked = [*chat, {"role": "user", "content": values}]
    full = servers.ask(client, asked, session="mine", max_tokens=99, logit_bias={"2": -100})
    assert full.choices[0].finish_reason == "length" and full.usage.completion_tokens < 99
    after = servers.ask(client, [*chat, {"role": "user", "content": TURNS[0]}], session="mine")
    assert after.session["kept"] > 0


def test_an_error_in_a_turn_leaves_the_state_before_it(serve, gguf, monkeypatch):
    """llama.cpp fails in the third forward, after cells of the turn were written and cut."""
    server = serve(llama_engine(gguf, budget=64), budget=64)
    client, chat = server.client(), [{"role": "user", "content": "Hello."}]
    first = servers.ask(client, chat, session="mine")
    chat.append({"role": "assistant", "content": servers.said(first)})
    asked = [*chat, {"role": "user", "content": WALK * 40}]
    decode, forwards = Context._decode, iter(range(100))
    with monkeypatch.context() as patch:
        patch.setattr(
            Context, "_decode", lambda *given: -3 if next(forwards) == 2 else decode(*given)
        )
        with pytest.raises(servers.openai.APIStatusError, match="llama_decode: -3"):
            servers.ask(client, asked, session="mine")
    again = servers.ask(client, asked, session="mine")
    assert again.session["kept"] > 0
    fresh = servers.ask(client, asked, session="other")
    assert servers.said(again) == servers.said(fresh)


def test_an_answer_that_fills_the_cells_on_top_ends_by_its_length(serve, gguf):
    """And the conversation goes on after it."""
    server = serve(llama_engine(gguf, ledger="on-top"), ledger="on-top")
    client, chat = server.client(), [*CHATS[0]]
    given = dict(max_tokens=1500, logit_bias=servers.LETTERS)
    answer = servers.ask(client, chat, **given)
    assert answer.choices[0].finish_reason == "length"
    assert 1000 < answer.usage.completion_tokens < 1300
    chat += [{"role": "assistant", "content": servers.said(answer)}]
    chat += [{"role": "user", "content": WALK * 5}]
    again = servers.ask(client, chat, **given)
    assert again.choices[0].finish_reason == "length" and again.session["kept"] > 1000


def test_a_model_without_a_template_says_so_at_the_start(tmp_path):
    path = write_family(tmp_path / "base.gguf")
    options = ["--engine", "llama.cpp", "--model", str(path), "--budget", "32", "--name", "base"]
    with servers.served(*options) as (process, client):
        assert "K = 32, memory off" in process.stderr.readline()
        assert "base has no chat template" in process.stderr.readline()
        completion = client.completions.create(model="base", prompt="It rained.", max_tokens=3)
        assert completion.usage.completion_tokens == 3
        with pytest.raises(servers.openai.BadRequestError, match="--chat-template FILE"):
            client.chat.completions.create(model="base", messages=CHATS[0], max_tokens=3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {},
            "K = 96, memory off, conversations of up to 4,096 tokens "
            "(--positions rolling: any length)",
        ),
        (
            {"budget": 256, "memory": True, "positions": "rolling"},
            "K = 256, memory on, conversations of any length",
        ),
        ({"positions": "compact"}, "K = 96, memory off, conversations of any length"),
        (
            {"budget": None, "method": "full"},
            "all tokens, memory off, conversations of up to 4,096 tokens",
        ),
    ],
    ids=str,
)
def test_at_the_start_it_says_what_is_held_and_how_much_may_be_said(gguf, given, said):
    engine = llama_engine(gguf, **given)
    lines = list(startup_lines("tiny", "http://127.0.0.1:1", "llama.cpp", engine, engine.retention))
    assert lines[:2] == [
        "tiny at http://127.0.0.1:1/v1, page at http://127.0.0.1:1/, on llama.cpp",
        said,
    ]
    engine.tokenizer.chat_template = TEMPLATE
    *_, last = startup_lines("tiny", "http://127.0.0.1:1", "llama.cpp", engine, engine.retention)
    assert last == "tiny: its chat template writes no tools: requests with tools are refused"


def test_smollm2_is_killed_and_goes_on(tmp_path):
    """A fresh `ta serve --engine llama.cpp --model smollm2`, kill -9 in the middle of an answer."""
    skip_without_smollm2()
    options = ["--engine", "llama.cpp", "--model", "smollm2", "--budget", "128", "--chunk", "128"]
    options += ["--threads", "1", "--sessions", str(tmp_path)]
    chat = [{"role": "user", "content": f"The door code is 730184. {WALK * 40}"}]
    given = dict(model="smollm2", temperature=0, max_tokens=16)
    with servers.served(*options) as (process, client):
        first = client.chat.completions.create(messages=chat, **given)
        other = [{"role": "user", "content": WALK}]
        endless = {**given, "max_tokens": 900, "logit_bias": {"2": -100}}
        next(iter(client.chat.completions.create(messages=other, stream=True, **endless)))
        process.kill()
    with servers.served(*options) as (_, client):
        chat.append({"role": "assistant", "content": servers.said(first)})
        chat.append({"role": "user", "content": "What is the door code?"})
        second = client.chat.completions.create(messages=chat, **given)
        assert second.session["id"] == first.session["id"] and second.session["kept"] > 250
        assert "730184" in servers.said(second)
        held = servers.httpx.get(f"{client.base_url}sessions/{second.session['id']}").json()
        (_, _, pinned), *_ = held["runs"]  # the template's own system message, beside K
        assert held["live"] == 128 + pinned and "730184" not in str(held)
