"""Bodies that others refuse: halves of characters, many stops; and what is said of alternatives."""

import json

import pytest

import servers
from transactional_attention.server.given import mended

HALF = "\ud83d"
CHAT = {"model": "tiny", "max_tokens": 2, "temperature": 0}


def post(server, path, **body):
    """An answer to a body whose characters are escaped."""
    url, data = f"{server.url}/v1/{path}", json.dumps(body)
    return servers.httpx.post(url, content=data, headers=servers.JSON, timeout=60)


def prompt_tokens(server, content):
    messages = [{"role": "user", "content": content}]
    return post(server, "chat/completions", messages=messages, **CHAT).json()["usage"][
        "prompt_tokens"
    ]


@pytest.mark.parametrize(
    "text", ["a", HALF, f"{HALF}a", "\ude00" + HALF, f"\U0001f600{HALF}", "\\ud83d", "\\\\" + HALF]
)
def test_half_a_surrogate_pair_is_the_sign_of_a_lost_character(text):
    body = json.loads(mended(json.dumps({text: [text]})))
    assert body == {(lost := "".join(_whole(char) for char in text)): [lost]}


def _whole(char):
    return "\ufffd" if "\ud800" <= char <= "\udfff" else char


def test_half_a_character_in_a_content_and_in_a_call(serve):
    engine = servers.tiny_engine("tools")
    server = serve(engine, budget=400)
    assert prompt_tokens(server, f"a{HALF}") == prompt_tokens(server, "a\ufffd")
    tool = {"type": "function", "function": {"name": "read", "parameters": {}}}
    call_text = '<tool_call>\n{"name": "read", "arguments": {"path": "\\ud83d"}}\n</tool_call>'
    messages = [{"role": "user", "content": "Read."}]
    with servers.speak(engine, call_text):
        asked = {**CHAT, "tools": [tool], "max_tokens": 99}
        answer = post(server, "chat/completions", messages=messages, **asked).json()
    message = answer["choices"][0]["message"]
    (call,) = message["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"path": "\ufffd"}
    call["function"]["arguments"] = '{"path": "\\ud83d"}'  # of another server
    output = {"role": "tool", "tool_call_id": call["id"], "content": "The end."}
    again = post(server, "chat/completions", messages=[*messages, message, output], **CHAT)
    assert again.status_code == 200


def test_what_is_said_of_alternatives_is_of_the_form_that_was_meant(serve):
    server, messages = serve(), [{"role": "user", "content": "Hi"}]
    many = post(server, "chat/completions", messages=messages, stop=["x"] * 5, **CHAT)
    assert many.status_code == 200
    for path, body, why in (
        ("chat/completions", {**CHAT, "messages": messages, "stop": ["x"] * 1025}, "at most 1024"),
        ("responses", {"model": "tiny", "input": []}, "at least 1 item"),
        ("completions", {**CHAT, "prompt": ["Hi"]}, "valid string"),
    ):
        answer = post(server, path, **body)
        assert answer.status_code == 400 and why in answer.json()["error"]["message"], answer.text


def test_a_top_p_of_nought_is_the_likeliest_token(serve):
    server = serve()
    greedy, nought = (
        post(server, "chat/completions", messages=servers.FIRST, model="tiny", max_tokens=9, **how)
        for how in ({"temperature": 0}, {"temperature": 1.5, "top_p": 0})
    )
    assert greedy.json()["choices"] == nought.json()["choices"]
