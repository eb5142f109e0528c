"""Segments that leave cells of llama.cpp and come back: at most K are held, and logits are exact
where rows wait as they are."""

import struct
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import transactional_attention as ta
from both_engines import CHUNK, Both
from chat_templates import chat_tokenizer
from llama_cpp_chats import CHAT, IDLE, LINES, answers, segment_of
from transactional_attention.config import Memory
from transactional_attention.engines.llama_cpp import (
    Context,
    LlamaCache,
    check_served,
    load_cache,
)
from transactional_attention.engines.llama_cpp.cells import Part, numbers, packed, unpacked
from transactional_attention.engines.llama_cpp.saving import pooled, unpooled
from transactional_attention.engines.llama_cpp.segment_cells import exported, keys_of
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.llama_cpp.shared_cells import SharedCells
from transactional_attention.engines.llama_cpp.shifting import shifted
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.inspection.report import build_report
from transactional_attention.retention.addresses import addressed
from transactional_attention.retention.layout import for_chats
from transactional_attention.retention.swap import memory_of

K = 104  # pieces of at most 26 tokens: each of the lines is one
WHOLE = Memory(share=0.5, storage=None)


class Reading(Both):
    """Both engines read and say the same."""

    def __init__(self, pair, tokenizer, memory=WHOLE, **options):
        retention = ta.Retention(K, memory=memory, **options)
        original = retention.positions == "original"
        queries = addressed(pair[1].layers) if original else None
        super().__init__(pair, tokenizer, retention, queries=queries)
        if not original:  # keys are stored turned here and not there, and are asked as they are
            self.theirs.memory.scores = lambda *_: None
        self.tokenizer, self.trained = tokenizer, pair[1].trained_length

    def read(self, text, source="user"):
        ids, end = self.tokenizer(text, add_special_tokens=False).input_ids, self.ours.num_tokens
        known = ta.SourceRange(ta.Span(end, end + len(ids)), source)
        self.theirs.set_sources([[known]])
        self.ours.flow.set_sources([[known]])
        super().read(ids)
        self.check()
        return self

    @torch.no_grad()
    def say(self, text):
        for token in self.tokenizer(text, add_special_tokens=False).input_ids:
            self._same(self.ours.step(token), self._theirs([token]))
            self.check()
        return self

    def check(self):
        """Every token is held, or waits once; no more than K are held."""
        state, held = memory_of(self.ours.flow.sequences[0]), set(self.ours.positions.tolist())
        assert len(held) <= K or self.ours.retention.ledger == "on-top"
        places = self.ours.places
        assert (np.diff(places) > 0).all() and places[-1] < self.trained
        if self.ours.retention.positions == "original" or self.ours.num_tokens <= self.trained:
            assert self.ours.retention.positions == "compact" or places.tolist() == sorted(held)
        waiting = {p for number in state.waiting() for p in state.segments[number].tokens}
        lost = {p for number in state.lost for p in state.segments[number].tokens}
        assert not lost or state.given.limit is not None
        assert set(range(self.ours.num_tokens)) == held | waiting | lost
        assert set(self.ours.memory.positions.tolist()) == waiting
        assert state.num_bytes == self.ours.memory.num_bytes


@pytest.mark.parametrize("ledger", ["strict", "on-top"])
def test_what_a_question_and_a_slot_ask_for_comes_back_as_on_transformers(pair, tokenizer, ledger):
    engines = Reading(pair, tokenizer, ledger=ledger)
    engines.read(f"{LINES}{IDLE * 12}", "tool")
    held = set(engines.ours.positions.tolist())
    asked = segment_of(engines.ours.flow, "gate")
    assert not held & set(asked)
    engines.read("What is the gate code?\n")
    assert set(asked) <= set(engines.ours.positions.tolist())
    before = engines.ours.most_within
    engines.say('{"landlord_phone": "555')
    phone = segment_of(engines.ours.flow, "landlord")
    assert set(phone) <= set(engines.ours.positions.tolist())
    assert engines.ours.most_within >= before
    engines.read(f"{IDLE * 3}And the van key?\n")
    engines.say('"van_key": "VN')


@pytest.mark.parametrize("positions", ["compact", "rolling"])
def test_what_comes_back_in_a_text_without_end_is_as_on_transformers(
    short_pair, tokenizer, positions
):
    """2,800 tokens by a model of 512 positions; lines of the first 500 come back each time."""
    engines = Reading(short_pair, tokenizer, positions=positions)
    engines.read(f"{LINES}{IDLE * 8}", "tool")
    moved = False
    for asked, opened in [("gate", '{"landlord_phone": "555'), ("van", '"locker_code": "7')] * 3:
        before = engines.ours.places[-1]
        engines.read(f"{IDLE * 22}What is the {asked} key or code?\n", "user")
        moved |= engines.ours.places[-1] < before
        line = segment_of(engines.ours.flow, asked)
        assert line.end < 200 and set(line) <= set(engines.ours.positions.tolist())
        engines.say(opened)
    assert moved == (positions == "rolling") and engines.ours.num_tokens > 5 * engines.trained


@pytest.mark.parametrize("cell_type", ["f32", "f16"])
def test_the_models_own_query_asks_where_a_label_says_nothing(pair, tokenizer, cell_type):
    """As transformers scores them, up to the cells' type."""
    engines = Reading(pair, tokenizer)
    engines.read(f"{LINES}{IDLE * 12}", "tool").say('{"zz": ')
    state = memory_of(engines.ours.flow.sequences[0])
    ours, before = engines.ours, state.clock
    seen = list[np.ndarray]()
    for memory in (ours.memory, engines.theirs.memory):
        ask = memory.scores
        memory.scores = lambda *given, ask=ask: seen.append(scores := ask(*given)) or scores
    engines.say('"')
    assert state.clock == before + 1 and state.asked
    np.testing.assert_allclose(seen[0], seen[1], rtol=1e-3)
    assert len(seen[0]) and not state.by_words("zz")
    layers = addressed(pair[1].layers)
    options = dict(chunk=128, cell_type=cell_type, threads=1, queries=layers)
    cache = LlamaCache(Context(pair[1], 512, **options), tokenizer, ours.retention)
    cache.read(tokenizer(f"{LINES}{IDLE * 12}", add_special_tokens=False).input_ids)
    cells = exported(cache.context.exported(cache.sequence))
    keys = keys_of(cells)
    assert keys is not None and keys.shape[1] == len(cells.places)


def test_keys_of_blocks_of_eight_bits_are_read():
    blocks, scales = np.arange(-64, 64, dtype=np.int8).reshape(2, 2, 32), np.array([0.5, 2.0])
    heads = np.broadcast_to(scales.astype("<f2")[:, None], (2, 2, 1)).copy().view(np.uint8)
    rows = np.concatenate([heads, blocks.view(np.uint8)], 2).reshape(2, 1, 68)
    keys = numbers(Part(struct.pack("<iQ", 8, 68), rows))
    assert (keys == (blocks * scales[:, None]).reshape(2, 64)).all()
    assert numbers(Part(struct.pack("<iQ", 2, 36), rows[:, :, :36])) is None


def told(pair, tokenizer, storage, positions="original", idle=12):
    """A sequence that has brought text back, and the rows by place that waited before it did."""
    layers = addressed(pair[1].layers)
    context = Context(pair[1], 512, chunk=CHUNK, cell_type="f32", threads=1, queries=layers)
    memory = Memory(share=0.5, storage=storage)
    cache = LlamaCache(context, tokenizer, ta.Retention(K, memory=memory, positions=positions))
    encode = partial(tokenizer, add_special_tokens=False)
    cache.read(encode(f"{LINES}{IDLE * idle}").input_ids)
    waits = cache.memory.at(cache.memory.positions)
    waits = {p: row for cells in waits for p, row in zip(cells.places.tolist(), cells.rows())}
    cache.read(encode("What is the gate code, and the locker code?\n").input_ids)
    for token in encode("It is 55").input_ids:
        cache.step(token)
    return cache, waits


@pytest.mark.parametrize("storage", [None, "int8", "int4"])
def test_rows_come_back_as_they_waited(pair, tokenizer, storage):
    cache, waits = told(pair, tokenizer, storage)
    held = exported(cache.context.exported(cache.sequence))
    back = [n for n, place in enumerate(held.places.tolist()) if place in waits]
    assert len(back) > 20
    rows = held.rows()
    same = [np.array_equal(waits[int(held.places[n])], rows[n]) for n in back]
    assert all(same) if storage is None else 20 < sum(same) < len(same)  # some had never left
    worst = max(
        np.abs(waits[int(held.places[n])].view("<f4") - rows[n].view("<f4")).max() for n in back
    )
    largest = np.abs(rows.reshape(-1).view("<f4")).max()
    assert (
        worst == 0 if storage is None else 0 < worst < largest / (7 if storage == "int4" else 127)
    )
    whole, sizes = (
        len(cache.memory.positions) * rows.shape[1],
        memory_of(cache.flow.sequences[0]).num_bytes,
    )
    assert sizes == cache.memory.num_bytes
    assert sizes == whole if storage is None else sizes < 0.3 * whole  # of 32 bits


@given(
    arrays(np.float32, (3, 64), elements=st.floats(-6e4, 6e4, width=32)),
    st.sampled_from([2, 4, 32]),
    st.sampled_from([(8, 127), (4, 7)]),
)
def test_numbers_of_few_bits_are_off_by_half_a_step(values, block, form):
    bits, largest = form
    rows = packed(values, block, bits)
    assert rows.shape == (3, 64 // block * (block * bits // 8 + 2))
    most = np.abs(values.reshape(3, -1, block)).max(-1, keepdims=True)
    off = np.abs(unpacked(rows, block, bits) - values).reshape(3, -1, block)
    assert (off <= 0.502 * most / largest + largest * 2.0**-25).all()  # a scale is in float16


@pytest.mark.parametrize("positions", ["original", "rolling", "compact"])
@pytest.mark.parametrize("storage", [None, "int4"])
def test_snapshots_and_files_go_on_alike(short_pair, tokenizer, tmp_path, storage, positions):
    idle = 12 if positions == "original" else 50  # twice as many tokens as the model has positions
    ours, _ = told(short_pair, tokenizer, storage, positions, idle)
    context = ours.context
    ids = ours.flow.sequences[0].ids.array.copy()
    held = ours.snapshot()
    ours.save(tmp_path / "s")
    files = pooled(held, context)
    for pool in files.pools.values():
        assert len(set(pool.positions.tolist())) == len(pool.positions)
    pool_positions = {
        position for pool in files.pools.values() for position in pool.positions.tolist()
    }
    moved = ours.positions[ours.positions != ours.places]
    assert pool_positions | {*moved.tolist()} == {*range(ours.num_tokens)}
    assert len(moved) > K // 2 or positions == "original"
    if positions == "original":  # what came back is there once
        assert len(files.pools["state"].positions) < len(held.places)
    ours.close()

    def goes_on(cache):
        end = cache.num_tokens
        question = tokenizer("And the van key?\n", add_special_tokens=False).input_ids
        known = ta.SourceRange(ta.Span(end, end + len(question)), "user")
        cache.flow.set_sources([[known]])
        logits = cache.read(question)
        for token in tokenizer('"wifi_password": "', add_special_tokens=False).input_ids:
            logits = cache.step(token)
        outcome = cache.positions.tolist(), np.array(logits).reshape(-1)
        cache.close()
        return outcome

    first, logits = goes_on(LlamaCache.resumed(context, held.copy()))
    for again in (
        lambda: load_cache(tmp_path / "s", context, tokenizer, input_ids=ids),
        lambda: LlamaCache.resumed(context, unpooled(tmp_path, files, context, tokenizer, ids)),
    ):
        places, resumed_logits = goes_on(again())
        assert places == first
        assert np.array_equal(resumed_logits, logits)


def test_addresses_follow_to_where_their_segments_would_come_back(short_pair, tokenizer):
    """Turned from move to move, as keys that are turned once are; a copy keeps its own."""
    cache, _ = told(short_pair, tokenizer, None, "rolling")
    once, means = cache.memory.copy(), cache.memory._addresses.means.copy()
    for by in (128, 256, 384):
        cache.memory.follow(cache.context, by, least=1)
    starts = np.array(cache.memory._addresses.starts)
    segments = [s.tokens for s in memory_of(cache.flow.sequences[0]).segments]
    for place, start in enumerate(starts.tolist()):
        (tokens,) = (t for t in segments if t.start == start)
        (cells,) = cache.memory.at(np.array([*tokens]))
        to = max(start - 384, 1) + np.arange(len(tokens))
        keys = keys_of(shifted(cache.context, cells, to))
        mean = cache.memory._addresses.means[place].reshape(len(keys), -1)
        np.testing.assert_allclose(mean, keys.mean(1), atol=1e-4)
    assert np.array_equal(once._addresses.means, means)


def test_states_hold_once_what_they_have_in_common(pair, tokenizer):
    cache, _ = told(pair, tokenizer, "int4")
    before = cache.snapshot()
    cache.step(tokenizer(" and", add_special_tokens=False).input_ids[0])
    after = cache.snapshot()
    rows = {id(row) for row in before.cells.rows}
    new = [place for place, row in zip(after.cells.places, after.cells.rows) if id(row) not in rows]
    assert new == [cache.num_tokens - 1]
    for state in (before, after):
        again = state.cells.exported()
        assert len(again) == state.cells.num_bytes
        assert all(cell is same for cell, same in zip(state.cells.rows, SharedCells.of(again).rows))


def test_a_limit_bounds_what_waits(pair, tokenizer):
    free = Reading(pair, tokenizer).read(f"{LINES}{IDLE * 12}", "tool")
    size = free.ours.memory.num_bytes
    free.ours.close()
    engines = Reading(pair, tokenizer, Memory(share=0.5, storage=None, limit=size // 2))
    engines.read(f"{LINES}{IDLE * 12}", "tool")
    assert engines.ours.memory.num_bytes <= size // 2
    assert memory_of(engines.ours.flow.sequences[0]).lost


def test_what_llama_cpp_does_not_hold_in_a_memory_is_refused_by_name():
    with pytest.raises(ta.UnsupportedError, match="int8 or None"):
        check_served(ta.Retention(128, memory=Memory(storage="fp8")))
    check_served(ta.Retention(128, memory=True, pinned=("system",)))


def test_sessions_of_a_server_pin_the_system_beside_k_and_go_on_from_disk(pair, tmp_path):
    tokenizer = chat_tokenizer("chatml")
    asked = for_chats(ta.Retention(128), memory=True)
    assert asked.memory and asked.pinned == ("system",)
    options = dict(chunk=64, parallel=2, cell_type="f32", threads=1)
    engine = LlamaEngine("tiny", pair[1], tokenizer, asked, **options)
    small = engine.context.cells
    other = engine.session(asked)
    answers(other, tokenizer, CHAT[1:2])  # seated where the cells are about to be too few
    session, held = engine.session(asked), []
    for end in (2, 4):
        answers(session, tokenizer, CHAT[:end])
        flow = session.flow
        pinned, positions = flow.num_pinned, np.sort(flow.table.positions[0])
        assert pinned > 500 and positions[:pinned].tolist() == list(range(pinned))
        assert len(positions) <= 128 + pinned
        held.append(positions.tolist())
    assert engine.context.cells > small
    theirs = TransformersEngine("tiny", pair[0], tokenizer, chunk=64).session(asked)
    for end, mine in zip((2, 4), held):
        answers(theirs, tokenizer, CHAT[:end])
        assert np.sort(theirs.flow.table.positions[0]).tolist() == mine
    report = str(build_report(session.flow, 0, reveal=False))
    assert "segment" in report
    assert answers(other, tokenizer, CHAT[1:]) == answers(
        engine.session(asked), tokenizer, CHAT[1:]
    )
    session.save(tmp_path, {})
    names = session.save(tmp_path, {})
    fresh = LlamaEngine("tiny", pair[1], tokenizer, asked, **options)
    again = fresh.load(tmp_path / names[-1])
    more = [*CHAT, {"role": "assistant", "content": "5519"}, {"role": "user", "content": "Why?"}]
    assert answers(again, tokenizer, more) == answers(session, tokenizer, more)
    assert again.flow.table.positions.tolist() == session.flow.table.positions.tolist()
