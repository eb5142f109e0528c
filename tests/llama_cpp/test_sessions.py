"""A session of an agent, played on both engines: the same tokens are held at every call."""

from dataclasses import replace

import pytest

from chat_templates import READ, chat_tokenizer
from llama_cpp_chats import IDLE, LINES
from scenes import VALUES
from ta_lab.sessions.calls import calls_of
from ta_lab.sessions.compared import compared
from ta_lab.sessions.files import AgentSession
from ta_lab.sessions.playing import Arm, play
from transactional_attention.config import Memory
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.retention.swap import memory_of
from transactional_attention.types import QUESTION

CHUNK, PATH = 64, "/srv/gates.txt"


def called(name, **arguments):
    call = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


MESSAGES = [
    {"role": "system", "content": "You may call tools."},
    {"role": "user", "content": f"The file is {PATH}. {IDLE * 6}Read it."},
    called("read", path=PATH),
    {"role": "tool", "content": f"{LINES}{IDLE * 8}"},
    {"role": "assistant", "content": "I have read it."},
    {"role": "user", "content": f"{IDLE * 5}Open the gate with the gate code."},
    called("open", code=VALUES["gate code"]),
    {"role": "tool", "content": f"It is open. {IDLE * 4}"},
    {"role": "user", "content": "Which was the wifi password? Write it down."},
    called("note", text=VALUES["wifi password"]),
]


class Whole:
    """An engine whose memory keeps rows as they are."""

    def __init__(self, engine, made):
        self.engine, self.made = engine, made

    def session(self, retention):
        if retention.memory:
            retention = replace(retention, memory=Memory(storage=None))
        session = self.engine.session(retention)
        self.made += [session] * bool(retention.memory)
        return session


@pytest.mark.parametrize("memory", [True, False])
def test_the_same_tokens_are_held_at_every_call(pair, memory):
    tokenizer, arm = chat_tokenizer("tools"), Arm("ta", 192, memory=memory)
    calls = list(calls_of(AgentSession("s", MESSAGES, [READ]), tokenizer, frozenset()))
    assert len(calls) == 3
    given = arm.retention(calls[0].pinned, "strict")
    options = {"chunk": CHUNK, "checkpoints": 0}
    ours = LlamaEngine("tiny", pair[1], tokenizer, given, cell_type="f32", threads=1, **options)
    theirs = TransformersEngine("tiny", pair[0], tokenizer, **options)
    records, made = [], []
    for engine in (ours, theirs):
        records.append([])
        for call, outcome in play(arm, Whole(engine, made), calls, "strict"):
            where = {"session": "s", "message": call.number, "place": outcome.argument.tokens.start}
            about = {"method": "ta", "memory": memory, "budget": 192}
            fields = {"held": outcome.held, "kept": outcome.kept, "argument": outcome.argument.name}
            records[-1].append({**where, **about, **fields})
    (row,) = compared(*records)
    assert row["same"] == row["calls"] == 3 and row["alike"] == row["arguments"]
    assert len({argument["kept"] for argument in records[0]}) == 3
    assert bool(made) == memory
    for session in made:  # words asked for what had left, and it came back
        assert QUESTION in {
            asked.by for asked in memory_of(session.flow.sequences[0]).asked.values()
        }
