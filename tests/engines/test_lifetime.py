"""Values over chunks, turns and thousands of generated tokens: found, held, released."""

import pytest

from flows import IDLE, read_and_cut, read_sources, said
from scenes import byte_tokenizer
from transactional_attention import Retention, Sponsorship
from transactional_attention.detection.scanner import Scanner
from transactional_attention.retention.flow import RetentionFlow

TOKENIZER = byte_tokenizer()
STATED = "The door code is QX81-77K2.\n"


def held(flow):
    """The text of the values that are held whole."""
    (table,) = flow.tables.values()
    live, sequence = set(table.positions[0].tolist()), flow.sequences[0]
    return {
        sequence.characters(s.value).strip()
        for s in flow.sponsored(0)
        if set(range(s.value.start, s.value.end)) <= live
    }


@pytest.mark.parametrize("border", range(1, len(STATED), 2))
@pytest.mark.parametrize("final", [False, True])
def test_a_value_that_a_border_cuts_is_found(border, final):
    """Chunks of one prompt, and prompts that follow each other with nothing generated between."""
    flow = RetentionFlow(Retention(48), TOKENIZER, 1)
    read_and_cut(flow, IDLE + STATED[:border], final=final)
    read_and_cut(flow, STATED[border:] + IDLE)
    assert held(flow) == {"QX81-77K2"}


def test_a_label_before_generated_text_announces_a_value_after_it():
    flow = RetentionFlow(Retention(48), TOKENIZER, 1)
    read_and_cut(flow, IDLE)
    said(flow, "Where is it? The new door code is")
    read_and_cut(flow, " QX81-77K2.\n")
    assert held(flow) == {"QX81-77K2"}


def test_generated_text_holds_no_value_unless_it_is_asked_for():
    for asked in (False, True):
        flow = RetentionFlow(Retention(48, detect_in_generated=asked), TOKENIZER, 1)
        read_and_cut(flow, IDLE)
        said(flow, STATED)
        read_and_cut(flow, IDLE)
        assert held(flow) == ({"QX81-77K2"} if asked else set())


def turn_text(turn):
    return f"id: Q{turn}X7{turn}\n" + IDLE if turn else STATED + "api_key: Zx81Qw77Lm\n"


def test_values_outlast_fifty_turns_and_five_thousand_generated_tokens():
    """K = 64 on the registry and the slots, a hundred tokens a turn."""
    flow, registered = RetentionFlow(Retention(64), TOKENIZER, 1), []
    for turn in range(50):
        read_and_cut(flow, turn_text(turn))
        said(flow, "E" * 100)
        registered.append(len(flow.sequences[0].registry.known))
    (table,) = flow.tables.values()
    assert {"QX81-77K2", "Zx81Qw77Lm"} <= held(flow)
    assert table.width == 64
    assert max(registered) <= 64


def test_a_turn_is_scanned_in_the_time_of_its_own_text(monkeypatch):
    """Characters that detectors are given, counted; they do not grow with the turns before."""
    seen = []
    detect = Scanner._detect

    def counted(self, parts):
        seen.append(parts[-1].seen - parts[0].begin)
        return detect(self, parts)

    monkeypatch.setattr(Scanner, "_detect", counted)
    flow, sizes = RetentionFlow(Retention(64), TOKENIZER, 1), []
    for _ in range(12):
        seen.clear()
        read_and_cut(flow, IDLE * 3 + STATED)
        sizes.append(sum(seen))
    assert set(sizes[1:]) == {sizes[1]}
    assert sizes[1] <= 2 * len(IDLE * 3 + STATED)


def test_fading_by_steps_releases_a_value_while_decoding():
    numbers = Sponsorship(fade_per="step")
    flow = RetentionFlow(Retention(48, sponsorship=numbers), TOKENIZER, 1)
    read_and_cut(flow, STATED)
    steps = 0
    while flow.sponsored(0):
        assert held(flow) == {"QX81-77K2"}
        flow.decode(evict=True)
        steps += 1
    assert steps == 26
    for _ in range(60):
        flow.decode(evict=True)
    (table,) = flow.tables.values()
    assert not set(range(17, 26)) & set(table.positions[0].tolist())


def test_a_later_user_outranks_a_tool_that_filled_the_cache():
    flow = RetentionFlow(Retention(40), TOKENIZER, 1)
    tool, user = "".join(f"token {w}: Zx81Qw77L{w}\n" for w in "abcdef"), "My pin is 447193.\n"
    for source, text in (("tool", tool), ("user", user)):
        flow.cut(read_sources(flow, [(source, text)]).table)
    assert "447193" in held(flow)
