"""The official client against a server: forms, streams, tools, errors."""

import json

import pytest

import servers
import transactional_attention as ta
from chat_templates import READ


def test_a_chat_says_what_the_engine_says_alone(serve):
    engine = servers.tiny_engine()
    client = serve(engine).client()
    retention = ta.Retention(budget=96)
    chat = ta.Chat(engine.model, engine.tokenizer, retention, chunk=64, checkpoints=2)
    reply = chat.reply(servers.FIRST, max_new_tokens=8, do_sample=False)
    answer = servers.ask(client, servers.FIRST)
    assert servers.said(answer) == reply.text
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage.prompt_tokens == reply.prompt and answer.usage.completion_tokens == 8
    again = [*servers.FIRST, {"role": "assistant", "content": "It rained."}, servers.NEXT]
    reply, answer = chat.reply(again, max_new_tokens=8, do_sample=False), servers.ask(client, again)
    assert servers.said(answer) == reply.text
    assert answer.usage.prompt_tokens_details.cached_tokens == reply.kept > 0
    assert answer.session["changed_at"] == reply.changed_at


def test_a_stream_is_the_whole_answer_in_pieces(serve):
    client = serve().client()
    whole = servers.ask(client, servers.FIRST)
    text, chunks = servers.streamed(client, servers.FIRST, stream_options={"include_usage": True})
    assert text == servers.said(whole)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "length"
    assert not chunks[-1].choices and chunks[-1].usage.completion_tokens == 8


def test_a_seed_gives_the_same_answer_again(serve):
    client = serve().client()
    options = dict(temperature=1.5, max_tokens=24)
    first, second, other = (
        servers.said(servers.ask(client, servers.FIRST, seed=seed, **options)) for seed in (5, 5, 6)
    )
    assert first == second != other


def test_a_stop_text_ends_the_answer_and_is_not_in_it(serve):
    engine = servers.tiny_engine()
    client = serve(engine).client()
    with servers.speak(engine, "One, two, three, four."):
        text, chunks = servers.streamed(client, servers.FIRST, max_tokens=30, stop=[", thr", "zz"])
    assert text == "One, two" and chunks[-1].choices[0].finish_reason == "stop"


def test_an_answer_that_ends_by_itself(serve):
    engine = servers.tiny_engine()
    client = serve(engine).client()
    with servers.speak(engine, "Größe: 10 °C 🌧"):
        answer = servers.ask(client, servers.FIRST, max_tokens=60).choices[0]
    assert (answer.message.content, answer.finish_reason) == ("Größe: 10 °C 🌧", "stop")


def test_logprobs_are_those_of_the_model(serve):
    client = serve().client()
    answer = servers.ask(client, servers.FIRST, logprobs=True, top_logprobs=3, max_tokens=4)
    entries = answer.choices[0].logprobs.content
    assert len(entries) == 4 and all(len(entry.top_logprobs) == 3 for entry in entries)
    for entry in entries:
        assert entry.logprob == max(top.logprob for top in entry.top_logprobs) < 0
    engine = servers.tiny_engine()
    with servers.speak(engine, "a 🌧"):
        answer = servers.ask(
            serve(engine).client(), servers.FIRST, logprobs=True, top_logprobs=5, max_tokens=9
        ).choices[0]
    entries = answer.logprobs.content
    whole = bytes(byte for entry in entries for byte in entry.bytes)
    assert whole.decode() == answer.message.content == "a 🌧"
    assert [entry.token for entry in entries[:3]] == ["a", " ", "bytes:\\xf0"]
    biased = servers.ask(client, servers.FIRST, logit_bias={"40": 100}, max_tokens=3)
    assert len(set(servers.said(biased))) == 1


def test_a_plain_prompt_is_completed(serve):
    client = serve().client()
    options = dict(model="tiny", temperature=0, max_tokens=6)
    answer = client.completions.create(prompt="It rained. " * 9, logprobs=2, **options)
    assert answer.usage.completion_tokens == 6 and len(answer.choices[0].logprobs.tokens) == 6
    many = client.completions.create(prompt="It rained.", logprobs=20, **options)
    assert {len(top) for top in many.choices[0].logprobs.top_logprobs} == {20}
    parts = client.completions.create(prompt="It rained. " * 9, stream=True, **options)
    assert "".join(p.choices[0].text for p in parts if p.choices) == answer.choices[0].text


def test_the_model_is_listed_with_its_length(serve):
    engine = servers.tiny_engine()
    client = serve(engine).client()
    assert [model.id for model in client.models.list()] == ["tiny"]
    assert client.models.retrieve("tiny").id == "tiny"
    limit = engine.model.config.max_position_embeddings
    assert client.models.retrieve("tiny").max_model_len == limit
    unbounded = serve(engine, positions="compact")
    assert unbounded.client().models.retrieve("tiny").context_length is None
    unbounded.service.session_length = 1_000_000
    assert unbounded.client().models.retrieve("tiny").context_length == 1_000_000
    with pytest.raises(servers.openai.NotFoundError, match="only model here is 'tiny'"):
        client.models.retrieve("large")


def test_any_name_is_answered_by_the_one_model(serve):
    """As by the stock server of llama.cpp: clients ask for the names that they know."""
    server = serve()
    client, chat = server.client(), [{"role": "user", "content": "Hi."}]
    assert servers.ask(client, chat, model="gpt-5").model == "tiny"
    assert client.completions.create(prompt="It", model="x", max_tokens=1).model == "tiny"
    assert client.responses.create(input="Hi.", model="x", max_output_tokens=1).model == "tiny"
    for path, given in (
        ("chat/completions", {"messages": chat}),
        ("messages", {"messages": chat}),
        ("responses", {"input": "Hi."}),
    ):
        body = {**given, "max_output_tokens" if "input" in given else "max_tokens": 1}
        answer = servers.httpx.post(f"{server.url}/v1/{path}", json=body)
        assert answer.status_code == 200 and answer.json()["model"] == "tiny"


CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "/etc/motd"}}\n</tool_call>'


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_tools(serve, stream):
    engine = servers.tiny_engine("tools")
    client = serve(engine, budget=400).client()
    with servers.speak(engine, f"I look.\n{CALL}\n{CALL}"):
        options = dict(tools=[READ], max_tokens=300)
        if stream:
            text, chunks = servers.streamed(client, servers.FIRST, **options)
            calls = [c for k in chunks if k.choices for c in k.choices[0].delta.tool_calls or ()]
            assert [call.index for call in calls] == [0, 1]
            reason = chunks[-1].choices[0].finish_reason
        else:
            choice = servers.ask(client, servers.FIRST, **options).choices[0]
            text, reason = choice.message.content, choice.finish_reason
            calls = choice.message.tool_calls
    assert reason == "tool_calls" and text == "I look."
    assert [call.function.name for call in calls] == ["read", "read"]
    assert json.loads(calls[0].function.arguments) == {"path": "/etc/motd"}
    assert len({call.id for call in calls}) == 2
    made = [{"id": c.id, "type": "function", "function": c.function.model_dump()} for c in calls]
    message = {"role": "assistant", "content": text, "tool_calls": made}
    outputs = [{"role": "tool", "tool_call_id": c.id, "content": "api_key: QX7K"} for c in calls]
    answer = servers.ask(client, [*servers.FIRST, message, *outputs], tools=[READ])
    assert answer.usage.prompt_tokens_details.cached_tokens > 0


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "read"}}])
def test_a_call_that_is_asked_for_is_made(serve, choice):
    engine = servers.tiny_engine("tools")
    client = serve(engine, budget=400).client()
    with servers.speak(engine, CALL):
        options = dict(tools=[READ], tool_choice=choice, max_tokens=90)
        answer = servers.ask(client, servers.FIRST, **options)
    (call,) = answer.choices[0].message.tool_calls
    assert call.function.name == "read"
    assert json.loads(call.function.arguments) == {"path": "/etc/motd"}
    assert servers.said(answer) is None


def test_tools_that_cannot_be_served_are_refused(serve):
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    for choice in ("required", {"type": "function", "function": {"name": "write"}}):
        given = {} if choice == "required" else {"tools": [READ]}
        with pytest.raises(servers.openai.BadRequestError, match=r"needs tools|none of the tools"):
            servers.ask(client, servers.FIRST, tool_choice=choice, **given)
    plain = serve().client()
    with pytest.raises(servers.openai.BadRequestError, match="takes no tools"):
        servers.ask(plain, servers.FIRST, tools=[READ])


def test_responses_go_on_by_their_id(serve):
    client = serve().client()
    options = dict(model="tiny", temperature=0, max_output_tokens=8)
    first = client.responses.create(input="It rained all day. " * 6, **options)
    assert first.status == "incomplete" and len(first.output_text) > 0
    second = client.responses.create(
        input="And then?", previous_response_id=first.id, instructions="Be brief.", **options
    )
    assert second.usage.input_tokens > first.usage.input_tokens
    third = client.responses.create(input="And?", previous_response_id=first.id, **options)
    assert third.usage.input_tokens_details.cached_tokens > 0
    options |= dict(previous_response_id=third.id)
    events = list(client.responses.create(input="Go on.", stream=True, **options))
    assert [events[0].type, events[-1].type] == ["response.created", "response.incomplete"]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
    assert events[-1].response.output_text == "".join(deltas)
    client.responses.delete(first.id)
    with pytest.raises(servers.openai.BadRequestError, match="previous_response_id is unknown"):
        client.responses.create(input="Hm?", **options)


def test_a_stream_that_fails_ends_with_an_error(serve, monkeypatch, caplog):
    """Its log says where, and not what."""
    server = serve()

    def fail(*given):
        raise ValueError(servers.VALUE)

    monkeypatch.setattr(server.service.sessions.index, "put_response", fail)
    options = dict(model="tiny", input="It rained all day. " * 6, max_output_tokens=8)
    *before, last = server.client().responses.create(stream=True, temperature=0, **options)
    assert (last.type, last.sequence_number) == ("error", len(before))
    assert "its log says where" in last.message and servers.VALUE not in last.message
    with pytest.raises(servers.openai.InternalServerError, match="its log says where"):
        server.client().responses.create(**options)
    assert caplog.text.count("failed: ValueError at test_openai_client.py:") == 2
    assert servers.VALUE not in caplog.text


def test_calls_in_responses(serve):
    engine = servers.tiny_engine("tools")
    client = serve(engine, budget=400).client()
    tool = {"type": "function", "name": "read", "description": "Reads.", "parameters": {}}
    options = dict(model="tiny", tools=[tool], max_output_tokens=200, parallel_tool_calls=True)
    options["text"] = {"format": {"type": "text"}}
    with servers.speak(engine, CALL):
        first = client.responses.create(input="Read the file.", **options)
    (call,) = first.output
    assert (call.type, call.name) == ("function_call", "read")
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "The end."}
    second = client.responses.create(
        input=[output], previous_response_id=first.id, **{**options, "max_output_tokens": 4}
    )
    assert second.usage.input_tokens_details.cached_tokens > 0


def test_an_assistants_items_are_one_message(serve):
    """The same conversation as a chat and as items has the same tokens."""
    server = serve(servers.tiny_engine("tools"), budget=400)
    client, names = server.client(), ("c1", "c2")
    arguments = '{"path": "/etc/motd"}'
    function = {"name": "read", "arguments": arguments}
    calls = [{"id": name, "type": "function", "function": function} for name in names]
    chat = [
        *servers.FIRST,
        {"role": "assistant", "content": "I look.\nWait.", "tool_calls": calls},
        *({"role": "tool", "tool_call_id": name, "content": "The end."} for name in names),
    ]
    items = [
        *servers.FIRST,
        {"role": "assistant", "content": "I look."},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Wait."}]},
        *({"type": "function_call", "call_id": name, **function} for name in names),
        *({"type": "function_call_output", "call_id": n, "output": "The end."} for n in names),
    ]
    answer = servers.ask(client, chat, tools=[READ])
    options = dict(model="tiny", temperature=0, max_output_tokens=2)
    tool = {"type": "function", **READ["function"]}
    same = client.responses.create(input=items, tools=[tool], **options)
    assert same.usage.input_tokens == answer.usage.prompt_tokens
    assert same.usage.input_tokens_details.cached_tokens > 200


def test_what_the_system_says_first_is_one_message(serve):
    """Templates that take it at the beginning alone refuse a second one."""
    engine = servers.tiny_engine()
    plain = engine.tokenizer.chat_template
    refused = "{{ raise_exception('system comes first') }}"
    twice = f"{{% if messages[1].role == 'system' %}}{refused}{{% endif %}}"
    engine.tokenizer.chat_template = twice + plain
    client, options = serve(engine).client(), dict(model="tiny", max_output_tokens=2)
    parts = {"role": "developer", "content": "Ask first."}, {"role": "user", "content": "Hi."}
    answer = client.responses.create(input=parts, instructions="Be brief.", **options)
    one = {"role": "system", "content": "Be brief.\n\nAsk first."}
    chat = servers.ask(client, [one, parts[1]], max_tokens=2)
    assert answer.usage.input_tokens == chat.usage.prompt_tokens
    two = servers.ask(client, [{"role": "system", "content": "Be brief."}, *parts], max_tokens=2)
    assert two.usage.prompt_tokens == chat.usage.prompt_tokens


def test_tools_that_are_no_functions_are_left_out_and_that_is_told(serve, caplog):
    client = serve(servers.tiny_engine("tools"), budget=400).client()
    options = dict(model="tiny", temperature=0)
    asked = dict(messages=servers.FIRST, max_tokens=2, **options)
    plain = client.chat.completions.create(tools=[READ], **asked)
    other = {"type": "custom", "custom": {"name": servers.VALUE}}
    answer = client.chat.completions.with_raw_response.create(tools=[other, READ], **asked)
    reason = "tools.0 is no function"
    assert answer.headers["X-Left-Out"] == reason and reason in caplog.text
    assert answer.parse().usage.prompt_tokens == plain.usage.prompt_tokens
    tools = [{"type": "namespace", "name": servers.VALUE, "tools": []}, {"type": "web_search"}]
    answer = client.responses.with_raw_response.create(
        input="Hello.", tools=tools, max_output_tokens=2, **options
    )
    assert answer.headers["X-Left-Out"] == "tools.0 is no function, tools.1 is no function"
    assert servers.VALUE not in caplog.text
    with pytest.raises(servers.openai.BadRequestError, match="needs tools"):
        client.responses.create(input="Hello.", tools=tools, tool_choice="required", **options)


def test_choices_of_tokens_and_options_of_templates(serve):
    client = serve(servers.tiny_engine("thoughts")).client()
    create = client.chat.completions.create
    asked = dict(model="tiny", messages=servers.FIRST, max_tokens=24, seed=5)

    def said(**extra):
        return servers.said(create(**asked, temperature=1.5, extra_body=extra))

    greedy = servers.said(create(**asked, temperature=0))
    assert said(top_k=1) == said(min_p=1.0) == greedy != said()
    assert said() == said(top_k=-1, min_p=0, ignore_eos=False, grammar=None)
    repeats = servers.said(create(**asked, temperature=0, extra_body={"repetition_penalty": 2.0}))
    assert repeats != greedy
    plain = create(**asked).usage.prompt_tokens
    thinks = create(**asked, extra_body={"chat_template_kwargs": {"enable_thinking": False}})
    assert thinks.usage.prompt_tokens > plain


def test_retention_of_a_request(serve):
    server = serve()
    client = server.client()
    answer = servers.ask(client, servers.FIRST, retention={"budget": 48, "deny": ["door code"]})
    held = server.session(answer.session["id"])
    assert held["live"] <= 48 and held["budget"] == 48
    assert not [value for value in held["values"] if "door code" in value["label"]]
    plain = server.session(servers.ask(client, servers.FIRST).session["id"])
    assert plain["budget"] == 96 and [v for v in plain["values"] if "door code" in v["label"]]
    with pytest.raises(
        servers.openai.BadRequestError, match="protected tokens: it needs at least"
    ) as refused:
        servers.ask(client, servers.FIRST, retention={"budget": 16, "protect_roles": ["system"]})
    assert refused.value.code == "budget_too_small"
    ranges = [{"start": 30, "end": 40}]
    kept = servers.ask(client, servers.FIRST, retention={"budget": 48, "protect": ranges})
    values = server.session(kept.session["id"])["values"]
    assert [v["rule"] for v in values if v["start"] == 30] == ["caller"]


def test_a_prompt_beyond_the_models_positions_is_refused(serve):
    engine = servers.tiny_engine()
    limit = engine.model.config.max_position_embeddings
    client = serve(engine).client()
    for retention, lifts in (({}, True), ({"method": "full"}, False)):
        with pytest.raises(servers.openai.BadRequestError, match=f"> {limit} positions") as refused:
            servers.ask(client, [{"role": "user", "content": "a" * limit}], retention=retention)
        assert refused.value.code == "context_length_exceeded"
        assert ("--positions rolling" in str(refused.value)) == lifts


def test_what_is_held_and_outgrows_the_models_positions_is_refused_before_it_is_read(serve):
    engine = servers.tiny_engine()
    limit = engine.model.config.max_position_embeddings
    server = serve(engine, pinned=("system",), positions="rolling")
    client, question = server.client(), {"role": "user", "content": "What is it?"}
    rules = {"role": "system", "content": "a" * limit}
    with pytest.raises(
        servers.openai.BadRequestError, match=rf"K = 96 outgrow the model's {limit} positions: "
    ) as refused:
        servers.ask(client, [rules, question])
    assert refused.value.code == "context_length_exceeded" and "fewer tools" in str(refused.value)
    assert not servers.httpx.get(f"{server.url}/v1/sessions").json()["data"]
    long = {"role": "user", "content": "b" * limit}
    assert servers.ask(client, [{"role": "system", "content": "Be brief."}, long]).choices


def test_keys(serve):
    server = serve(access=servers.Access(servers.ApiKeys.of("s3cret")))
    with pytest.raises(servers.openai.AuthenticationError):
        servers.ask(server.client(key="other"), servers.FIRST)
    assert servers.ask(server.client(key="s3cret"), servers.FIRST).choices
    for host in ("localhost", "localhost/health?"):  # the path of some URLs, and of no request
        answer = servers.httpx.get(f"{server.url}/v1/models", headers={"Host": host})
        assert answer.status_code == 401
