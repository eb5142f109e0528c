"""A server under bad weather: python tests/soak.py ENGINE MODEL [--seconds 600] [--requests 2000].

Eight clients talk, call tools and ask for JSON over all three interfaces, leave, read slowly and
send what is no request, while the server is killed and started again; in the second half it is
left alone. Nothing acknowledged is lost, memory stays flat, and in the end nothing waits or runs.
Ends by itself; exit 1 says what was wrong.
"""

import argparse
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from servers import MALFORMED, httpx, malformed_body

CLIENTS, TURNS = 8, 6  # turns of a conversation, then another begins
BOUNDS = [
    *("--budget", "256", "--chunk", "64", "--max-sessions", "6", "--max-saved", "100"),
    *("--max-beginnings", str(32 << 20)),
]
SECRET = "QX7K2M9P"
HEADER = 16  # tokens before a reply: a session goes on from before them
TEMPLATE = (
    Path(__file__).parent / "templates" / "tools.jinja"
)  # none of the models' own takes tools
FORM = {
    "type": "object",
    "properties": {"city": {"enum": ["Oslo", "Rome"]}, "day": {"type": "boolean"}},
    "required": ["city", "day"],
    "additionalProperties": False,
}
TOOL = {"name": "look", "description": "Looks.", "parameters": FORM, "strict": True}
FUNCTION = {"type": "function", "function": TOOL}
SCHEMA = {"name": "form", "schema": FORM, "strict": True}
MANNERS = {  # of a turn in a conversation
    "text": {},
    "call": {"tool_choice": "required", "parallel_tool_calls": False, "max_tokens": 100},
    "schema": {
        "response_format": {"type": "json_schema", "json_schema": SCHEMA},
        "max_tokens": 100,
    },
}
WARM = 100  # requests of one life, after which a process has taken what it takes
GROWTH = 64 << 20  # bytes that it may take more at the end


class Wrong(Exception):  # noqa: N818  (what a soak is for)
    """What no weather explains."""


class Server:
    """``ta serve`` in a process of its own, at one port, on one folder."""

    def __init__(self, engine, model, folder):
        self.options = ["--engine", engine, "--model", model, "--sessions", str(folder / "s")]
        self.log, self.port = folder / "log", 0
        self.lives, self.up = 0, threading.Event()
        self.start()

    def start(self):
        """Begin a life; returns when it listens."""
        command = "from transactional_attention.cli import main; main()"
        arguments = [
            "serve",
            "--port",
            str(self.port),
            *BOUNDS,
            "--threads",
            "1",
            "--name",
            "soak",
            "--chat-template",
            str(TEMPLATE),
            *self.options,
        ]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", command, *arguments],
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        self.lives += 1
        for _ in range(6000):
            if self.process.poll() is not None:
                raise Wrong(f"life {self.lives} ended: {self.log.read_text()[-2000:]}")
            ports = re.findall(r"at http://127.0.0.1:(\d+)/v1", self.log.read_text())
            if len(ports) == self.lives:
                self.port = int(ports[-1])
                self.url = f"http://127.0.0.1:{self.port}"
                self.up.set()
                return
            time.sleep(0.1)
        self.process.kill()
        raise Wrong("the server does not listen after ten minutes")

    def kill(self):
        """End its life without warning, and begin the next."""
        self.up.clear()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.start()

    def memory(self):
        """Resident bytes of the process."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10

    def gauge(self, name):
        """A number of /metrics."""
        text = httpx.get(f"{self.url}/metrics", timeout=60).text
        return float(re.search(rf"^{name} (\S+)$", text, re.MULTILINE)[1])


class Client:
    """One client; ``steady`` ones never leave, so what they hear can be asked again."""

    def __init__(self, server, number, seed):
        self.server, self.number, self.rng = server, number, random.Random(f"{seed} {number}")
        self.steady, self.counts, self.talks = number < 2, Counter(), []
        self.begin()

    def begin(self):
        """Another conversation."""
        self.name, self.turns, self.read = f"c{self.number}-{len(self.talks)}", [], 0
        self.messages, self.response = [], None
        self.talks.append(self.turns)

    def body(self, messages, **more):
        """A greedy chat of few tokens."""
        return {"model": "soak", "messages": messages, "temperature": 0, "max_tokens": 4, **more}

    def post(self, body, path="chat/completions"):
        """A whole answer, or None when the server went away."""
        try:
            answer = httpx.post(f"{self.server.url}/v1/{path}", json=body, timeout=120)
        except httpx.TransportError:
            return None
        if answer.status_code in (429, 503):
            return None
        if answer.status_code != 200:
            raise Wrong(f"client {self.number}: {answer.status_code} {answer.text}")
        return answer.json()

    def act(self):
        """One request of any kind."""
        kinds = ["talk"]
        if not self.steady:
            kinds += ["talk", "leave", "slow", "malformed", "share", "message", "respond"]
        kind = self.rng.choice(kinds)
        self.server.up.wait(120)
        getattr(self, kind)()
        self.counts[kind] += 1

    def talk(self):
        """A turn, of any manner; what was acknowledged before must be there, if the client came to
        know of it."""
        if len(self.turns) >= TURNS:
            self.begin()
        rain = "It rained. " * self.rng.randint(0, 9)
        text = f"{len(self.turns)}: the door code is {SECRET}. {rain}"
        manner = self.rng.choice(list(MANNERS))
        if self.turn(text, manner) is None:
            self.counts["cut"] += 1
            return
        self.turns.append((text, manner, plain(self.messages[-1])))
        self.counts["acknowledged"] += 1
        self.counts[manner] += 1

    def turn(self, text, manner):
        """What is answered to a user's text, or to a call with that as its output; None when the
        server went away."""
        last_message = self.messages[-1] if self.messages else {}
        asked = {"role": "user", "content": text}
        if calls := last_message.get("tool_calls"):
            asked = {"role": "tool", "content": text, "tool_call_id": calls[0]["id"]}
        body = self.body([*self.messages, asked], tools=[FUNCTION], session=self.name)
        answer = self.post(body | MANNERS[manner])
        if answer is None:
            return None
        if answer["session"]["kept"] < self.read - HEADER:
            raise Wrong(f"{self.name} had read {self.read} tokens, and knew {answer['session']}")
        message, reason = answer["choices"][0]["message"], answer["choices"][0]["finish_reason"]
        if manner != "text" and reason != "length":
            calls = message.get("tool_calls")
            self.check(calls[0]["function"]["arguments"] if calls else message["content"])
            self.counts[f"whole {manner}"] += 1
        self.messages += [asked, message]
        self.read = answer["usage"]["prompt_tokens"]
        return message

    def share(self):
        """A turn of a session that others ask, too, or of none by name."""
        text = f"{self.rng.random()} " * 3
        self.post(
            self.body([{"role": "user", "content": text}], session=self.rng.choice(("all", None)))
        )

    def message(self):
        """A call over Anthropic's interface, and a turn with what the tool gave."""
        chat = [{"role": "user", "content": f"{self.rng.random()}: how is the weather?"}]
        tool = {"name": "look", "description": "Looks.", "input_schema": FORM, "strict": True}
        choice = {"type": "tool", "name": "look", "disable_parallel_tool_use": True}
        body = self.body(chat, tools=[tool], tool_choice=choice, max_tokens=100)
        answer = self.post(body, "messages")
        if answer is None or answer["stop_reason"] != "tool_use":
            return
        call = answer["content"][-1]
        self.check(json.dumps(call["input"]))
        self.counts["whole message"] += 1
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "Fog."}
        chat += [{"role": "assistant", "content": answer["content"]}]
        chat += [{"role": "user", "content": [result]}]
        if self.post(self.body(chat, tools=[tool]), "messages") is not None:
            self.counts["result"] += 1

    def respond(self):
        """A response that follows a schema, and the one that was acknowledged before."""
        format_ = {"type": "json_schema", **SCHEMA}
        body = {"model": "soak", "input": f"{self.rng.random()}: fill it in.", "temperature": 0}
        body |= {"max_output_tokens": 100, "text": {"format": format_}}
        if self.response is not None:
            body["previous_response_id"] = self.response  # 404 if it were lost
        answer = self.post(body, "responses")
        if answer is None:
            return
        self.response = answer["id"] if self.response is None else None
        if answer["status"] == "completed":
            self.check(answer["output"][-1]["content"][0]["text"])
            self.counts["whole response"] += 1

    def check(self, text):
        """Whether a text is what ``FORM`` demands."""
        given = json.loads(text)
        if given.keys() != {"city", "day"} or given["city"] not in ("Oslo", "Rome"):
            raise Wrong("an answer does not follow its schema")

    def leave(self):
        """Go away in the line, while it reads, or between two pieces."""
        body = self.body([{"role": "user", "content": "It rained. " * 30}], session="all")
        seconds = self.rng.uniform(0.001, 0.2)
        body |= {"max_tokens": 40, "stream": self.rng.random() < 0.7}
        self._hear(body, httpx.Timeout(120, read=seconds), self.rng.randint(0, 6), 0)

    def slow(self):
        """Read a stream slowly, and not to its end."""
        body = self.body([{"role": "user", "content": "Go on."}], session="all", stream=True)
        self._hear({**body, "max_tokens": 30}, httpx.Timeout(120), self.rng.randint(2, 12), 0.05)

    def _hear(self, body, timeout, pieces, pause):
        url = f"{self.server.url}/v1/chat/completions"
        with (
            contextlib.suppress(httpx.TransportError),
            httpx.stream("POST", url, json=body, timeout=timeout) as answer,
        ):
            for _, _line in zip(range(pieces), answer.iter_lines(), strict=False):
                time.sleep(pause)

    def malformed(self):
        """What is no request: a 4xx, and nothing of it in the answer."""
        case = self.rng.choice(MALFORMED)
        good = json.dumps(self.body([{"role": "user", "content": "Hi"}]))[1:-1]
        content = malformed_body(case, good, SECRET)
        headers = {"Content-Type": "application/json"}
        url = f"{self.server.url}/v1/{case.get('path', 'chat/completions')}"
        try:
            answer = httpx.post(url, content=content, headers=headers, timeout=120)
        except httpx.TransportError:
            return
        if not (400 <= answer.status_code < 500 or answer.status_code == 503):
            raise Wrong(f"{case['name']}: {answer.status_code}")
        if SECRET in answer.text:
            raise Wrong(f"{case['name']}: the answer quotes the request")


def plain(message):
    """What was said, without the ids of calls, which are made anew."""
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return message.get("content"), calls


def soak(server, seconds, requests, seed):
    """Weather on a server; returns the clients, and its bytes once it is warm and at the end."""
    clients = [Client(server, number, seed) for number in range(CLIENTS)]
    begun, done, failed = time.monotonic(), Counter(), threading.Event()
    warm: list[int] = []

    def share():
        return max((time.monotonic() - begun) / seconds, sum(done.values()) / requests)

    def guarded(function, *given):
        try:
            function(*given)
        except BaseException:
            failed.set()
            raise

    def run(client):
        while share() < 1 and not failed.is_set():
            client.act()
            done[client.number] += 1

    def kill():
        rng, next_ = random.Random(seed), 0.0
        while (next_ := next_ + rng.uniform(0.02, 0.08)) < 0.5 and not failed.is_set():
            while share() < next_ and not failed.wait(0.1):
                pass
            server.kill()
        last = sum(done.values())
        while not failed.wait(1) and share() < 1:
            if not warm and sum(done.values()) - last >= WARM:
                warm.append(server.memory())

    with ThreadPoolExecutor(CLIENTS + 1) as pool:
        runs = [pool.submit(guarded, run, client) for client in clients]
        for task in [pool.submit(guarded, kill), *runs]:
            task.result()
    memory = [*warm, server.memory()]
    if memory[-1] > memory[0] + GROWTH:
        raise Wrong(f"memory grew from {memory[0] >> 20} to {memory[-1] >> 20} MB")
    return clients, memory


def check_rest(server, clients):
    """Nothing waits or runs; what steady clients heard is what a server says without weather."""
    for _ in range(600):
        if not server.gauge("ta_waiting") + server.gauge("ta_running"):
            break
        time.sleep(0.1)
    else:
        raise Wrong("turns wait or run a minute after the last client has gone")
    if httpx.get(f"{server.url}/health", timeout=60).status_code != 200:
        raise Wrong("the server is not well")
    again = Client(server, CLIENTS, 0)
    for turns in (turns for client in clients if client.steady for turns in client.talks):
        again.begin()
        for number, (text, manner, expected) in enumerate(turns):
            message = again.turn(text, manner)
            if message is None or plain(message) != expected:
                raise Wrong(f"turn {number} of {len(turns)} is answered otherwise")
    log = server.log.read_text()
    rest = [line for line in log.splitlines() if " INFO " not in line]  # but for requests
    if SECRET in log or "Traceback" in log or sum(map(len, rest)) > 100_000:
        raise Wrong(f"the log quotes a conversation, has a traceback, or is long: {rest[-20:]}")


def main():
    """Run it once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("model")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(asked.engine, asked.model, Path(folder))
        try:
            clients, memory = soak(server, asked.seconds, asked.requests, asked.seed)
            check_rest(server, clients)
        except Wrong as error:
            sys.exit(f"wrong: {error}")
        finally:
            server.process.kill()
    counts = sum((client.counts for client in clients), Counter())
    megabytes = " to ".join(f"{size >> 20}" for size in memory)
    print(
        f"{asked.engine}: {server.lives} lives, {dict(counts)}; nothing was lost; memory "
        f"{megabytes} MB"
    )


if __name__ == "__main__":
    main()
