"""Python blocks of pages that speak to a server, at one of a tiny model."""

import asyncio
import inspect
import re

import pytest

import page_blocks
import servers

ADDRESS, SAID = "http://127.0.0.1:8080", "Yes."
NEEDED = {
    "agents": "needs openai-agents: run .ci/clients",
    "anthropic": "needs anthropic: run .ci/clients",
    "langchain_openai": "needs langchain-openai: run .ci/extras",
}
BLOCKS = [
    pytest.param(name, line, source, id=f"{name}:{line}")
    for name in page_blocks.PAGES["tests/server/test_pages.py"]
    for line, source in page_blocks.blocks(name)
]


@pytest.mark.filterwarnings("ignore")  # the packages' own
@pytest.mark.parametrize(("name", "line", "source"), BLOCKS)
def test_a_block_runs_at_a_server(serve, name, line, source):
    for module in re.findall(r"^from (\w+) import", source, re.MULTILINE):
        if module in NEEDED:
            pytest.importorskip(module, reason=NEEDED[module])
    running = serve()
    spoken = servers.speak(running.engine, SAID)
    namespace = {"__name__": "__main__"}
    assert ADDRESS in source
    page_blocks.run_block(name, line, source.replace(ADDRESS, running.url), namespace)
    spoken.remove()
    client = namespace.get("client")
    if client is not None:
        closing = client.close()
        if inspect.isawaitable(closing):  # on the loop that openai-agents has left open
            loop = asyncio.get_event_loop_policy().get_event_loop()
            loop.run_until_complete(closing)
            loop.close()
            asyncio.set_event_loop(None)
