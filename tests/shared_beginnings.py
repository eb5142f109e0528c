"""Chats that begin alike, on a server that shares what they begin with and on one that reads all
anew: whatever an engine is, nobody can tell the two apart but by what was not read."""

import servers

WALK = "We walked along the river. "
CODES = "".join(f"The {place} code is QX7K{n}M9P. " for n, place in enumerate(("door", "gate")))
SYSTEM = {"role": "system", "content": f"Be brief. {CODES}{WALK * 6}The api_key: ZK48-QX7Q."}
CHATS = [
    [SYSTEM, {"role": "user", "content": f"{n}. {WALK * (2 + n)}What is the gate code?"}]
    for n in range(3)
]
HISTORY = [*CHATS[0], {"role": "assistant", "content": "QX7K1M9P"}]
LASTS = [[*HISTORY, {"role": "user", "content": f"{WALK * 5}My pin: 99{n}31."}] for n in range(3)]
TURN = {"role": "user", "content": "Thanks. And what is the api_key?"}
OFF = servers.Bounds(beginnings=0)
BITS = dict(logprobs=True, logit_bias=servers.LETTERS, max_tokens=6)
RETENTIONS = [
    {"budget": 128, "memory": True, "pinned": ("system",)},
    {"budget": 128, "memory": True},
    {"pinned": ("system",)},
    {"ledger": "on-top", "pinned": ("system",)},
    {"positions": "compact"},
]


def turn(server, chat, **options):
    """A turn, whose answer the chat then has: tokens that were not read, and all that shows what
    was read: its text, the numbers of its tokens, and what the session holds."""
    answer = servers.ask(server.client(), chat, **BITS, **options)
    shown = server.session(answer.session["id"], reveal=True)
    chat.append({"role": "assistant", "content": servers.said(answer)})
    numbers = [entry.logprob for entry in answer.choices[0].logprobs.content]
    record = [servers.said(answer), numbers, shown["runs"], shown["live"], shown["values"]]
    return answer.usage.prompt_tokens_details.cached_tokens, record


def talk(server, chats, *, named=False):
    """All chats, one after the other, each of two turns; of each the tokens that were not read at
    its begin, and what ``turn`` shows. ``named``: sessions by name, which no history finds."""
    kept, records = [], []
    for number, chat in enumerate(chats):
        chat, options = list(chat), {"session": f"chat-{number}"} if named else {}
        begun, first = turn(server, chat, **options)
        chat.append(TURN)
        _, second = turn(server, chat, **options)
        kept.append(begun)
        records.append([first, second])
    return kept, records


def check_as_read_anew(server, alone):
    """The system's message is read once, and what follows as after nothing that was kept."""
    kept, records = talk(server, CHATS)
    none, expected = talk(alone, CHATS)
    assert records == expected
    assert none == [0, 0, 0] and kept[0] == 0 and kept[1] == kept[2] > 200
    assert len(server.service.sessions.beginnings.known) == 1
    assert not alone.service.sessions.beginnings.known


def check_last_message(server, alone):
    """A history too, up to what differs in the last message."""
    kept, records = talk(server, LASTS, named=True)
    none, expected = talk(alone, LASTS, named=True)
    assert records == expected
    assert none == [0, 0, 0] and kept[0] == 0
    begun, _ = turn(server, list(CHATS[2]), session="another")
    assert kept[1] == kept[2] > begun + 60 > 260  # after the system's message alone


def check_restart(start, tmp_path):
    """By a server that finds the files of an earlier one; a damaged file is read anew."""
    expected = talk(start(None), CHATS)
    first = start(tmp_path)
    assert talk(first, CHATS[:1])[1] == expected[1][:1]
    first.stop()
    (path,) = (tmp_path / "beginnings").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    again = start(tmp_path)
    assert again.service.sessions.beginnings.num_bytes == path.stat().st_size
    kept, records = talk(again, CHATS[1:])
    assert records == expected[1][1:] and kept == expected[0][1:]
    again.stop()
    path.write_bytes(path.read_bytes()[:-50])
    third = start(tmp_path)
    chat = [SYSTEM, {"role": "user", "content": "What is the door code?"}]
    kept, shown = turn(third, list(chat))
    assert kept == 0 and shown == turn(start(None), list(chat))[1]
