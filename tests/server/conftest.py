"""Servers that stop with their test."""

import contextlib

import pytest


@pytest.fixture
def serve():
    """Starts servers, and stops them after the test."""
    import servers  # noqa: PLC0415  (needs an extra, as the tests that ask for it say)

    with contextlib.ExitStack() as stack:

        def start(engine=None, folder=None, bounds=None, line=None, access=None, **retention):
            parts = (bounds or servers.Bounds(), line or servers.Line(), access or servers.Access())
            running = servers.Running(engine or servers.tiny_engine(), folder, *parts, **retention)
            stack.callback(running.stop)
            return running

        yield start
