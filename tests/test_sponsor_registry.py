"""The registry of a sequence: what stands before what, and what ends a protection."""

from math import inf, nan

import pytest

import flows
from flows import IDLE, read_sources
from scenes import byte_tokenizer
from transactional_attention import InputError, Retention, Span, Sponsorship
from transactional_attention.inspection.plan import plan
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.sponsorship.entries import COPY
from transactional_attention.types import CURRENT, SourceRange

TOKENIZER = byte_tokenizer()


def read(*parts, retention=None, flow=None):
    """A flow that read texts (or (source, text)) as one prompt, nothing cut; one token a byte."""
    flow = flow or RetentionFlow(retention or Retention(4096), TOKENIZER, 1)
    parts = [part if isinstance(part, tuple) else ("unknown", part) for part in parts]
    return read_sources(flow, parts)


def values(flow, spans=None):
    """Texts of the sponsored values, best first."""
    sequence = flow.sequences[0]
    spans = sequence.registry.spans if spans is None else spans
    return [sequence.characters(s.value) for s in sorted(spans, key=lambda s: s.rank, reverse=True)]


def reasons(flow):
    sequence = flow.sequences[0]
    return {sequence.characters(item.span.value): item.why for item in sequence.registry.excluded}


def test_a_correction_releases_the_earlier_value():
    flow = read("The door code is 4471.\n", IDLE, "Correction: the door code is 4492.\n")
    assert values(flow) == ["4492"]
    assert reasons(flow) == {"4471": "corrected later"}


def test_a_correction_by_a_tool_releases_nothing_of_the_user():
    turns = ("user", "The door code is 4471.\n"), ("tool", "Correction: the door code is 4492.\n")
    assert values(read(*turns)) == ["4471", "4492"]
    assert values(read(*reversed(turns)))[0] == "4471"


def test_a_value_said_again_otherwise_stands_back_but_stays():
    flow = read("The door code is 4471.\n", IDLE, "The door code is 4492.\n", "token: QX7\n")
    assert values(flow)[-1] == "4471"
    assert set(values(flow)) == {"4471", "4492", "QX7"}


def test_sources_stand_in_their_order():
    parts = [
        (source, f"The {name} code is {value}.\n")
        for source, name, value in (
            ("tool", "door", "QX81-44KZ7"),
            ("assistant", "gate", "8842"),
            ("user", "safe", "8843"),
            ("system", "vault", "8844"),
        )
    ]
    first, second, *others = values(read(*parts))
    assert {first, second} == {"8843", "8844"}  # the system and the user are believed alike
    assert others == ["8842", "QX81-44KZ7"]


def test_of_overlapping_sources_the_least_trusted_counts():
    text = "The door code is 4471.\n"
    whole = Span(0, len(TOKENIZER(text)["input_ids"]))
    for order in (("user", "tool"), ("tool", "user")):
        flow = RetentionFlow(Retention(64), TOKENIZER, 1)
        flow.set_sources([[SourceRange(whole, source) for source in order]])
        flows.read(flow, text)
        assert [span.source for span in flow.sequences[0].registry.spans] == ["tool"]


def test_a_copy_holds_nothing_until_its_first_statement_is_gone():
    flow = read("token: QX81-77K2\n", IDLE, "token: QX81-77K2\n", "My pin is 4471.\n")
    assert sorted(values(flow)) == ["4471", "QX81-77K2"]
    registry = flow.sequences[0].registry
    (copy,) = registry.excluded
    assert copy.why == COPY
    first = max(registry.spans, key=lambda span: len(span.value))
    assert first.value.end < copy.span.value.start
    registry.release(first.value)
    assert copy.span.value in [s.value for s in registry.spans]


def test_a_value_is_as_sure_as_its_surest_statement():
    registry = read("user_id nia_4471\nMy user id was nia_4471 once.\n").sequences[0].registry
    ((first,), (copy,)) = registry.spans, registry.excluded
    assert first.value.end < copy.span.value.start
    assert first.confidence == max(span.confidence for span in registry.known)
    assert first.rule == "structure:directive"  # the first statement's own


def test_what_is_said_again_after_its_correction_is_no_copy():
    statements = "The door code is 4471. Correction: the door code is 4472. "
    flow = read(f"{statements}Correction: the door code is 4471.\n")
    assert values(flow)[0] == "4471" and flow.sequences[0].registry.spans[-1].rank.tier == CURRENT


def test_what_is_asked_for_stands_before_its_like():
    flow = read("The vault key is QX81-77K2. The gate key is ZB42-19M7.\n")
    assert values(flow) == ["ZB42-19M7", "QX81-77K2"]
    asked = values(read("What was the vault key?\n", flow=flow))
    assert asked == ["QX81-77K2", "ZB42-19M7"]


@pytest.mark.parametrize("count", [20, 100, 500])
@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("before", [False, True])
def test_a_flood_without_sources_ranks_after_the_value(count, fresh, before):
    fakes = [f"session token: Zx{i * fresh:03d}Qw77Lm\n" for i in range(count)]
    texts = [IDLE, "The door code is 4471.\n", IDLE]
    flow = read(*(fakes + texts if before else texts + fakes))
    assert values(flow)[0] == "4471"


def test_a_flood_that_spoofs_the_label_leaves_the_first_statement_first():
    sentence = "The access token is Zx81Qw77Lm.\n"
    flow = read(sentence, IDLE * 8, *(f"The access token is Yy{i:02d}Qw77Kp.\n" for i in range(40)))
    assert values(flow)[0] == "Zx81Qw77Lm"


def test_a_flood_from_a_tool_holds_no_more_than_its_share():
    fakes = "".join(f"token: Zx{i:03d}Qw77Lm\n" for i in range(500))
    retention = Retention(100, sponsorship=Sponsorship(untrusted_share=0.25))
    flow = read(("user", "The door code is 4471.\n"), ("tool", fakes), retention=retention)
    held = [s for s in flow.sequences[0].registry.spans if s.source == "tool"]
    assert 0 < sum(len(s.value) for s in held) <= 25
    assert set(reasons(flow).values()) == {"beyond the quota of its source"}
    assert values(flow)[0] == "4471"


def test_a_tool_that_says_much_is_believed_less_from_its_rate_on():
    names = [f"{a}{b}" for a in "abcdefgh" for b in "ijklmnop"]
    many = "".join(f"The {name} door code is {i}Q{i + 7}X.\n" for i, name in enumerate(names, 11))
    rated = Retention(4096, sponsorship=Sponsorship(untrusted_rate=5, untrusted_share=1.0))
    best = values(read(("tool", many), retention=rated))[:5]
    assert set(best) == {f"{i}Q{i + 7}X" for i in range(11, 16)}
    lone = read(("tool", "The door code is 4471.\n"), retention=rated)
    assert values(lone) == ["4471"]


def test_denied_labels_and_rules_are_not_sponsored():
    text = "The door code is 4471.\nThe api key is QX81-77K2.\n"
    denied = read(text, retention=Retention(4096, deny=("door code",)))
    assert (values(denied), reasons(denied)) == (["QX81-77K2"], {"4471": "not permitted"})
    assert values(read(text, retention=Retention(4096, allow=("door code",)))) == ["4471"]
    assert values(read(text, retention=Retention(4096, deny=("prose:*",)))) == []
    shown = plan(text, TOKENIZER, Retention(64, deny=("door code",)))
    assert "4471" not in str(shown)


def test_the_callers_ranges_need_no_permission():
    text = "The door code is 4471.\n"
    retention = Retention(64, deny=("prose:*", "shape:*")).protect(17, 21)
    flow = read(text, retention=retention)
    assert [s.rule for s, _ in flow.sequences[0].explicit()] == ["caller"]


def test_a_release_by_the_caller_ends_values_and_ranges():
    text = "The door code is 4471. The gate code is 8842.\n"
    flow = read(text, retention=Retention(4096).protect(0, 8))
    assert flow.release(0, 21) == 2
    assert values(flow) == ["8842"]
    assert flow.sequences[0].explicit() == []
    assert reasons(flow) == {"4471": "released by the caller"}
    assert flow.release(0, 21) == 0


def test_fading_by_turns_begins_anew_when_the_label_is_mentioned():
    fades = Retention(4096, sponsorship=Sponsorship(fade_per="turn", step_decay=0.25))
    flow = read("The door code is 4471. The gate code is 8842.\n", retention=fades)
    for _ in range(3):
        read("Is the door code still good, and how is the weather there?\n", flow=flow)
    assert values(flow) == ["4471"]
    assert reasons(flow) == {"8842": "faded"}
    lasting = read("The gate code is 8842.\n")
    for _ in range(30):
        read(IDLE, flow=lasting)
    assert values(lasting) == ["8842"]


def test_in_the_paper_preset_anchors_know_nothing_of_each_other():
    text = "The door code is 4471.\nCorrection: the door code is 4492.\n"
    flow = read(text, retention=Retention(4096, preset="paper"))
    assert (len(flow.sequences[0].registry.spans), reasons(flow)) == (2, {})


def test_numbers_that_make_no_sense_are_refused():
    wrong = {"fade_per": ["day"]}
    wrong |= dict.fromkeys(("budget", "strength"), (nan, inf, -1, "7"))
    wrong |= dict.fromkeys(("token_decay", "step_decay", "untrusted_share"), (nan, 1.5, -0.1))
    wrong |= dict.fromkeys(("prose_cap", "delimited_cap"), (nan, 1.5, -1))
    wrong |= dict.fromkeys(("span_length", "untrusted_rate"), (nan, 1.5, 0))
    for name, values_of in wrong.items():
        for value in values_of:
            with pytest.raises(InputError, match=f"{name} must be .* got {value!r}"):
                Sponsorship(**{name: value})
    Sponsorship(budget=0, token_decay=1, step_decay=0.0, prose_cap=0, strength=0)
