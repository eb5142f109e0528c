"""Starts on folders of sessions: what is not the server's stays, and sessions are found again."""

import pytest

import servers
import transactional_attention as ta
from saved_folders import TEXT, database, opened, turn
from transactional_attention.engines import cache_file

ENGINE = servers.tiny_engine()
SHORT, LONG = TEXT, TEXT + " And the next day it did not rain, or so they say."


def saved(folder):
    """A folder with two sessions, one of them in more than one file."""
    with opened(ENGINE, folder) as sessions:
        turn(sessions, "one", SHORT)
        turn(sessions, "two", SHORT)
        turn(sessions, "two", LONG)
        assert len(sessions.index.sessions["two"].files) > 1
    return {path.name: path.read_bytes() for path in folder.glob("*.session")}


def lose(folder, how):
    if how == "missing":
        (folder / "sessions.sqlite").unlink()
    elif how == "empty":
        (folder / "sessions.sqlite").write_bytes(b"")
    else:
        with database(folder) as db:
            db.execute({"rows": "delete from sessions", "salt": "delete from facts"}[how])


@pytest.mark.parametrize("how", ["missing", "empty", "rows", "salt"])
def test_an_index_that_is_lost_is_read_from_the_files(tmp_path, how):
    files = saved(tmp_path)
    lose(tmp_path, how)
    with opened(ENGINE, tmp_path) as sessions:
        assert {path.name for path in tmp_path.glob("*.session")} == files.keys()
        assert sorted(len(record.history) for record in sessions.records()) == [1, 2]
        assert turn(sessions, None, LONG + " So it goes.") > len(SHORT)
        assert turn(sessions, "two", LONG + " So it went.") > len(SHORT)
    with opened(ENGINE, tmp_path) as sessions:
        assert {"one", "two"} <= sessions.index.sessions.keys()


FOREIGN = {
    "anon.session": b"mine",
    "my.session.bak": b"mine",
    "0" * 24 + ".session": b"mine, and named as the server's",
    "0" * 24 + ".session.bak": b"mine",
    "." + "0" * 24 + ".session.00000000.tmp": b"mine, and named as the server's",
}


def test_files_of_others_stay_and_what_turns_left_goes(tmp_path):
    saved(tmp_path)
    for name, content in FOREIGN.items():
        (tmp_path / name).write_bytes(content)
    cache_file.write(tmp_path / f"{'1' * 24}.session", {}, {"somebody": "else's cache"})
    with opened(ENGINE, tmp_path, begun=False) as sessions:
        (newest,) = sessions.index.sessions["one"].files
    content = (tmp_path / newest).read_bytes()
    left = [
        f"{'2' * 24}.session",
        f".{'3' * 24}.session.0123abcd.tmp",
        f".{'4' * 24}.session.0123abcd.tmp",
    ]
    for name, size in zip(left, (len(content), len(content) // 2, 0), strict=True):
        (tmp_path / name).write_bytes(content[:size])
    with opened(ENGINE, tmp_path) as sessions:
        assert sessions.index.sessions.keys() == {"one", "two"}
    assert {name: (tmp_path / name).read_bytes() for name in FOREIGN} == FOREIGN
    assert (tmp_path / f"{'1' * 24}.session").exists()
    assert [name for name in left if (tmp_path / name).exists()] == []


def test_a_start_that_fails_removes_nothing(tmp_path):
    """The port is in use: the index is lost, and files lie about."""
    files = saved(tmp_path)
    lose(tmp_path, "missing")
    left = tmp_path / f".{'3' * 24}.session.0123abcd.tmp"
    left.write_bytes(b"")
    with servers.served() as (_, client):
        port = str(client.base_url.port)
        again = servers.served("--port", port, "--sessions", str(tmp_path))
        with pytest.raises(AssertionError, match="already in use"), again:
            pass
    assert left.exists()
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.session")} == files


def older(path):
    """Write a file as releases did that said nothing of its session in it."""
    tensors, record = cache_file.read(path)
    del record["session"]
    cache_file.write(path, tensors, record)


def test_files_of_an_older_release_are_used_and_stay_without_an_index(tmp_path, caplog):
    saved(tmp_path)
    for path in tmp_path.glob("*.session"):
        older(path)
    with opened(ENGINE, tmp_path) as sessions:
        assert turn(sessions, "two", LONG + " So it goes.") > len(SHORT)
        (name,) = sessions.index.sessions["one"].files
    lose(tmp_path, "missing")
    with opened(ENGINE, tmp_path) as sessions:
        assert sessions.index.sessions.keys() == {"two"}
    assert (tmp_path / name).exists()
    assert f"{name} is left alone" in caplog.text


def test_a_session_goes_back_to_the_file_that_is_whole(tmp_path, caplog):
    saved(tmp_path)
    with opened(ENGINE, tmp_path) as sessions:
        first, *_, newest = sessions.index.sessions["two"].files
    lose(tmp_path, "missing")
    content = bytearray((tmp_path / newest).read_bytes())
    content[-9] ^= 1
    (tmp_path / newest).write_bytes(content)
    with opened(ENGINE, tmp_path) as sessions:
        assert sessions.index.sessions["two"].files == [first]
        assert turn(sessions, "two", LONG) > 0


@pytest.mark.parametrize(
    "statement",
    [
        "alter table sessions add column more text not null default ''",
        "create trigger stop before insert on sessions begin select raise(abort, 'no'); end",
        "create table theirs (name text)",
    ],
)
def test_the_database_of_another_program_is_refused_and_stays(tmp_path, statement):
    saved(tmp_path)
    with database(tmp_path) as db:
        db.execute(statement)
    content = (tmp_path / "sessions.sqlite").read_bytes()
    with pytest.raises(ta.InputError, match="move that file away"), opened(ENGINE, tmp_path):
        pass
    assert (tmp_path / "sessions.sqlite").read_bytes() == content
