"""Responses on the disk: bounded, cheap to store, and gone when they are deleted."""

import threading

import pytest

import servers

SIZE = 2000


def put(index, numbers, limit=10_000):
    for number in numbers:
        index.put_response(f"resp_{number}", None, "mine", "x" * SIZE, limit)


def test_a_response_is_stored_without_a_look_at_the_others(tmp_path):
    """Counted in instructions of the database's machine."""
    index = servers.index.Index(tmp_path / "sessions.sqlite", 600 * SIZE)
    steps = []
    index._db.set_progress_handler(lambda: steps.append(1), 1)
    counts = []
    for numbers in (range(50), range(50, 1000)):  # the second goes beyond the bound
        put(index, numbers)
        steps.clear()
        put(index, [numbers[-1] + 1000])
        counts.append(len(steps))
    index.close()
    assert 0 < counts[1] < counts[0] + 100


def test_the_disk_is_bounded_in_bytes_and_the_oldest_go(tmp_path):
    path, room = tmp_path / "sessions.sqlite", 100 * SIZE
    for start in (0, 300):  # the bound holds over a restart
        index = servers.index.Index(path, room)
        put(index, range(start, start + 300))
        left = [n for n in range(start + 300) if index.response(f"resp_{n}")]
        assert left == list(range(start + 300 - len(left), start + 300)) and len(left) == 99
        index.close()
        assert path.stat().st_size < 3 * room
    index = servers.index.Index(path, room)
    for number in left:
        assert index.drop_response(f"resp_{number}")
    put(index, range(50))
    index.drop("mine", responses=True)
    put(index, range(1000, 1099))
    assert all(index.response(f"resp_{n}") for n in range(1000, 1099))
    index.close()


ODD = ['"\\ud800"', *("[" * depth + "]" * depth for depth in (150, 197, 700)), "1e999"]


@pytest.mark.parametrize("value", ODD)
def test_what_was_stored_can_be_gone_on_from(serve, value):
    """Also with arguments that one reader of JSON takes and another does not."""
    called = {"type": "function_call", "call_id": "1", "name": "f"}
    items = [
        {"role": "user", "content": "Hello."},
        {**called, "arguments": f'{{"a": {value}}}'},
        {"type": "function_call_output", "call_id": "1", "output": "Done."},
    ]
    create = serve().client().responses.create
    options = {"model": "tiny", "max_output_tokens": 2}
    first = create(input=items, **options)
    assert create(input="And?", previous_response_id=first.id, **options).id


def test_no_response_is_read_or_written_in_the_event_loop(serve):
    server, threads = serve(), set()
    database = server.service.sessions.index._db
    database.set_trace_callback(lambda statement: threads.add(threading.current_thread()))
    create, options = server.client().responses.create, {"model": "tiny", "max_output_tokens": 2}
    first = create(input="Hello.", **options)
    second = create(input="And?", previous_response_id=first.id, **options)
    list(create(input="And?", previous_response_id=second.id, stream=True, **options))
    assert servers.httpx.delete(f"{server.url}/v1/responses/{first.id}").json()["deleted"]
    assert threads and server.thread not in threads


def test_what_was_deleted_is_in_no_file_after_a_kill(tmp_path):
    """A response, and a session with its responses."""
    texts = {"one": "QX7K2M9P", "two": "ZP41LM88", "kept": "RR19TT25"}

    def holding(text):
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return [path.name for path in files if text.encode() in path.read_bytes()]

    with servers.served("--budget", "64", "--sessions", str(tmp_path)) as (process, client):
        made = {
            name: client.responses.create(
                model="embedded",
                input=f"The key is {text}. It rained. " * 40,
                max_output_tokens=2,
                extra_body={"session": name},
            ).id
            for name, text in texts.items()
        }
        assert all(holding(text) for text in texts.values())
        client.delete(f"/responses/{made['one']}", cast_to=object)
        client.delete("/sessions/two", cast_to=object)
        process.kill()
        process.wait()
    assert {name: bool(holding(text)) for name, text in texts.items()} == {
        "one": False,
        "two": False,
        "kept": True,
    }
