"""Rows that go on elsewhere, with their text and without: what is known, and what is lost."""

import json
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flows import gone_on, read, read_and_cut, said
from scenes import byte_tokenizer
from ta_lab.baselines.tool_outputs import ToolOutput, Turn
from transactional_attention import InputError, Retention, Span
from transactional_attention.detection.scanner import Scanner
from transactional_attention.inspection.report import build_report
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.forgetting import forget_text
from transactional_attention.retention.saving.flow import export_flow
from transactional_attention.sponsorship.claims import claim_of
from transactional_attention.types import SourceRange

TOKENIZER = byte_tokenizer()
GOLDEN = 6599796970260956385  # BLAKE2b of 7301, 8 bytes, key a


def flow_of(**options):
    return RetentionFlow(Retention(**{"budget": 4096, **options}), TOKENIZER, 1)


def values(flow, text):
    """The sponsored values, as parts of the whole text that was read."""
    sequence = flow.sequences[0]
    return [text[s.value.start : s.value.end] for s in flow.sponsored(0)] if sequence else []


FRAGMENTS = (
    *("The door code is 73", "01. ", "api_", "key: ", "QX7K99ZB", "\n", "id,token\n"),
    *("Correction: ", "the door code is 9912 now. ", "What is the api key? ", "It rained. "),
    *("ann,K81-4477\n", "日本", "</s>"),
)


def take(flow, text, kind):
    """A portion of a row: a chunk of a prompt, its last one, or what is said; then a cut."""
    return said(flow, text) if kind == "said" else read_and_cut(flow, text, final=kind == "prompt")


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join),
            st.sampled_from(("chunk", "prompt", "said")),
        ),
        min_size=2,
        max_size=5,
    ),
    st.sets(st.integers(0, 4)),
    st.sampled_from(("default", "paper")),
)
@example(
    [("The door code is 73", "chunk"), (" and on.", "prompt")], {1}, "paper"
)  # L tokens end later
def test_wherever_a_row_is_saved_it_decides_the_same_with_its_ids(portions, saves, preset):
    flow, other = (flow_of(budget=24, preset=preset) for _ in "ab")
    ids: list[int] = []
    for number, (text, kind) in enumerate([("Hello. ", "prompt"), *portions]):
        take(flow, text, kind)
        ids += take(other, text, kind)
        if number in saves:
            other = gone_on(other, ids)
    for one, two in zip(flow.tables.values(), other.tables.values(), strict=True):
        for name in ("positions", "ids", "held", "voucher", "frequency", "anchor"):
            assert (getattr(one, name) == getattr(two, name)).all(), name
    assert flow.sponsored(0) == other.sponsored(0)
    assert flow.sequences[0].registry.excluded == other.sequences[0].registry.excluded
    assert build_report(flow, 0, reveal=True) == build_report(other, 0, reveal=True)


@pytest.mark.parametrize("final", [False, True])
def test_without_its_text_a_row_keeps_what_it_knew_and_reads_on(final):
    flow = flow_of()
    first, second = "The door code is 7301.\nThe api_key: QX7K", "99ZB\nThe pin is 4417, and so on."
    read(flow, first, final=final)
    known = values(flow, first)
    assert known == ["7301", "QX7K"] or known == ["QX7K", "7301"]
    other = gone_on(flow)
    read(other, second)
    all_values = values(other, first + second)
    assert sorted(all_values) == ["4417", "7301", "99ZB", "QX7K"]  # not QX7K99ZB: the border cut it


def test_a_correction_after_the_border_replaces_what_was_said_before_it():
    flow = flow_of()
    first, second = "The door code is 7301. I said so.", " Correction: the door code is 9912 now."
    ids = read(flow, first)
    for other in (gone_on(flow), gone_on(flow, ids)):
        read(other, second)
        assert values(other, first + second) == ["9912"]


def test_claims_are_hashed_the_same_in_every_process():
    text = "The door code is 7301."
    (anchor,) = Scanner(("values",)).feed(text, final=True)
    claims = [claim_of(anchor, lambda i, j: text[i:j], salt) for salt in (b"a", b"a", b"b")]
    assert claims[0] == claims[1] != claims[2]
    assert claims[0].value == GOLDEN


def test_labels_go_on_and_no_value_is_among_them():
    flow = flow_of()
    read(
        flow,
        "The door code is 7301.\npin,token\n4417,K81-4477\n9923,L92-5588\nthe 7301 key: QX7K99ZB\n",
    )
    plain, _ = export_flow(flow)
    labels = [label for _, _, label in plain["rows"][0]["text"]["labels"]]
    assert "The door code is " in labels and any("token" in label for label in labels)
    assert not any(v in json.dumps(labels) for v in ("7301", "4417", "9923", "K81", "QX7K"))
    span = next(s for s in flow.sponsored(0) if s.value == Span(17, 21))
    assert gone_on(flow).sequences[0].characters(span.label) == "The door code is "


def test_no_label_shows_a_value_that_it_holds_or_repeats():
    flow = flow_of()
    take(flow, "the pin of 99172 door is 4471 and user K81Q2ZZ9 has token 9f8a7c6b5d\n", "prompt")
    report = str(build_report(flow, 0, reveal=False))
    assert "'the pin of ••••• door is'" in report and "'user •••••••• has token'" in report
    assert "'the pin of 99172 door is'" in str(build_report(flow, 0, reveal=True))


def test_a_label_is_saved_and_reported_without_a_value_that_was_evicted():
    flow = flow_of(budget=24)
    address = "https://hooks.slack.example/services/T0AB12CD9/B0ZZ98YX7/q8WmKx72LpVb"
    take(flow, f"Slack: curl {address}\n", "prompt")
    for text in ("ok\n", "and what now?\n"):
        take(flow, text, "prompt")
        other = gone_on(flow)
        plain, _ = export_flow(other)
        assert plain["rows"][0]["text"]["labels"]
        shown = [json.dumps(export_flow(flow)[0]), json.dumps(plain)]
        shown += [str(build_report(one, 0, reveal=False)) for one in (flow, other)]
        assert not any("T0AB12CD9" in text for text in shown)


def test_a_stream_remembers_which_of_its_labels_hold_a_value():
    flow = flow_of(budget=24)
    take(flow, "The door code is 7301.\nthe 7301 key: L92-5588-QQ41\n", "chunk")
    flow.release(17, 21)
    for _ in range(12):
        take(flow, "It rained. " * 9 + "\n", "chunk")
        forget_text(flow, keep=1)
    assert not flow.sequences[0].text.texts([Span(17, 21)])[0]
    assert "'the •••• key:'" in str(build_report(flow, 0, reveal=False))


def test_a_stream_that_is_held_whole_goes_on_with_its_ids():
    flow = flow_of()
    ids = take(flow, "The door code is 7301.\n" + "It rained.\n" * 150, "chunk")
    forget_text(flow, keep=1)
    ids += take(flow, "The api_key: QX7K99ZB\n", "prompt")
    assert gone_on(flow, ids).sponsored(0) == flow.sponsored(0)


def test_what_needs_the_text_says_so():
    flow = flow_of(protected=Retention().protect(4, 9).protected)
    flow.set_sources([[SourceRange(Span(3, 20), "tool")]])
    read(flow, "The door code is 7301. And that was that.")
    other = gone_on(flow)
    sequence = other.sequences[0]
    with pytest.raises(InputError, match="input_ids"):
        sequence.characters(Span(18, 22))
    turn = Turn(0, (), lambda request: "", sequence)
    with pytest.raises(InputError, match="input_ids"):
        turn.text(ToolOutput(1, Span(3, 20), 17))
    with pytest.raises(InputError, match="input_ids"):
        other.forked(Retention(budget=16, method="streaming-llm"))
    assert other.sequences[0].explicit() == flow.sequences[0].explicit()


def test_a_fork_after_more_text_finds_what_it_states():
    first, second = "The door code is 7301.\n", "The api_key: QX7K99ZB\n"
    flow, at = flow_of(budget=None, method="full"), Retention(budget=4096)
    read(flow, first, final=False)
    assert values(flow.forked(at), first) == ["7301"]
    flow.take_rows(np.zeros(2, int))
    one, other = flow.sequences
    one.read(TOKENIZER("The pin is 4417, as ever.\n")["input_ids"], final=True)
    other.read(TOKENIZER(second)["input_ids"], final=True)
    for sequence, value in ((one, "4417"), (other, "QX7K99ZB")):
        fork = sequence.forked(at, ["values"], 0)
        assert {fork.characters(s.value) for s in fork.registry.spans} == {"7301", value}


def test_forks_of_one_text_detect_once(monkeypatch):
    flow = flow_of(budget=None, method="full")
    read(flow, "The door code is 7301.\n")
    reading = Mock(wraps=Scanner.read)
    monkeypatch.setattr(Scanner, "read", lambda *given: reading(*given))
    for budget in (16, 32, 64):
        flow.forked(Retention(budget))
    assert reading.call_count == 1
