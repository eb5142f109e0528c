"""What people say that theirs are, like and need; plain words that a sentence makes a password."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

ATTRIBUTES = [
    ("Our dog is called Biscuit.", "Biscuit"),
    ("My favourite colour is teal.", "teal"),
    ("Her favorite dessert is rhubarb crumble, of course.", "rhubarb crumble"),
    ("Tell Marco the venue is the Blue Lantern.", "Blue Lantern"),
    ("The supplier is Harlan & Brothers.", "Harlan & Brothers"),
    ("The answer to the security question is Ferdinand.", "Ferdinand"),
    ("Our tenant id is contoso-emea.", "contoso-emea"),
    ("My blood type is O negative.", "O negative"),
    ("My shoe size is 42.", "42"),
    ("Mi color favorito es turquesa.", "turquesa"),
    ("Nuestro perro se llama Galleta.", "Galleta"),
    ("Ma couleur préférée est le turquoise.", "turquoise"),
    ("Notre chien s'appelle Biscuit.", "Biscuit"),
    ("Unser Hund heißt Keks.", "Keks"),
    ("Il nostro cane si chiama Biscotto.", "Biscotto"),
    ("Minha cor favorita é turquesa.", "turquesa"),
    ("Нашу собаку зовут Бублик.", "Бублик"),
    ("Köpeğimizin adı Fındık.", "Fındık"),
    ("我们的狗叫豆豆。", "豆豆"),
    ("好きな色は青緑です。", "青緑"),
    ("제가 좋아하는 색은 청록색입니다.", "청록색"),
    ("اسم كلبنا هو بسكوت.", "بسكوت"),
    ("मेरा पसंदीदा रंग फ़िरोज़ी है।", "फ़िरोज़ी"),
]
PREFERENCES = [
    ("I'm allergic to cashews.", "cashews"),
    ("She prefers oat milk.", "oat milk"),
    ("Soy alérgica al marisco.", "marisco"),
    ("Ich bin allergisch gegen Haselnüsse.", "Haselnüsse"),
    ("我对花生过敏。", "花生"),
    ("私は蕎麦アレルギーです。", "蕎麦"),
    ("저는 땅콩 알레르기가 있어요.", "땅콩"),
]
SECRETS = [
    ("Marmalade is the password.", "Marmalade"),
    ("Use marmalade as the password.", "marmalade"),
    ("The codeword has been changed to cardamom.", "cardamom"),
    ("I set the password to cardamom.", "cardamom"),
    ("Say marmalade when they ask.", "marmalade"),
    ("To get in, say marmalade.", "marmalade"),
    ("Today's word is cardamom.", "cardamom"),
    ("The code phrase is blue heron.", "blue heron"),
]
TOLD = [
    ("The deadline is Thursday.", "Thursday"),
    ("The launch moved to next Tuesday.", "next Tuesday"),
    ("The flight number is BA 2490, leaving at 07:35.", "BA 2490"),
    ("The limit was raised to 275.", "275"),
    ("The prescription is 20 mg of citalopram.", "20 mg"),
    ("Assigned to: Ottoline Marsh", "Ottoline Marsh"),
    ("Table for four under Marsh at eight.", "Marsh"),
    ("Call me Ishmael.", "Ishmael"),
]
FOUND = ATTRIBUTES + PREFERENCES + SECRETS + TOLD
NOTHING = [
    "My father was American. Our school is closed at night. His wife was a teacher.",
    "The venue is beautiful in spring. The supplier was late. The winner is decided by a vote.",
    "My favourite colour is unknown. The default time zone is local. The flag is set.",
    "The bucket is read-only. The namespace is well-known. The database is case-sensitive.",
    "The schema is auto-generated. Our project is open-source.",
    "They prefer to wait. She prefers working alone. We prefer explicit imports over wildcards.",
    "The meeting was on Thursday. He was born on a Monday.",
    "La ciudad se llama Toledo y es antigua. Mi color favorito es muy bonito.",
    "The password has been changed to prevent abuse. This is the password.",
    "Knowledge is the password to success. Say hello when they arrive.",
    "The keyword is required in this position. The keyword argument is optional.",
    "我最喜欢的颜色是什么？",
]


@pytest.mark.parametrize(("text", "value"), FOUND)
def test_what_is_told_is_found(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NOTHING)
def test_how_something_is_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), FOUND)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


@pytest.mark.parametrize(
    "piece",
    ["my dog is called A ", "password is the a ", "set the password to a", "i prefer aaa bbb ",
     "use a as the password ", "say abc when ", "对花花花花花过", "mi perro se llama A de "],
)  # fmt: skip
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
