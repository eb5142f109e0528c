"""Anthropic's official client against a server: forms, streams, tools, thoughts, errors."""

import json

import pytest

import servers
from chat_templates import READ

anthropic = pytest.importorskip("anthropic", reason="needs anthropic: run .ci/extras")

SYSTEM, FIRST = servers.FIRST[0]["content"], servers.FIRST[1:]
CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "ü"}}\n</tool_call>'
TOOL = {"name": "read", "description": "Reads.", "input_schema": {}}  # as ``READ``
GREEDY = {"model": "tiny", "max_tokens": 8}


@pytest.fixture
def client_of():
    """The official client of a server."""
    opened = []

    def client(server, **options):
        options = {"api_key": "none", "max_retries": 0, **options}
        opened.append(anthropic.Anthropic(base_url=server.url, **options))
        return opened[-1]

    yield client
    for one in opened:
        one.close()


def ask(client, messages, create=None, **options):
    """A greedy answer of a few tokens."""
    ours = ("temperature", "top_k", "session", "retention")
    extra = {"temperature": 0} | {k: options.pop(k) for k in ours if k in options}
    create = create or client.messages.create
    return create(messages=messages, **{**GREEDY, **options}, extra_body=extra)


def test_both_interfaces_read_the_same_tokens_and_go_on_from_each_other(serve, client_of):
    server = serve()
    ours, theirs = client_of(server), server.client()
    answer = ask(ours, FIRST, system=SYSTEM)
    assert (answer.type, answer.role, answer.stop_reason) == ("message", "assistant", "max_tokens")
    assert answer.usage.input_tokens > 8 and answer.usage.cache_read_input_tokens == 0
    chat = servers.ask(theirs, servers.FIRST)
    (block,) = answer.content
    assert block.text == servers.said(chat)
    assert answer.usage.input_tokens == chat.usage.prompt_tokens
    assert answer.usage.output_tokens == chat.usage.completion_tokens == 8
    more = [*FIRST, {"role": "assistant", "content": answer.content}, servers.NEXT]
    counted = ours.messages.count_tokens(model="tiny", messages=more, system=SYSTEM)
    third = servers.ask(
        theirs, [*servers.FIRST, {"role": "assistant", "content": block.text}, servers.NEXT]
    )
    assert third.session["id"] == answer.session["id"]
    assert third.usage.prompt_tokens == counted.input_tokens
    again = ask(ours, more, system=[{"type": "text", "text": SYSTEM}])
    used = again.usage
    assert used.cache_read_input_tokens > 100 and again.session["id"] == answer.session["id"]
    assert used.input_tokens + used.cache_read_input_tokens == counted.input_tokens


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_tools_and_the_same_conversation_through_both(serve, client_of, stream):
    engine = servers.tiny_engine("tools")
    server = serve(engine, budget=400)
    client = client_of(server)
    options = dict(system=SYSTEM, tools=[TOOL], max_tokens=300)
    with servers.speak(engine, f"I look.\n{CALL}\n{CALL}"):
        if stream:
            extra = {"temperature": 0}
            with client.messages.stream(
                model="tiny", messages=FIRST, extra_body=extra, **options
            ) as events:
                kinds = [event.type for event in events]
                answer = events.get_final_message()
            assert kinds.count("input_json") == 2 and "text" in kinds
        else:
            answer = ask(client, FIRST, **options)
    assert answer.stop_reason == "tool_use" and answer.stop_sequence is None
    text, *calls = answer.content
    assert text.text == "I look." and [call.name for call in calls] == ["read", "read"]
    assert [call.input for call in calls] == [{"path": "ü"}] * 2
    assert calls[0].id != calls[1].id
    results = [
        {"type": "tool_result", "tool_use_id": calls[0].id, "content": "api_key: QX7K"},
        {
            "type": "tool_result",
            "tool_use_id": calls[1].id,
            "content": [{"type": "text", "text": "none"}],
            "is_error": True,
        },
        {"type": "text", "text": "And now?"},
    ]
    message = {"role": "assistant", "content": answer.to_dict()["content"]}
    more = [*FIRST, message, {"role": "user", "content": results}]
    again = ask(client, more, system=SYSTEM, tools=[TOOL])
    used = again.usage
    assert used.cache_read_input_tokens > 0
    functions = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": "read", "arguments": json.dumps(call.input)},
        }
        for call in calls
    ]
    chat = [
        *servers.FIRST,
        {"role": "assistant", "content": "I look.", "tool_calls": functions},
        {"role": "tool", "tool_call_id": calls[0].id, "content": "api_key: QX7K"},
        {"role": "tool", "tool_call_id": calls[1].id, "content": "Error: none"},
        {"role": "user", "content": "And now?"},
    ]
    same = servers.ask(server.client(), chat, tools=[READ])
    read = used.input_tokens + used.cache_read_input_tokens
    assert same.usage.prompt_tokens == read
    assert same.usage.prompt_tokens_details.cached_tokens == read - 1 or same.session["kept"] > 300


def test_the_events_of_a_stream_are_anthropics(serve, client_of):
    engine = servers.tiny_engine("tools")
    client = client_of(serve(engine, budget=400))
    with servers.speak(engine, f"<think>\nHm.\n\nYes.\n</think>\n\nI look.\n{CALL}"):
        stream = ask(client, FIRST, tools=[TOOL], max_tokens=300, stream=True)
        raw = b"".join(stream.response.iter_bytes()).decode()
    events = [json.loads(line[6:]) for line in raw.splitlines() if line.startswith("data: ")]
    assert [line[7:] for line in raw.splitlines() if line.startswith("event: ")] == [
        event["type"] for event in events
    ]
    kinds = [event["type"] for event in events]
    short = [k for n, k in enumerate(kinds) if not n or k != kinds[n - 1]]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert short == [
        *("message_start", block[0], "ping", *block[1:], *block, *block),
        *("message_delta", "message_stop"),
    ]
    start = events[0]["message"]
    assert start["content"] == [] and start["stop_reason"] is None
    begun = [event["content_block"] for event in events if event["type"] == block[0]]
    assert begun[:2] == [
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "text", "text": ""},
    ]
    assert begun[2]["type"] == "tool_use" and begun[2]["input"] == {}
    parts = ["", "", ""]
    for event in events:
        if event["type"] == block[1]:
            kind = event["delta"]["type"].removesuffix("_delta")
            parts[event["index"]] += event["delta"].get(kind) or event["delta"]["partial_json"]
    assert parts[:2] == ["Hm.\n\nYes.", "I look."] and json.loads(parts[2]) == {"path": "ü"}
    last = events[-2]
    assert last["delta"] == {"stop_reason": "tool_use", "stop_sequence": None}
    assert last["usage"]["input_tokens"] == start["usage"]["input_tokens"]
    assert last["usage"]["output_tokens"] > 20


def test_thoughts_are_blocks_and_come_back_as_they_were_written(serve, client_of):
    engine = servers.tiny_engine()
    server = serve(engine, budget=400)
    client = client_of(server)
    with servers.speak(engine, "<think>\nIt rains.\n</think>\n\nYes."):
        answer = ask(client, FIRST, max_tokens=99, thinking={"type": "adaptive"})
    thought, text = answer.content
    assert (thought.thinking, text.text) == ("It rains.", "Yes.")
    assert answer.stop_reason == "end_turn"
    more = [*FIRST, {"role": "assistant", "content": answer.content}, servers.NEXT]
    again = ask(client, more)
    assert again.session["changed_at"] is None
    with servers.speak(engine, "<think>It goes on"):
        cut = ask(client, FIRST, max_tokens=12, thinking={"type": "enabled", "budget_tokens": 2000})
    assert [block.type for block in cut.content] == ["thinking"]
    with servers.speak(engine, "<think>a</think>b"):
        hidden = ask(
            client, FIRST, max_tokens=99, thinking={"type": "adaptive", "display": "omitted"}
        )
    assert [block.type for block in hidden.content] == ["text"]
    with servers.speak(engine, "<thin> b"):
        plain = ask(client, FIRST, max_tokens=99)
    assert [block.text for block in plain.content] == ["<thin> b"]


def test_a_template_is_told_whether_to_think(serve, client_of):
    client = client_of(serve(servers.tiny_engine("thoughts"), budget=400))

    def count(**options):
        return client.messages.count_tokens(model="tiny", messages=FIRST, **options).input_tokens

    plain = count()
    assert count(thinking={"type": "adaptive"}) == plain
    assert count(thinking={"type": "disabled"}) > plain


def test_stop_sequences_and_the_begin_of_an_answer(serve, client_of):
    engine = servers.tiny_engine()
    client = client_of(serve(engine))
    with servers.speak(engine, "One, two, three, four."):
        answer = ask(client, FIRST, max_tokens=30, stop_sequences=["zz", ", thr", "a", "b", "c"])
    assert answer.content[0].text == "One, two"
    assert (answer.stop_reason, answer.stop_sequence) == ("stop_sequence", ", thr")
    begun = [*FIRST, {"role": "assistant", "content": "It is"}]
    with servers.speak(engine, " late."):
        answer = ask(client, begun, max_tokens=30)
    assert (answer.content[0].text, answer.stop_reason) == (" late.", "end_turn")
    first = client.messages.count_tokens(model="tiny", messages=FIRST).input_tokens
    assert answer.usage.input_tokens + answer.usage.cache_read_input_tokens == first + len("It is")
    with pytest.raises(anthropic.BadRequestError, match="white space"):
        ask(client, [*FIRST, {"role": "assistant", "content": "It is "}])


def test_choices_of_tools(serve, client_of):
    engine = servers.tiny_engine("tools")
    client = client_of(serve(engine, budget=400))
    for choice in ({"type": "any"}, {"type": "tool", "name": "read"}):
        with servers.speak(engine, CALL):
            answer = ask(client, FIRST, tools=[TOOL], tool_choice=choice, max_tokens=90)
        (call,) = answer.content
        assert (call.type, call.name, call.input) == ("tool_use", "read", {"path": "ü"})
    count = client.messages.count_tokens
    options = dict(model="tiny", messages=FIRST)
    none = count(**options, tools=[TOOL], tool_choice={"type": "none"})
    assert none.input_tokens == count(**options).input_tokens
    assert count(**options, tools=[TOOL]).input_tokens > none.input_tokens


def test_what_claude_code_sends(serve, client_of):
    """Its billing line changes and is left out; tools of other kinds are, too, and that is told."""
    server = serve(servers.tiny_engine("tools"), budget=400)
    client = client_of(server)
    system = [{"type": "text", "text": text} for text in ("", "You are an agent.", SYSTEM)]
    cached = {"cache_control": {"type": "ephemeral"}}
    options = dict(
        tools=[TOOL, {"type": "web_search_20250305", "name": "web_search"}],
        thinking={"type": "adaptive"},
        output_config={"effort": "high"},
        metadata={"user_id": "one"},
    )
    note = {"role": "system", "content": "Agents: none."}
    chat = [{"role": "user", "content": [{"type": "text", "text": "It rained. " * 9, **cached}]}]
    reads = []
    for number in range(2):
        billing = f"x-anthropic-billing-header: cc_version=2.1.0df; cch={number}1a2b;"
        system[0] = {"type": "text", "text": billing}
        edits = {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]}
        answer = client.messages.with_raw_response.create(
            messages=[*chat, note],
            system=system,
            **{**GREEDY, **options},
            extra_body={"context_management": edits, "temperature": 0},
            extra_query={"beta": "true"},
        )
        assert answer.headers["X-Left-Out"] == "tools.1 is no function"
        reads.append(answer.parse().usage)
    assert reads[1].cache_read_input_tokens > 0.9 * reads[0].input_tokens


def test_errors_have_anthropics_form(serve, client_of):
    server = serve(access=servers.Access(servers.ApiKeys.of("s3cret")))
    url = f"{server.url}/v1/messages"
    with pytest.raises(anthropic.AuthenticationError, match="x-api-key"):
        ask(client_of(server), FIRST)
    assert ask(client_of(server, api_key="s3cret"), FIRST).content
    bearer = client_of(server, api_key=None, auth_token="s3cret")
    assert [model.id for model in bearer.models.list()] == ["tiny"]
    assert bearer.models.retrieve("tiny").type == "model"
    assert ask(bearer, FIRST, model="claude").model == "tiny"
    with pytest.raises(anthropic.NotFoundError, match="only model here is 'tiny'"):
        bearer.models.retrieve("claude")
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ"}}
    with pytest.raises(anthropic.BadRequestError, match=r"messages.0.content.0: no image, docu"):
        ask(bearer, [{"role": "user", "content": [image]}])
    for options in (
        {"output_config": {"format": {"type": "json_schema"}}},
        {"extra_body": {"mcp_servers": [{"type": "url"}]}},
        {"extra_body": {"grammar": "root"}},
        {"max_tokens": 0},
        {"tool_choice": {"type": "any"}},
    ):
        with pytest.raises(anthropic.BadRequestError) as refused:
            bearer.messages.create(messages=FIRST, **{**GREEDY, **options})
        assert refused.value.body["error"]["type"] == "invalid_request_error"
    long = [{"role": "user", "content": "a" * 5000}]
    with pytest.raises(
        anthropic.BadRequestError, match=r"prompt is too long: \d+ tokens > \d+ pos"
    ):
        ask(bearer, long)
    key = {"x-api-key": "s3cret"}
    sent = servers.httpx.post(url, content="x" * 9, headers={**servers.JSON, **key})
    assert sent.json()["error"]["message"] == "the body is no JSON"


def test_a_stream_that_fails_ends_with_an_error(serve, client_of, monkeypatch):
    server = serve(servers.tiny_engine())

    def fail(*given):
        raise ValueError(servers.VALUE)

    monkeypatch.setattr(server.service.sessions, "finish", fail)
    with pytest.raises(anthropic.APIStatusError, match="its log says where") as failed:
        list(ask(client_of(server), FIRST, stream=True))
    assert servers.VALUE not in str(failed.value)
    assert failed.value.body["error"]["type"] == "api_error"


def test_top_k_and_fields_of_ours(serve, client_of):
    server = serve()
    client = client_of(server)
    greedy = ask(client, FIRST, retention={"budget": 48}, session="mine")
    assert greedy.session["id"] == "mine" and server.session("mine")["budget"] == 48
    same = ask(client, FIRST, temperature=1.5, top_k=1, retention={"budget": 48})
    assert same.content[0].text == greedy.content[0].text
