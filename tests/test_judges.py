"""The model as a judge, on a text alone: what it is shown, and what its reply says."""

import pytest

from ta_lab.baselines.tool_outputs import ToolOutput, Turn, ask_model, read_reply
from transactional_attention import InputError, Retention, SourceRange, Span
from transactional_attention.retention.sequence import SequenceState

OUTPUT = "Weather report: heavy rain in Lisbon"
SAID = "\nThank you.\n"


def turn_of(tokenizer, *outputs, reply, asked):
    """A turn after ``outputs``, each followed by what was said; ids are bytes."""
    text, held, sources = "Please look.\n", [], []
    for number, output in enumerate(outputs, 1):
        span = Span(len(text), len(text) + len(output))
        held.append(ToolOutput(number, span, len(span)))
        sources.append(SourceRange(span, "tool"))
        text += output + SAID
    sequence = SequenceState(tokenizer, Retention(), ())
    sequence.ranges.sources = sources
    sequence.read(tokenizer(text)["input_ids"], final=True)
    return Turn(0, tuple(held), lambda request: asked.append(request) or reply, sequence)


READ = {"none": [], " None.\n": [], "2": [2], " 1, 3.": [1, 3], "[1,3]": [1, 3], "3 1": [3, 1]}
UNREAD = ("", "7", "1, 7", "-1", "1 and 3", "I would delete 1.", "¹", "9" * 5000)


@pytest.mark.parametrize("reply", [*READ, *UNREAD])
def test_a_reply_is_read_whole_or_not_at_all(reply):
    outputs = [ToolOutput(n, Span(0, 1), 1) for n in (1, 2, 3)]
    assert read_reply(reply, outputs) == READ.get(reply)


def test_the_model_is_shown_every_output_by_number_and_opening(tokenizer):
    asked = []
    turn = turn_of(tokenizer, OUTPUT, "x" * 500, reply="2", asked=asked)
    assert ask_model(turn) == [2]
    assert f"1: {OUTPUT}\n2: {'x' * 60}...\n" in asked[0]


def test_a_judge_that_reads_text_needs_a_tokenizer():
    sequence = SequenceState(None, Retention(), ())
    turn = Turn(0, (ToolOutput(1, Span(0, 4), 4),), lambda request: "", sequence)
    with pytest.raises(InputError, match="tokenizer"):
        ask_model(turn)
