"""end_turn: what a judge names goes, what is sponsored stays, and every logit is exact; asking the
model leaves no trace, and a bad verdict deletes nothing."""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch

import transactional_attention as ta
from saved_caches import same_held
from scenes import EXACT, Conversation, byte_tokenizer, encode, kept_positions, slots
from ta_lab.baselines.side_quest import SideBranch
from ta_lab.baselines.tool_outputs import output_ranges
from teacher_forced import tiny_llama
from tiny_families import build
from transactional_attention.engines.transformers.compression import compress

HEADER = "{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}</s>{% endfor %}"
TEMPLATE = HEADER + "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
WRAPPED = (  # as Qwen: outputs of one call stand in one turn, without a special token between them
    "{% for m in messages %}{% if m.role == 'tool' %}"
    "{% if messages[loop.index0 - 1].role != 'tool' %}<s>user{% endif %}\n<out>\n{{ m.content }}"
    "\n</out>{% if loop.last or messages[loop.index0 + 1].role != 'tool' %}</s>{% endif %}"
    "{% else %}<s>{{ m.role }}\n{{ m.content }}</s>{% endif %}{% endfor %}"
)
VALUE = "QX7K"
CHAT = [
    {"role": "user", "content": "Look."},
    {"role": "tool", "content": f"Rain. api_key: {VALUE} is set. Then sun."},
    {"role": "assistant", "content": "I see."},
    {"role": "tool", "content": "A list of birds of no use."},
    {"role": "tool", "content": "A list of trees and bushes."},
    {"role": "assistant", "content": "Well."},
    {"role": "user", "content": "Go on."},
]
PLAIN = [m for m in CHAT if m["role"] != "tool"]
SETTINGS = {
    "unlimited-twin": dict(budget=None, method="ta+sidequest"),
    "bounded-twin": dict(budget=112, method="ta+sidequest"),
    "paper": dict(budget=112, method="ta+sidequest", preset="paper"),
    "on-top": dict(budget=112, method="ta+sidequest", ledger="on-top"),
    "compact": dict(budget=112, method="ta+sidequest", positions="compact"),
    "layers": dict(budget=(144, 112, 64), method="ta+sidequest"),
    "split": dict(budget=112, method="ta+ada-kv"),
    "low": dict(budget=112, method="ta+arkv"),
    "columns": dict(budget=112, method="h2o"),
}


settings = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


def everything(turn):
    """A judge that names every output."""
    return [output.number for output in turn.outputs]


def start(chats=(CHAT,), model=None, tokenizer=None, **options):
    """A conversation over chats, left-padded, with its first turn done."""
    tokenizer = tokenizer or byte_tokenizer(TEMPLATE)
    model = model or tiny_llama(factor=2.0, vocab_size=len(tokenizer))  # less noise in fp32
    texts = [tokenizer.apply_chat_template(c, tokenize=False) for c in chats]
    sources = [ta.encode_chat(c, tokenizer, add_generation_prompt=False)[1][0] for c in chats]
    ids, mask = encode(tokenizer, *texts)
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(**options), sources=sources)
    talk = Conversation(model, cache, ids, mask)
    talk.turn()
    return talk


def value_of(cache, row=0):
    sequence = cache.flow.sequences[row]
    at = sequence.text.text.index(VALUE)
    tokens = sequence.text.tokens_for(ta.Span(at, at + len(VALUE)))
    return set(range(tokens.start, tokens.end))


def tokens_of(outputs):
    return {p for o in outputs for p in range(o.span.start, o.span.end)}


# which ranges are tool outputs


@pytest.mark.parametrize("template", [TEMPLATE, WRAPPED])
def test_outputs_are_the_contents_without_the_text_of_the_template(template):
    talk = start(tokenizer=byte_tokenizer(template), budget=None, method="sidequest")
    sequence = talk.cache.flow.sequences[0]
    outputs = [sequence.characters(span) for span in output_ranges(sequence)]
    assert outputs == [m["content"] for m in CHAT if m["role"] == "tool"]


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


# the side branch


@settings
def test_asking_leaves_the_cache_bit_identical(setting):
    talk = start((CHAT, PLAIN, CHAT[:4]), **setting)
    held, replies = deepcopy(talk.cache), []

    def ask(turn):
        replies.append(turn.ask("Which ones? " * 20))

    ends = ta.end_turn(talk.model, talk.cache, ask)
    assert len(replies) == 2 and [end.judged for end in ends] == [False] * 3
    assert ends[0].side_tokens > 240 and ends[1].side_tokens == 0
    same_held(talk.cache, held)
    other = start((CHAT, PLAIN, CHAT[:4]), **setting)
    for each in (talk, other):
        each.turn(new_tokens=8)
    assert torch.equal(torch.stack(talk.logits), torch.stack(other.logits))


def test_the_model_answers_from_what_the_cache_holds():
    talk = start(budget=None, method="sidequest")
    talk.cache.tokenizer.chat_template = None
    ta.end_turn(talk.model, talk.cache, lambda turn: [2])
    side = SideBranch(talk.model, talk.cache, 0)
    reply = side("What now?")
    question = encode(talk.cache.tokenizer, "\n\nWhat now?")[0]
    fed = torch.cat([talk.ids[:, : talk.cache.num_columns], question], 1)
    output = talk.model.generate(
        fed,
        attention_mask=torch.ones_like(fed),
        past_key_values=talk.cache,
        max_new_tokens=48,
        do_sample=False,
    )
    expected = talk.cache.tokenizer.decode(output[0, fed.shape[1] :], skip_special_tokens=True)
    assert reply and expected.startswith(reply)


def test_a_chat_model_is_asked_in_a_turn_of_its_own(monkeypatch):
    talk, asked = start(budget=None, method="sidequest"), []
    tokenizer = talk.cache.tokenizer
    monkeypatch.setattr(
        talk.model,
        "forward",
        lambda forward=talk.model.forward, **kw: asked.append(kw["input_ids"]) or forward(**kw),
    )
    request = "\u2402 and \u24020\u2403: which?"  # like the marks of ``encode_chat``
    SideBranch(talk.model, talk.cache, 0)(request)
    assert tokenizer.decode(asked[0][0]) == f"</s><s>user\n{request}</s><s>assistant\n"


def gemma(tokenizer):
    return build("gemma2", vocab_size=len(tokenizer), max_position_embeddings=4096)


def test_sliding_layers_are_copied_for_the_side_branch():
    tokenizer = byte_tokenizer(TEMPLATE)
    talk = start(model=gemma(tokenizer), tokenizer=tokenizer, budget=96, method="ta+sidequest")
    held = deepcopy(talk.cache)
    SideBranch(talk.model, talk.cache, 0)("Which ones? " * 3)
    same_held(talk.cache, held)
    ta.end_turn(talk.model, talk.cache, everything)
    talk.turn(new_tokens=20)
    assert talk.error() < EXACT


def test_padded_rows_beside_sliding_layers_cannot_be_asked_about():
    tokenizer = byte_tokenizer(TEMPLATE)
    options = dict(model=gemma(tokenizer), tokenizer=tokenizer, budget=96, method="sidequest")
    talk = start((CHAT, CHAT[:4]), **options)
    held = deepcopy(talk.cache)
    with pytest.raises(ta.UnsupportedError, match="one cache a conversation"):
        ta.end_turn(talk.model, talk.cache)
    same_held(talk.cache, held)
    assert ta.end_turn(talk.model, talk.cache, everything)[1].deleted


# judges


def embedded(*outputs):
    """The embedded model after a text with tool outputs; no chat template, plain ranges."""
    model, tokenizer = ta.load_embedded()
    text, spans = "The day was calm.\n", []
    for output in outputs:
        spans.append(ta.Span(len(text), len(text) + len(output)))
        text += output + "\nThe day went on as usual.\n"
    inputs = tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
    starts = [a for a, _ in inputs["offset_mapping"][0].tolist()]
    sources = [
        ta.SourceRange(
            ta.Span(sum(a < s.start for a in starts), sum(a < s.end for a in starts)), "tool"
        )
        for s in spans
    ]
    retention = ta.Retention(budget=None, method="sidequest")
    cache = ta.RetentionCache(model, tokenizer, retention, sources=[sources])
    cache.trace = []
    ta.prefill(model, inputs["input_ids"], cache, keep_last=False)
    return model, cache, inputs["input_ids"]


def test_the_embedded_model_judges_by_itself():
    model, cache, ids = embedded("Some birds were seen.", "The door code is 730152.")
    before = deepcopy(cache)
    (end,) = ta.end_turn(model, cache)
    assert end.side_tokens > 20
    assert set(kept_positions(cache)) == set(range(ids.shape[1])) - tokens_of(end.deleted)
    if not end.deleted:
        same_held(cache, before)


def failing(turn):
    raise RuntimeError("no answer")


@pytest.mark.parametrize(
    "verdict", ["1", VALUE, [VALUE], [99], [0], [True], [1, None], 1.5, 1, [[1]], [1, 2, 99]]
)
def test_a_verdict_that_names_no_output_deletes_nothing(verdict):
    talk = start((CHAT, CHAT), budget=96, method="ta+sidequest")
    held = deepcopy(talk.cache)
    with pytest.raises(ta.InputError, match="of row 1 named something that is no tool output") as e:
        ta.end_turn(talk.model, talk.cache, lambda turn: verdict if turn.row else [3])
    assert VALUE not in str(e.value)
    same_held(talk.cache, held)


def test_a_judge_that_raises_deletes_nothing():
    talk = start((CHAT, CHAT), budget=96, method="ta+sidequest")
    held = deepcopy(talk.cache)
    with pytest.raises(RuntimeError, match="no answer"):
        ta.end_turn(talk.model, talk.cache, lambda turn: failing(turn) if turn.row else [3])
    same_held(talk.cache, held)
    talk.turn()
    assert talk.error() < EXACT


@pytest.mark.parametrize("verdict", [None, [], ()])
def test_no_verdict_and_an_empty_one_delete_nothing(verdict):
    talk = start(budget=None, method="sidequest")
    held = deepcopy(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, lambda turn: verdict)
    assert end.deleted == () and end.judged == (verdict is not None)
    same_held(talk.cache, held)


def test_no_judge_is_called_without_tool_outputs():
    talk = start((PLAIN,), budget=48, method="sidequest")
    held = deepcopy(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, failing)
    assert end.deleted == () and not end.judged and end.side_tokens == 0
    same_held(talk.cache, held)


def test_records_and_turns_show_no_text():
    talk, shown = start(budget=None, method="sidequest"), []
    ends = ta.end_turn(talk.model, talk.cache, lambda turn: shown.append(repr(turn)))
    assert shown and VALUE not in shown[0] + repr(ends)


# refusals


def test_compact_positions_where_heads_keep_their_own_are_refused():
    talk = start(budget=96, method="snapkv", positions="compact")
    with pytest.raises(ta.UnsupportedError, match="use original positions"):
        ta.end_turn(talk.model, talk.cache, everything)


def test_the_model_cannot_be_asked_without_a_tokenizer():
    talk = start(budget=None, method="sidequest")
    talk.cache.tokenizer = None
    with pytest.raises(ta.InputError, match="tokenizer"):
        SideBranch(talk.model, talk.cache, 0)("Which?")


def test_a_cache_of_another_model_or_without_a_token_is_refused(model, tokenizer):
    talk = start(budget=None, method="sidequest")
    with pytest.raises(ta.CacheStateError, match="another model"):
        ta.end_turn(model, talk.cache, everything)
    fresh = ta.RetentionCache(model, tokenizer, ta.Retention(None, "sidequest"))
    with pytest.raises(ta.CacheStateError, match="not seen a token"):
        ta.end_turn(model, fresh, everything)
