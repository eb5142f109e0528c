"""Servers of tiny models on a free loopback port, and the official client for them."""

import contextlib
import threading
import time
from importlib.util import find_spec

import pytest

from chat_templates import chat_tokenizer
from teacher_forced import tiny_llama
from transactional_attention import Retention
from transactional_attention.engines.transformers.serving import TransformersEngine

NEEDED = ("fastapi", "uvicorn", "prometheus_client", "openai")
REASON = "needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
MISSING = any(find_spec(name) is None for name in NEEDED)
collect_ignore_glob = ["test_*"] if MISSING else []


def tiny_engine(template="chatml", checkpoints=2, chunk=64):
    """An engine of a random model over bytes."""
    tokenizer = chat_tokenizer(template)
    model = tiny_llama(vocab_size=len(tokenizer))
    return TransformersEngine("tiny", model, tokenizer, chunk=chunk, checkpoints=checkpoints)


def speak(engine, text):
    """Let the model say ``text`` and its end, whatever it would have said."""
    ids = [*engine.tokenizer(text, add_special_tokens=False)["input_ids"], *engine.end_ids]
    waiting = iter(ids)

    def force(module, given, logits):
        logits[..., next(waiting)] += 1e6
        return logits

    return engine.model.lm_head.register_forward_hook(force)


class Running:
    """A server, its address and its parts."""

    def __init__(self, engine, folder, bounds, line, access, **retention):
        import uvicorn

        from transactional_attention.server.app import Service, create_app
        from transactional_attention.server.sessions import Sessions

        default = Retention(**{"budget": 96, **retention})
        self.engine, self.access = engine, access
        self.service = Service(engine, Sessions(engine, bounds, folder), default, line, access)
        config = uvicorn.Config(create_app(self.service), port=0, log_level="warning")
        socket = config.bind_socket()
        self.url = f"http://127.0.0.1:{socket.getsockname()[1]}"
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [socket]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def client(self, key="none", **options):
        """The official client."""
        import openai

        return openai.OpenAI(base_url=f"{self.url}/v1", api_key=key, max_retries=0, **options)

    def session(self, id_, reveal=False):
        """What the page gets to know of a session."""
        import httpx

        return httpx.get(f"{self.url}/v1/sessions/{id_}", params={"reveal": reveal}).json()

    def stop(self):
        """End it as a signal would."""
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture
def serve():
    """Starts servers, and stops them after the test."""
    from transactional_attention.server.app import Access
    from transactional_attention.server.sessions import Bounds
    from transactional_attention.server.worker import Line

    with contextlib.ExitStack() as stack:

        def start(engine=None, folder=None, bounds=None, line=None, access=None, **retention):
            parts = (bounds or Bounds(), line or Line(), access or Access())
            running = Running(engine or tiny_engine(), folder, *parts, **retention)
            stack.callback(running.stop)
            return running

        yield start


@pytest.fixture(name="tiny_engine")
def _tiny_engine():
    return tiny_engine


@pytest.fixture(name="speak")
def _speak():
    return speak


@pytest.fixture
def access():
    """Who may ask, and how much."""
    from transactional_attention.server.app import Access

    return Access
