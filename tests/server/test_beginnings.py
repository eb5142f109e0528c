"""Beginnings that sessions share: exact, bounded in bytes, saved, and forgotten."""

import pytest

import servers
import shared_beginnings as shared
from shared_beginnings import CHATS, OFF, RETENTIONS, SYSTEM, talk, turn


def start(serve, folder=None, bounds=None, **options):
    return serve(servers.tiny_engine(chunk=64), folder, bounds, **options)


def known(server):
    return server.service.sessions.beginnings.known


@pytest.mark.parametrize("options", RETENTIONS, ids=str)
def test_what_is_read_once_is_as_if_read_anew(serve, options):
    shared.check_as_read_anew(start(serve, **options), start(serve, bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS[:2], ids=str)
def test_a_history_before_the_last_message_is_shared_too(serve, options):
    shared.check_last_message(start(serve, **options), start(serve, bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS[:3], ids=str)
def test_beginnings_survive_a_restart(serve, tmp_path, options):
    shared.check_restart(lambda folder: start(serve, folder, **options), tmp_path)


def test_a_beginning_is_of_what_was_read_and_how(serve):
    """Neither for another retention, nor for a plain prompt of the same tokens."""
    server = start(serve)
    turn(server, list(CHATS[0]))
    assert turn(server, list(CHATS[1]), retention={"budget": 80})[0] == 0
    other = {**SYSTEM, "content": SYSTEM["content"].replace("Be", "Do")}
    assert turn(server, [other, CHATS[1][1]])[0] == 0
    tokenizer = server.engine.tokenizer
    text = tokenizer.apply_chat_template(CHATS[1], tokenize=False, add_generation_prompt=True)
    options = {"model": "tiny", "prompt": text, "max_tokens": 2}
    answer = server.client().completions.create(**options)
    assert answer.usage.prompt_tokens_details.cached_tokens == 0
    assert turn(server, list(CHATS[1]))[0] > 200


def opened(server, number):
    """A new conversation after one of several systems: tokens that were not read."""
    system = {**SYSTEM, "content": f"{number}. {SYSTEM['content']}"}
    opened.count += 1  # none is another one gone on with
    return turn(server, [system, {"role": "user", "content": f"Note {opened.count}."}])[0]


opened.count = 0


def test_the_longest_unused_go_first(serve, tmp_path):
    """In memory as on the disk; a beginning that has no room is not kept."""
    server = start(serve, tmp_path)
    assert [opened(server, number) > 0 for number in (0, 1, 0)] == [False, False, True]
    server.stop()
    files = [path.stat().st_size for path in (tmp_path / "beginnings").iterdir()]
    assert len(files) == 2 and min(files) > 0
    again = start(serve, tmp_path, servers.Bounds(beginnings=sum(files) - 1))
    assert len(list((tmp_path / "beginnings").iterdir())) == 1
    assert [opened(again, number) > 0 for number in (0, 1)] == [True, False]
    again.stop()
    none = start(serve, tmp_path, OFF)
    assert not list((tmp_path / "beginnings").iterdir()) and opened(none, 0) == 0
    one = start(serve)
    opened(one, 0)
    (size,) = (beginning.size for beginning in known(one).values())
    two = start(serve, bounds=servers.Bounds(beginnings=2 * size))
    hits = [opened(two, number) > 0 for number in (0, 1, 0, 2, 0, 1)]
    assert hits == [False, False, True, False, True, False]
    small = start(serve, bounds=servers.Bounds(beginnings=size - 1))
    assert [opened(small, 0) for _ in range(2)] == [0, 0] and not known(small)


def test_a_beginning_goes_with_the_last_session_that_is_deleted(serve, tmp_path):
    server = start(serve, tmp_path)
    for name in ("a", "b"):
        turn(server, list(CHATS[0]), session=name)
    for name, left in (("a", 1), ("b", 0)):
        assert servers.httpx.delete(f"{server.url}/v1/sessions/{name}").status_code == 200
        assert len(known(server)) == left
        server.service.worker._savers.submit(bool).result()
        assert len(list((tmp_path / "beginnings").iterdir())) == left
    assert not list(tmp_path.rglob("*.session"))
    assert turn(server, list(CHATS[0]))[0] == 0


def test_a_turn_that_fails_leaves_no_beginning(serve):
    """And others are answered as if it had not been."""
    server = start(serve)
    session = server.engine.session(server.service.worker.default)
    steps, failing = type(session).steps, []

    def broken(self, prompt, sampling):
        for number, token in enumerate(steps(self, prompt, sampling)):
            if number == 7 and not failing:
                failing.append(len(known(server)))
                raise RuntimeError("broken")
            yield token

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(session), "steps", broken)
        with pytest.raises(servers.openai.InternalServerError):
            turn(server, list(CHATS[0]))
    assert failing == [1] and not known(server)
    assert turn(server, list(CHATS[0]))[0] == 0


def test_nothing_is_appended_to_a_session_that_only_begins_alike(serve):
    server = start(serve)
    turn(server, list(CHATS[0]), session="mine")
    sessions, given = server.service.sessions, list(CHATS[1])
    sessions.index.drop("mine")
    with pytest.raises(servers.openai.APIStatusError) as refused:
        servers.ask(server.client(), given[1:], session="mine", append=True)
    assert refused.value.status_code == 404


def test_metrics_count_them(serve):
    server = start(serve)
    talk(server, CHATS)
    text = servers.httpx.get(f"{server.url}/metrics").text
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
    (beginning,) = known(server).values()
    assert float(numbers["ta_begun_sessions_total"]) == 2 and beginning.size > 0
    assert float(numbers["ta_beginnings"]) == 1
    assert float(numbers["ta_beginnings_bytes"]) == beginning.size
    flows = [session.flow for session in server.service.sessions.live.values()]
    assert float(numbers["ta_pinned_tokens"]) == sum(flow.num_pinned for flow in flows)
