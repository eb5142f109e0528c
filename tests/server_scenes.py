"""Chats that tests of the server send."""

VALUE = "QX7K2M9P"
SYSTEM = {"role": "system", "content": f"Be brief. The door code is {VALUE}."}
FIRST = [SYSTEM, {"role": "user", "content": "It rained all day. " * 6}]
NEXT = {"role": "user", "content": "What is the door code?"}
GREEDY = {"model": "tiny", "temperature": 0, "max_tokens": 8}


def ask(client, messages, **options):
    """A greedy answer of a few tokens."""
    extra = {name: options.pop(name) for name in ("session", "retention") if name in options}
    return client.chat.completions.create(
        messages=messages, **{**GREEDY, **options}, extra_body=extra
    )


def streamed(client, messages, **options):
    """The same as a stream: its text, and its chunks."""
    chunks = list(ask(client, messages, stream=True, **options))
    parts = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    return "".join(parts), chunks
