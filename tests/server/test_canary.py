"""A canary in every text field of every request: no error and no log line holds it, but for the
name that a client gives a session (docs/operating.md)."""

import copy
import json
import logging

import pytest

import servers
from transactional_attention.server import message_requests, requests

WORD = "Zx81Qw77Lm"
FORMS = (WORD, f"({WORD}")
BODIES = {
    "chat/completions": (
        requests.ChatRequest,
        {"model": "tiny", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]},
    ),
    "completions": (
        requests.CompletionRequest,
        {"model": "tiny", "max_tokens": 1, "prompt": "x"},
    ),
    "responses": (
        requests.ResponseRequest,
        {"model": "tiny", "max_output_tokens": 1, "input": "x"},
    ),
    "messages": (
        message_requests.MessageRequest,
        {"model": "tiny", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]},
    ),
}


def alternatives(schema, known):
    """What a schema may be, references and unions taken apart."""
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    below = schema.get("anyOf", schema.get("oneOf"))
    return [one for s in below for one in alternatives(s, known)] if below else [schema]


def least(schema, known):
    """Something small that the schema takes."""
    first = alternatives(schema, known)[0]
    if "const" in first or "enum" in first:
        return first.get("const", first.get("enum", [None])[0])
    if first.get("type") == "object":
        fields = first.get("properties", {})
        needed = {*first.get("required", ()), *{"content", "tool_call_id"} & fields.keys()}
        return {name: least(fields[name], known) for name in needed}
    return {"array": [], "integer": 1, "number": 1, "boolean": True, "null": None}.get(
        first.get("type"), "x"
    )


def places(schema, known):
    """Everything that stands at some place of the schema, with the canary there."""
    yield lambda form: form
    for one in alternatives(schema, known):
        if one.get("type") == "array":
            for make in places(one["items"], known):
                yield lambda form, make=make: [make(form)]
        if one.get("type") != "object":
            continue
        yield lambda form: {form: form}
        start = least(one, known) if "properties" in one else {}
        for name, below in one.get("properties", {}).items():
            for make in places(below, known):
                yield lambda form, name=name, make=make, start=start: {**start, name: make(form)}


def bodies(kind, good):
    schema = kind.model_json_schema()
    known = schema.get("$defs", {})
    for name, below in schema["properties"].items():
        for make in places(below, known):
            for form in FORMS:
                yield {**copy.deepcopy(good), name: make(form)}
    yield {**good, WORD: WORD}


def test_no_answer_and_no_log_line_quotes_what_was_sent(serve, caplog):
    for name in ("transactional_attention", "uvicorn", "asyncio"):  # the client logs what it sends
        caplog.set_level(logging.DEBUG, name)
    server = serve(servers.tiny_engine("tools"), budget=400)
    wrong, refused = [], 0
    with servers.httpx.Client(base_url=f"{server.url}/v1/", timeout=60) as client:
        for path, (kind, good) in BODIES.items():
            for body in bodies(kind, good):
                answer = client.post(path, content=json.dumps(body), headers=servers.JSON)
                refused += answer.status_code >= 400
                quoted = answer.status_code >= 400 and WORD in answer.text
                if quoted or answer.status_code >= 500:
                    wrong.append((path, str(body)[:300], answer.status_code, answer.text[:300]))
    assert not wrong
    assert refused > 300
    assert WORD not in caplog.text.replace(f"session={WORD}", "")


def nested(depth):
    return '{"WORD": ' * depth + "1" + "}" * depth


ODD = {
    **{f"arguments {depth} deep": nested(depth) for depth in (250, 600, 900, 960, 990)},
    "deeper arguments": '{"WORD": ' * 90000,
    "half a character": '{"WORD": "\\ud800"}',
    "a long number": '{"WORD": ' + "9" * 5000 + "}",
    "no number": '{"WORD": NaN}',
}


@pytest.mark.parametrize("template", ["chatml", "tools"])
@pytest.mark.parametrize("name", ODD)
def test_arguments_that_cannot_be_written_are_the_clients_fault(serve, caplog, template, name):
    server = serve(servers.tiny_engine(template), budget=400)
    call = {"id": "1", "function": {"name": "read", "arguments": ODD[name].replace("WORD", WORD)}}
    call = {"type": "function", **call}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    body = {
        **BODIES["chat/completions"][1],
        "messages": [message, {"role": "user", "content": "x"}],
    }
    url = f"{server.url}/v1/chat/completions"
    answer = servers.httpx.post(url, json=body, timeout=60)
    assert answer.status_code < 500, answer.text
    assert answer.status_code == 200 or WORD not in answer.text
    assert WORD not in caplog.text


def test_token_ids_of_many_digits(serve):
    body = {**BODIES["chat/completions"][1], "logit_bias": {"1" * 5000: 1}}
    answer = servers.httpx.post(f"{serve().url}/v1/chat/completions", json=body)
    assert answer.status_code == 400 and "token ids" in answer.text


def test_what_a_template_says_of_a_message_is_not_told(serve):
    engine = servers.tiny_engine()
    head = "{% if messages[0].content == 'bad' %}"
    for raised, reason in (
        ("raise_exception('no such talk')", "no such talk"),
        (f"raise_exception('no ' ~ '{WORD}'[:4] ~ '{WORD}'[4:])", "TemplateError"),
        (f"raise_exception(messages[0].content ~ '{WORD[:3]}')", "TemplateError"),
    ):
        plain = engine.tokenizer.chat_template
        engine.tokenizer.chat_template = f"{head}{{{{ {raised} }}}}{{% endif %}}{plain}"
        body = {**BODIES["chat/completions"][1], "messages": [{"role": "user", "content": "bad"}]}
        answer = servers.httpx.post(f"{serve(engine).url}/v1/chat/completions", json=body)
        engine.tokenizer.chat_template = plain
        assert answer.status_code == 400 and reason in answer.text and WORD not in answer.text
