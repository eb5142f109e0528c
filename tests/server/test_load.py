"""Many clients at once: nothing is lost, memory stays in its bounds, and answers are their own."""

import servers


def test_eight_sessions_and_two_hundred_requests(serve, tmp_path):
    server = serve(folder=tmp_path, bounds=servers.Bounds(live=6))
    servers.check_crowd(server, serve())
    server.stop()
    assert len(serve(server.engine, tmp_path).service.sessions.records()) == 8
