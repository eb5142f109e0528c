"""Judges on a text alone: the reply of a model, and the rules."""

import pytest

from transactional_attention import InputError, Retention, SourceRange, Span
from transactional_attention.retention.sequence import SequenceState
from transactional_attention.retention.tool_outputs import (
    OldestFirst,
    ToolOutput,
    Turn,
    ask_model,
    not_referred_to,
    read_reply,
)

OUTPUTS = ("Weather report: heavy rain in Lisbon", "Weather report: sunshine, port 8443 is open")
SAID = "\nThank you.\n"


def turn_of(tokenizer, *outputs, said=SAID, reply="none", asked=None):
    """A turn after ``outputs``, the last followed by what was said; ids are bytes."""
    asked = [] if asked is None else asked
    text, held, sources = "Please look.\n", [], []
    for number, output in enumerate(outputs, 1):
        span = Span(len(text), len(text) + len(output))
        held.append(ToolOutput(number, span, len(span)))
        sources.append(SourceRange(span, "tool"))
        text += output + (said if number == len(outputs) else SAID)
    sequence = SequenceState(tokenizer, Retention(), ())
    sequence.sources = sources
    sequence.read(tokenizer(text)["input_ids"], final=True)
    return Turn(0, tuple(held), lambda request: asked.append(request) or reply, sequence)


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("none", []),
        (" None.\n", []),
        ("2", [2]),
        (" 1, 3.", [1, 3]),
        ("[1,3]", [1, 3]),
        ("3 1", [3, 1]),
        ("", None),
        ("7", None),
        ("1, 7", None),
        ("-1", None),
        ("1 and 3", None),
        ("I would delete 1.", None),
        ("¹", None),
        ("9" * 5000, None),
    ],
)
def test_a_reply_is_read_whole_or_not_at_all(reply, numbers):
    outputs = [ToolOutput(n, Span(0, 1), 1) for n in (1, 2, 3)]
    assert read_reply(reply, outputs) == numbers


def test_the_model_is_shown_every_output_by_number_and_opening(tokenizer):
    asked = []
    turn = turn_of(tokenizer, OUTPUTS[0], "x" * 500, reply="2", asked=asked)
    assert ask_model(turn) == [2]
    assert f"1: {OUTPUTS[0]}\n2: {'x' * 60}...\n" in asked[0]


def test_oldest_first_keeps_the_newest(tokenizer):
    turn = turn_of(tokenizer, *OUTPUTS)
    assert [OldestFirst(keep)(turn) for keep in (0, 1, 2, 5)] == [[1, 2], [1], [], []]
    with pytest.raises(InputError, match="keep must be >= 0"):
        OldestFirst(-1)


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        (SAID, [1, 2]),
        ("\nPort 8443 it is.\n", [1]),  # a new word of the second alone
        ("\nRain in LISBON, then.\n", [2]),
        ("\nThe report is here, please look.\n", [2]),  # words that the first brought
        ("", [1]),  # nothing was said since the second
    ],
)
def test_what_nobody_took_up_goes(tokenizer, said, numbers):
    assert not_referred_to(turn_of(tokenizer, *OUTPUTS, said=said)) == numbers


def test_a_judge_that_reads_text_needs_a_tokenizer():
    sequence = SequenceState(None, Retention(), ())
    turn = Turn(0, (ToolOutput(1, Span(0, 4), 4),), lambda request: "", sequence)
    with pytest.raises(InputError, match="tokenizer"):
        not_referred_to(turn)
