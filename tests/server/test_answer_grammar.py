"""Answers that must follow a schema, and calls that must be made, by a model that knows neither."""

import json
import random
from functools import partial
from typing import Literal

import numpy as np
import pydantic
import pytest

import servers
from call_families import allows

pytest.importorskip("llguidance", reason="needs llguidance: run .ci/extras")

from transactional_attention.engines.sampling import Sampling
from transactional_attention.server.answer_grammar import wanted
from transactional_attention.server.call_forms import forms_of
from transactional_attention.server.schema import Schema

READ = {
    "type": "function",
    "function": {
        "name": "read",
        "parameters": {
            "type": "object",
            "properties": {"line": {"type": "integer", "minimum": 0, "maximum": 99}},
            "required": ["line"],
            "additionalProperties": False,
        },
    },
}
OTHER = {"type": "function", "function": {"name": "readme"}}
NAMED = {"type": "function", "function": {"name": "read"}}
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "kind": {"enum": ["a", "b"]}},
    "required": ["ok", "kind"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA, "strict": True}}


def test_every_answer_follows_its_schema():
    """Random schemas, random logits: what ended is valid, whatever the model would have said."""
    tokenizer, rng = servers.chat_tokenizer("tools"), random.Random(7)
    ends, ended = frozenset([tokenizer.eos_token_id]), 0
    for seed in range(30):
        schema = _schema(rng, 2)
        form = wanted("auto", [], forms_of(tokenizer), Schema(schema, exact=True))
        rule = form.grammar(tokenizer, ends, inside=False)
        sampler = Sampling(temperature=1.0, seed=seed, grammar=rule).sampler(np.zeros(0, np.int64))
        logits, ids = np.random.default_rng(seed), []
        for _ in range(600):
            # more than the tokenizer has, as models do
            token = sampler.choose(logits.normal(size=300).astype(np.float32)).id
            if token in ends:
                ended += 1
                text = tokenizer.decode(ids)
                assert _valid(json.loads(text), schema), (schema, text)
                break
            ids.append(token)
    assert ended > 20


def _schema(rng, depth):
    kinds = ["boolean", "integer", "enum", "null", "string"]
    kind = rng.choice(["object", "array", *kinds] if depth else kinds)
    if kind == "object":
        names = rng.sample("abcdef", rng.randint(0, 3))
        return {
            "type": "object",
            "properties": {name: _schema(rng, depth - 1) for name in names},
            "required": names,
            "additionalProperties": False,
        }
    if kind == "array":
        return {"type": "array", "items": _schema(rng, depth - 1), "maxItems": 3}
    if kind == "enum":
        return {"enum": rng.sample(["x", "yes", 3, None, False], 2)}
    return {"type": kind, **({"maxLength": 4} if kind == "string" else {})}


def _valid(instance, schema):
    if "enum" in schema:
        return instance in schema["enum"]
    if schema["type"] == "object":
        fields = schema["properties"]
        return instance.keys() == fields.keys() and all(
            _valid(instance[n], fields[n]) for n in fields
        )
    if schema["type"] == "array":
        return len(instance) <= 3 and all(_valid(one, schema["items"]) for one in instance)
    kinds = {"boolean": bool, "integer": int, "null": type(None), "string": str}
    return type(instance) is kinds[schema["type"]] and (
        type(instance) is not str or len(instance) <= 4
    )


ACCEPTED = '<tool_call>\n{"name": "read", "arguments": {"line": 5}}\n</tool_call>'
BARE = '{"name": "read", "arguments": {"line": 5}}'


@pytest.mark.parametrize(
    ("choice", "parallel", "good", "bad"),
    [
        ("required", True, [ACCEPTED, f"{ACCEPTED}\n{ACCEPTED}"], ["Yes.", BARE]),
        ("required", False, [ACCEPTED], [f"{ACCEPTED}\n{ACCEPTED}"]),
        ("readme", True, [ACCEPTED.replace("read", "readme").replace('"line": 5', "")], [ACCEPTED]),
        (
            "auto",
            True,
            ["Yes.", "", BARE, f"I look.\n{ACCEPTED}", f"{ACCEPTED}\n{ACCEPTED}", '{"a": 1} is.'],
            [ACCEPTED.replace("5", '"x"'), BARE.replace("line", "path"), "<tool_call>no"],
        ),
        (
            "auto",
            True,
            [f"```json\n{BARE}\n```", f"```\n{BARE}\n```", "```json\n{}\n```"],
            [f"```json\n{BARE.replace('line', 'path')}\n```", f"```\n{BARE}\n``` is."],
        ),
        ("auto", False, ["Yes.", BARE, ACCEPTED], [f"{ACCEPTED}\n{ACCEPTED}"]),
    ],
)
def test_what_calls_may_be(choice, parallel, good, bad):
    tokenizer = servers.chat_tokenizer("tools")
    end = tokenizer.eos_token_id
    form = wanted(choice, [READ, OTHER], forms_of(tokenizer), strict={"read"}, parallel=parallel)
    rule = form.grammar(tokenizer, frozenset([end]), inside=False)
    follows = partial(allows, rule, tokenizer, end)
    assert [follows(text) for text in good] == [True] * len(good)
    assert [follows(text) for text in bad] == [False] * len(bad)


@pytest.mark.parametrize("stream", [False, True])
def test_answers_of_a_schema(serve, stream):
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    for seed in range(4):
        options = dict(response_format=FORMAT, temperature=1, seed=seed, max_tokens=120)
        if stream:
            text, chunks = servers.streamed(client, servers.FIRST, **options)
            reason = chunks[-1].choices[0].finish_reason
        else:
            answer = servers.ask(client, servers.FIRST, logprobs=True, top_logprobs=2, **options)
            text, reason = servers.said(answer), answer.choices[0].finish_reason
        instance = json.loads(text)
        assert (reason, instance.keys()) == ("stop", {"ok", "kind"})
        assert type(instance["ok"]) is bool and instance["kind"] in ("a", "b")
    cut = servers.ask(client, servers.FIRST, response_format=FORMAT, max_tokens=3)
    assert cut.choices[0].finish_reason == "length"


def test_the_official_client_parses_its_own_classes(serve):
    class Found(pydantic.BaseModel):
        ok: bool
        kind: Literal["a", "b"]

    client = serve(servers.tiny_engine("tools"), budget=400).client()
    options = dict(model="tiny", messages=servers.FIRST, response_format=Found, max_tokens=120)
    answer = client.chat.completions.parse(**options)
    assert isinstance(answer.choices[0].message.parsed, Found)


def test_the_other_interfaces_take_schemas(serve):
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    form = {"type": "json_schema", "name": "x", "schema": SCHEMA}
    given = client.responses.create(
        model="tiny", input="Say it.", text={"format": form}, max_output_tokens=120
    )
    assert json.loads(given.output_text).keys() == {"ok", "kind"}
    body = {
        "model": "tiny",
        "max_tokens": 120,
        "messages": servers.FIRST[1:],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }
    url = str(client.base_url).rstrip("/")
    (block,) = servers.httpx.post(f"{url}/messages", json=body, timeout=60).json()["content"]
    assert json.loads(block["text"]).keys() == {"ok", "kind"}


@pytest.mark.parametrize("choice", ["required", NAMED])
def test_a_forced_call_is_an_object(serve, choice):
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    for seed in range(3):
        options = dict(tools=[READ], tool_choice=choice, parallel_tool_calls=False)
        options |= dict(temperature=1, seed=seed, max_tokens=150)
        answer = servers.ask(client, servers.FIRST, **options)
        (call,) = answer.choices[0].message.tool_calls
        assert (answer.choices[0].finish_reason, servers.said(answer)) == ("tool_calls", None)
        assert 0 <= json.loads(call.function.arguments)["line"] <= 99


def test_schemas_that_cannot_be_followed(serve):
    """They are refused where they must be followed exactly, and nothing of them is quoted."""
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    for schema, why in (
        ({"type": servers.VALUE}, "Invalid type"),
        ({"type": "string", "format": servers.VALUE}, "Unknown format"),
        ({"type": "object", "not": {"const": servers.VALUE}}, "Unimplemented keys not"),
        ({"type": "string", "pattern": f"(?={servers.VALUE})"}, "look-around"),
    ):
        form = {"type": "json_schema", "json_schema": {"schema": schema, "strict": True}}
        with pytest.raises(servers.openai.BadRequestError, match=why) as refused:
            servers.ask(client, servers.FIRST, response_format=form)
        assert servers.VALUE not in str(refused.value)
    loose = {"type": "json_schema", "json_schema": {"schema": {**SCHEMA, "not": {}}}}
    answer = servers.ask(client, servers.FIRST, response_format=loose, max_tokens=120)
    assert json.loads(servers.said(answer)).keys() == {"ok", "kind"}
