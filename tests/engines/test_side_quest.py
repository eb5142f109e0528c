"""end_turn: what a judge names goes, what is sponsored stays, and every logit is exact."""

from dataclasses import replace

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, byte_tokenizer, encode, kept_positions, slots
from teacher_forced import tiny_llama
from tool_chats import (
    CHAT,
    PLAIN,
    TEMPLATE,
    WRAPPED,
    everything,
    settings,
    start,
    tokens_of,
    value_of,
)
from transactional_attention.engines.transformers.copies import compress
from transactional_attention.retention.tool_outputs import output_ranges

# which ranges are tool outputs


@pytest.mark.parametrize("template", [TEMPLATE, WRAPPED])
def test_outputs_are_the_contents_without_the_text_of_the_template(template):
    talk = start(tokenizer=byte_tokenizer(template), budget=None, method="sidequest")
    sequence = talk.cache.flow.sequences[0]
    found = [sequence.characters(span) for span in output_ranges(sequence)]
    assert found == [m["content"] for m in CHAT if m["role"] == "tool"]


def test_ranges_without_a_template_are_outputs_as_they_are(model, tokenizer):
    sources = [[ta.SourceRange(ta.Span(a, b), "tool") for a, b in ((5, 20), (20, 30), (20, 30))]]
    ids, _ = encode(tokenizer, "x" * 40)
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(None, "sidequest"), sources=sources)
    ta.prefill(model, ids, cache, keep_last=False)
    assert output_ranges(cache.flow.sequences[0]) == [ta.Span(5, 20), ta.Span(20, 30)]
    cache.set_sources([[ta.SourceRange(ta.Span(35, 50), "tool")]])  # not read whole yet
    assert len(output_ranges(cache.flow.sequences[0])) == 2


# deletion


@settings
def test_equals_teacher_forcing_after_deletion(setting):
    talk = start(**setting)
    before = slots(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, everything)
    assert end.judged and end.deleted
    assert slots(talk.cache) < before
    talk.ask(torch.randint(3, 250, (1, 70)))  # fills the room, so that slots are cut again
    talk.turn()
    ta.end_turn(talk.model, talk.cache, everything)
    talk.turn(new_tokens=12)
    assert talk.error() < EXACT
    ragged = talk.cache.flow.allocation is not None  # padded to the widest head
    if setting.get("ledger") != "on-top" and setting["budget"] is not None and not ragged:
        assert talk.cache.ledger.between <= max(talk.cache.retention.budgets())


def oldest_of_the_first_row(turn):
    return [] if turn.row else [turn.outputs[0].number]


@settings
def test_rows_lose_their_own_outputs(setting):
    chats = (CHAT, PLAIN, [*CHAT[:2], *CHAT[5:]])
    talk = start(chats, **setting)
    held = [kept_positions(talk.cache, row) for row in range(3)]
    ends = ta.end_turn(talk.model, talk.cache, oldest_of_the_first_row)
    assert not ends[1].judged and ends[2].judged  # the second row has no output
    assert ends[0].deleted and not ends[1].deleted and not ends[2].deleted
    for row in (1, 2):
        assert kept_positions(talk.cache, row) == held[row]
    gone = set(held[0]) - set(kept_positions(talk.cache, 0))
    assert gone <= tokens_of(ends[0].deleted)  # what holds a value stays
    talk.ask(torch.randint(3, 250, (3, 7)))
    talk.turn(new_tokens=12)
    assert talk.error() < EXACT


def test_deletes_whole_outputs_and_nothing_else():
    talk = start(budget=None, method="sidequest")
    held = kept_positions(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, lambda turn: {3, 1})
    assert [o.number for o in end.deleted] == [1, 3]
    assert kept_positions(talk.cache) == sorted(set(held) - tokens_of(end.deleted))
    assert sum(o.tokens for o in end.deleted) == len(tokens_of(end.deleted))
    assert slots(talk.cache) == [len(kept_positions(talk.cache))] * 3
    stored = talk.cache.stored_bytes()
    assert stored == 3 * 2 * len(kept_positions(talk.cache)) * 2 * 16 * 4  # freed, not masked


def test_numbers_stay_and_what_is_gone_is_not_offered_again():
    talk, seen = start(budget=None, method="sidequest"), []

    def first_and_last(turn):
        seen.append([o.number for o in turn.outputs])
        return [seen[-1][0]]

    for _ in range(4):
        ta.end_turn(talk.model, talk.cache, first_and_last)
    assert seen == [[1, 2, 3], [2, 3], [3]]


def test_room_that_deletion_made_is_filled_up_to_the_budget():
    talk = start(budget=96, method="sidequest")
    assert slots(talk.cache) == [96] * 3
    ta.end_turn(talk.model, talk.cache, everything)
    left = slots(talk.cache)[0]
    assert left < 60
    talk.turn(new_tokens=10)
    assert left < slots(talk.cache)[0] <= left + 11
    talk.turn(new_tokens=60)
    assert slots(talk.cache) == [96] * 3


def test_an_unlimited_cache_is_cut_to_a_budget_after_its_judge():
    tokenizer = byte_tokenizer(TEMPLATE)
    model = tiny_llama(vocab_size=len(tokenizer))
    inputs, sources = ta.encode_chat(CHAT, tokenizer)
    options = ta.Retention(budget=None, method="ta+sidequest")
    cache = ta.RetentionCache(model, tokenizer, options, sources=sources)
    ta.prefill(model, inputs["input_ids"], cache, keep_last=False)
    (end,) = ta.end_turn(model, cache, everything)
    cut = compress(cache, replace(options, budget=48))
    assert slots(cut) == [48] * 3
    assert value_of(cut) <= set(kept_positions(cut))
    assert tokens_of(end.deleted) & set(kept_positions(cut)) <= set(kept_positions(cache))


# the veto


@pytest.mark.parametrize("budget", [None, 96])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_sponsored_value_vetoes_the_deletion_of_its_tokens(budget, preset):
    talk = start(budget=budget, method="ta+sidequest", preset=preset)
    ta.end_turn(talk.model, talk.cache, everything)
    cache = talk.cache
    spans = output_ranges(cache.flow.sequences[0])
    inside = {p for span in spans for p in range(span.start, span.end)}
    left = inside & set(kept_positions(cache))
    registry = cache.flow.sequences[0].registry
    sponsored = {
        p for s in registry.spans for v in (s.value, s.label) for p in range(v.start, v.end)
    } | {s.value.end for s in registry.spans if preset == "default"}
    assert value_of(cache) <= left <= sponsored
    assert ta.end_turn(talk.model, cache, everything)[0].deleted == ()


@pytest.mark.parametrize(
    ("method", "strength"), [("sidequest", 1.0), ("ta+sidequest", 0.0), ("full", 1.0)]
)
def test_nothing_vetoes_without_sponsorship(method, strength):
    numbers = ta.Sponsorship(strength=strength)
    talk = start(budget=None, method=method, sponsorship=numbers)
    (end,) = ta.end_turn(talk.model, talk.cache, everything)
    assert value_of(talk.cache) <= tokens_of(end.deleted)
    assert not tokens_of(end.deleted) & set(kept_positions(talk.cache))


def test_what_the_caller_protects_and_the_ends_stay():
    talk = start(budget=None, method="sidequest")
    spans = output_ranges(talk.cache.flow.sequences[0])
    named = ta.Retention(budget=None, method="sidequest").protect(
        spans[1].start + 2, spans[1].start + 9, unit="tokens"
    )
    talk = start(budget=None, **{"method": "sidequest", "protected": named.protected})
    ta.end_turn(talk.model, talk.cache, everything)
    kept = set(kept_positions(talk.cache))
    inside = kept & set(range(spans[1].start, spans[1].end))
    # the token that closes it too, and the words before it
    assert inside == set(range(spans[1].start, spans[1].start + 10))


def test_sinks_and_the_newest_token_stay_in_a_text_that_is_one_output(model, tokenizer):
    ids, _ = encode(tokenizer, "x" * 40)
    sources = [[ta.SourceRange(ta.Span(0, 40), "tool")]]
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(None, "sidequest"), sources=sources)
    ta.prefill(model, ids, cache, keep_last=False)
    (end,) = ta.end_turn(model, cache, everything)
    assert kept_positions(cache) == [0, 1, 2, 3, 39]
    assert end.deleted[0].tokens == 35
