"""The page at ``/`` in headless Chromium, beside sessions of a running server."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import servers
from browser import dom_at, opened
from scenes import VALUES
from transactional_attention.server import page as page_module

FOLDER = files(page_module)
LOOKS = [(1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light"), (360, 640, "dark")]
CONTRAST = """(() => {
  const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const color = numbers(getComputedStyle(n).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility()
    && !node.disabled && [...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim()))
    .map((node) => {
      const style = getComputedStyle(node);
      const fore = node.closest("svg") ? style.fill : style.color;
      const [a, b] = [light(numbers(fore)), light(behind(node))];
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.textContent.slice(0, 30)];
    }).filter(([ratio]) => ratio < 4.5);
})()"""
UNNAMED = """[...document.querySelectorAll('button, input, select, textarea')].filter((node) =>
  !(node.labels?.length || node.ariaLabel || node.textContent.trim())).map((node) => node.id)"""
OUT_OF_SIGHT = """['input', 'send'].filter((id) => {
  const box = $(id).getBoundingClientRect();
  return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
})"""


def test_the_page_shows_what_the_cache_holds(serve, tmp_path):
    server = serve()
    servers.ask(server.client(), servers.FIRST, session="mine")
    dom = dom_at(f"{server.url}/#mine", tmp_path)
    assert servers.VALUE not in dom
    assert "•" * len(servers.VALUE) in dom
    held = server.session("mine")
    shown = re.search(r'<figcaption id="numbers">(.*?)</figcaption>', dom)[1]
    assert f"{held['live']} of {held['tokens']} tokens live (K = 96)" in shown
    assert "held; a full cache would hold" in shown
    runs = re.findall(r'<i class="" data-r="(\w+)" title="[\w ]+, (\d+) tokens?">', dom)
    assert [[reason, int(count)] for reason, count in runs] == [r[1:] for r in held["runs"]]
    assert {"sponsored", "evicted"} <= {reason for reason, _ in runs}
    assert dom.count('<li class="held">') == sum(value["held"] for value in held["values"]) > 0
    assert len(re.findall(r'<path class="(?:held|full)" d="M', dom)) == 2
    assert [">turn 1</text>" in dom, " kB</text>" in dom] == [True, True]


def test_the_page_needs_nothing_from_elsewhere(serve):
    answer = servers.httpx.get(serve().url)
    page, policy = answer.text, answer.headers["Content-Security-Policy"]
    library = FOLDER.joinpath("vendor/markdown-it.umd.min.js").read_text()
    assert library in page
    page = page.replace(library, "")
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
        assert re.search(r"\d.* · It rained all day", page.run("$('session').options[1].text"))
        page.run("$('session').value = 'mine'; $('session').dispatchEvent(new Event('change'))")
        page.until("$('budget').value === '90' && $('messages').querySelector('.note') !== null")
        shown = page.run("$('messages').textContent")
        assert "It rained all day." in shown and "The door code is ••••••••." in shown
        assert page.run("$('budget').disabled && $('system').disabled")
        page.run("$('reveal').click()")
        page.until(f"$('messages').textContent.includes('The door code is {servers.VALUE}.')")
        send(page, "What is the door code?")
        assert (
            page.run("$('status').textContent") == f"continued after {before} tokens that were kept"
        )
        after = server.session("mine", reveal=True)
        assert after["tokens"] > before and after["budget"] == 90
        text = "".join(run[0] for run in after["runs"])
        assert servers.VALUE in text and text.rstrip().count("What is the door code?") == 1
        page.run("window.before = true; location.reload()")
        page.until("!window.before && $('messages').querySelectorAll('article.user').length === 2")
        assert "What is the door code?" in page.run("$('messages').textContent")
        assert servers.VALUE not in page.run("document.body.textContent")
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
        assert page.run("$('messages').querySelectorAll('article:not(.note)').length") == 4


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
        assert len(page.dialogs) == 1 and "It rained all day" in page.dialogs[0]
        assert server.session("mine")["tokens"] and page.run("session") == "mine"
        page.accept = True
        page.run("$('forget').click()")
        page.until("session === null && $('session').options.length === 1")
        assert len(page.dialogs) == 2 and not server.service.sessions.records()
        assert page.run("$('forget').disabled && !$('budget').disabled")


def test_an_answer_is_markdown_and_no_markup(serve, tmp_path):
    engine = servers.tiny_engine()
    markdown = "**Yes**:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    markdown += "<b>no</b> [x](javascript:alert(1)) ![i](http://e/i)"
    with opened(serve(engine).url, tmp_path) as page, servers.speak(engine, markdown):
        page.until("$('session').options.length === 1")
        send(page, "Say it.")
        query = "document.querySelector('.said').querySelectorAll('{}').length"
        counts = [page.run(query.format(tag)) for tag in ("strong", "td", "b", "img")]
        assert counts == [1, 2, 0, 0]
        assert page.run("document.querySelector('.said a').href") == "http://e/i"  # no other link
        assert "<b>no</b>" in page.run("document.querySelector('.said').textContent")


def test_a_value_that_came_back_is_listed(serve, tmp_path):
    server = serve(servers.tiny_engine(chunk=512))
    stated = "".join(f"{label}: {value}\n" for label, value in VALUES.items())
    chat = [{"role": "user", "content": stated + "It rained all day.\n" * 9}]
    given = dict(retention={"budget": 128, "memory": True}, session="mine")
    reply = servers.said(servers.ask(server.client(), chat, **given))
    chat += [{"role": "assistant", "content": reply}, servers.NEXT]
    servers.ask(server.client(), chat, **given)
    back = [v for v in server.session("mine")["values"] if v["confidence"] is None]
    with opened(f"{server.url}/#mine", tmp_path) as page:
        page.until("$('numbers').textContent.includes('tokens live')")
        shown = page.run("[...$('values').querySelectorAll('.held')].map((n) => n.textContent)")
    listed = [text for text in shown if "its line came back" in text]
    assert len(listed) == len(back) > 0
    assert any(text.startswith("door code") for text in listed)


def test_a_session_begins_with_a_system_prompt_and_ends_at_a_limit(serve, tmp_path):
    server = serve(pinned=("system",))
    with opened(server.url, tmp_path) as page:
        page.until("$('session').options.length === 1")
        assert page.run("$('welcome').checkVisibility()")
        page.run("$('system').value = 'Be brief.'; $('limit').value = 3; $('budget').value = 80")
        send(page, "It rained all day. " * 6)
        page.until("$('budget').disabled && $('text').children.length > 0")
        assert not page.run("$('welcome').checkVisibility()")
        assert "Cut off at the limit" in page.run("$('messages').textContent")
        (record,) = server.service.sessions.records()
        held = server.session(record.id)
        assert held["budget"] == 80 and held["pinned"] > 0
        pinned = "".join(text for text, reason, _ in held["runs"] if reason == "pinned")
        assert "Be brief." in pinned
        assert "Be brief." in page.run(
            "document.querySelector('[data-r=pinned]:not(.legend *)').textContent"
        )
        assert f"{held['pinned']} pinned beside it" in page.run("$('numbers').textContent")


@pytest.mark.parametrize(("width", "height", "scheme"), LOOKS)
def test_the_page_can_be_read_and_written_to(serve, tmp_path, width, height, scheme):
    server = serve()
    chat = [servers.SYSTEM]
    for number in range(12):
        chat += [
            {"role": "user", "content": f"Note {number}."},
            {"role": "assistant", "content": "`Yes`."},
        ]
    servers.ask(server.client(), [*chat, servers.NEXT], session="mine")
    with opened(server.url, tmp_path) as page:
        page.look_as(width, height, scheme)
        for session in ("", "mine"):
            page.until("$('session').options.length === 2")
            page.run(
                f"$('session').value = '{session}'; $('session').dispatchEvent(new Event('change'))"
            )
            if session:
                page.until("$('messages').querySelectorAll('article').length > 20")
            for change in (
                "0",
                "$('settings').open = true",
                "$('kept').click()",
                "$('kept').click()",
            ):
                page.run(change)
                assert page.run(OUT_OF_SIGHT) == [] and page.run(CONTRAST) == []
                assert page.run("document.documentElement.scrollWidth <= innerWidth")
                assert page.run("document.documentElement.scrollHeight <= innerHeight")
        assert page.run(UNNAMED) == []


def test_the_library_that_ships_says_where_it_is_from():
    about = FOLDER.joinpath("vendor/markdown-it.txt").read_text()
    version = re.match(r"markdown-it ([\d.]+), https://", about)[1]
    assert version and "Permission is hereby granted" in about
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    packed = project["tool"]["setuptools"]["package-data"]["transactional_attention"]
    assert "server/page/vendor/*" in packed
