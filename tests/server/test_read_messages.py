"""A session's messages, read back from its tokens: what was said, by whom, values masked."""

import pytest

import servers
from call_families import marked_tokenizer

SAID = f"The code is {servers.VALUE}."
FIRST = {"role": "user", "content": f"The door code is {servers.VALUE}. Say it."}
CALL = {"name": "read", "arguments": '{"path": 1}'}
TOOL = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}


def messages(server, id_, reveal=False):
    """What the page gets to know of a conversation."""
    given = {"reveal": reveal}
    answer = servers.httpx.get(f"{server.url}/v1/sessions/{id_}/messages", params=given)
    assert answer.status_code == 200
    return answer.json()["messages"]


@pytest.mark.parametrize("template", ["chatml", "llama3", "mistral", "case-turns"])
def test_what_was_said_comes_back(serve, template):
    engine = servers.tiny_engine(template)
    server = serve(engine)
    with servers.speak(engine, SAID):
        servers.ask(server.client(), [FIRST], session="mine", max_tokens=64)
    shown = [FIRST, {"role": "assistant", "content": SAID}]
    assert messages(server, "mine", reveal=True) == shown
    masked = messages(server, "mine")
    assert [m["content"] for m in masked] == [
        m["content"].replace(servers.VALUE, "•" * len(servers.VALUE)) for m in shown
    ]


def test_they_are_there_after_a_restart_and_after_a_cut_answer(serve, tmp_path):
    engine, folder = servers.tiny_engine(), tmp_path / "sessions"
    server = serve(engine, folder)
    with servers.speak(engine, SAID):
        servers.ask(server.client(), [FIRST], session="mine", max_tokens=len(SAID) - 1)
    server.stop()
    server = serve(engine, folder)
    assert messages(server, "mine", reveal=True)[1]["content"] == SAID[:-1]
    assert servers.VALUE[:4] not in str(messages(server, "mine"))  # its last letter is unread


def test_titles_are_what_was_said_first_and_masked_where_they_are_kept(serve, tmp_path):
    folder = tmp_path / "sessions"
    server = serve(folder=folder)
    servers.ask(server.client(), [FIRST], session="mine")
    servers.ask(server.client(), [*servers.FIRST], session="other")
    listed = servers.httpx.get(f"{server.url}/v1/sessions").json()["data"]
    titles = {one["id"]: one["title"] for one in listed}
    assert titles["mine"] == "The door code is ••••••••. Say it."
    assert titles["other"].startswith("It rained all day. ") and len(titles["other"]) == 60
    server.stop()
    for path in (path for path in folder.rglob("*") if path.is_file()):
        assert servers.VALUE.encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("template", ["calls-granite", "calls-thoughts"])
def test_thoughts_and_calls_are_apart(serve, template):
    engine = servers.tiny_engine(tokenizer=marked_tokenizer(template))
    server = serve(engine, budget=600)
    called = {"type": "function", "id": "call00001", "function": CALL}
    chat = [
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": "", "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "call00001", "content": "Nothing."},
    ]
    with servers.speak(engine, "<think>\nHm.\n</think>\n\nIt is empty."):
        servers.ask(server.client(), chat, tools=[TOOL], session="mine", max_tokens=64)
    history = messages(server, "mine", reveal=True)
    history = [message for message in history if message["role"] != "system"]
    assert [message["role"] for message in history] == ["user", "assistant", "tool", "assistant"]
    assert history[1]["tool_calls"] == [CALL]
    assert history[2]["content"] == "Nothing."
    assert history[3]["reasoning_content"] == "Hm." and history[3]["content"] == "It is empty."


def test_a_plain_prompt_is_of_nobody(serve):
    engine = servers.tiny_engine()
    server = serve(engine)
    given = {"model": "tiny", "prompt": "It rained all day.", "max_tokens": 2, "temperature": 0}
    servers.httpx.post(f"{server.url}/v1/completions", json=given)
    (record,) = server.service.sessions.records()
    (message,) = messages(server, record.id)
    assert message["role"] == "unknown" and message["content"].startswith("It rained all day.")
    assert record.title.startswith("It rained all day.")


def test_a_session_that_is_not_there(serve):
    assert servers.httpx.get(f"{serve().url}/v1/sessions/none/messages").status_code == 404
