"""What somebody asks to have remembered, in any words that are no sentence."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

import transactional_attention as ta
from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

ASKED = [
    ("Remember this for later: blue heron seven.", "blue heron seven"),
    ("Remember this: my gate word is marzipan.", "marzipan"),
    ("Remember this: the meeting point is Café Luna.", "Café Luna"),
    ("Please remember the phrase blue heron seven.", "blue heron seven"),
    ("I'll give you three words to remember: apple, table, penny.", "apple, table, penny"),
    ("Note this down: 4471 8821.", "4471 8821"),
    ("Please keep this for me: Wendelstein, Haus 4.", "Wendelstein, Haus 4"),
    ("Save this for later - aisle 14, shelf C.", "aisle 14, shelf C"),
    ("You will need this later: Thistle House.", "Thistle House"),
    ("Remember this: db.example.com port 5432.", "db.example.com port 5432"),
    ("Remember: Tuesday, 14:30, platform 6.", "Tuesday, 14:30, platform 6"),
    ("Don't forget: 17 March.", "17 March"),
    ("Recuerda esto: garza azul siete.", "garza azul siete"),
    ("Retiens ceci : héron bleu sept.", "héron bleu sept"),
    ("Merk dir das: blauer Reiher sieben.", "blauer Reiher sieben"),
    ("Ricorda questo: airone blu sette.", "airone blu sette"),
    ("Lembre-se disto: garça azul sete.", "garça azul sete"),
    ("Запомни это: синяя цапля семь.", "синяя цапля семь"),
    ("Bunu unutma: mavi balıkçıl yedi.", "mavi balıkçıl yedi"),
    ("تذكر هذا: مالك الحزين الأزرق.", "مالك الحزين الأزرق"),
    ("यह याद रखना: नीला बगुला सात।", "नीला बगुला सात"),
    ("记住：蓝色苍鹭七号。", "蓝色苍鹭七号"),
    ("覚えておいて：青いサギ七。", "青いサギ七"),
    ("기억해 둬: 파란 왜가리 일곱.", "파란 왜가리 일곱"),
]
NOTHING = [
    "Remember: always wear a helmet.",
    "Remember this: it is better to be kind.",
    "Note the following: items may be removed without notice.",
    "Keep in mind: prices may vary.",
    "Keep this in mind - it rains a lot here.",
    "Please note: the gate is locked. Remember the milk.",
    "记住：钥匙在门下。",
    "覚えておいて：鍵はポストの中です。",
    "기억해: 열쇠는 화분 밑에 있어요.",
    "Merk dir das: Der Schlüssel liegt unter der Matte.",
    "Recuerda esto: la llave está en el buzón.",
]


@pytest.mark.parametrize(("text", "value"), ASKED)
def test_what_is_asked_for_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NOTHING)
def test_a_sentence_is_no_value(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), ASKED)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


def test_one_request_does_not_take_back_another(tokenizer):
    filler = "It rained in the valley and nobody spoke about it. " * 8
    values = ("garnet falcon", "Thistle House", "4471 8821")
    text = filler + filler.join(f"\nRemember this: {value}.\n" for value in values) + filler
    plan = ta.plan(text, tokenizer, ta.Retention(budget=64), reveal=True)
    assert [(value.text, value.status) for value in plan.values] == [
        (value, "guaranteed") for value in values
    ]


@pytest.mark.parametrize("piece", ["remember this: the a ", "remember this ", "note this: a, "])
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
