"""A disk that takes nothing more, by the kernel's limit on the size of files of a real server."""

import contextlib
import resource

import pytest

import servers

TEXT = "It rained all day, and the plants were watered. " * 4
OPTIONS = {"model": "embedded", "temperature": 0, "max_tokens": 4}


@contextlib.contextmanager
def full(process):
    """While no file of a process can grow; its writes fail with an error of the system."""
    most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, most[1]))
    try:
        yield
    finally:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, most)


def test_what_cannot_be_saved_is_the_servers_fault(tmp_path):
    """No path in the answer, a line in the log; what was acknowledged stays, and goes on."""
    chat = [{"role": "user", "content": f"The door code is {servers.VALUE}. {TEXT}"}]
    with servers.served("--budget", "64", "--sessions", str(tmp_path)) as (process, client):
        ask, extra = client.chat.completions.create, {"session": "mine"}
        respond = client.responses.create
        first = ask(messages=chat, extra_body=extra, **OPTIONS)
        message = {"role": "assistant", "content": servers.said(first)}
        more = [*chat, message, {"role": "user", "content": "And then?"}]
        stored = respond(model="embedded", input=TEXT, max_output_tokens=2)
        files = {path.name for path in tmp_path.glob("*.session")}
        with full(process):
            for work in (
                lambda: ask(messages=more, extra_body=extra, **OPTIONS),
                lambda: respond(model="embedded", input="And you?", max_output_tokens=2),
                lambda: client.delete(f"/responses/{stored.id}", cast_to=object),
            ):
                with pytest.raises(servers.openai.InternalServerError) as error:
                    work()
                assert error.value.status_code == 507
                assert error.value.body["code"] == "insufficient_storage"
                assert str(tmp_path) not in str(error.value.body)
        assert {path.name for path in tmp_path.glob("*.session")} == files
        assert not list(tmp_path.glob(".*.tmp"))
        second = ask(messages=more, extra_body=extra, **OPTIONS)
        assert second.usage.prompt_tokens_details.cached_tokens > 50
        assert respond(
            model="embedded", input="And?", previous_response_id=stored.id, max_output_tokens=2
        ).usage.input_tokens_details.cached_tokens
        process.kill()
        log = process.stderr.read()
    assert "session mine cannot be saved" in log and str(tmp_path) in log
    assert "the index of sessions cannot be written" in log
    assert servers.VALUE not in log and "Traceback" not in log
    with servers.served("--budget", "64", "--sessions", str(tmp_path)) as (_, client):
        again = client.chat.completions.create(messages=more, extra_body=extra, **OPTIONS)
        assert servers.said(again) == servers.said(second)
