"""The page at ``/`` in headless Chromium, beside a session of a running server."""

import re

import servers
from browser import dom_at


def test_the_page_shows_what_the_cache_holds(serve, tmp_path):
    server = serve()
    servers.ask(server.client(), servers.FIRST, session="mine")
    dom = dom_at(f"{server.url}/#mine", tmp_path)
    assert servers.VALUE not in dom
    assert "•" * len(servers.VALUE) in dom
    held = server.session("mine")
    shown = re.search(r'<figcaption id="numbers">(.*?)</figcaption>', dom)[1]
    assert f"{held['live']} of {held['tokens']} tokens live (K = 96)" in shown
    runs = re.findall(r'<i data-r="(\w+)" title="\w+, (\d+) tokens?">', dom)
    assert [[reason, int(count)] for reason, count in runs] == [r[1:] for r in held["runs"]]
    assert {"sponsored", "evicted"} <= {reason for reason, _ in runs}
    assert dom.count('<li class="held">') == sum(value["held"] for value in held["values"]) > 0
    assert len(re.findall(r'<path class="(?:held|full)" d="M', dom)) == 2


def test_the_page_needs_nothing_from_elsewhere(serve):
    answer = servers.httpx.get(serve().url)
    page, policy = answer.text, answer.headers["Content-Security-Policy"]
    assert not re.findall(r'(?:src|href)="|https?://(?!www\.w3\.org)|import ', page)
    assert (
        "default-src 'none'" in policy
        and "unsafe" not in policy
        and "/*" not in re.sub(r"(?s)<script>.*?</script>", "", page)
    )
