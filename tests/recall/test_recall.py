"""Which values a text brings back, when none, and what a full vault lets go."""

from __future__ import annotations

import json

import pytest

from ta_lab.collection.asked import FIRST, NONE, asked, questioned
from transactional_attention.config import Recalling
from transactional_attention.recall.asking import queries
from transactional_attention.recall.entries import Entry, words_of
from transactional_attention.recall.recall import Recall, Recalled
from transactional_attention.recall.slots import SlotReader
from transactional_attention.retention.recall_state import BACK, HEADER, RecallState
from transactional_attention.types import Anchor, Span


def entry(text, order, source="user", confidence=1.0):
    """The entry of "LABEL: VALUE", in tokens of its own."""
    label, _, value = text.partition(": ")
    at = Span(len(label) + 2, len(label) + 2 + len(value))
    words = words_of(Anchor(Span(0, len(label)), at, 1.0, "r"), lambda b, e: text[b:e])
    place = Span(10 * order, 10 * order + 3)
    empty = Span(place.start, place.start)
    return Entry(place, empty, "r", confidence, source, words=words)


def held(*texts, **options):
    recall = Recall(**options)
    know(recall, *[entry(text, order) for order, text in enumerate(texts)])
    return recall


def know(recall, *entries):
    for one in entries:
        recall.know(one)


def leave(recall, num_bytes, *entries):
    know(recall, *entries)
    return recall.leave([one.value for one in entries], [num_bytes] * len(entries))


def orders(found):
    return [item.entry.value.start // 10 for item in found]


def test_of_what_came_back_the_newest_are_shown():
    state, item = RecallState(Recalling(), b""), Recalled(entry("pin: 4417", 0), 1.0, ())
    lengths = range(0, HEADER * (BACK + 1), HEADER)
    for length in lengths:
        state.came_back(item, length)
        state.came_back(item, length)
    assert [back.length for back in state.back] == [*lengths[1:]]


def test_the_label_asks_for_its_value():
    recall = held("api key: abc-77", "door code: 2208", "landlord phone: 555-0187")
    assert orders(recall.wanted("What is the door code?"))[0] == 1
    assert recall.wanted("What is the door code?")[0].entry.positions == [10, 11, 12, 13]


def test_scopes_tell_similar_values_apart():
    recall = held("prod database password: aa-1", "dev database password: bb-2")
    assert orders(recall.wanted("the dev database password"))[0] == 1
    assert orders(recall.wanted("the prod database password"))[0] == 0


def test_four_values_in_one_question():
    labels = "host user port password bucket region queue channel webhook".split()
    recall = held(*[f"{label}: x{label[::-1]}1" for label in labels])
    found = orders(recall.wanted("Give me the host, the port, the user and the password.", most=4))
    assert set(found) == {0, 1, 2, 3}


def test_each_value_that_a_question_names_is_a_first_one():
    recall = held("api key: abc-77", "tax number: 119060", "door code: 2208", "key ring: brass-9")
    found = recall.wanted("Give me the door code, the api key and the tax number.")
    assert {i for i, item in zip(orders(found), found) if item.first} == {0, 1, 2}


def test_values_of_the_text_itself_take_nobodys_place():
    """A question that holds a value has all of its words around it."""
    asks = "For order AB-5512, what are the door code and the api key?"
    recall = held("door code: 2208", "api key: abc-77")
    before = orders(recall.wanted(asks))
    know(recall, entry("order door code and api key for: AB-5512", 40))
    assert orders(recall.wanted(asks))[0] == 40
    assert orders(recall.wanted(asks, [Span(400, 410)])) == before and {*before} == {0, 1}


def test_all_arguments_of_a_long_schema_ask():
    labels = "host user port bucket region queue channel webhook branch ticket".split()
    about = {label: {"type": "string"} for label in labels}
    schema = json.dumps({"type": "object", "properties": about})
    asking = {word for part in queries(schema) for word, weight in part.items() if weight == 1}
    assert asking >= {*labels}


def test_kinds_are_asked_for_without_a_label():
    recall = held("survey: 19 September", "berth: 14B", "invoice: NOK 48,500")
    assert orders(recall.wanted("Wann ist das?"))[:1] == [0]
    assert orders(recall.wanted("How much do we pay?"))[:1] == [2]


def test_one_word_asks_where_it_is_all_that_is_said():
    recall = held("namespace: billing-blue", "door code: 2208")
    assert orders(recall.wanted("Namespace?")) == [0]
    assert recall.wanted("I do not like that namespace, and the rest looks fine.") == []


def test_a_label_that_is_part_of_the_value_is_found_and_not_read():
    recall = held("error_log: /srv/logs/shop-error.log", "door code: 2208")
    (found,) = recall.wanted("Where is the error log?")
    assert found.entry.value == Span(0, 3)
    assert not {"error", "log"} & set(found.entry.words)


def test_how_to_answer_asks_for_nothing():
    recall = held("answer of the first caller: 14:05", "courier: 15:20")
    assert orders(recall.wanted("When does the courier come?\nAnswer with the value alone.")) == [1]


def test_what_joins_the_words_of_japanese_asks_for_nothing():
    recall = held("ベルトの型番になっています: A-62", "水温の警報: 38度")
    assert orders(recall.wanted("水温の警報は何度に設定されていますか"))[:1] == [1]
    assert recall.wanted("どうなっていますか") == []


@pytest.mark.parametrize("text", ["", "  \n", "Thanks!", "Go on, please.", "?" * 50])
def test_a_text_without_words_brings_nothing_back(text):
    assert held("door code: 2208").wanted(text) == []


def test_what_came_back_or_was_corrected_is_not_recalled():
    recall = held("door code: 2208", "gate code: 5519")
    assert recall.forget([Span(0, 3), Span(77, 78)]) == [Span(0, 3)]
    assert orders(recall.wanted("door code")) in ([], [1])
    assert len(recall) == 1 and recall.num_bytes == 0


def test_a_value_that_is_stated_or_leaves_again_is_known_once():
    recall = held("door code: 2208")
    know(recall, entry("door code: 2208", 0))
    for _ in range(2):
        assert recall.leave([Span(0, 3)], [10]) == []
    assert len(recall) == 1 and len(recall.wanted("the door code")) == 1
    assert recall.num_bytes == 10


def test_a_copy_goes_its_own_way():
    recall = held("door code: 2208", "gate code: 5519")
    other = recall.copy()
    other.forget([Span(0, 3)])
    know(other, entry("shelf mark: 77x", 2))
    assert orders(recall.wanted("the door code"))[0] == 0 and len(recall) == 2
    assert orders(other.wanted("the shelf mark")) == [2] and len(other) == 2


def test_tools_do_not_crowd_out_the_user():
    recall = held("door code: 2208")
    know(recall, *[entry(f"door code: {i}x", i + 1, source="tool") for i in range(500)])
    assert orders(recall.wanted("What is the door code?"))[0] == 0
    assert len(recall.wanted("What is the door code?", most=8)) <= 8


def test_over_the_limit_tools_go_first_then_what_nobody_asked_for():
    recall = Recall(limit=40)
    leave(recall, 10, entry("door code: 2208", 0), entry("gate code: 5519", 1))
    leave(recall, 10, entry("shelf mark: 77x", 2, source="tool"))
    assert recall.wanted("the door code", most=1)
    few = entry("cup size: 12x", 4, confidence=0.5)
    gone = leave(recall, 10, entry("rota name: Ruta", 3), few)
    assert gone == [Span(20, 23), Span(40, 43)]
    assert recall.num_bytes == 30 and orders(recall.wanted("the door code", most=1)) == [0]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"name": "pay", "arguments": {"api_key": "', "api_key"),
        ('{"port":', "port"),
        ("deploy --ticket", "ticket"),
        ("deploy --ticket ", "ticket"),
        ("Authorization: Bearer ", "Authorization Bearer"),
        ("db.host=", "db.host"),
        ("Sure. The door password is", "the door password"),
        ("Das Passwort lautet ", "das passwort"),
        ("パスワードは", "パスワード"),
        ("so we went there and", None),
        ("a well-known island", None),
        ("", None),
    ],
)
def test_slots(text, label):
    whole, pieces = SlotReader(), SlotReader()
    slot = whole.feed(text)
    assert (slot and slot.label) == label
    for char in text:
        last = pieces.feed(char)
    assert not text or last == slot


def test_a_slot_brings_its_value_back_and_another_none():
    recall = held("ticket: OPS-77213", "landlord phone: 555-0187")
    assert orders(recall.opened("deploy --ticket ")) == [0]
    assert recall.opened("nobody") == []
    assert recall.opened('\n{"colour": "') == []


def test_reasons_and_reprs_hold_nothing_of_a_value():
    recall = held("door code: Zx81Qw77Lm")
    (found,) = recall.wanted("What is the door code?")
    assert "Zx81" not in repr(found) + repr(recall) and "door" in found.reason


def test_the_questions_of_the_laboratory_are_whole():
    for name in ("tuning", "locked"):
        texts = questioned(name)
        assert sum(len(questions) for _, questions in texts) > 120
        assert all((q.kind == NONE) == (not q.answers) for _, qs in texts for q in qs)


def test_most_tuning_questions_bring_their_value_back():
    seen = asked(questioned("tuning")[:4], "values", pooled=True)
    wanted = [one for one in seen if one.question.kind != NONE]
    right = sum(one.right(FIRST[-1]) for one in wanted)
    assert right >= 0.8 * sum(len(one.question.answers) for one in wanted)
