"""Good bodies of every interface with one thing in them made wrong: a 4xx that names the field, and
nothing of what was sent is in the answer or the log."""

import contextlib
import copy
import json

import pytest

import servers

WORD = "Zx81Qw77Lm"
DEEP = json.loads("[" * 190 + f'"{WORD}"' + "]" * 190)
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FUNCTION = {"name": "look", "description": "Looks.", "parameters": SCHEMA, "strict": True}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
SAMPLED = {"temperature": 0.5, "top_p": 0.5, "top_k": 4, "min_p": 0.1, "stream": False}
OURS = {"session": "mine", "retention": {"budget": 90, "protect_roles": ["user"]}}
OPENAI = {"seed": 1, "stop": "zzz", "presence_penalty": 0.5, "logit_bias": {"5": 1}}
GOOD = {
    "chat/completions": {
        "model": "tiny",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Look."}]},
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": "Fog."},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "parallel_tool_calls": True,
        "logprobs": True,
        "top_logprobs": 2,
        "max_tokens": 2,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "x", "schema": SCHEMA, "strict": True},
        },
        "stream_options": {"include_usage": True},
        **SAMPLED,
        **OPENAI,
        **OURS,
    },
    "completions": {
        "model": "tiny",
        "prompt": "It rained.",
        "max_tokens": 2,
        "logprobs": 1,
        **SAMPLED,
        **OPENAI,
        "session": "mine",
        "retention": {"budget": 90},
    },
    "responses": {
        "model": "tiny",
        "input": [
            {"type": "message", "role": "user", "content": "Look."},
            {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "call_1", "output": "Fog."},
        ],
        "instructions": "Be brief.",
        "tools": [{"type": "function", **FUNCTION}],
        "max_output_tokens": 2,
        "text": {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA, "strict": True}},
        "store": False,
        **SAMPLED,
        **OURS,
    },
    "messages": {
        "model": "tiny",
        "max_tokens": 2,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "Look."},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "call_1", "name": "look", "input": {}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "Fog."}],
            },
        ],
        "tools": [{"name": "look", "description": "Looks.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "auto"},
        "stop_sequences": ["zzz"],
        **SAMPLED,
        **OURS,
    },
}
GOOD["messages/count_tokens"] = {
    name: GOOD["messages"][name] for name in ("model", "system", "messages", "tools")
}
WRONG = {  # by the kind of what stands there: none of these is ever taken in its place
    bool: [WORD, 5, [WORD], DEEP],
    int: [WORD, 10**40, -(10**40), float("nan"), float("inf"), {WORD: WORD}, DEEP],
    float: [WORD, 10**40, float("nan"), float("-inf"), {WORD: WORD}, DEEP],
    str: [5, {WORD: WORD}, [[WORD]], True, DEEP],
    list: [WORD, 5, {WORD: WORD}, [[WORD]], DEEP],
    dict: [5, [WORD], True, DEEP],
}
NEEDED = {"messages", "prompt", "input", "role", "tool_call_id", "call_id", "name"}
FREE = {"description", "required", "properties"}  # of a schema, or read by the model alone
UNREAD = {("json_schema", "name"), ("format", "name"), ("input_schema", "type")}
TEXTS = {"system", "content", "input"}  # a text in place of a list of parts


def mutations(path):
    """Of a good body: the place that is wrong, and what stands there instead; None: nothing."""
    left = [((), GOOD[path])]
    while left:
        place, value = left.pop()
        if place and place[-2:] not in UNREAD and not FREE.intersection(place):
            for wrong in WRONG[type(value)]:
                taken = isinstance(wrong, str) and TEXTS.intersection(place[-1:])
                if not taken:
                    yield place, wrong
            if place[-1] in NEEDED and len(place) < 4:
                yield place, None
        if isinstance(value, dict):
            left += [((*place, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            left += [((*place, number), inner) for number, inner in enumerate(value)]


def mutated(path, place, wrong):
    """The bytes of a good body with something else in one place."""
    body = copy.deepcopy(GOOD[path])
    *way, last = place
    inner = body
    for step in way:
        inner = inner[step]
    if wrong is None:
        del inner[last]
    else:
        inner[last] = wrong
    return json.dumps(body)


def post(client, path, content):
    return client.post(f"/v1/{path}", content=content, headers=servers.JSON, timeout=60)


@pytest.mark.parametrize("path", GOOD)
def test_one_thing_is_wrong(serve, caplog, path):
    server = serve(servers.tiny_engine("tools"))
    with servers.httpx.Client(base_url=server.url) as client:
        good = post(client, path, json.dumps(GOOD[path]))
        assert good.status_code == 200, good.text
        before, wrong = server.session("mine"), []
        tried = list(mutations(path))
        for place, value in tried:
            answer = post(client, path, mutated(path, place, value))
            message = (answer.json().get("error") or {}).get("message", "")
            schema = {"schema", "parameters"}.intersection(place)
            named = str(place[0]) in message or (schema and "schema" in message)
            fair = 400 <= answer.status_code < 500 and named
            if not fair or WORD in answer.text or "Traceback" in answer.text:
                wrong.append((place, str(value)[:30], answer.status_code, answer.text[:200]))
        assert len(tried) >= 30 and not wrong
        assert server.session("mine") == before
        huge = mutated(path, ("model",), WORD * (server.access.max_body // len(WORD) + 1))
        for _ in range(5):  # one that still sends may see the connection end before the answer
            with contextlib.suppress(servers.httpx.TransportError):
                answer = post(client, path, huge)
                break
        assert answer.status_code == 413 and WORD not in answer.text
        assert post(client, path, json.dumps(GOOD[path])).status_code == 200
    assert WORD not in caplog.text
