"""``ta inspect --html``: no value text, no network, and the page selects what Python selects."""

import html
import json
import re
from importlib.resources import files

import numpy as np
import pytest

from browser import dom_of
from candidates import candidates, span
from chat_templates import chat_tokenizer
from scenes import byte_tokenizer
from transactional_attention import InputError, Retention
from transactional_attention.detection.detector import EVEN
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.inspection.page import build_page, page_data
from transactional_attention.inspection.plan import read, read_and_cut
from transactional_attention.inspection.report import reasons
from transactional_attention.selection.admission import UNCLOSED
from transactional_attention.selection.guarantee import in_order
from transactional_attention.selection.selection import SpanSelection

NAMES = ["evicted", "sink", "recent", "sponsored", "label", "utility", "closing"]
VALUES = ("Zx81Qw77Lm", "K4410-ZZ9-PLM", "/srv/data/9f3a.bin")
TEXT = (
    f"Some words come first.\nThe access token is: {VALUES[0]}\nThe door code is {VALUES[1]}.\n"
    f"</script><b>not markup</b>\nbackup_path = {VALUES[2]}\nLater {VALUES[0]} came again. End.\n"
)
TOKENIZER = byte_tokenizer()
BUDGETS = [5, 6, 9, 12, 13, 16, 20, 24, 31, 32, 40, 64, 100, 200]


@pytest.fixture
def browse(tmp_path):
    """The DOM of a page after its scripts ran, by headless Chromium."""

    def run(page: str, address: str = "") -> str:
        path = tmp_path / "page.html"
        path.write_text(page)
        return dom_of(path, tmp_path, address)

    return run


def selections(browse, jobs):
    """What ``select.js`` keeps for every (page, budgets)."""
    data = json.dumps([[page, list(budgets)] for page, budgets in jobs]).replace("<", "\\u003c")
    script = (
        files("transactional_attention.inspection.page").joinpath("select.js").read_text()
        + f"""
    const out = {data}.map(([page, budgets]) => budgets.map((budget) => {{
      const found = select(page, budget, ranking(page));
      return [[...found.reason], found.sinks, found.recent];
    }}));
    document.getElementById("out").textContent = JSON.stringify(out);"""
    )
    dom = browse(f'<!doctype html><pre id="out"></pre><script>{script}</script>')
    return json.loads(html.unescape(re.search(r'<pre id="out">(.*?)</pre>', dom)[1]))


def expected(text, budget):
    flow = read_and_cut(text, TOKENIZER, Retention(budget))
    kept = {position: name for position, (name, _) in reasons(flow, 0).items()}
    return [kept.get(i, "evicted") for i in range(int(flow.lengths[0]))]


def random_page(seed):
    """A selection, its candidates and the same as numbers for the page."""
    rng = np.random.default_rng(seed)
    length, end_sizes = int(rng.integers(1, 60)), rng.integers(0, 6, 2).tolist()
    limits = rng.choice([4, 64]), rng.choice([2, 16])
    selection = SpanSelection(*end_sizes, *map(int, limits), on_top=bool(seed % 2))
    spans = []
    for _ in range(rng.integers(0, 7)):
        start = int(rng.integers(0, length))
        size = int(rng.integers(1, min(12, length - start) + 1))
        label, rank = int(rng.integers(0, min(start, 4) + 1)), int(rng.integers(0, 4))
        sure = float(rng.choice([0.5, 0.9]))
        odd = int(rng.choice([0, 0, 1, 2]))
        spans.append(span(start, size, label=label, rank=rank, confidence=sure, doubtful=odd))
    live_tokens = candidates(length, spans, utility=rng.choice([0.1, 0.2, 0.3, 0.4], length))
    listed = [
        {
            "value": [s.value.start, s.value.end],
            "extent": [s.value.start, min(selection.extent(s).end, length)],
            "label": [s.label.start, s.label.end],
            "words": [selection.before(s)[1].start, s.value.start],
            "yields": s.confidence >= EVEN,
            "doubtful": s.doubtful,
        }
        for s in in_order(spans)
    ]
    numbers = {"sinks": selection.sinks, "recent": selection.recent, "unclosed": UNCLOSED}
    numbers |= {"doubtful": selection.doubtful, "unlikely": selection.unlikely}
    numbers |= {"onTop": selection.on_top}
    page = {"length": length, "utility": live_tokens.utility.tolist(), "spans": listed, **numbers}
    return selection, live_tokens, page


def test_random_scenes_are_selected_alike(browse):
    scenes = [random_page(seed) for seed in range(300)]
    budgets = [range(max(s.mandatory, 1), 45) for s, _, _ in scenes]
    pages = [page for _, _, page in scenes]
    results = selections(browse, zip(pages, budgets, strict=True))
    for (selection, live_tokens, _), tried, outcome in zip(scenes, budgets, results, strict=True):
        for budget, (reason, sinks, recent) in zip(tried, outcome, strict=True):
            selected = selection.select(live_tokens, budget)
            assert [r > 0 for r in reason] == selected.keep.tolist()
            assert recent == selected.recent
            assert selection.mandatory - sinks - recent == selected.yielded


def test_a_text_is_selected_alike_at_every_budget(browse):
    flow = read(TEXT, TOKENIZER, Retention(16))
    (results,) = selections(browse, [(page_data(flow, TEXT, reveal=False), BUDGETS)])
    for budget, (reason, _, _) in zip(BUDGETS, results, strict=True):
        assert [NAMES[r] for r in reason] == expected(TEXT, budget)


@pytest.mark.parametrize("budget", [16, 40])
def test_the_page_shows_the_selection_of_its_address(browse, budget):
    page = build_page(TEXT, TOKENIZER, Retention(8), reveal=False)
    dom = browse(page, f"#k={budget}")
    shown = {int(i): int(r or 0) for i, r in re.findall(r'data-i="(\d+)"(?: data-r="(\d)")?', dom)}
    want = expected(TEXT, budget)
    assert [NAMES[shown[i]] for i in range(len(want))] == want
    kept = sum(name == "sponsored" for name in want)
    assert f'<b id="count-sponsored">{kept}</b>' in dom
    assert not [value for value in VALUES if value in dom]


@pytest.mark.parametrize("method", ["ta", "ta-fast-regex", "ta-fast-semantic"])
def test_values_are_in_the_file_only_when_revealed(ta, tmp_path, method):
    prompt, out = tmp_path / "prompt.txt", tmp_path / "page.html"
    prompt.write_text(TEXT)
    assert ta("inspect", prompt, "--method", method, "--budget", 32, "--html", out).status == 0
    pieces = json.loads(data_of(out.read_text()))["pieces"]  # a token each: a value is in many
    shown = out.read_text() + "".join(pieces)
    assert "The access token is: ••••" in shown
    assert not [value for value in VALUES if value in shown]
    (tmp_path / "page.html.tmp").touch(0o644)  # of a crash, or of somebody else
    assert json.loads(data_of(out.read_text()))["revealed"] is None
    assert ta("inspect", prompt, "--budget", 32, "--html", out, "--reveal").status == 0
    data = json.loads(data_of(out.read_text()))
    assert all(value in "".join(data["revealed"]) for value in VALUES)
    assert not [value for value in VALUES if value in "".join(data["pieces"])]
    assert out.stat().st_mode & 0o777 == 0o600


def test_a_value_over_its_cap_is_listed_and_masked(browse):
    text = 'api_key: "' + "A1b2" * 80 + '"\nNothing else.\n'
    dom = browse(build_page(text, TOKENIZER, Retention(16), reveal=False))
    assert "longer than the cap" in dom
    assert "A1b2" not in dom


def test_a_search_finds_words_over_several_tokens(browse):
    page = build_page(TEXT, TOKENIZER, Retention(16), reveal=False)
    last = page.rindex("</script>")
    typed = '$("search").value = "access token"; $("search").oninput();'
    dom = browse(page[:last] + typed + page[last:])
    assert '<output id="found">1 of 1</output>' in dom
    assert len(re.findall(r'class="hit here"|class="here hit"', dom)) == len("access token")


def test_thirty_thousand_tokens_open_and_are_selected(browse):
    text = "Nothing was said of it on that calm and rainy day.\n" * 600 + TEXT
    dom = browse(build_page(text, TOKENIZER, Retention(64), reveal=False))
    assert len(re.findall(r'<i data-i="', dom)) > 30_000
    assert len(re.findall(r'<i data-i="\d+" data-r="[1-6]"', dom)) == 64


def data_of(page):
    return re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]


def test_the_page_needs_no_network_and_text_is_no_markup():
    page = build_page(TEXT, TOKENIZER, Retention(16), reveal=False)
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|\bsrc=|@import|url\(", page)
    assert page.count("</script>") == 2
    assert "not markup" in "".join(json.loads(data_of(page))["pieces"])


@pytest.mark.parametrize(
    ("retention", "words"),
    [
        (Retention(16, preset="paper"), "default preset"),
        (Retention(16, "streaming-llm"), "protects no value"),
        (Retention(16, "ta+snapkv"), "reads a model"),
    ],
)
def test_a_page_that_cannot_be_right_is_refused(retention, words):
    with pytest.raises(InputError, match=words):
        build_page(TEXT, TOKENIZER, retention, reveal=False)


def test_the_page_names_its_file_and_filters_what_is_not_kept(ta, browse, tmp_path):
    prompt, out = tmp_path / "prompt.txt", tmp_path / "page.html"
    prompt.write_text(TEXT)
    assert ta("inspect", prompt, "--budget", 24, "--html", out).status == 0
    page = out.read_text()
    last = page.rindex("</script>")
    dom = browse(page[:last] + "$('lost').click();" + page[last:])
    assert re.search(r"prompt\.txt · \d+ tokens of embedded · ta, default preset", dom)
    lost = re.findall(r'<button data-kept="no"', dom)
    assert f'<span id="num-lost">({len(lost)})</span>' in dom and 'class="lost"' in dom
    assert lost and 'data-kept="yes"' in dom
    assert re.search(r'<button id="reveal"[^>]*hidden', dom)


def test_only_a_page_made_to_reveal_has_a_button_for_it(browse):
    page = build_page(TEXT, TOKENIZER, Retention(64), reveal=True)
    shown = re.search(r'<div id="text">.*</div>', browse(page), re.DOTALL)[0]
    assert VALUES[0] not in re.sub("<[^>]*>", "", shown)
    last = page.rindex("</script>")
    dom = browse(page[:last] + "$('reveal').click();" + page[last:])
    assert not re.search(r'<button id="reveal"[^>]*hidden', dom)
    shown = re.search(r'<div id="text">.*</div>', dom, re.DOTALL)[0]
    assert VALUES[0] in re.sub("<[^>]*>", "", shown)


def test_what_is_pinned_is_beside_k_on_the_page(browse):
    tokenizer = chat_tokenizer("chatml")
    system = {"role": "system", "content": "Be brief."}
    prompt = chat_prompt(tokenizer, [system, {"role": "user", "content": TEXT}])
    retention = Retention(32, pinned=("system",))
    dom = browse(build_page(prompt, tokenizer, retention, reveal=False))
    flow = read_and_cut(prompt, tokenizer, retention)
    shown = {int(i): int(r or 0) for i, r in re.findall(r'data-i="(\d+)"(?: data-r="(\d)")?', dom)}
    kept = {position: name for position, (name, _) in reasons(flow, 0).items()}
    assert {i for i, r in shown.items() if r} == set(kept)
    pinned = {i for i, name in kept.items() if name == "pinned"}
    assert pinned == {i for i, r in shown.items() if r == 7} and len(pinned) > 10
