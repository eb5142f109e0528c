"""The page at ``/`` in headless Chromium, beside sessions of a running server."""

import re

import servers
from browser import dom_at, opened


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


def send(page, text):
    """Write a message, and wait for the answer."""
    page.run(f"$('input').value = {text!r}; $('form').requestSubmit()")
    page.until("running === null && !$('send').disabled")


def test_a_session_that_is_picked_goes_on(serve, tmp_path):
    """A saved one, that another client began, after a restart of the server."""
    engine, folder = servers.tiny_engine(), tmp_path / "sessions"
    server = serve(engine, folder)
    servers.ask(server.client(), servers.FIRST, session="mine", retention={"budget": 90})
    server.stop()
    server = serve(engine, folder)
    before = server.session("mine")["tokens"]
    with opened(server.url, tmp_path) as page:
        page.until("$('session').options.length === 2")
        page.run("$('session').value = 'mine'; $('session').dispatchEvent(new Event('change'))")
        page.until("$('budget').value === '90'")
        assert "does not have the text" in page.run("$('messages').innerText")
        assert page.run("$('budget').disabled")
        send(page, "What is the door code?")
        assert (
            page.run("$('status').textContent") == f"continued after {before} tokens that were kept"
        )
        after = server.session("mine", reveal=True)
        assert after["tokens"] > before and after["budget"] == 90
        text = "".join(run[0] for run in after["runs"])
        assert servers.VALUE in text and text.rstrip().count("What is the door code?") == 1
        page.run("window.before = true; location.reload()")
        page.until("!window.before && $('session').value === 'mine'")
        send(page, "And now?")
        page.until(
            f"$('status').textContent === 'continued after {after['tokens']} tokens that were kept'"
        )
        assert [record.id for record in server.service.sessions.records()] == ["mine"]


def test_a_chat_of_the_page_is_one_session(serve, tmp_path):
    server = serve()
    with opened(server.url, tmp_path) as page:
        page.until("$('session').options.length === 1")
        send(page, "It rained all day. " * 6)
        assert page.run("$('status').textContent") == "began a new session"
        (record,) = server.service.sessions.records()
        page.until(f"$('session').value === '{record.id}'")
        tokens = server.session(record.id)["tokens"]
        send(page, "What is the door code?")
        assert (
            page.run("$('status').textContent") == f"continued after {tokens} tokens that were kept"
        )
        assert [known.id for known in server.service.sessions.records()] == [record.id]
        assert page.run("$('messages').children.length") == 4


def test_a_session_that_is_gone_is_not_begun_anew(serve, tmp_path):
    server = serve()
    servers.ask(server.client(), servers.FIRST, session="mine")
    with opened(f"{server.url}/#mine", tmp_path) as page:
        page.until("$('numbers').textContent.includes('tokens live')")
        servers.httpx.delete(f"{server.url}/v1/sessions/mine")
        send(page, "What is the door code?")
        assert "no such session" in page.run("$('status').textContent")
        assert page.run("$('input').value") == "What is the door code?"
        assert not server.service.sessions.records()


def test_forget_asks(serve, tmp_path):
    server = serve()
    servers.ask(server.client(), servers.FIRST, session="mine")
    with opened(f"{server.url}/#mine", tmp_path) as page:
        page.until("$('numbers').textContent.includes('tokens live')")
        page.accept = False
        page.run("$('forget').click()")
        assert len(page.dialogs) == 1 and "mine" in page.dialogs[0]
        assert server.session("mine")["tokens"] and page.run("session") == "mine"
        page.accept = True
        page.run("$('forget').click()")
        page.until("session === null && $('session').options.length === 1")
        assert len(page.dialogs) == 2 and not server.service.sessions.records()
        assert page.run("$('forget').disabled && !$('budget').disabled")
