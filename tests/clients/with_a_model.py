"""Coding agents with a real model: python tests/clients/with_a_model.py MODEL.gguf --json FILE.

Each of ``--agents`` does one task at `ta serve` (K = 1,024) and at the stock llama-server with the
same file: it is told an order id and reads three files of a folder, and is asked for the id in a
message of its own. What comes over the wire tells how far it got. It needs an environment with
xllamacpp (.ci/llama) and the agents of .ci/clients.
"""

import argparse
import contextlib
import http.client
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

import coding_agents
from ta_lab.benchmarks.beginnings import STOCK
from ta_lab.benchmarks.processes import llama_server, ta_serve
from ta_lab.benchmarks.serve import SERVED
from transactional_attention.cli.common import write_json
from transactional_attention.inspection.provenance import provenance
from transactional_attention.models import weights_sha256

ORDER = "ORD-58213"
TOLD = (
    f"The order id is {ORDER}; keep it in mind. Read the files one.txt, two.txt and three.txt in "
    "this folder with your tools, one after the other, and tell me what they say."
)
ASKED = "What is the order id? Answer with the id alone."
AGENTS = {
    "opencode": coding_agents.opencode,
    "codex": coding_agents.codex,
    "claude": coding_agents.claude,
}
PARALLEL = 4  # as by default: an agent has several requests under way, none waits for another
PASSED = frozenset({"host", "content-length", "connection", "transfer-encoding"})


class Relay:
    """Between agents and a server: passes all on, and notes requests and what is in them."""

    def __init__(self, address):
        self.requests, self.bodies = [], []
        relay, target = self, urlsplit(address).netloc

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"  # an answer ends with its connection

            def log_message(self, *given):
                """Nothing: the relay notes."""

            def do_GET(self):
                """Passed on."""
                self.do_POST()

            def do_POST(self):
                """Passed on, and noted."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                relay.bodies.append(body.decode(errors="replace"))
                server = http.client.HTTPConnection(target)
                given = {k: v for k, v in self.headers.items() if k.lower() not in PASSED}
                with contextlib.suppress(OSError, http.client.HTTPException):
                    server.request(self.command, self.path, body or None, given)
                    answer = server.getresponse()
                    relay.requests.append([self.command, urlsplit(self.path).path, answer.status])
                    self.send_response(answer.status)
                    for name, value in answer.getheaders():
                        if name.lower() not in PASSED:
                            self.send_header(name, value)
                    self.end_headers()
                    while piece := answer.read1(1 << 16):
                        self.wfile.write(piece)
                        self.wfile.flush()
                server.close()

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        """Take no more."""
        self._server.shutdown()


def attempt(agent_at, address, seconds):
    """A task at a server: its steps, which were done, and the first that was not."""
    relay, begun = Relay(address), time.monotonic()
    steps = dict.fromkeys(["answers", *coding_agents.FILES, "ends", "recalls"], False)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        agent = agent_at(relay.url, coding_agents.settle(folder)[0])
        program = agent.program.absolute()

        def ask(given, text):
            command = [program, *given, text]
            done = coding_agents.run(folder, *command, env=agent.environment, seconds=seconds)
            return done.returncode == 0, done.stdout

        with contextlib.suppress(subprocess.TimeoutExpired):
            steps["ends"], _ = ask(agent.ask, TOLD)
            if steps["ends"]:
                seen = len(relay.bodies)
                good, output = ask(agent.go_on, ASKED)
                goes_on = any(ORDER in body for body in relay.bodies[seen:])
                steps["recalls"] = good and goes_on and ORDER in output
    relay.close()
    turns = [status for verb, _, status in relay.requests if verb == "POST"]
    steps["answers"] = 200 in turns
    for name, text in coding_agents.FILES.items():
        steps[name] = any(text.strip() in body for body in relay.bodies)
    failed = [name for name, done in steps.items() if not done]
    return {
        "finished": not failed,
        "failed_at": failed[0] if failed else None,
        "steps": steps,
        "turns": len(turns),
        "refused": sorted({status for status in turns if status != 200}),
        "longest_request_bytes": max(map(len, relay.bodies), default=0),
        "seconds": round(time.monotonic() - begun, 1),
    }


def main():
    """Both servers, one after the other, each with every agent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a GGUF file")
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--servers", default=f"{SERVED},{STOCK}")
    parser.add_argument("--budget", type=int, default=1024)
    parser.add_argument("--cells", type=int, default=32768, help="of the stock server")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1800, help="for each message")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    sizes = {"threads": asked.threads, "parallel": PARALLEL}
    start = {
        SERVED: lambda: ta_serve(None, asked.model, asked.budget, **sizes),
        STOCK: lambda: llama_server(asked.model, asked.cells, threads=asked.threads),
    }
    given = {k: v for k, v in vars(asked).items() if k not in ("json", "model")}
    origin = provenance(given, seed=None, model=Path(asked.model).name)
    sha = weights_sha256(asked.model)
    record = {"provenance": origin, "weights_sha256": sha, "rows": []}
    for server in asked.servers.split(","):
        for name in asked.agents.split(","):
            with start[server]() as process:
                row = attempt(AGENTS[name], process.address, asked.seconds)
            record["rows"].append({"server": server, "agent": name, **row})
            print(json.dumps(record["rows"][-1]), flush=True)
            if asked.json:
                write_json(asked.json, record)


if __name__ == "__main__":
    main()
