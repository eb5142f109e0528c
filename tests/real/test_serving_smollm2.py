"""SmolLM2 behind the server, by the official client: a long conversation at K tokens, and answers
that must follow a schema, whatever so small a model would say."""

import json

import pytest

import servers
from transactional_attention.engines.transformers.sessions import TransformersEngine

WALK = "We walked along the river until it got dark. " * 40
ASK = "What is the capital of France? Answer in one sentence."


def test_a_conversation_of_many_tokens_stays_at_k(smollm2, serve):
    server = serve(TransformersEngine("smollm2", *smollm2, chunk=256), budget=256)
    client, chat, answers = server.client(), [], []
    for text in (f"The gate code is 730184. {WALK}", WALK, ASK):
        chat.append({"role": "user", "content": text})
        answer = servers.ask(client, chat, model="smollm2", max_tokens=24)
        chat.append({"role": "assistant", "content": servers.said(answer)})
        answers.append(answer)
    assert "Paris" in chat[-1]["content"]
    assert answers[1].usage.prompt_tokens_details.cached_tokens > 400
    assert len({answer.session["id"] for answer in answers}) == 1
    held = server.session(answers[0].session["id"])
    assert held["live"] <= 256 < held["tokens"]
    assert [value["held"] for value in held["values"] if "gate code" in value["label"]] == [True]


NAMES = ("name", "city", "street", "mail", "note")
FIELDS = {
    **{name: {"type": "string", "maxLength": 12} for name in NAMES},
    "age": {"type": "integer", "minimum": 0, "maximum": 120},
    "active": {"type": "boolean"},
    "score": {"enum": [0, 0.5, 1]},
    "role": {"enum": ["admin", "user"]},
    "tags": {"type": "array", "items": {"type": "string", "maxLength": 8}, "maxItems": 2},
}
SCHEMA = {
    "type": "object",
    "properties": FIELDS,
    "required": list(FIELDS),
    "additionalProperties": False,
}


@pytest.mark.parametrize("stream", [False, True])
def test_a_schema_of_ten_fields_is_followed(smollm2, serve, stream):
    client = serve(TransformersEngine("smollm2", *smollm2, chunk=256), budget=256).client()
    form = {"type": "json_schema", "json_schema": {"name": "user", "schema": SCHEMA}}
    chat = [{"role": "user", "content": "Describe a user as JSON."}]
    for seed in range(10):
        options = dict(model="smollm2", response_format=form, temperature=1, seed=seed)
        options["max_tokens"] = 400
        if stream:
            text, _ = servers.streamed(client, chat, **options)
        else:
            text = servers.said(servers.ask(client, chat, **options))
        user = json.loads(text)
        assert list(user) == list(FIELDS)
        assert all(type(user[name]) is str and len(user[name]) <= 12 for name in NAMES)
        assert 0 <= user["age"] <= 120 and type(user["active"]) is bool
        assert user["score"] in (0, 0.5, 1) and user["role"] in ("admin", "user")
        assert len(user["tags"]) <= 2
