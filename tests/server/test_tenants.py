"""Several keys: one tenant sees nothing of another's, in any interface."""

import json
import re

import pytest

import servers
from transactional_attention.errors import InputError
from transactional_attention.server.keys import ApiKeys, is_open

KEYS = "# of the team\nann first-k3y\n\nbob second-k3y\nbob third-k3y\n"
ANN, BOB = "first-k3y", "second-k3y"


@pytest.fixture
def team(serve, tmp_path):
    (path := tmp_path / "keys").write_text(KEYS)
    given = {"access": servers.Access(ApiKeys.read(path)), "bounds": servers.Bounds(beginnings=0)}
    return lambda **rest: serve(**given | rest)


def get(server, key, path, method="GET"):
    headers = {"Authorization": f"Bearer {key}"}
    return servers.httpx.request(method, f"{server.url}/v1/{path}", headers=headers)


def listed(server, key):
    return {one["id"] for one in get(server, key, "sessions").json()["data"]}


def test_sessions_of_the_same_name_are_two(team, tmp_path):
    server = team(folder=tmp_path / "s")
    ann, bob = server.client(key=ANN), server.client(key=BOB)
    first = servers.ask(ann, servers.FIRST, session="mine")
    other = servers.ask(bob, servers.FIRST, session="mine")
    assert first.session["id"] == other.session["id"] == "mine"
    assert first.session["kept"] == other.session["kept"] == 0
    chat = [*servers.FIRST, {"role": "assistant", "content": servers.said(first)}, servers.NEXT]
    assert servers.ask(ann, chat, session="mine").session["kept"] > 0
    assert len(server.service.sessions.records()) == 2


def test_a_beginning_is_found_by_who_has_read_it_alone(team):
    server = team()
    ann, bob = server.client(key=ANN), server.client(key=BOB)
    first = servers.ask(ann, servers.FIRST)
    chat = [*servers.FIRST, {"role": "assistant", "content": servers.said(first)}, servers.NEXT]
    assert servers.ask(bob, chat).session["kept"] == 0
    again = servers.ask(server.client(key="third-k3y"), chat)  # the other key of this tenant
    assert again.session["kept"] > 0 and again.session["id"] in listed(server, BOB)
    assert servers.ask(ann, chat).session["id"] == first.session["id"]


def test_a_shared_beginning_is_known_by_content_alone(team):
    """It saves another tenant's time, and shows nothing of the session that read it first."""
    server = team(bounds=servers.Bounds())
    first = servers.ask(server.client(key=ANN), servers.FIRST)
    other = servers.ask(server.client(key=BOB), servers.FIRST)
    assert other.session["kept"] > 0 and other.session["id"] != first.session["id"]
    assert servers.said(other) == servers.said(first)
    assert listed(server, BOB) == {other.session["id"]}


def test_nothing_is_listed_shown_or_forgotten_by_others(team, tmp_path):
    server = team(folder=tmp_path / "s")
    servers.ask(server.client(key=ANN), servers.FIRST, session="mine")
    assert (listed(server, ANN), listed(server, BOB)) == ({"mine"}, set())
    for name in ("mine", "ann%2Fmine", "ann/mine"):
        for method in ("GET", "DELETE"):
            answer = get(server, BOB, f"sessions/{name}?reveal=true", method)
            assert answer.status_code == 404 and servers.VALUE not in answer.text
    with pytest.raises(servers.openai.NotFoundError):
        servers.ask(server.client(key=BOB), [servers.NEXT], session="mine", append=True)
    assert get(server, ANN, "sessions/mine").status_code == 200
    assert get(server, ANN, "sessions/mine", "DELETE").status_code == 200
    assert listed(server, ANN) == set()


def test_a_response_is_gone_on_with_and_deleted_by_its_tenant_alone(team):
    server = team()
    ann, bob = server.client(key=ANN), server.client(key=BOB)
    asked = {"model": "tiny", "max_output_tokens": 4}
    first = ann.responses.create(input="It rained.", **asked)
    for id_ in (first.id, f"ann/{first.id}"):
        with pytest.raises(servers.openai.BadRequestError, match="unknown"):
            bob.responses.create(input="Go on.", previous_response_id=id_, **asked)
    with pytest.raises(servers.openai.NotFoundError):
        bob.responses.delete(first.id)
    assert ann.responses.create(input="Go on.", previous_response_id=first.id, **asked).output
    ann.responses.delete(first.id)


def test_a_reply_with_calls_is_that_of_its_tenant(team):
    """A model writes ids of calls in some templates: two tenants may have the same."""
    server = team()
    index, call = server.service.sessions.index, "call_1"
    reply = {"raw": "x", "ids": [1], "spoken": 1, "thought": servers.VALUE, "text": "", "calls": []}
    index.put_reply(f"ann/{call}", "ann/mine", json.dumps(reply))
    function = {"name": "f", "arguments": "{}"}
    chat = [
        *servers.FIRST,
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": call, "type": "function", "function": function}],
        },
        servers.NEXT,
    ]
    assert servers.ask(server.client(key=BOB), chat).choices
    assert index.reply(f"ann/{call}") and index.reply(f"bob/{call}") is None


def test_saved_sessions_of_one_do_not_go_for_anothers(team, tmp_path):
    server = team(folder=tmp_path / "s", bounds=servers.Bounds(live=1, saved=2))
    servers.ask(server.client(key=ANN), servers.FIRST, session="mine")
    for number in range(4):
        chat = [{"role": "user", "content": f"note {number}"}]
        servers.ask(server.client(key=BOB), chat, session=f"s{number}")
    assert listed(server, ANN) == {"mine"} and len(listed(server, BOB)) <= 3
    server.stop()
    again = team(folder=tmp_path / "s")  # as it was, when it starts anew
    assert listed(again, ANN) == {"mine"}
    alone = team(folder=tmp_path / "t")
    assert listed(alone, ANN) == set()


def test_a_lost_index_says_whose_sessions_are(team, tmp_path):
    server = team(folder=tmp_path / "s")
    servers.ask(server.client(key=ANN), servers.FIRST, session="mine")
    server.stop()
    for path in (tmp_path / "s").glob("sessions.sqlite*"):
        path.unlink()
    again = team(folder=tmp_path / "s")
    assert (listed(again, ANN), listed(again, BOB)) == ({"mine"}, set())


def test_keys_of_any_form_in_a_header(team):
    server = team()
    url = f"{server.url}/v1/models"
    for headers, status in (
        ({"Authorization": f"bearer {ANN}"}, 200),
        ({"x-api-key": BOB}, 200),
        ({"x-api-key": "wrong", "Authorization": f"Bearer {ANN}"}, 200),
        ({"x-api-key": "ann"}, 401),
        ({"Authorization": ANN}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": b"Bearer \xff"}, 401),
        ({}, 401),
    ):
        assert servers.httpx.get(url, headers=headers).status_code == status, headers


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no key"),
        ("# none\n", "holds no key"),
        ("one-k3y\ntwo-k3y\n", "line 1: write LABEL KEY"),
        ("ann one-k3y\ntwo-k3y\n", "line 2: write LABEL KEY"),
        ("a/b one-k3y\n", "line 1: write LABEL KEY"),
        ("ann one-k3y more\n", "line 1: write LABEL KEY"),
        ("ann one-k3y\nbob one-k3y\n", "line 2: this key stands above"),
    ],
)
def test_a_file_that_is_none_of_keys_is_refused_without_its_text(tmp_path, text, says):
    (path := tmp_path / "keys").write_text(text)
    with pytest.raises(InputError, match=re.escape(says)) as refused:
        ApiKeys.read(path)
    assert "k3y" not in str(refused.value)


def test_a_key_of_the_file_is_in_no_representation(tmp_path):
    (path := tmp_path / "keys").write_text("  s3cret-k3y \n")
    keys = ApiKeys.read(path)
    assert keys.tenant(b"s3cret-k3y").label == "" and keys.tenant(b"s3cret-k3") is None
    assert "s3cret" not in repr(vars(keys))
    path.chmod(0o640)
    assert not is_open(path)
    path.chmod(0o644)
    assert is_open(path)
