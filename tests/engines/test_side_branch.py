"""The judge of end_turn: asking the model leaves no trace, and a bad verdict deletes nothing."""

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, byte_tokenizer, encode, kept_positions
from tiny_families import build
from tool_chats import (
    CHAT,
    PLAIN,
    TEMPLATE,
    VALUE,
    everything,
    everything_held,
    same,
    settings,
    start,
    tokens_of,
)
from transactional_attention.engines.transformers.side_quest import SideBranch, _as_turn

# the side branch


@settings
def test_asking_leaves_the_cache_bit_identical(setting):
    talk = start((CHAT, PLAIN, CHAT[:4]), **setting)
    held, replies = everything_held(talk.cache), []

    def ask(turn):
        replies.append(turn.ask("Which ones? " * 20))

    ends = ta.end_turn(talk.model, talk.cache, ask)
    assert len(replies) == 2 and [end.judged for end in ends] == [False] * 3
    assert ends[0].side_tokens > 240 and ends[1].side_tokens == 0
    same(held, everything_held(talk.cache))
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
    SideBranch(talk.model, talk.cache, 0)("Which?")
    assert tokenizer.decode(asked[0][0]) == "</s><s>user\nWhich?</s><s>assistant\n"


def test_a_request_that_shows_marks_is_asked_whole():
    request = "\u2402 and \u24020\u2403: which?"
    asked = _as_turn(request, byte_tokenizer(TEMPLATE))
    assert asked == f"</s><s>user\n{request}</s><s>assistant\n"


def gemma(tokenizer):
    return build("gemma2", vocab_size=len(tokenizer), max_position_embeddings=4096)


def test_sliding_layers_are_copied_for_the_side_branch():
    tokenizer = byte_tokenizer(TEMPLATE)
    talk = start(model=gemma(tokenizer), tokenizer=tokenizer, budget=96, method="ta+sidequest")
    held = everything_held(talk.cache)
    SideBranch(talk.model, talk.cache, 0)("Which ones? " * 3)
    same(held, everything_held(talk.cache))
    ta.end_turn(talk.model, talk.cache, everything)
    talk.turn(new_tokens=20)
    assert talk.error() < EXACT


def test_padded_rows_beside_sliding_layers_cannot_be_asked_about():
    tokenizer = byte_tokenizer(TEMPLATE)
    options = dict(model=gemma(tokenizer), tokenizer=tokenizer, budget=96, method="sidequest")
    talk = start((CHAT, CHAT[:4]), **options)
    held = everything_held(talk.cache)
    with pytest.raises(ta.UnsupportedError, match="one cache a conversation"):
        ta.end_turn(talk.model, talk.cache)
    same(held, everything_held(talk.cache))
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
    before = everything_held(cache)
    (end,) = ta.end_turn(model, cache)
    assert end.side_tokens > 20
    assert set(kept_positions(cache)) == set(range(ids.shape[1])) - tokens_of(end.deleted)
    if not end.deleted:
        same(before, everything_held(cache))


def failing(turn):
    raise RuntimeError("no answer")


@pytest.mark.parametrize(
    "verdict", ["1", VALUE, [VALUE], [99], [0], [True], [1, None], 1.5, 1, [[1]], [1, 2, 99]]
)
def test_a_verdict_that_names_no_output_deletes_nothing(verdict):
    talk = start((CHAT, CHAT), budget=96, method="ta+sidequest")
    held = everything_held(talk.cache)
    with pytest.raises(ta.InputError, match="of row 1 named something that is no tool output") as e:
        ta.end_turn(talk.model, talk.cache, lambda turn: verdict if turn.row else [3])
    assert VALUE not in str(e.value)
    same(held, everything_held(talk.cache))


def test_a_judge_that_raises_deletes_nothing():
    talk = start((CHAT, CHAT), budget=96, method="ta+sidequest")
    held = everything_held(talk.cache)
    with pytest.raises(RuntimeError, match="no answer"):
        ta.end_turn(talk.model, talk.cache, lambda turn: failing(turn) if turn.row else [3])
    same(held, everything_held(talk.cache))
    talk.turn()
    assert talk.error() < EXACT


@pytest.mark.parametrize("verdict", [None, [], ()])
def test_no_verdict_and_an_empty_one_delete_nothing(verdict):
    talk = start(budget=None, method="sidequest")
    held = everything_held(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, lambda turn: verdict)
    assert end.deleted == () and end.judged == (verdict is not None)
    same(held, everything_held(talk.cache))


def test_no_judge_is_called_without_tool_outputs():
    talk = start((PLAIN,), budget=48, method="sidequest")
    held = everything_held(talk.cache)
    (end,) = ta.end_turn(talk.model, talk.cache, failing)
    assert end.deleted == () and not end.judged and end.side_tokens == 0
    same(held, everything_held(talk.cache))


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
