"""What the model generated for a call is what the next turn's prompt holds: it is read once."""

import json

import pytest

import servers
from call_families import CALLS, DRAFTED, ENDS, FAMILIES, LISTS, READ, marked_tokenizer

CHAT = [{"role": "user", "content": "Read it."}]
SPACED = '{ "line":5,"path" : "a b.txt"}'  # as no template writes it


def said(name, arguments=SPACED):
    """A call as a model might write it, in its own spacing."""
    text = CALLS[name][0]
    if name == "calls-xml":
        text = text.replace("</function>\n", "</function> \n")
    if name.startswith("calls-python"):
        text = text.replace(", line=5", ",line = 5")
    if name == "calls-mistral":
        text = text.replace("}]", ', "id":"Read00001"} ]')
    return DRAFTED.get(name, "").replace("%s", "It thinks.") + text.replace("%s", arguments)


def again(message, output="The end."):
    """The next turn: a message as the client got it, and what the tool gave."""
    call = message.tool_calls[0]
    kept = {k: v for k, v in message.to_dict().items() if k != "reasoning_content"}
    return [*CHAT, kept, {"role": "tool", "tool_call_id": call.id, "content": output}]


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"calls-fenced"}))  # it ends otherwise
def test_the_next_turn_has_read_the_call(serve, name, tmp_path):
    engine = servers.tiny_engine(tokenizer=marked_tokenizer(name), chunk=512)
    engine.end_ids |= set(engine.tokenizer.convert_tokens_to_ids(ENDS.get(name, "").split()))
    server = serve(engine, tmp_path, budget=900)
    client, text = server.client(), said(name)
    with servers.speak(engine, text):
        first = servers.ask(client, CHAT, tools=[READ], max_tokens=400)
    more = again(first.choices[0].message)
    second = servers.ask(client, more, tools=[READ], max_tokens=2)
    read = first.usage.prompt_tokens + first.usage.completion_tokens - 1  # without its end
    assert second.session["id"] == first.session["id"]
    assert second.usage.prompt_tokens_details.cached_tokens >= read - 1
    assert second.session["changed_at"] is None
    server.stop()
    client = serve(engine, tmp_path, budget=900).client()  # and after a restart
    third = servers.ask(client, more, tools=[READ], max_tokens=2)
    assert third.usage.prompt_tokens_details.cached_tokens >= read - 1
    other = json.loads(json.dumps(more).replace("a b.txt", "secret.txt"))
    edited = servers.ask(client, other, tools=[READ], max_tokens=2)  # a call of the client's own
    assert edited.usage.prompt_tokens_details.cached_tokens < read - 1


@pytest.mark.parametrize("name", ["tools", "calls-actions"])  # the latter writes no text there
def test_text_and_two_calls_stay_as_they_were(serve, name):
    engine = servers.tiny_engine(tokenizer=marked_tokenizer(name), chunk=512)
    client = serve(engine, budget=900).client()
    calls = LISTS[name].replace("%s", SPACED) if name in LISTS else said(name) * 2
    text = f"I look.\n\n{calls}"
    with servers.speak(engine, text):
        first = servers.ask(client, CHAT, tools=[READ], max_tokens=400)
    message = first.choices[0].message
    assert message.content == "I look."
    more = again(message)
    more.append({**more[-1], "tool_call_id": message.tool_calls[1].id})
    second = servers.ask(client, more, tools=[READ], max_tokens=2)
    read = first.usage.prompt_tokens + first.usage.completion_tokens - 2
    assert second.usage.prompt_tokens_details.cached_tokens >= read


def test_a_reply_that_cannot_be_put_back_leaves_the_others(serve):
    """The model says something behind its call, and the template writes texts before calls."""
    engine = servers.tiny_engine("tools", chunk=512)
    client = serve(engine, budget=900).client()
    with servers.speak(engine, said("tools")):
        first = servers.ask(client, CHAT, tools=[READ], max_tokens=400)
    chat = again(first.choices[0].message)
    with servers.speak(engine, said("tools") + "So I do."):
        second = servers.ask(client, chat, tools=[READ], max_tokens=400)
    assert second.choices[0].message.content == "So I do."
    chat += again(second.choices[0].message)[1:]
    third = servers.ask(client, chat, tools=[READ], max_tokens=2)
    assert third.session["changed_at"] >= second.usage.prompt_tokens - 1


def stored(folder):
    """All that the server has on the disk, beginnings included."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def test_what_is_forgotten_is_gone(serve, tmp_path):
    engine = servers.tiny_engine("tools", chunk=512)
    server = serve(engine, tmp_path, budget=900)
    with servers.speak(engine, said("tools", '{"path": "QX7K2M9P"}')):
        first = servers.ask(server.client(), CHAT, tools=[READ], max_tokens=400)
    assert any(servers.VALUE.encode() in data for data in stored(tmp_path))
    servers.httpx.delete(f"{server.url}/v1/sessions/{first.session['id']}").raise_for_status()
    assert not any(servers.VALUE.encode() in data for data in stored(tmp_path))


def test_tokens_stay_as_they_were_generated(serve):
    """A text can be written in several ways: here a mark as one token, and by its letters."""
    tokenizer = marked_tokenizer("tools")
    tokenizer.add_tokens(["</tool_call>"])
    engine = servers.tiny_engine(tokenizer=tokenizer, chunk=512)
    client = serve(engine, budget=900).client()
    text, mark = said("tools"), "</tool_call>"
    letters = tokenizer.convert_tokens_to_ids(list(mark))
    ids = tokenizer(text.removesuffix(mark), add_special_tokens=False)["input_ids"] + letters
    with servers.speak_ids(engine, ids):
        first = servers.ask(client, CHAT, tools=[READ], max_tokens=400)
    assert first.usage.completion_tokens == len(ids) + 1
    more = again(first.choices[0].message)
    second = servers.ask(client, more, tools=[READ], max_tokens=2)
    read = first.usage.prompt_tokens + len(ids)
    assert second.usage.prompt_tokens_details.cached_tokens >= read - 1
    quoted = [{"role": "user", "content": f"{text} and {text}"}]
    with servers.speak_ids(engine, ids):
        first = servers.ask(client, quoted, tools=[READ], max_tokens=400)
    second = servers.ask(
        client, [*quoted, *again(first.choices[0].message)[1:]], tools=[READ], max_tokens=2
    )
    read = first.usage.prompt_tokens + len(ids)
    assert second.usage.prompt_tokens_details.cached_tokens >= read - 1
