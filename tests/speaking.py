"""Real clients at a server whose model says what a test has written for it.

It says that in tokens of its own, under a grammar that leaves it one text: what a client sends is
read, held under K and saved as ever, and neither the machine's speed nor a model's skill decides.
"""

import json
from dataclasses import replace

import pytest

import coding_agents
from chat_templates import chat_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.engines.grammar import compiled, literal
from transactional_attention.engines.transformers.sessions import (
    TransformersEngine,
    TransformersSession,
)

ORDER = "ORD-58213"
TASK = f"The order id is: {ORDER}. Read one.txt, two.txt and three.txt, then tell me the order id."
FILES = coding_agents.FILES
DONE = f"The order id is {ORDER}."
RESULT = "<tool_response>"  # what the template writes before each result of a tool
K = 1024  # of the tokens of the tiny model, which are bytes


def start(serve):
    """A server with room for the long prompts of agents: a token is a byte."""
    tokenizer = chat_tokenizer("tools")
    model = tiny_llama(1, vocab_size=len(tokenizer), max_position_embeddings=1 << 20)
    engine = TransformersEngine("tiny", model, tokenizer, chunk=2048)
    return serve(engine, budget=K, pinned=("system",))


def call(name, **arguments):
    """A call as the model writes it."""
    given = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>\n{given}\n</tool_call>"


def task(read):
    """What is said to ``TASK``: a call for each file, as ``read`` makes it of a name, then the
    answer. To all else, a title or a question whether a topic is new: a word."""

    def reply(text):
        if TASK not in text:
            return "Shelves"
        done = text.count(RESULT)
        return DONE if done >= len(FILES) else read(list(FILES)[done])

    return reply


def speak(monkeypatch, reply):
    """Let every model say ``reply`` of what it has read."""
    steps = TransformersSession.steps

    def spoken(self, prompt, sampling):
        tokenizer = self.chat.tokenizer
        ends = frozenset([tokenizer.eos_token_id])
        answer = reply(tokenizer.decode(prompt.ids))
        rule = compiled(tokenizer, ends, f"start: {literal(tokenizer, ends, answer)}")
        return steps(self, prompt, replace(sampling, grammar=rule))

    monkeypatch.setattr(TransformersSession, "steps", spoken)


def program(*names):
    """The path of a client's program; skips where it is not installed."""
    return existing(coding_agents.HOME.joinpath(*names))


def existing(path):
    """The same of a path."""
    if not path.exists():
        pytest.skip(f"needs {path.name}: .ci/clients installs it where it can be had")
    return path.absolute()


def run(folder, *command, env):
    """What a client prints that works in a folder with ``FILES``, at home in another one."""
    done = coding_agents.run(folder, *command, env=env)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def ask(folder, agent_at, url, *questions):
    """What a coding agent prints last that is given questions, one after the other."""
    home, _ = coding_agents.settle(folder)
    agent = agent_at(url, home)
    path = existing(agent.program)
    if agent.setup:
        run(folder, path, *agent.setup, env=agent.environment)
    before = agent.ask
    for question in questions:
        printed = run(folder, path, *before, question, env=agent.environment)
        before = agent.go_on
    return printed


def check_task(server):
    """One session has answered all four turns, within K, and holds what the first one stated."""
    records = list(server.service.sessions.records())
    (record,) = [r for r in records if len(r.history) > len(FILES)]
    shown = server.session(record.id, reveal=True)
    assert shown["live"] <= K + shown["pinned"]
    held = [value["held"] for value in shown["values"] if value["text"] == ORDER]
    assert held and any(held)
