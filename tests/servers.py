"""Servers of tiny models on a free loopback port, the official client, and chats to send."""

import contextlib
import os
import random
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

REASON = "needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
httpx, openai, uvicorn, *_ = (
    pytest.importorskip(name, reason=REASON)
    for name in ("httpx2", "openai", "uvicorn", "fastapi", "prometheus_client")
)

from chat_templates import chat_tokenizer
from teacher_forced import tiny_llama
from transactional_attention import Retention
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.server import index as index
from transactional_attention.server.app import Access as Access
from transactional_attention.server.app import Service, create_app
from transactional_attention.server.connections import Limits, http_config
from transactional_attention.server.keys import ApiKeys as ApiKeys
from transactional_attention.server.sessions import Bounds as Bounds
from transactional_attention.server.sessions import Sessions
from transactional_attention.server.worker import Line as Line

VALUE = "QX7K2M9P"
SYSTEM = {"role": "system", "content": f"Be brief. The door code is {VALUE}."}
FIRST = [SYSTEM, {"role": "user", "content": "It rained all day. " * 6}]
NEXT = {"role": "user", "content": "What is the door code?"}
MALFORMED = tomllib.loads((Path(__file__).parent / "server" / "malformed.toml").read_text())["body"]
JSON = {"Content-Type": "application/json"}
GREEDY = {"model": "tiny", "temperature": 0, "max_tokens": 8}
ENDLESS = {"max_tokens": 3000, "logit_bias": {"2": -100}}  # its end never comes
LETTERS = {str(3 + byte): 100 for byte in range(64, 90)}  # a bias to tokens of bytes that are text


def tiny_engine(template="chatml", checkpoints=2, chunk=64, tokenizer=None):
    """An engine of a random model over bytes."""
    tokenizer = tokenizer or chat_tokenizer(template)
    model = tiny_llama(vocab_size=len(tokenizer))
    return TransformersEngine("tiny", model, tokenizer, chunk=chunk, checkpoints=checkpoints)


def speak(engine, text):
    """Let the model say ``text`` and its end, whatever it would have said."""
    return speak_ids(engine, engine.tokenizer(text, add_special_tokens=False)["input_ids"])


def speak_ids(engine, ids):
    """The same in tokens."""
    waiting = iter([*ids, *engine.end_ids])

    def force(module, given, logits):
        logits[..., next(waiting)] += 1e6
        return logits

    return engine.model.lm_head.register_forward_hook(force)


class Running:
    """A server, its address and its parts."""

    def __init__(self, engine, folder, bounds, line, access, connections=64, **retention):
        default = Retention(**{"budget": 96, **retention})
        self.engine, self.access, self.clients = engine, access, []
        self.service = Service(engine, Sessions(engine, bounds, folder), default, line, access)
        limits = Limits(connections, access.arrival)
        config = http_config(create_app(self.service), limits, "127.0.0.1", 0)
        socket = config.bind_socket()
        self.url = f"http://127.0.0.1:{socket.getsockname()[1]}"
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [socket]})
        self.thread.start()
        until(lambda: self.server.started)

    def client(self, key="none", **options):
        """The official client."""
        url = f"{self.url}/v1"
        self.clients.append(openai.OpenAI(base_url=url, api_key=key, max_retries=0, **options))
        return self.clients[-1]

    def session(self, id_, reveal=False):
        """What the page gets to know of a session."""
        return httpx.get(f"{self.url}/v1/sessions/{id_}", params={"reveal": reveal}).json()

    def stop(self):
        """End it as a signal would."""
        for client in self.clients:
            client.close()
        self.server.should_exit = True
        self.thread.join()


def ask(client, messages, **options):
    """A greedy answer of a few tokens."""
    ours = ("session", "retention", "append")
    extra = {name: options.pop(name) for name in ours if name in options}
    return client.chat.completions.create(
        messages=messages, **{**GREEDY, **options}, extra_body=extra
    )


def said(answer):
    """The text of an answer to a chat."""
    return answer.choices[0].message.content


def streamed(client, messages, **options):
    """The same as a stream: its text, and its chunks."""
    chunks = list(ask(client, messages, stream=True, **options))
    parts = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    return "".join(parts), chunks


def malformed_body(case, chat, word):
    """The bytes of a body of ``MALFORMED``: fields of a good ``chat``, a secret ``word``."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    text = case["repeat"] * case["times"] if "repeat" in case else case["body"]
    return text.replace("CHAT", chat).replace("WORD", word).encode()


def check_crowd(server, alone, clients=8, requests=200):
    """n clients at once, each with a chat of its own, every second answer as a stream.

    Nothing is lost, memory stays in its bounds, and answers are those of a server ``alone``."""
    most = []

    def talk(number):
        client, chat, ids, reads = server.client(), [], set(), []
        for turn in range(requests // clients):
            chat.append({"role": "user", "content": f"{number}: note {turn}."})
            if turn % 2:
                text, chunks = streamed(client, chat, max_tokens=2)
                session = next(c.session for c in chunks if getattr(c, "session", None))
            else:
                answer = ask(client, chat, max_tokens=2)
                text, session = said(answer), answer.session
            ids.add(session["id"])
            reads.append(session["kept"])
            chat.append({"role": "assistant", "content": text})
            most.append(len(server.service.sessions.live))
        return ids, reads, chat

    with ThreadPoolExecutor(clients) as pool:
        done = list(pool.map(talk, range(clients)))
    assert all(len(ids) == 1 for ids, _, _ in done)
    assert len(set.union(*(ids for ids, _, _ in done))) == clients
    for _, reads, _ in done:
        assert reads[0] == 0 and reads[1:] == sorted(set(reads[1:])) and reads[1] > 0
    service = server.service
    assert max(most) <= service.sessions.bounds.live + service.worker.line.running
    histories = [record.history for record in service.sessions.records()]
    assert [len(history) for history in histories] == [requests // clients] * clients
    points = [point for history in histories for point in history]
    assert max(live for _, live, _, _ in points) == service.worker.default.budget
    assert len({stored for tokens, _, stored, _ in points if tokens > 200}) == 1
    chat = done[3][2]
    assert said(ask(alone.client(), chat[:1], max_tokens=2)) == chat[1]["content"]


def check_leaving(server, seed, requests=64):
    """Eight clients at once, of whom most leave: before the turn begins, while it reads, between
    two pieces, or at the end; in sessions of their own, shared ones, and without a name.

    Who stays is answered; in the end nothing waits, runs or is held, and the next is answered."""
    url, rng = f"{server.url}/v1/chat/completions", random.Random(seed)

    def plan(number):
        stage = rng.choice(("line", "line", "reading", "stream", "stay"))
        session = rng.choice((None, "x", "y", "z", f"own-{number}"))
        text = f"It rained. {'We walked. ' * rng.randint(0, 40)}"
        return stage, session, text, rng.uniform(0.001, 0.3), rng.randint(1, 12)

    def visit(planned):
        stage, session, text, seconds, pieces = planned
        body = {**GREEDY, "messages": [{"role": "user", "content": text}], "session": session}
        if stage == "stay":
            return httpx.post(url, json=body, timeout=120).status_code
        leaves = httpx.Timeout(120, read=seconds if stage in ("line", "reading") else 120)
        body |= {"stream": stage != "line", "max_tokens": 40}
        with (
            contextlib.suppress(httpx.TimeoutException),
            httpx.stream("POST", url, json=body, timeout=leaves) as answer,
        ):
            for _, _line in zip(range(pieces), answer.iter_lines(), strict=False):
                pass
        return None

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(visit, [plan(number) for number in range(requests)]))
    assert {status for status in statuses if status is not None} == {200}
    settle(server)
    assert ask(server.client(), FIRST, session="x").choices
    assert httpx.get(f"{server.url}/health").json()["status"] == "ok"


def until(true, seconds=60):
    """Wait until it is."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def settle(server):
    """Wait until no turn waits or runs; then no session is held."""
    until(lambda: server.service.worker.counts() == (0, 0))
    assert not server.service.sessions.busy


@contextlib.contextmanager
def served(*options, descriptors=1024, without=()):
    """``ta serve`` in a process of its own, and a client; both end with the block. ``without``:
    packages that are not there."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({without!r})); "
    command = f"{blocked}from transactional_attention.cli import main; main()"
    arguments = ["serve", "--port", "0", "--no-access-log", *options]  # nobody reads the lines
    shell = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [*shell, sys.executable, "-c", command, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            line = process.stderr.readline()
            assert " at http://" in line, line
            url = line.split()[2].rstrip(",")
            with openai.OpenAI(base_url=url, api_key="x", max_retries=0) as client:
                yield process, client
        finally:
            process.kill()
