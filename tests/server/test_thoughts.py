"""Thoughts of an answer: parted from what is said in every interface, and taken back."""

import pytest

import servers
from call_families import marked_tokenizer

CHAT = [{"role": "user", "content": "Does it rain?"}]
SAID = {
    "thoughts": "<think>\nHm.\n\nYes.\n</think>\n\nIt rains.",
    "calls-harmony": "<|channel|>analysis<|message|>Hm.\n\nYes.<|end|><|start|>assistant"
    "<|channel|>final<|message|>It rains.",
}


def engine_of(template):
    """An engine whose model has a template that knows thoughts."""
    if template == "thoughts":
        return servers.tiny_engine(template)
    return servers.tiny_engine(tokenizer=marked_tokenizer(template))


@pytest.mark.parametrize("template", SAID)
def test_a_thought_of_a_chat_is_its_reasoning_content(serve, template):
    engine = engine_of(template)
    client = serve(engine, budget=400).client()
    with servers.speak(engine, SAID[template]):
        message = servers.ask(client, CHAT, max_tokens=99).choices[0].message
    assert (message.content, message.reasoning_content) == ("It rains.", "Hm.\n\nYes.")
    with servers.speak(engine, SAID[template]):
        text, chunks = servers.streamed(client, CHAT, max_tokens=99)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    thought = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)
    assert (text, thought) == ("It rains.", "Hm.\n\nYes.")
    with servers.speak(engine, SAID[template]):
        cut = servers.ask(client, CHAT, max_tokens=11).choices[0]
    assert (cut.message.content, cut.finish_reason) == ("", "length")


@pytest.mark.parametrize("template", SAID)
def test_tokens_of_a_thought_are_counted(serve, template):
    """With the marks before and after it."""
    engine = engine_of(template)
    server = serve(engine, budget=400)
    client, options = server.client(), dict(model="tiny", input=CHAT, max_output_tokens=99)
    begin, end = ("<think>", "</think>") if template == "thoughts" else ("<|message|>", "<|end|>")
    thought = f"{begin}{SAID[template].partition(begin)[2].partition(end)[0]}{end}"
    expected = len(engine.tokenizer(thought, add_special_tokens=False)["input_ids"])
    with servers.speak(engine, SAID[template]):
        usage = servers.ask(client, CHAT, max_tokens=99).usage
    assert usage.completion_tokens_details.reasoning_tokens == expected > 9
    with servers.speak(engine, SAID[template]):
        _, chunks = servers.streamed(
            client, CHAT, max_tokens=99, stream_options={"include_usage": True}
        )
    assert chunks[-1].usage.completion_tokens_details.reasoning_tokens == expected
    with servers.speak(engine, SAID[template]):
        usage = client.responses.create(**options).usage
    assert usage.output_tokens_details.reasoning_tokens == expected
    with servers.speak(engine, SAID[template]):
        body = {"model": "tiny", "messages": CHAT, "max_tokens": 99}
        counts = servers.httpx.post(f"{server.url}/v1/messages", json=body).json()["usage"]
    assert counts["output_tokens_details"] == {"thinking_tokens": expected}
    with servers.speak(
        engine, SAID[template].rpartition(end)[2].removeprefix("<|start|>assistant")
    ):
        usage = servers.ask(client, CHAT, max_tokens=99).usage
    assert usage.completion_tokens_details.reasoning_tokens == 0


@pytest.mark.parametrize("template", SAID)
def test_a_thought_of_a_response_is_an_item(serve, template):
    engine = engine_of(template)
    client = serve(engine, budget=400).client()
    options = dict(model="tiny", temperature=0, max_output_tokens=99)
    with servers.speak(engine, SAID[template]):
        whole = client.responses.create(input=CHAT, **options)
    assert [item.type for item in whole.output] == ["reasoning", "message"]
    assert whole.output[0].content[0].text == "Hm.\n\nYes." and whole.output_text == "It rains."
    with (
        servers.speak(engine, SAID[template]),
        client.responses.create(input=CHAT, stream=True, **options) as stream,
    ):
        events = list(stream)
    kinds = [event.type for event in events]
    added = [event.output_index for event in events if event.type == "response.output_item.added"]
    thought = [e.delta for e in events if e.type == "response.reasoning_text.delta"]
    assert ("".join(thought), added) == ("Hm.\n\nYes.", [0, 1])
    assert kinds.count("response.output_item.done") == 2 and kinds[-1] == "response.completed"
    sent = [*CHAT, *(item.to_dict() for item in whole.output), servers.NEXT]
    items = client.responses.create(input=sent, **options | {"max_output_tokens": 2})
    message = {"role": "assistant", "content": "It rains.", "reasoning_content": "Hm.\n\nYes."}
    chat = servers.ask(client, [*CHAT, message, servers.NEXT], max_tokens=2)
    assert items.usage.input_tokens == chat.usage.prompt_tokens
    hidden = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}
    plain = client.responses.create(input=[*CHAT, hidden], **options | {"max_output_tokens": 2})
    assert plain.usage.input_tokens == whole.usage.input_tokens
