"""A session's messages, read back from its tokens: what was said, by whom, values masked."""

import pytest

import servers

SAID = "The code is QX7K2M9P."


def messages(server, id_, reveal=False):
    """What the page gets to know of a conversation."""
    given = {"reveal": reveal}
    answer = servers.httpx.get(f"{server.url}/v1/sessions/{id_}/messages", params=given)
    assert answer.status_code == 200
    return answer.json()["messages"]


@pytest.mark.parametrize("template", ["chatml", "llama3", "mistral", "case-turns"])
def test_what_was_said_comes_back(serve, template):
    engine = servers.tiny_engine(template)
    server = serve(engine)
    first = [{"role": "user", "content": f"The door code is {servers.VALUE}. Say it."}]
    hook = servers.speak(engine, SAID)
    servers.ask(server.client(), first, session="mine", max_tokens=64)
    hook.remove()
    shown = [
        {"role": "user", "content": first[0]["content"]},
        {"role": "assistant", "content": SAID},
    ]
    assert messages(server, "mine", reveal=True) == shown
    masked = messages(server, "mine")
    assert servers.VALUE not in str(masked)
    assert [m["content"].replace("•", "") for m in masked] == [
        m["content"].replace(servers.VALUE, "") for m in shown
    ]
