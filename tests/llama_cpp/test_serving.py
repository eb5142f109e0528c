"""llama.cpp behind ``ta serve``, asked by the official client, beside transformers."""

import contextlib

import numpy as np
import pytest

import transactional_attention as ta
from chat_templates import READ, chat_tokenizer
from llama_wheel import skip_without_smollm2
from ta_lab.cases.encoding import encode_case
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention.engines.transformers.serving import TransformersEngine

servers = pytest.importorskip(
    "servers", reason="needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
)

WALK = "We walked along the river. "
CHATS = [
    [
        {"role": "system", "content": f"Be brief. The door code is QX7K{n}M9P."},
        {"role": "user", "content": f"{n}. {WALK * (9 + n)}"},
    ]
    for n in range(3)
]
TURNS = ("What is the door code?", f"Thanks. The api_key: ZK48-QX7. {WALK}", "And the api_key?")


@pytest.fixture
def start():
    """Starts servers of tiny Llamas on llama.cpp, in float32; they stop with the test."""
    with contextlib.ExitStack() as stack:

        def begin(engine, folder=None, live=16, **retention):
            bounds = servers.Bounds(live=live)
            running = servers.Running(
                engine, folder, bounds, servers.Line(running=2), servers.Access(), **retention
            )
            stack.callback(running.stop)
            return running

        yield begin


def llama_engine(gguf, template="chatml", parallel=2, **retention):
    from transactional_attention.engines.llama_cpp.serving import LlamaEngine  # noqa: PLC0415

    given = ta.Retention(**{"budget": 96, **retention})
    options = dict(chunk=64, parallel=parallel, cell_type="f32", threads=1)
    return LlamaEngine("tiny", gguf, chat_tokenizer(template), given, **options)


def alike(tokenizer):
    """A text with eight values of 64 tokens in all."""
    setting = Setting(1100, 0.2, 0, "anchor-free", "")
    return encode_case(tokenizer, make("alike", tokenizer, setting)[0])


def talk(server, chats=CHATS, turns=TURNS):
    """All chats, a turn of each at a time: the answers, and positions held behind every turn."""
    client, said, held = server.client(), [], []
    chats = [list(chat) for chat in chats]
    for turn in ("", *turns):
        for chat in chats:
            if turn:
                chat.append({"role": "user", "content": turn})
            answer = servers.ask(client, chat, max_tokens=6)
            chat.append({"role": "assistant", "content": answer.choices[0].message.content})
            shown = server.session(answer.session["id"])
            said.append((answer.choices[0].message.content, answer.session["kept"]))
            held.append((shown["runs"], shown["live"], [v["held"] for v in shown["values"]]))
    return said, held


@pytest.mark.parametrize("options", [{}, {"positions": "compact"}, {"ledger": "on-top"}], ids=str)
def test_answers_and_what_is_held_are_those_of_transformers(start, pair, options):
    model, gguf = pair
    theirs = TransformersEngine("tiny", model, chat_tokenizer("chatml"), chunk=64, checkpoints=2)
    expected = talk(start(theirs, **options))
    found = talk(start(llama_engine(gguf, **options), **options))
    assert found == expected
    assert any(kept for _, kept in found[0]) and {"sponsored"} < {r[1] for r in found[1][0][0]}


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_sessions_that_share_one_seat_rest_in_memory(start, gguf, positions):
    """Three chats take turns in the cells of one."""
    wide = talk(start(llama_engine(gguf, parallel=3, positions=positions), positions=positions))
    alone = start(llama_engine(gguf, parallel=1, positions=positions), positions=positions)
    assert talk(alone) == wide
    assert len(alone.engine._seated) == 1 and len(alone.service.sessions.live) == 3


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_session_goes_on_after_a_restart(start, gguf, tmp_path, positions):
    engine = llama_engine(gguf, positions=positions)
    expected = talk(start(engine, positions=positions))
    first = start(engine, tmp_path, positions=positions)
    said = talk(first, turns=TURNS[:2])
    first.stop()
    again = start(llama_engine(gguf, positions=positions), tmp_path, positions=positions)
    chats = [
        [*chat, *_turns([text for text, _ in said[0][n::3]], TURNS[:2])]
        for n, chat in enumerate(CHATS)
    ]
    found = [
        servers.ask(again.client(), [*c, {"role": "user", "content": TURNS[2]}], max_tokens=6)
        for c in chats
    ]
    assert [(a.choices[0].message.content, a.session["kept"]) for a in found] == expected[0][9:]
    shown = [again.session(answer.session["id"]) for answer in found]
    assert [(s["runs"], s["live"]) for s in shown] == [held[:2] for held in expected[1][9:]]


def _turns(said, asked):
    """Replies and what was asked behind each; the last reply ends it."""
    chat = []
    for number, text in enumerate(said):
        chat.append({"role": "assistant", "content": text})
        if number < len(asked):
            chat.append({"role": "user", "content": asked[number]})
    return chat


def test_a_turn_writes_what_it_changed(start, gguf, tmp_path):
    """The rows of a state are on the disk once, whatever the number of states that hold them."""
    server = start(llama_engine(gguf, budget=300), tmp_path, budget=300)
    client, chat, written = (
        server.client(),
        [*CHATS[0][:1], {"role": "user", "content": WALK * 20}],
        [],
    )
    for turn in range(12):
        known = set(tmp_path.glob("*.session"))
        answer = servers.ask(client, chat, max_tokens=4, session="mine")
        new = set(tmp_path.glob("*.session")) - known
        written.append(sum(path.stat().st_size for path in new))
        said = {"role": "assistant", "content": answer.choices[0].message.content}
        chat += [said, {"role": "user", "content": f"Note {turn}."}]
    (record,) = server.service.sessions.records()
    held = record.history[-1][2]
    (session,) = server.service.sessions.live.values()
    assert len(session.states) == 3 and len(record.files) <= 8
    assert sum(size for size, _ in session.files.known.values()) < 2 * 300
    assert np.median(written[1:]) < held < written[0] + held


def test_eight_sessions_share_two_seats(start, gguf, tmp_path):
    """200 requests at once: each has its own answers, and nothing is held beyond K."""
    server = start(llama_engine(gguf), tmp_path, live=6)
    done, most = servers.crowd(server, 8, 200)
    assert all(len(ids) == 1 for ids, _, _ in done) and max(most) <= 6 + 2
    for _, reads, _ in done:
        assert reads[0] == 0 and reads[1:] == sorted(set(reads[1:])) and reads[1] > 0
    records = server.service.sessions.records()
    assert [len(record.history) for record in records] == [25] * 8
    assert max(live for record in records for _, live, _, _ in record.history) == 96
    assert len({held for r in records for tokens, _, held, _ in r.history if tokens > 200}) == 1
    chat = done[3][2]
    alone = servers.ask(start(llama_engine(gguf)).client(), chat[:1], max_tokens=2)
    assert alone.choices[0].message.content == chat[1]["content"]


def test_streams_tools_and_what_is_refused(start, gguf):
    server = start(llama_engine(gguf, "tools", budget=300), budget=300)
    client, question = server.client(), [{"role": "user", "content": "Read the file."}]
    whole = servers.ask(client, question, max_tokens=8, logprobs=True, top_logprobs=2)
    text, chunks = servers.streamed(client, question, max_tokens=8)
    assert text == whole.choices[0].message.content and chunks[-1].choices[0].finish_reason
    assert all(len(entry.top_logprobs) == 2 for entry in whole.choices[0].logprobs.content)
    named = {"type": "function", "function": {"name": "read"}}
    called = servers.ask(client, question, tools=[READ], tool_choice=named, max_tokens=8)
    assert called.choices[0].message.content.startswith('<tool_call>\n{"name": "read"')
    for retention, why in (
        ({"recall": True}, "recall.*transformers"),
        ({"method": "snapkv"}, "snapkv.*transformers"),
        ({"budget": 700}, "at most 300"),
        ({"ledger": "on-top"}, "at most 300"),
    ):
        with pytest.raises(servers.openai.BadRequestError, match=why):
            servers.ask(client, question, retention=retention)
    assert servers.ask(client, question, max_tokens=8).choices[0].message.content == text


def test_a_server_without_a_budget_says_which_one_fits(gguf):
    engine = llama_engine(gguf, method="full", budget=None)
    most = gguf.trained_length - 64 - 1
    with pytest.raises(ta.InputError, match=f"at most {most} under"):
        engine.session(ta.Retention(budget=most + 1))
    engine.session(ta.Retention(budget=most))


def test_a_session_that_is_forgotten_gives_back_its_cells(start, gguf):
    server = start(llama_engine(gguf))
    for session in ("mine", "mine", "other"):
        servers.ask(server.client(), CHATS[0], session=session)
    assert len(server.engine._seated) == 2
    servers.httpx.delete(f"{server.url}/v1/sessions/mine")
    assert server.engine._seated == list(server.service.sessions.live.values())


def test_an_error_in_a_turn_leaves_the_state_before_it(start, gguf):
    """Eight values fill the budget: with original positions llama.cpp cannot go on."""
    server = start(llama_engine(gguf, budget=64), budget=64)
    client, chat = server.client(), [{"role": "user", "content": "Hello."}]
    first = servers.ask(client, chat, session="mine")
    chat.append({"role": "assistant", "content": first.choices[0].message.content})
    values = server.engine.tokenizer.decode(alike(server.engine.tokenizer).ids)
    asked = [*chat, {"role": "user", "content": values}]
    with pytest.raises(servers.openai.APIStatusError, match="compact"):
        servers.ask(client, asked, session="mine", max_tokens=99, logit_bias={"2": -100})
    after = servers.ask(client, [*chat, {"role": "user", "content": TURNS[0]}], session="mine")
    assert after.session["kept"] > 0


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
        chat.append({"role": "assistant", "content": first.choices[0].message.content})
        chat.append({"role": "user", "content": "What is the door code?"})
        second = client.chat.completions.create(messages=chat, **given)
        assert second.session["id"] == first.session["id"] and second.session["kept"] > 250
        assert "730184" in second.choices[0].message.content
        held = servers.httpx.get(f"{client.base_url}sessions/{second.session['id']}").json()
        assert held["live"] == 128 and "730184" not in str(held)
