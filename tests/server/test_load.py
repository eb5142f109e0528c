"""Many clients at once: nothing is lost, memory stays in its bounds, and answers are their own."""

import pytest

servers = pytest.importorskip(
    "servers", reason="needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
)

CLIENTS, REQUESTS = 8, 200


def test_eight_sessions_and_two_hundred_requests(serve, tmp_path):
    server = serve(folder=tmp_path, line=servers.Line(running=4), bounds=servers.Bounds(live=6))
    done, most = servers.crowd(server, CLIENTS, REQUESTS)
    assert len({id_ for ids, _, _ in done for id_ in ids}) == CLIENTS
    assert all(len(ids) == 1 for ids, _, _ in done)
    for _, reads, _ in done:
        assert reads[0] == 0 and reads[1:] == sorted(set(reads[1:])) and reads[1] > 0
    assert max(most) <= 6 + 4
    records = server.service.sessions.records()
    assert {len(record.history) for record in records} == {REQUESTS // CLIENTS}
    assert max(live for record in records for _, live, _, _ in record.history) <= 96
    assert len({stored for r in records for tokens, _, stored, _ in r.history if tokens > 200}) == 1
    number = 3
    alone = serve().client()
    chat = done[number][2]
    assert (
        servers.ask(alone, chat[:1], max_tokens=2).choices[0].message.content == chat[1]["content"]
    )
    server.stop()
    again = serve(server.engine, tmp_path)
    assert len(again.service.sessions.records()) == CLIENTS
