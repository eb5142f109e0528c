"""Families whose layers do not all hold what is kept: hybrids, sliding windows, M-RoPE."""

from functools import partial

import hypothesis
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import transactional_attention as ta
from both_engines import Both
from chat_templates import chat_tokenizer
from damage import damaged
from gguf_files import write_gguf
from gguf_hybrids import FAMILIES, UNFIT, WINDOW, write_gemma_3, write_hybrid
from hidden_cells import CHUNK, OPTIONS, SAME, Hidden, K, check_as_hidden
from llama_cpp_chats import CHAT, IDLE, LINES, answers, check_resting, segment_of
from scenes import byte_tokenizer
from ta_lab.cases.encoding import encode_case
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention.config import Memory
from transactional_attention.engines.layers import Layers
from transactional_attention.engines.llama_cpp import (
    Context,
    GgufModel,
    LlamaCache,
    decode,
    load_cache,
)
from transactional_attention.engines.llama_cpp.cells import HEAD, read_cells
from transactional_attention.engines.llama_cpp.context import Tokens
from transactional_attention.engines.llama_cpp.saving import exported
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.llama_cpp.shifting import shifted
from transactional_attention.engines.transformers import tensor_file
from transactional_attention.retention.layout import for_chats
from transactional_attention.retention.swap import memory_of

ENGINE = dict(chunk=64, parallel=2, cell_type="f32", threads=1)
LAYERS = {
    "lfm2": Layers(2, 0, 4, 6),
    "qwen35": Layers(2, 0, 4, 6),
    "qwen35moe": Layers(2, 0, 4, 6),
    "granitehybrid": Layers(2, 0, 4, 6),
    "jamba": Layers(2, 0, 4, 6),
    "falcon-h1": Layers(3, 0, 3, 3),
    "nemotron_h": Layers(2, 0, 2, 6),
    "gemma3": Layers(1, 5, 0, 6),
    "gemma4": Layers(1, 2, 0, 6),
    **dict.fromkeys(("qwen2", "qwen3", "granite", "deepseek2", "qwen2vl"), Layers(3, 0, 0, 3)),
}


@pytest.fixture(scope="module", params=FAMILIES)
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("family")
    return GgufModel(str(write_hybrid(folder / "tiny.gguf", request.param)))


@pytest.fixture(scope="module")
def case():
    setting = Setting(1100, 0.3, 0, "anchor-free", "")
    return encode_case(byte_tokenizer(), make("needle", byte_tokenizer(), setting)[0])


def cache_of(model, tokenizer, cells=K + CHUNK + 1, **options):
    context = Context(model, cells, **OPTIONS)
    return LlamaCache(context, tokenizer, ta.Retention(**{"budget": K, **options}))


def test_removed_cells_are_as_hidden_ones(model, tokenizer, case):
    """The windows of layers that slide and the states of recurrent ones are untouched."""
    check_as_hidden(cache_of(model, tokenizer), case.ids, 2 * WINDOW)


@pytest.mark.parametrize("options", [{}, dict(ledger="on-top"), dict(budget=24)], ids=str)
def test_gemma_3_is_as_on_transformers(tmp_path, tokenizer, case, options):
    """Held sets and logits of the same weights; there, too, layers that slide keep their window."""
    path = tmp_path / "twin.gguf"
    pair = write_gemma_3(path), GgufModel(str(path))
    engines = Both(pair, tokenizer, ta.Retention(**{"budget": K, **options}), case.sources)
    engines.read(case.ids)
    engines.say(WINDOW + 4)
    engines.read(case.question)
    engines.say(2)


def test_what_is_managed_is_told(model, tokenizer, case):
    cache = cache_of(model, tokenizer)
    assert cache.context.layers == LAYERS[model.architecture]
    cache.read(case.ids)
    cells = read_cells(cache.context.exported(cache.sequence), HEAD)
    assert cells.layers == cache.context.layers.managed
    assert len(cells.places) == K and sorted(cells.places.tolist()) == cache.positions.tolist()


def test_a_saved_sequence_goes_on(model, tokenizer, case, tmp_path):
    cache = cache_of(model, tokenizer)
    cache.read(case.ids)
    tokens = [40, 41, 42]
    for token in tokens:
        cache.step(token)
    path = tmp_path / "s"
    cache.save(path)
    again = load_cache(
        path, Context(model, 256, **OPTIONS), tokenizer, input_ids=[*case.ids, *tokens]
    )
    question = tokenizer("What is the code?").input_ids
    for ids in ([50], question, [60]):
        np.testing.assert_allclose(again.read(ids), cache.read(ids), atol=SAME, rtol=0)
    assert again.positions.tolist() == cache.positions.tolist()


def error_of(run):
    """What it raises, in words."""
    try:
        run()
    except ta.RetentionError as error:
        return str(error)
    return ""


@pytest.fixture(scope="module")
def saved(model, case, tmp_path_factory):
    cache = cache_of(model, byte_tokenizer())
    cache.read(case.ids[:300])
    cache.step(40)
    cache.save(path := tmp_path_factory.mktemp("saved") / "s")
    return path


@settings(max_examples=25, deadline=None)
@hypothesis.given(data=st.data())
def test_any_change_of_a_saved_file_is_an_error_or_a_sequence_that_works(
    model, tokenizer, saved, data
):
    changed = saved.with_name("changed")
    tensor_file.write(changed, *data.draw(damaged(*tensor_file.read(saved))))

    def goes_on():
        cache = load_cache(changed, Context(model, 256, **OPTIONS), tokenizer)
        cache.step(33)
        cache.read(tokenizer("What is it?").input_ids)

    assert "\n" not in error_of(goes_on)


@settings(max_examples=40, deadline=None)
@hypothesis.given(at=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255), cut=st.booleans())
def test_bytes_that_are_damaged_are_never_given_to_the_library(model, saved, at, flip, cut):
    """Only numbers of keys, values and states may change unnoticed."""
    state = tensor_file.read(saved)[0]["state"].numpy().copy()
    place = HEAD + int(at * (len(state) - HEAD))
    state[place] ^= flip
    state = state[:place] if cut else state
    context = Context(model, 256, **OPTIONS)

    def restores():
        read_cells(state, HEAD)
        context.restore(context.take_sequence(), state)

    assert "\n" not in error_of(restores)


def test_tokens_are_not_in_what_is_saved(model, tokenizer, case):
    """Cells with several positions tell their tokens, which are a text."""
    cache = cache_of(model, tokenizer)
    cache.read(case.ids)
    tensors, _ = exported(cache.snapshot(), cache.context)
    cells = read_cells(tensors["state"], HEAD)
    assert not cells.spatial or (cells.meta[:, 4] == -1).all()
    assert cells.spatial == model.architecture.startswith(("qwen35", "qwen2vl"))


def test_sequences_of_a_context_do_not_see_each_other(model, tokenizer, case):
    context = Context(model, K + CHUNK + 1, sequences=2, **OPTIONS)
    texts = case.ids, case.ids[200:900]
    alone = [cache_of(model, tokenizer) for _ in texts]
    beside = [LlamaCache(context, tokenizer, K) for _ in texts]
    for ids, first, second in zip(texts, alone, beside):
        first.read(ids)
        second.read(ids)
    for token in range(40, 40 + WINDOW):
        expected = [cache.step(token) for cache in alone]
        np.testing.assert_allclose(decode(beside, [token, token]), expected, atol=SAME, rtol=0)


def test_a_whole_sequence_is_cut_in_shared_cells(model, tokenizer, case):
    shared = Context(model, 2400, sequences=2, shared=True, **OPTIONS)
    whole = LlamaCache(shared, tokenizer, ta.Retention(None, "full"))
    whole.read(case.ids)
    question, hidden = tokenizer("What is the code?").input_ids, Hidden(model)
    for start in range(0, len(case.ids), CHUNK):
        hidden.forward(case.ids[start : start + CHUNK], np.arange(start))
    cut = whole.cut(ta.Retention(K))
    held = cut.positions
    expected = hidden.forward(question, held)
    np.testing.assert_allclose(cut.read(question), expected, atol=SAME, rtol=0)
    assert whole.positions.tolist() == list(range(len(case.ids)))


def test_compact_positions_are_served_where_keys_can_be_turned(model, tokenizer, case):
    if not Context(model, 64, **OPTIONS).can_shift:
        with pytest.raises(ta.UnsupportedError, match="original positions"):
            cache_of(model, tokenizer, positions="compact")
        return
    cache = cache_of(model, tokenizer, positions="compact")
    logits = cache.read(case.ids)
    held = cache.snapshot()
    assert len([*cache.generate(logits, 20)]) or not cache.broken
    other = LlamaCache.resumed(Context(model, 256, **OPTIONS), held)
    again = other.step(int(logits[-1].argmax()))
    assert np.isfinite(again).all() and cache.places.tolist() == list(range(K))


def test_the_newest_token_cannot_give_way_where_the_positions_or_a_state_tell(model, tokenizer):
    """Values that fill the budget: a recurrent state cannot lose a token."""
    setting = Setting(1100, 0.2, 0, "anchor-free", "")
    alike = encode_case(tokenizer, make("alike", tokenizer, setting)[0])
    can_shift = Context(model, 64, **OPTIONS).can_shift
    positions = "compact" if model.recurrent and can_shift else "original"
    cache = cache_of(model, tokenizer, positions=positions)
    cache.read(alike.ids)
    others = can_shift and not model.recurrent
    remedy = "--positions compact" if others else "gap: use a larger budget"
    with pytest.raises(ta.UnsupportedError, match=remedy):
        cache.step(40)


@pytest.fixture
def engine(model):
    given = for_chats(ta.Retention(128), memory=True)
    return LlamaEngine("tiny", model, chat_tokenizer("chatml"), given, **ENGINE)


def test_sessions_go_on_go_back_and_come_from_disk(model, engine, tmp_path):
    """A prompt that says something else after the second turn begins at the state before it."""
    tokenizer, given, session = engine.tokenizer, engine.retention, engine.session(engine.retention)
    first = answers(session, tokenizer, CHAT[:2])
    second = answers(session, tokenizer, CHAT)
    assert len(session.states) > 1 and session.full_bytes() >= session.stored_bytes() > 0
    other = [*CHAT[:3], {"role": "user", "content": "And what is the van key, please?"}]
    there = answers(session, tokenizer, other)
    assert answers(session, tokenizer, CHAT) == second
    fresh = engine.session(given)
    assert answers(fresh, tokenizer, CHAT[:2]) == first
    assert answers(fresh, tokenizer, other) == there
    name = fresh.save(tmp_path, {})[-1]
    again = LlamaEngine("tiny", model, tokenizer, given, **ENGINE).load(tmp_path / name)
    more = [*other, {"role": "assistant", "content": "VN"}, {"role": "user", "content": "Why?"}]
    assert answers(again, tokenizer, more) == answers(fresh, tokenizer, more)
    assert again.flow.table.positions.tolist() == fresh.flow.table.positions.tolist()


def test_a_text_brings_segments_back_bit_for_bit(model, tokenizer):
    """As on transformers beside layers that slide: a question asks, a slot cannot."""
    cache = cache_of(model, tokenizer, 512, budget=104, memory=Memory(share=0.5, storage=None))
    cache.read(tokenizer(f"{LINES}{IDLE * 12}", add_special_tokens=False).input_ids)
    state = memory_of(cache.flow.sequences[0])
    asked = segment_of(cache.flow, "gate")
    assert not {*asked} & {*cache.positions.tolist()}
    (waits,) = cache.memory.at(np.array([*asked]))
    assert waits.beside.data == b""
    cache.read(tokenizer("What is the gate code?\n", add_special_tokens=False).input_ids)
    assert {*asked} <= {*cache.positions.tolist()}
    held = read_cells(cache.context.exported(cache.sequence), HEAD)
    mine = held.rows()[[held.places.tolist().index(p) for p in asked]]
    assert (waits.rows() == mine).all()
    answer = '{"landlord_phone": "555'
    for token in tokenizer(answer, add_special_tokens=False).input_ids:
        cache.step(token)
    assert model.plain or {asked.by for asked in state.asked.values()} == {"question"}


def test_keys_are_turned_as_the_library_turns_them_in_place(model, tokenizer):
    """In a context beside, by several moves at once; what is no key of a position stays."""
    context = Context(model, 1024, **OPTIONS)
    if context.can_shift:
        turns_alike(context, tokenizer)
    else:
        assert model.window or model.spatial


@pytest.mark.parametrize("flash_attention", ["on", "off"])
def test_keys_are_turned_in_cells_of_several_sequences(gguf, tokenizer, flash_attention):
    given = dict(OPTIONS, sequences=3, cell_type="f16", flash_attention=flash_attention)
    turns_alike(Context(gguf, 1024, **given), tokenizer)
    assert not Context(gguf, 64, **dict(OPTIONS, cell_type="bf16")).can_shift


def test_keys_of_eight_bits_are_turned(smollm2):
    turns_alike(Context(smollm2[0], 1024, **dict(OPTIONS, cell_type="q8_0")), smollm2[1])


@pytest.mark.parametrize("longrope", [256, 4096])
def test_keys_are_turned_with_the_factors_of_their_context(tmp_path, tokenizer, longrope):
    write_gguf(tmp_path / "long.gguf", longrope=longrope)
    turns_alike(Context(GgufModel(str(tmp_path / "long.gguf")), 1024, **OPTIONS), tokenizer)


def turns_alike(context, tokenizer):
    sequence, ids = context.take_sequence(), tokenizer(IDLE * 60)["input_ids"][:300]
    context.forward([Tokens(sequence, ids, 0)])
    before = read_cells(context.exported(sequence), HEAD)
    moved = shifted(context, before, before.places + np.where(before.places < 100, 40, 700))
    context.move(sequence, 100, 300, 700)
    context.move(sequence, 0, 100, 40)
    context.forward([Tokens(sequence, ids[:1], 1000)])
    after = read_cells(context.exported(sequence), HEAD)
    after = after.taken(np.flatnonzero(after.places < 1000))
    assert (after.places == moved.places).all()
    assert (after.rows() == moved.rows()).all()


def test_a_text_without_end_brings_segments_back(model, tokenizer):
    """Its first line is asked for after more tokens than the model has positions."""
    asked = dict(budget=104, memory=Memory(share=0.5, storage=None), positions="rolling")
    if not Context(model, 64, **OPTIONS).can_shift:
        with pytest.raises(ta.UnsupportedError, match="original positions"):
            cache_of(model, tokenizer, 512, **asked)
        return
    cache = cache_of(model, tokenizer, 512, **asked)
    encode = partial(tokenizer, add_special_tokens=False)
    cache.read(encode(f"{LINES}{IDLE * 250}").input_ids)
    assert cache.num_tokens > model.trained_length
    logits = cache.read(encode("What is the gate code?\n").input_ids)
    segments = memory_of(cache.flow.sequences[0]).segments
    line = next(s.tokens for s in segments if "gate" in s.words.split())
    places = dict(zip(cache.positions.tolist(), cache.places.tolist(), strict=True))
    assert {*line} <= {*places} and max(places.values()) < model.trained_length
    assert np.diff([places[p] for p in line]).tolist() == [1] * (len(line) - 1)
    again = LlamaCache.resumed(Context(model, 512, **OPTIONS), cache.snapshot())
    token = int(logits[-1].argmax())
    np.testing.assert_allclose(again.step(token), cache.step(token), atol=SAME, rtol=0)


@pytest.mark.parametrize("family", UNFIT)
def test_a_model_in_which_nothing_can_be_managed_is_refused(tmp_path, family):
    path = write_hybrid(tmp_path / "m.gguf", family)
    with pytest.raises(
        ta.UnsupportedError, match=rf"m\.gguf \({family}\) .*run it with llama-server"
    ):
        Context(GgufModel(str(path)), 64, **OPTIONS)


@pytest.mark.parametrize("share", [0.2, 0.6, 0.97])
def test_a_file_that_is_cut_off_is_refused(tmp_path, share):
    path = write_hybrid(tmp_path / "m.gguf", "gemma3")
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ta.InputError, match=r"cannot load .*m\.gguf: .*download it again") as error:
        GgufModel(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("ledger", ["strict", "on-top"])
def test_one_that_rests_between_its_turns_goes_on_as_one_that_never_does(
    model, tokenizer, case, ledger
):
    def begun():
        cache = cache_of(model, tokenizer, 400, ledger=ledger)
        return cache, cache.read(case.ids)

    check_resting(begun, partial(Context, model, 400, **OPTIONS), tokenizer)
