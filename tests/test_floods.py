"""A source's flood counts against that source alone: no one trusted less pushes a value out."""

import pytest

from flows import IDLE, read_sources
from scenes import byte_tokenizer
from transactional_attention import Retention
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.sponsorship.floods import FLOOD

TOKENIZER = byte_tokenizer()
STATED, VALUE = "The API key is {}.\n", "Zx81Qw77Lm4K"
LESS = [("user", "tool"), ("system", "tool"), ("assistant", "tool"), ("unknown", "tool")]
LESS += [("user", "assistant"), ("system", "assistant"), ("user", "unknown")]


def flood(lines):
    return "".join(STATED.format(f"Yy{i:03d}Rt{i * 37 % 1000:03d}Kp") for i in range(lines))


def cut(parts, budget):
    """A flow that read (source, text) as one prompt and cut it to ``budget``; a token a byte."""
    flow = read_sources(RetentionFlow(Retention(budget), TOKENIZER, 1), parts)
    flow.cut(flow.table)
    return flow


def holds(flow, value):
    text = flow.sequences[0].text.text
    start = text.index(value)
    return set(range(start, start + len(value))) <= set(flow.table.positions[0].tolist())


@pytest.mark.parametrize("budget", [32, 96, 256])
@pytest.mark.parametrize("lines", [2, 9, 10, 200])
@pytest.mark.parametrize("sources", LESS, ids="-".join)
@pytest.mark.parametrize("later", [False, True])
def test_a_flood_in_the_words_of_a_more_trusted_source_leaves_its_value(
    sources, lines, budget, later
):
    stating, flooding = sources
    statement, fakes = (stating, IDLE + STATED.format(VALUE) + IDLE), (flooding, flood(lines))
    flow = cut([fakes, statement] if later else [statement, fakes], budget)
    assert holds(flow, VALUE)
    best = max(flow.sequences[0].registry.spans, key=lambda span: span.rank)
    assert (best.source, best.doubtful) == (stating, 0)


@pytest.mark.parametrize("source", ["user", "tool"])
def test_a_flood_of_one_source_stands_back(source):
    few, many = (
        cut([(source, STATED.format(VALUE) + IDLE * 8 + flood(lines))], 4096).sequences[0]
        for lines in (FLOOD - 2, 3 * FLOOD)
    )
    doubts = [all(s.doubtful for s in sequence.registry.spans) for sequence in (few, many)]
    assert doubts == [False, True]


def test_what_one_source_floods_another_may_still_say_anew():
    """The newer of two values of one thing stands first, whatever a tool has said of its form."""
    statements = "The door code is 4471.\n" + IDLE + "I had the door code wrong; it is 4492.\n"
    tool = "".join(f"Ticket {i}: code {i * 7919 % 9000 + 1000}\n" for i in range(3 * FLOOD))
    for parts in ([("user", statements)], [("tool", tool), ("user", statements)]):
        spans = cut(parts, 4096).sequences[0].registry.spans
        user_spans = sorted((s for s in spans if s.source == "user"), key=lambda s: s.rank)
        assert [s.value.start for s in user_spans] == sorted(s.value.start for s in user_spans)


@pytest.mark.parametrize("lines", [3, 9, 30])
def test_what_a_tool_lists_hides_no_statement_from_its_correction(lines):
    listed = flood(lines).replace("The API key is ", "API key: ").replace(".\n", "\n")
    statement, corrects = STATED.format(VALUE), STATED.format("Qp55Kd28Vb9T")
    parts = ("user", statement), ("tool", listed), ("user", f"Correction: {corrects}")
    spans = cut(parts, 4096).sequences[0].registry.spans
    (left,) = (s for s in spans if s.source == "user")
    assert left.value.start > len(statement)
