"""What a memory lets go and brings back, with a tokenizer and no model: each token is somewhere."""

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import made_tokenizers
import transactional_attention as ta
from flows import read_and_cut
from scenes import VALUES, byte_tokenizer
from transactional_attention.config import Memory
from transactional_attention.retention import swap
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.slot_table import PADDING
from transactional_attention.types import ASKED, QUESTION

TOKENIZER = byte_tokenizer()
LINES = [f"{label}: {value}\n" for label, value in VALUES.items()]
IDLE = ["It rained all day.\n", "Nobody came by.\n", "Hm. ", "x" * 30, "漢字。", "\n", "We went, "]
K, SHARE = 128, 0.5  # pieces of at most 32 tokens: each of the lines is one


class Engine:
    """Obeys a flow as an engine does, with positions in place of rows."""

    def __init__(self, rows=1, budget=K, sources=None, memory=None, **options):
        memory = memory or Memory(share=SHARE, storage=None)
        self.retention = ta.Retention(budget, memory=memory, **options)
        self.flow = RetentionFlow(self.retention, TOKENIZER, rows)
        if sources is not None:
            self.flow.set_sources(sources)
        self.given = sources is not None
        self.slots = np.zeros((rows, 0), np.int64)
        self.host = [dict() for _ in range(rows)]

    def _leave(self, moved):
        for item in moved:
            assert (self.slots[item.row, item.slots] == item.positions).all()
            start, end = (int(item.positions[at]) for at in (0, -1))
            assert item.positions.tolist() == list(range(start, end + 1))
            assert start not in self.host[item.row]  # it waits once
            self.host[item.row][start] = set(item.positions.tolist())

    def _exchange(self, moved):
        if moved is None:
            return
        waits = [set().union(*row.values()) for row in self.host]  # rows are read before they leave
        self._leave(moved.leaving)
        empty = np.full((len(self.slots), moved.grown), PADDING)
        self.slots = np.concatenate([self.slots, empty], 1)
        for item in moved.returning:
            assert waits[item.row].issuperset(item.positions.tolist())
            self.slots[item.row, item.slots] = item.positions

    def read(self, *texts, chunk=None, final=True):
        encoded = [TOKENIZER(text, add_special_tokens=False)["input_ids"] for text in texts]
        width = max(map(len, encoded))
        if not self.given:  # each text is a user's message
            begins = self.flow.lengths.tolist()
            spans = [ta.Span(a, a + len(tokens)) for a, tokens in zip(begins, encoded)]
            self.flow.set_sources([[ta.SourceRange(span, "user")] for span in spans])
        ids, valid = np.zeros((len(texts), width), np.int64), np.zeros((len(texts), width), bool)
        for row, tokens in enumerate(encoded):
            ids[row, width - len(tokens) :], valid[row, width - len(tokens) :] = tokens, True
        size = chunk or width
        for start in range(0, width, size):
            part = slice(start, start + size)
            self._chunk(ids[:, part], valid[:, part], final and start + size >= width)
        return self

    def _chunk(self, ids, valid, last):
        flow, before = self.flow, self.flow.lengths
        self._exchange(flow.read(ids, valid, final=last, asks=last))
        places = before[:, None] + np.cumsum(valid, 1) - 1
        self.slots = np.concatenate([self.slots, np.where(valid, places, PADDING)], 1)
        step = flow.cut(flow.table)
        self._leave(step.leaving)
        if step.keep is not None:
            self.slots = np.take_along_axis(self.slots, step.keep, 1)
        if last or int(flow.lengths[0]) % 5 == 0:
            self.check()

    def say(self, text):
        for token in TOKENIZER(text, add_special_tokens=False)["input_ids"]:
            flow = self.flow
            flow.read_generated([[token]] * len(self.slots))
            flow.open_field()
            self._leave(swap.leaving_next(flow.rows))
            (step,) = flow.decode(evict=True)
            new = flow.lengths - 1
            if step.slots is None:
                self.slots = np.concatenate([self.slots, new[:, None]], 1)
            else:
                self.slots[np.arange(len(new)), step.slots] = new
            if int(new[0]) % 5 == 0:
                self.check()
        self.check()
        return self

    def held(self, row=0):
        return set(self.slots[row][self.slots[row] >= 0].tolist())

    def pinned(self, row=0):
        return self.flow.sequences[row].num_pinned()

    def check(self):
        """No more than K is held, the window has no holes, and every other token waits or is
        lost."""
        flow = self.flow
        assert (self.slots == flow.table.positions).all()
        assert self.slots.shape[1] <= K + max(map(self.pinned, range(len(self.slots))))
        for row, sequence in enumerate(flow.sequences):
            state, held, length = sequence.memory, self.held(row), int(flow.lengths[row])
            assert len(held) == int((self.slots[row] >= 0).sum())
            starts = [segment.tokens.start for segment in state.segments]
            ends = [0, *(segment.tokens.end for segment in state.segments)]
            assert starts == ends[:-1] and ends[-1] <= length
            for number, segment in enumerate(state.segments[: state.num_waiting]):
                there = segment.tokens.start in self.host[row]
                assert there != (number in state.lost)
            waiting = {p for positions in self.host[row].values() for p in positions}
            lost = {p for number in state.lost for p in state.segments[number].tokens}
            assert set(range(length)) == held | waiting | lost
            assert not lost or self.retention.protected or self.pinned(row) or state.given.limit
            window = max(0, length - (K - int(K * SHARE) - 1))
            assert held.issuperset(range(window, length))

    def holds(self, text, value, row=0):
        at = text.index(value)
        return self.held(row).issuperset(range(at, at + len(value)))


@settings(max_examples=6)
@given(
    st.integers(0, 10_000),
    st.sampled_from([None, 3, 40, 200]),
    st.integers(1, 2),
)
def test_every_token_is_held_or_waits_or_is_lost(seed, chunk, rows):
    rng, engine = random.Random(seed), Engine(rows)
    for _ in range(3):
        texts = ["".join(rng.choices(LINES + IDLE, k=rng.randint(1, 12))) for _ in range(rows)]
        asks = f"What is the {rng.choice([*VALUES])}?\n"
        engine.read(*(text + asks for text in texts), chunk=chunk)
        engine.say("".join(rng.choices(LINES + IDLE, k=rng.randint(0, 8))))


@settings(max_examples=4)
@given(st.integers(0, 10_000), st.integers(1, 300))
def test_a_text_has_the_same_segments_whatever_its_chunks_and_whoever_writes_it(seed, chunk):
    rng = random.Random(seed)
    text = "".join(rng.choices([*LINES, *IDLE, "It is so, 1,250. No! "], k=30))
    segmentations = []
    for begun, size in ((text, None), (text, chunk), (text[:40], None)):
        engine = Engine()
        engine.check = lambda: None
        engine.read(begun, chunk=size).say(text[len(begun) :])
        (sequence,) = engine.flow.sequences
        sequence.memory.take(sequence.text, sequence.ranges)
        segmentations.append([segment.tokens for segment in sequence.memory.segments])
    assert segmentations[0] == segmentations[1] == segmentations[2]


@pytest.mark.parametrize("chunk", [None, 16])
def test_a_question_brings_back_the_piece_that_shares_its_words(chunk):
    text = "".join(LINES) + IDLE[0] * 20
    engine = Engine().read(text, chunk=chunk)
    for label in ("locker code", "api key", "locker code", "van key"):
        engine.read(f"\nWhat is the {label}?\n")
        assert engine.holds(text, f"{label}: {VALUES[label]}\n")
    assert sum(engine.holds(text, line) for line in LINES) < len(LINES)


def test_a_batch_asks_row_by_row():
    text = "".join(LINES) + IDLE[0] * 20
    other = IDLE[1] * 9 + text
    engine = Engine(2).read(text, other)
    engine.read("\nWhat is the locker code?\n", "\nWhat is the api key?\n")
    assert engine.holds(text, "locker code: 8830") and engine.holds(other, "api key: QX7K88", 1)


def test_generated_text_far_beyond_k_waits_and_comes_back():
    engine = Engine().read("Hello.\n").say("".join(LINES) + IDLE[0] * 30)
    text = "Hello.\n" + "".join(LINES)
    assert not any(engine.holds(text, line) for line in LINES)
    assert engine.read("\nWhat is the gate code?\n").holds(text, "gate code: 5519\n")


def sources(*sizes):
    """Ranges of a system's text and a user's after it, one list a row."""
    return [
        [ta.SourceRange(ta.Span(0, n), "system"), ta.SourceRange(ta.Span(n, 800), "tool")]
        for n in sizes
    ]


def test_what_is_pinned_is_held_beside_k_whatever_comes():
    system = "Be brief. Call the tools as they are said here.\n"
    engine = Engine(pinned=("system",), sources=sources(len(system)))
    engine.read(system + "".join(LINES) + IDLE[0] * 20, chunk=50)
    assert engine.holds(system, system) and engine.slots.shape[1] == K + len(system)
    engine.say(IDLE[0] * 20).read("\nWhat is the api key and the van key?\n")
    assert engine.holds(system, system) and engine.slots.shape[1] == K + len(system)
    window = range(int(engine.flow.lengths[0]) - K // 2, int(engine.flow.lengths[0]))
    assert engine.held().issuperset(window)


@pytest.mark.parametrize("named", [12, 40])
def test_named_ranges_and_sinks_stay_when_much_comes_back(named):
    text = "".join(LINES * 3) + IDLE[0] * 20
    engine = Engine(sinks=4, protected=(ta.ProtectedRange(ta.Span(0, named)),))
    engine.check = lambda: None  # the window is smaller by what is named
    engine.read(text)
    asks = " ".join(VALUES)
    for turn in range(3):
        engine.read(f"\nWhat is the {asks}? {turn}\n")
        assert engine.held().issuperset(range(named)) and engine.slots.shape[1] == K


@pytest.mark.parametrize("method", ["ta", "ta-fast-regex", "ta-fast-semantic"])
def test_whatever_the_method_the_oldest_token_gives_way(method):
    engine = Engine(method=method).read("aaa bbb " * 6 + "".join(LINES))
    engine.say("the the the " * 4 + IDLE[0] * 10)


def test_a_tiny_budget_loses_no_token_silently():
    engine = Engine(sinks=1, recent=1, protected=(ta.ProtectedRange(ta.Span(0, 70)),))
    engine.check = partial(_accounted, engine)
    engine.read("".join(LINES) + "x" * 200).say("y" * 150)


def _accounted(engine):
    state = engine.flow.sequences[0].memory
    waiting = {p for positions in engine.host[0].values() for p in positions}
    lost = {p for number in state.lost for p in state.segments[number].tokens}
    assert set(range(int(engine.flow.lengths[0]))) == engine.held() | waiting | lost
    assert lost <= set(range(100))  # around what is named alone


def test_rows_of_a_batch_that_are_taken_go_on_by_themselves():
    text = "".join(LINES) + IDLE[0] * 20
    engine = Engine(2).read(text, text)
    engine.flow.take_rows(np.array([1, 0, 1]))
    engine.slots = engine.slots[[1, 0, 1]]
    engine.host = [dict(engine.host[row]) for row in (1, 0, 1)]
    asks = ("locker code", "api key", "van key")
    engine.read(*(f"\nWhat is the {label}?\n" for label in asks))
    for row, label in enumerate(asks):
        assert engine.holds(text, f"{label}: {VALUES[label]}", row)


def test_what_was_asked_for_last_is_told_first_and_once():
    text = "".join(LINES) + IDLE[0] * 20
    engine = Engine().read(text)
    state = swap.memory_of(engine.flow.sequences[0])
    for label in ("wifi password", "landlord phone", "wifi password"):
        engine.read(f"\nWhat is the {label}?\n")
        spans = state.asked_spans()
        lines = [engine.flow.sequences[0].characters(span.value) for span in spans]
        now = lines[: [span.rule for span in spans].count(QUESTION)]
        assert f"{label}: {VALUES[label]}\n" in now
        assert all(span.rule == ASKED for span in spans[len(now) :])
        assert len({span.value for span in spans}) == len(spans)
    places = [
        lines.index(f"{label}: {VALUES[label]}\n") for label in ("wifi password", "landlord phone")
    ]
    assert places == sorted(places) and "landlord phone: 555-0187\n" not in now
    ranks = [span.rank for span in spans]
    assert ranks == sorted(ranks, reverse=True)  # as the selection takes them


def test_what_a_segment_that_was_asked_for_is_near_comes_with_it_until_others_do():
    text = "".join(LINES) + IDLE[0] * 20
    engine = Engine().read(text, final=True)
    engine.read("\nWhat is the wifi password?\n").say(IDLE[0] * 9)
    line = "wifi password: hunter7712\n"
    assert engine.holds(text, line)
    held = [other for other in LINES if engine.holds(text, other)]
    assert held == ["api key: QX7K88\n", line, "gate code: 5519\n"]
    engine.read("\nAnd the landlord phone, the api key, the van key?\n").say(IDLE[1] * 9)
    assert engine.holds(text, "landlord phone: 555-0187\n") and not engine.holds(text, line)


TICKETS = {
    "BILL-20433": "time zones",
    "BILL-20577": "rounding",
    "BILL-20611": "currency names",
    "BILL-20698": "late fees",
    "BILL-20745": "credit notes",
}


@pytest.mark.parametrize("form", ["{} ({}), ", "{} (Maria: {}); ", "{} for {}, ", "{} – {}, "])
def test_a_value_is_held_with_the_label_that_stands_behind_it(form):
    """Wherever a piece ends: of the tickets that are held none is without the words behind it."""
    tokenizer = made_tokenizers.build("embedded")
    begin, count = "We met and talked about the plan for spring: ".split(), 0
    for words in range(len(begin) + 1):
        stated = "".join(form.format(*one) for one in TICKETS.items())
        other = flow(tokenizer, budget=256)
        ids = read_and_cut(other, " ".join([*begin[:words], stated, *IDLE[:1] * 60]))
        places = other.table.positions[0]
        runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
        held = "\n".join(tokenizer.decode(np.array(ids)[run]) for run in runs)
        for ticket, label in TICKETS.items():
            assert (ticket in held) == (form.format(ticket, label).strip(" ,;") in held)
            count += ticket in held
    assert count > 15


def flow(tokenizer=TOKENIZER, **options):
    return RetentionFlow(ta.Retention(**{"budget": K, "memory": True, **options}), tokenizer, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "streaming-llm"}, "the memory does not serve.*'streaming-llm' protects no"),
        ({"method": "ta+snapkv"}, "the memory does not serve|needs a model"),
        ({"budget": (64, 96)}, "the memory does not serve.*different tokens"),
        ({"preset": "paper"}, "the memory does not serve.*paper preset"),
        ({"storage": "int8"}, "the memory does not serve.*storage"),
        ({"detect_in_generated": True}, "the memory does not serve.*detect_in_generated"),
        ({"tokenizer": None}, "pass the model's tokenizer"),
    ],
)
def test_what_a_memory_does_not_serve_is_refused(options, message):
    with pytest.raises((ta.UnsupportedError, ta.InputError), match=message):
        flow(**options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"recall": "yes"}, "recall must be True, False or a Memory"),
        ({"recall": True, "budget": 64}, "recall is a memory now, which needs K >= 128"),
        ({"memory": "yes"}, "memory must be True, False or a Memory"),
        ({"pinned": ("sistem",)}, "pinned: 'sistem' is none of"),
    ],
)
def test_a_memory_that_is_none_is_refused(given, message):
    with pytest.raises(ta.InputError, match=message):
        ta.Retention(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [({"share": 0}, "share"), ({"share": 0.6}, "share"), ({"share": "a"}, "share"),
     ({"again": -1}, "again"), ({"limit": 0}, "limit"), ({"storage": "int3"}, "storage")],
)  # fmt: skip
def test_numbers_of_a_memory_are_checked(given, message):
    with pytest.raises(ta.InputError, match=message):
        Memory(**given)
    assert (
        ta.Retention(memory=False).memory is None and ta.Retention(memory=True).memory == Memory()
    )


@pytest.mark.parametrize("given", [True, "all", Memory(again=7), Memory()])
def test_recall_is_an_older_name_of_it(given):
    retention = ta.Retention(128, recall=given)
    assert retention.memory == (given if isinstance(given, Memory) else Memory())
    assert retention.recall is None and replace(retention, memory=None).memory is None
    assert ta.Recalling is ta.Memory is Memory


def test_inputs_behind_is_an_older_name_of_inputs_after():
    assert ta.inputs_behind is ta.inputs_after
