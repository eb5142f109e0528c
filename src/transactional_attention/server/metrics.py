"""Counts and times in Prometheus' format; no label holds anything of a request's text."""

from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from .turn import Finished

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """One registry for each server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        known: dict[str, Any] = {"registry": self.registry}
        times = {**known, "buckets": SECONDS}
        words = (
            "Tokens of prompts that were read, of prompts that were not read again, and generated."
        )
        self.tokens = Counter("ta_tokens", words, ["kind"], **known)
        words = "Answers by path and status."
        self.requests = Counter("ta_requests", words, ["path", "status"], **known)
        self.waited = Histogram("ta_wait_seconds", "In line, to the turn's begin.", **times)
        words = "Sessions that began after a beginning that others had read."
        self.begun = Counter("ta_begun_sessions", words, **known)
        words = "From a request's arrival to its first text."
        self.first = Histogram("ta_first_token_seconds", words, **times)

    def gauge(self, name: str, words: str, value: Callable[[], float]) -> None:
        """A number that is asked for when metrics are read."""
        Gauge(name, words, registry=self.registry).set_function(value)

    def ended(self, turn: Finished) -> None:
        """A turn has ended."""
        self.tokens.labels("read").inc(turn.prompt - turn.kept)
        self.tokens.labels("cached").inc(turn.kept)
        self.tokens.labels("generated").inc(turn.completion)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
