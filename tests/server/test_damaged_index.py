"""Rows and bytes of the index that nobody wrote: no traceback, and every session answers."""

import contextlib
import json
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import servers
import transactional_attention as ta
from saved_folders import database, opened, turn
from transactional_attention.engines import cache_file
from transactional_attention.engines.session_files import path_of
from transactional_attention.server.requests import ResponseRequest
from transactional_attention.server.responses import conversation
from transactional_attention.server.tenants import ALONE

ENGINE = servers.tiny_engine()
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
JSON = st.recursive(
    PLAIN | st.sampled_from(["../victim.txt", "/etc/passwd", "a" * 24 + ".session"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
CELLS = st.none() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats() | st.text() | st.binary()
TEXT = "The door code is 730184."
MORE = TEXT + " It did."
TURN = {"messages": [{"role": "user", "content": "Hello."}], "retention": None, "session": None}
few = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with sessions in one file and in two, a response, and a victim beside it."""
    folder = tmp_path_factory.mktemp("whole") / "sessions"
    with opened(ENGINE, folder) as sessions:
        turn(sessions, "one", TEXT)
        turn(sessions, "two", TEXT)
        turn(sessions, "two", MORE)
        sessions.index.put_response("resp_1", None, "one", TURN, 99)
        sessions.index.put_response("resp_2", "resp_1", "one", TURN, 99)
    (folder.parent / "victim.txt").write_text("mine")
    return folder


def checked_turns(whole, damage, *refused):
    """Start on a copy that was damaged, twice; every session answers, and nothing else is hurt.
    It may be ``refused`` as a whole, in one line."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "sessions"
        shutil.copytree(whole.parent, parent, dirs_exist_ok=True)
        damage(folder)
        with contextlib.suppress(*refused):
            with opened(ENGINE, folder) as sessions:
                for record in sessions.records():
                    sessions.session_of(record)
                ask(sessions.index)
                for name in ("one", "two", None):
                    turn(sessions, name, MORE)
            with opened(ENGINE, folder) as sessions:
                assert turn(sessions, "two", MORE + " And so on.") > 0
        assert (folder.parent / "victim.txt").read_text() == "mine"


def ask(index):
    """What a response goes on from; None when it is unknown."""
    asked = ResponseRequest(model="tiny", input="And?", previous_response_id="resp_2")
    with contextlib.suppress(ta.InputError):
        return conversation(index, ALONE, asked, 1 << 20)[0]


def one_field(draw, row):
    """A record with a field that is something else, is missing, or is new."""
    name = draw(st.sampled_from([*row, "more"]))
    changed = {**row, name: draw(JSON)}
    if draw(st.booleans()) and name in row:
        del changed[name]
    return changed


@few
@given(data=st.data())
def test_fields_of_a_session_in_the_index(whole, data):
    def damage(folder):
        with database(folder) as db:
            id_, about = data.draw(
                st.sampled_from(db.execute("select id, about from sessions").fetchall())
            )
            fields = one_field(data.draw, json.loads(about))
            inner = data.draw(st.sampled_from(["states", "files", "history"]))
            if data.draw(st.booleans()) and isinstance(fields.get(inner), list):
                fields[inner] = [*fields[inner], data.draw(JSON)]
            db.execute("update sessions set about = ? where id = ?", [json.dumps(fields), id_])

    checked_turns(whole, damage)


@few
@given(data=st.data())
def test_cells_of_the_index(whole, data):
    places = st.sampled_from(
        ["facts.value", "sessions.id", "sessions.about", "sessions.used"]
        + [f"responses.{name}" for name in ("id", "before", "session", "turn", "made")]
    )

    def damage(folder):
        table, column = data.draw(places).split(".")
        with database(folder) as db:
            rows = [row for (row,) in db.execute(f"select rowid from {table}")]
            value = data.draw(
                CELLS if column == "before" else CELLS.filter(lambda v: v is not None)
            )
            changed = [value, data.draw(st.sampled_from(rows))]
            if value == value:  # SQLite takes a float that is no number for null
                db.execute(f"update {table} set {column} = ? where rowid = ?", changed)

    checked_turns(whole, damage)


@few
@given(data=st.data())
def test_fields_of_a_stored_response(whole, data):
    turn_, message = one_field(data.draw, TURN), one_field(data.draw, TURN["messages"][0])
    if data.draw(st.booleans()):
        turn_["messages"] = [message]
    with tempfile.TemporaryDirectory() as folder, opened(ENGINE, Path(folder)) as sessions:
        sessions.index.put_response("resp_2", None, "one", turn_, 99)
        for form in ask(sessions.index) or ():
            assert isinstance(form["content"], str)


@few
@given(data=st.data())
def test_bytes_of_the_index(whole, data):
    def damage(folder):
        content = bytearray((folder / "sessions.sqlite").read_bytes())
        for _ in range(data.draw(st.integers(1, 8))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        size = data.draw(st.sampled_from([len(content), len(content) // 2, 100, 1]))
        (folder / "sessions.sqlite").write_bytes(content[:size])

    checked_turns(whole, damage, ta.InputError)


@few
@given(data=st.data())
def test_bytes_of_a_row_that_is_text(whole, data):
    """Where SQLite itself sees nothing wrong, no session but that of the row is lost."""

    def damage(folder):
        content = bytearray((folder / "sessions.sqlite").read_bytes())
        part = data.draw(st.sampled_from([b'{"retention"', b'"states"', b'"files"']))
        start = content.index(part)
        content[start + data.draw(st.integers(0, 20))] = data.draw(st.integers(0, 255))
        (folder / "sessions.sqlite").write_bytes(content)

    checked_turns(whole, damage)


@pytest.mark.parametrize("name", ["../victim.txt", "{parent}/victim.txt"])
def test_a_forged_row_removes_nothing_outside_the_folder(whole, name):
    def damage(folder):
        with database(folder) as db:
            (about,) = db.execute("select about from sessions where id = 'one'").fetchone()
            files = [name.format(parent=folder.parent)]
            changed = json.dumps({**json.loads(about), "files": files})
            db.execute("update sessions set about = ? where id = 'one'", [changed])

    checked_turns(whole, damage)


def test_a_file_of_another_session_is_not_removed_with_a_damaged_one(whole, tmp_path):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    with database(tmp_path) as db:
        (about,) = db.execute("select about from sessions where id = 'one'").fetchone()
        db.execute("update sessions set about = ? where id = 'two'", [about])
    with opened(ENGINE, tmp_path) as sessions:
        one, two = (sessions.index.sessions[name].files for name in ("one", "two"))
        assert not set(one) & set(two) and len(two) > 1
        sessions.drop("two")
        assert turn(sessions, "one", MORE) > 0


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_in_the_place_of_a_file_stays_and_the_session_answers(
    whole, tmp_path, make
):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    with opened(ENGINE, tmp_path) as sessions:
        (name,) = sessions.index.sessions["one"].files
        (tmp_path / name).unlink()
        make(tmp_path / name)
        turn(sessions, "one", TEXT)
    with opened(ENGINE, tmp_path) as sessions:
        assert turn(sessions, "one", MORE) > 0
        record = sessions.index.sessions["one"]
        sessions.index.put(replace(record, files=[*record.files, name]))
    with opened(ENGINE, tmp_path) as sessions:
        assert turn(sessions, "two", MORE + " And so on.") > 0
        assert turn(sessions, "one", MORE) == 0
    assert (tmp_path / name).exists()


def test_a_file_that_cannot_be_removed_is_no_fault_of_the_request(whole, tmp_path, monkeypatch):
    """As in a folder without permission; the session is then not forgotten."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    with opened(ENGINE, tmp_path) as sessions:
        (name,) = sessions.index.sessions["one"].files
        refused = PermissionError(13, "Permission denied")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", lambda *given, **rest: (_ for _ in ()).throw(refused))
            with pytest.raises(servers.index.NotSaved):
                sessions.drop("one")
        assert "one" in sessions.index.sessions and (tmp_path / name).exists()
        assert sessions.drop("one") and not (tmp_path / name).exists()


def test_a_conversation_that_goes_back_to_itself_ends(whole, tmp_path, caplog):
    with opened(ENGINE, tmp_path) as sessions:
        sessions.index.put_response("resp_1", "resp_2", "one", TURN, 99)
        sessions.index.put_response("resp_2", "resp_1", "one", TURN, 99)
        assert ask(sessions.index) is None


@pytest.mark.parametrize("name", ["../victim.txt", "/etc/passwd", "x.session", None, 3])
def test_a_name_that_no_session_has_is_no_path(whole, tmp_path, name):
    """Also where a file names it whose checksum was made anew."""
    with pytest.raises(ta.InputError, match="none of its own"):
        path_of(tmp_path, name)
    shutil.copytree(whole.parent, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "sessions"
    with opened(ENGINE, folder) as sessions:
        path = folder / sessions.index.sessions["two"].files[-1]
        tensors, record = cache_file.read(path)
        record["parts"] = {name: {"pairs": 3}} if isinstance(name, str) else [name]
        cache_file.write(path, tensors, record)
        turn(sessions, "two", TEXT)
    assert (tmp_path / "victim.txt").read_text() == "mine"
