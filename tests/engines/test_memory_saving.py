"""A cache with a memory, saved and loaded: what waits comes back as if it had not been."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import transactional_attention as ta
from chat_templates import chat_tokenizer
from damage import CHANGES, replaced
from saved_caches import Player, cache_of, play, same, same_held
from scenes import byte_tokenizer, encode, half, kept_positions
from teacher_forced import tiny_llama
from transactional_attention.config import Memory
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.transformers import tensor_file
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.types import SourceRange, Span

FERRY = "The northern ferry leaves at noon."
FACTS = f"{FERRY}\nThe harbour token is QX7K-4471.\nBread is sold in the old mill.\n"
FILLER = "It rained all day and nobody came.\nThe plants were watered twice.\n" * 12
OTHER = "The violet lamp stands upstairs.\nThe cellar key is ZP41-9988.\nSoup was made.\n"
QUESTION = "\nWhen does the northern ferry leave?\n"
HALF = Memory(share=0.5)


def remembering(model, tokenizer, **options):
    return cache_of(model, tokenizer, **{"budget": 128, "memory": HALF, **options})


def reads(*texts):
    """A forward that reads one text a row."""
    return lambda player: player.feed(*encode(player.cache.tokenizer, *texts))


def says(text, rows=1):
    """Forwards that generate this text, the same in every row."""
    ids, mask = encode(ta_tokenizer(), *[text] * rows)
    columns = range(ids.shape[1])
    return [lambda player, a=at: player.feed(ids[:, a : a + 1], mask[:, :1]) for at in columns]


def ta_tokenizer():
    return chat_tokenizer("chatml")


def talk(rows=1):
    """Forwards: facts leave the window, are asked for, and a call asks for them again."""
    texts = (FACTS + FILLER, OTHER + FILLER)[:rows]
    slot = [*says('\n{"harbour_tok', rows), *says('en": "QX', rows)]
    end = [reads(*["\nAnd where is bread sold, and who made soup?\n"] * rows), *[Player.say] * 4]
    return [reads(*texts), reads(*[QUESTION] * rows), *[Player.say] * 3, *slot, *end]


def asked_by(cache):
    return {asked.by for asked in cache.flow.sequences[0].memory.asked.values()}


@pytest.fixture
def tokenizer():
    return ta_tokenizer()


@pytest.fixture
def model(tokenizer):
    return tiny_llama(vocab_size=len(tokenizer))


@pytest.mark.parametrize(
    ("storage", "positions", "rows"),
    half([None, "int4", "fp8"], ["original", "compact"], [1, 2]),
)
def test_at_every_border_it_goes_on(model, tokenizer, tmp_path, storage, positions, rows):
    options = dict(memory=replace(HALF, storage=storage), positions=positions)
    todo = talk(rows)
    whole = Player(model, remembering(model, tokenizer, **options), rows)
    player = Player(model, remembering(model, tokenizer, **options), rows)
    play(whole, todo)
    assert asked_by(whole.cache) == ({"question", "asked"} if rows == 1 else {"question"})
    at = 0
    for border in (1, 2, 4, 5 + 9, 5 + 16, len(todo) - 4, len(todo) - 1):
        play(player, todo[at:border])
        at = border
        loaded = player.saved_and_loaded(tmp_path / "c")
        same_held(loaded.cache, player.cache)
        slots = [each.cache.flow.sequences[0].memory.fields for each in (player, loaded)]
        assert vars(slots[0]) == vars(slots[1])
        same(play(loaded, todo[border:]), whole)
        player = player.saved_and_loaded(tmp_path / "c")  # and of the file goes another


def test_without_the_text_the_model_still_finds_what_waits(model, tokenizer, tmp_path):
    player = Player(model, remembering(model, tokenizer), 1)
    play(player, talk()[:3])
    bare = player.saved_and_loaded(tmp_path / "c", text=False)
    same_held(bare.cache, player.cache, ids=False)
    same(*(play(each, [Player.say] * 20) for each in (bare, player)), ids=False)
    before = set(kept_positions(bare.cache))
    play(bare, says('\n{"zzz": "'))
    assert asked_by(bare.cache) == {"question", "asked"}
    assert {p for p in set(kept_positions(bare.cache)) - before if p < len(FACTS + FILLER)}
    twice = bare.saved_and_loaded(tmp_path / "d", text=False)
    same_held(twice.cache, bare.cache, ids=False)
    logits = [torch.stack(play(each, [Player.say] * 10).logits) for each in (twice, bare)]
    assert torch.equal(*logits)


def test_without_the_text_what_is_read_next_is_found_by_its_words(model, tokenizer, tmp_path):
    player = play(Player(model, remembering(model, tokenizer), 1), talk()[:4])
    bare, border = player.saved_and_loaded(tmp_path / "c", text=False), player.cache.num_columns
    play(bare, [reads("\n" + OTHER + FILLER), reads("\nWhere does the violet lamp stand?\n")])
    state = bare.cache.flow.sequences[0].memory
    mentions = [s.tokens.start for s in state.segments if {"violet", "lamp"} & {*s.words.split()}]
    matches = [state.segments[number].tokens.start for number in state.asked]
    assert set(mentions) & set(matches) and min(mentions) > border - 64  # of which one is open
    assert set(mentions) & set(matches) <= set(kept_positions(bare.cache))


def test_saved_again_it_is_the_same_file(model, tokenizer, tmp_path):
    player = play(Player(model, remembering(model, tokenizer), 1), talk()[:20])
    player.cache.save(tmp_path / "a")
    player.saved_and_loaded(tmp_path / "b").cache.save(tmp_path / "c")
    first, *others = [tensor_file.read(tmp_path / name) for name in "abc"]
    for tensors, record in others:
        assert record == first[1] and tensors.keys() == first[0].keys()
        assert all(torch.equal(tensor, first[0][name]) for name, tensor in tensors.items())


def test_rows_that_the_host_let_go_stay_lost(model, tokenizer, tmp_path):
    memory = replace(HALF, limit=8000)
    player = play(Player(model, remembering(model, tokenizer, memory=memory), 1), talk()[:2])
    state = player.cache.flow.sequences[0].memory
    assert state.lost and state.waiting()
    loaded = player.saved_and_loaded(tmp_path / "c")
    same_held(loaded.cache, player.cache)
    same(play(loaded, talk()[2:]), play(player, talk()[2:]))


def test_no_word_is_in_the_file(model, tokenizer, tmp_path):
    player = play(Player(model, remembering(model, tokenizer), 1), talk())
    player.cache.save(tmp_path / "c")
    content = (tmp_path / "c").read_bytes().lower()
    words = ("ferry", "northern", "noon", "bread", "rained", "plants", "qx7k", "4471")
    assert not [word for word in words if word.encode() in content]
    assert "ferry" in player.cache.flow.sequences[0].memory.segments[0].words


def test_files_of_before_the_memory_still_load(model, tokenizer, tmp_path):
    player = play(Player(model, cache_of(model, tokenizer, budget=64), 1), talk()[:4])
    player.cache.save(tmp_path / "c")
    tensors, record = tensor_file.read(tmp_path / "c")
    del tensors["flow.prompts"], record["flow"]["rows"][0]["memory"]
    del record["retention"]["memory"], record["retention"]["pinned"]
    tensor_file.write(tmp_path / "c", tensors, record)
    loaded = player.gone_on(ta.load_cache(tmp_path / "c", model, tokenizer, input_ids=player.ids))
    same_logits = [play(each, talk()[4:]).logits for each in (player, loaded)]
    assert torch.equal(*map(torch.stack, same_logits))


# what somebody else wrote


@pytest.fixture
def file(model, tokenizer, tmp_path):
    player = play(Player(model, remembering(model, tokenizer), 1), talk()[:3])
    player.cache.save(tmp_path / "c")
    return tmp_path / "c"


CHANGED = {
    ("segments", 0, 0): [0, 10**6],
    ("segments", -1): [[10**6, "user"], [1, "user"], [1]],
    ("segments", 0, 1): ["nobody", None],
    ("segments",): [[]],
    ("num_read",): [0, -1, 10**6],
    ("num_waiting",): [0, 1, 10**6],
    ("lost",): [[0], [10**6], [-1], None],
    ("asked",): [[[10**6, 1, "asked"]], [[0, 10**6, "asked"]], [[0, 1, "ZX81"]], [[0, 1]]],
    ("clock",): [0, -1, "x"],
    ("question",): [10**6, -1, None],
    ("slot_open",): [None, 1, "yes"],
}


@pytest.mark.parametrize("place", CHANGED, ids=str)
def test_a_record_that_does_not_fit_is_refused(model, tokenizer, file, place):
    tensors, record = tensor_file.read(file)
    for value in CHANGED[place]:
        changed = replaced(record, ("flow", "rows", 0, "memory", *place), value)
        tensor_file.write(file, tensors, changed)
        with pytest.raises(ta.InputError, match=r"is damaged \(.*\): save it again"):
            ta.load_cache(file, model, tokenizer)


@pytest.mark.parametrize("change", sorted(set(CHANGES) - {"large", "below"}))
def test_rows_that_do_not_fit_are_refused(model, tokenizer, file, change):
    tensors, record = tensor_file.read(file)
    names = [name for name in tensors if name.startswith("memory.")]
    assert sorted(names)[:2] == ["memory.0.addresses", "memory.0.keys.0"] and len(names) == 6
    for name in names:
        others = {**tensors}
        tensor = others.pop(name)
        if CHANGES[change] is not None:
            others[name] = CHANGES[change](tensor).contiguous()
        tensor_file.write(file, others, record)
        with pytest.raises(ta.InputError, match=r"is damaged \(.*\): save it again"):
            ta.load_cache(file, model, tokenizer)


@pytest.mark.parametrize("storage", [None, "int8", "fp8"])
def test_numbers_that_are_none_are_refused(model, tokenizer, tmp_path, storage):
    memory = replace(HALF, storage=storage)
    player = play(Player(model, remembering(model, tokenizer, memory=memory), 1), talk()[:2])
    player.cache.save(tmp_path / "c")
    tensors, record = tensor_file.read(tmp_path / "c")
    for name in [name for name in tensors if name.startswith("memory.")]:
        others = {**tensors, name: tensors[name].clone()}
        if others[name].is_floating_point():
            others[name].view(-1)[-1] = float("inf")
        elif storage == "fp8":
            others[name].view(-1)[-1] = 0x7F
        else:
            continue
        tensor_file.write(tmp_path / "c", others, record)
        with pytest.raises(ta.InputError, match=r"is damaged \(.*\): save it again"):
            ta.load_cache(tmp_path / "c", model, tokenizer)


# chats, sessions, copies

CHAT = [
    {"role": "system", "content": "Be brief. The door code is 7301."},
    {"role": "user", "content": FACTS + FILLER},
]
THEN = [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": QUESTION}]


@pytest.mark.parametrize("storage", [None, "int4"])
def test_a_saved_chat_goes_on(model, tokenizer, tmp_path, storage):
    given = replace(HALF, storage=storage)
    retention = ta.Retention(128, memory=given, pinned=("system",))
    chat = ta.Chat(model, tokenizer, retention)
    options = dict(max_new_tokens=12, do_sample=False)
    chat.reply(CHAT, **options)
    chat.save(tmp_path / "chat")
    loaded = ta.Chat.load(tmp_path / "chat", model, tokenizer)
    same_held(loaded.cache, chat.cache)
    assert loaded.cache.flow.table.budget > 128
    replies = [each.reply([*CHAT, *THEN], **options) for each in (chat, loaded)]
    assert replies[0] == replies[1] and replies[0].kept
    assert "question" in asked_by(chat.cache)
    same_held(loaded.cache, chat.cache)


def test_a_saved_session_goes_on(model, tokenizer, tmp_path):
    engine = TransformersEngine("tiny", model, tokenizer, chunk=64)
    session = engine.session(ta.Retention(128, memory=True, pinned=("system",)))
    turns(session, CHAT)
    *_, name = session.save(tmp_path, {"id": "one"})
    first = engine.load(tmp_path / name)
    assert first.states == session.states
    same_held(first.chat.cache, session.chat.cache)
    assert turns(session, [*CHAT, *THEN]) == turns(first, [*CHAT, *THEN])
    *_, name = session.save(tmp_path, {"id": "one"})
    second = engine.load(tmp_path / name)
    same_held(second.chat.cache, first.chat.cache)
    for one, other in zip(second.chat.checkpoints, session.chat.checkpoints, strict=True):
        same_held(one, other)


def test_a_row_that_came_back_is_not_taken_for_what_it_was(model, tokenizer, tmp_path):
    """A checkpoint has it as it was read, the cache as it came back from four bits."""
    engine = TransformersEngine("tiny", model, tokenizer, chunk=64)
    session = engine.session(ta.Retention(256, memory=HALF))
    first = [{"role": "user", "content": FACTS}]
    turns(session, first)
    turns(session, [*first, THEN[0], {"role": "user", "content": FILLER + QUESTION}])
    chat = session.chat
    kept = [set(kept_positions(cache)) for cache in (chat.checkpoints[0], chat.cache)]
    asked = chat.cache.flow.sequences[0].memory.asked_spans()
    assert {p for span in asked for p in span.value} & kept[0] & kept[1]
    *_, name = session.save(tmp_path, {"id": "one"})
    loaded = engine.load(tmp_path / name).chat
    for one, other in zip(loaded.checkpoints, chat.checkpoints, strict=True):
        same_held(one, other)
    same_held(loaded.cache, chat.cache)


def turns(session, messages):
    """Tokens that a session says to a chat."""
    inputs, (sources,) = ta.encode_chat(messages, session.chat.tokenizer)
    ids = inputs["input_ids"][0].numpy().astype(np.int64)
    steps = session.steps(Prompt(ids, tuple(sources), sources[-1].span.start), Sampling(0.0))
    tokens = (token.id for token in steps if token is not None)
    reply = [token for token, _ in zip(tokens, range(8))]
    session.settle()
    return reply


@pytest.mark.parametrize("storage", [None, "int4"])
def test_a_cut_copy_remembers_as_a_cache_that_read_alone(storage):
    tokenizer = byte_tokenizer()
    model = tiny_llama(vocab_size=len(tokenizer))
    given = dict(memory=replace(HALF, storage=storage), pinned=("system",))
    reference = remembering(model, tokenizer, **given)
    whole = cache_of(model, tokenizer, budget=None, method="full")
    players = [Player(model, cache, 1) for cache in (reference, whole)]
    for player in players:
        player.cache.set_sources(
            [[SourceRange(Span(0, 20), "system"), SourceRange(Span(20, 5000), "user")]]
        )
        play(player, [reads(FACTS + FILLER + '\n{"harbour_tok')])
    players[1].cache = compress(whole, reference.retention)
    for player in players:
        play(player, [*says('en": "QX'), *talk()[1:]])
    assert asked_by(reference) == {"question", "asked"}
    players[1].cache.ledger = reference.ledger  # which notes the copy as it was made
    same_held(players[1].cache, reference)
    assert torch.equal(players[0].logits[-1], players[1].logits[-1])
