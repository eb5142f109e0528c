"""Values are masked wherever they occur, and nothing else is."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows import gone_on, read_and_cut, said
from scenes import byte_tokenizer
from transactional_attention import Retention
from transactional_attention.inspection import held
from transactional_attention.inspection.plan import read
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.masking import MASK, WORD, masked_text

TOKENIZER = byte_tokenizer()


@pytest.mark.parametrize(
    ("text", "ranges", "shown"),
    [
        ("The door code is 7301. So 7301 it is.\n", [], "The door code is ••••. So •••• it is.\n"),
        ("Nothing at all.\n", [], "Nothing at all.\n"),
        ("It was blue then.\n", [(7, 11)], "It was •••• then.\n"),
        ("abcdefghi jk\n", [(0, 6), (3, 9)], "••••••••• jk\n"),
        ("It is ok. Not oks, but ok.\n", [(6, 8)], "It is ••. Not oks, but ••.\n"),
    ],
    ids=["repeated", "none", "the caller's", "overlapping", "short, where it stands alone"],
)
def test_a_value_is_masked_wherever_it_occurs(text, ranges, shown):
    retention = Retention(16)
    for start, end in ranges:
        retention = retention.protect(start, end)
    (sequence,) = read(text, TOKENIZER, retention).sequences
    assert sequence.text.text == text and masked_text(sequence) == shown


def by_definition(text, values):
    """Each place of each value, looked up one value at a time."""
    shown = list(text)
    for start, end in values:
        core = re.search(r"\w(?:.*\w)?", text[start:end])
        spans = [(start, end)]
        if core is not None:
            core_text = core.group()
            edge = r"(?<!\w){}(?!\w)" if len(core_text) < WORD else "{}"
            places = re.finditer(rf"(?={edge.format(re.escape(core_text))})", text)
            spans += [(m.start(), m.start() + len(core_text)) for m in places]
        for first, last in spans:
            shown[first:last] = [c if c.isspace() else MASK for c in text[first:last]]
    return "".join(shown)


PARTS = ["ab1-c", "ab1-cd", "ab1-", "ab", "1", "-", " ", "ab1-c ab1-c"]


@settings(max_examples=300, deadline=None)
@given(
    parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=12),
    places=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), min_size=1, max_size=5),
)
def test_every_place_of_every_value_is_masked(parts, places):
    text = "".join(parts) + "x\n"
    spans = [(a, min(a + size, len(text))) for a, size in places if a < len(text)]
    retention = Retention(None)
    for start, end in spans:
        retention = retention.protect(start, end)
    (sequence,) = read(text, TOKENIZER, retention).sequences
    spans += [(s.start, s.end) for s in (*sequence.scan.stated, *sequence.scan.open)]
    assert masked_text(sequence) == by_definition(text, spans)


def test_a_page_masks_the_text_once_for_all_its_values(monkeypatch):
    calls = []
    monkeypatch.setattr(held, "masked_text", lambda read: calls.append(read) or masked_text(read))
    flow = read("The door code is 7301.\nThe gate code is 8842.\n", TOKENIZER, Retention(64))
    report = held.held_tokens(flow, reveal=False)
    assert len(report["values"]) == 2 and len(calls) == 1
    assert all("code is" in value["label"] for value in report["values"])
    assert "7301" not in str(report) and "8842" not in str(report)


def shown(flow):
    return "".join(run[0] for run in held.held_tokens(flow, reveal=False)["runs"])


def test_a_value_that_was_evicted_stays_masked():
    values = [f"XK7M9P2Q{i}Z" for i in range(6)]
    text = "".join(f"The api key of server {i} is {v}.\n" for i, v in enumerate(values))
    flow = RetentionFlow(Retention(24), TOKENIZER, 1)
    ids = read_and_cut(flow, text) + read_and_cut(flow, "And now what?\n")
    assert not any(value in shown(flow) for value in values)
    assert shown(gone_on(flow, ids)) == shown(flow)


KEY = [f"{number:03d}Qx7mK9zP4vLrT8sW" * 3 for number in range(220)]
LONG = {
    "armour": "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n".format("\n".join(KEY)),
    "scalar": "private_key: |\n  {}\n".format("\n  ".join(KEY)),
    "line": f"api_key = {''.join(KEY)}\n",
}


@pytest.mark.parametrize("size", [500, 20000])
@pytest.mark.parametrize("name", LONG)
def test_a_value_that_is_too_long_to_be_found_is_masked_to_its_end(name, size):
    flow, text = RetentionFlow(Retention(64), TOKENIZER, 1), f"Hi.\n{LONG[name]}It rained.\n"
    for start in range(0, len(text), size):
        read_and_cut(flow, text[start : start + size], final=False)
        assert not re.search("Qx7|K9z|P4v|LrT|8sW", shown(flow))
    assert shown(flow).startswith("Hi.\n") and shown(flow).endswith("\nIt rained.\n")


@pytest.mark.parametrize("method", ["streaming-llm", "full", "ta-fast-regex"])
def test_what_a_method_does_not_look_for_is_masked_on_the_page(method):
    flow = RetentionFlow(Retention(64, method), TOKENIZER, 1)
    read_and_cut(flow, "ドアの暗証番号は48213です。\n")
    assert shown(flow) == "ドアの暗証番号は•••••です。\n"


@pytest.mark.parametrize("generated", [False, True])
def test_a_value_is_masked_while_its_line_goes_on(generated):
    flow = RetentionFlow(Retention(64, detect_in_generated=generated), TOKENIZER, 1)
    line = "The api key of the server is XK7M9P2Q1Z and so on"
    read_and_cut(flow, "Hello there.\n")
    if generated:
        for letter in line:
            said(flow, letter)
    else:
        read_and_cut(flow, line, final=False)
    assert "server is •••••••••• and so on" in shown(flow)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("It is ORD-582", "It is •••••••"),
        ("It is O", "It is •"),
        ("It is xord-5", "It is x•••••"),
        ("It is ORD-59", "It is ORD-59"),
        ("They sang solo", "They sang solo"),
    ],
    ids=["most of it", "a letter", "inside a word", "another value", "a letter inside a word"],
)
def test_the_begin_of_a_value_is_masked_where_the_model_stopped(text, seen):
    flow = RetentionFlow(Retention(64), TOKENIZER, 1)
    read_and_cut(flow, "The order id is ORD-58213.\n")
    for letter in text:
        assert not re.search("(?i)ord-58|is o$", shown(flow))
        said(flow, letter)
    assert shown(flow).endswith(f"\n{seen}")
    read_and_cut(flow, "\nGo on.\n")
    assert shown(flow).endswith(f"\n{seen}\nGo on.\n")


def test_the_begin_of_a_value_is_masked_to_the_token_that_is_read_with_the_next_prompt():
    flow = RetentionFlow(Retention(64), TOKENIZER, 1)
    read_and_cut(flow, "The order id is ORD-58213.\n")
    for letter in "It is ORD-5":
        said(flow, letter)
    read_and_cut(flow, "82\nGo on.\n")
    assert shown(flow).endswith("\nIt is •••••••\nGo on.\n")
