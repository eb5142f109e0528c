"""People, nicknames and decisions, which hold no digit: their sentences tell of them."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

PEOPLE = [
    ("Your new contact at the bank will be Theodora Pike. She knows.", "Theodora Pike"),
    ("Reviewer for the docs: Adaeze Obi.", "Adaeze Obi"),
    ("  <fullName>Jutta Oberhausen</fullName>", "Jutta Oberhausen"),
    ('{"assignee": "Ines Carvalho", "open": true}', "Ines Carvalho"),
    ("Ihre Ansprechpartnerin ist Frau Dr. Steinhöfel, im zweiten Stock.", "Frau Dr. Steinhöfel"),
    ("Responsable: María López", "María López"),
    ("My mother's maiden name is Okonkwo.", "Okonkwo"),
    ("Reservation under the name Halloran for two.", "Halloran"),
    ("Réservation au nom de Maëlle, merci.", "Maëlle"),
    ("Меня зовут Антон.", "Антон"),
]
ALIASES = [
    ("Please call it bluebird from now on.", "bluebird"),
    ("We refer to the new backend as Lighthouse in the rest of this page.", "Lighthouse"),
    ("Desde hoy el proyecto se llama Colibrí, así que cambiadlo.", "Colibrí"),
    ("Von nun an nennen wir ihn Kranich.", "Kranich"),
    ("Désormais le projet s'appelle Hirondelle.", "Hirondelle"),
    ("D'ora in poi chiamiamo il server Gabbiano, l'altro no.", "Gabbiano"),
    ("С этого дня называем новый сервер Журавль.", "Журавль"),
    ("من الآن فصاعدا سنسمي المشروع «النورس» دائما.", "النورس"),
    ("从今天起，这个项目就叫“青鸟”。", "青鸟"),
    ("今後このサーバーを「つばめ」と呼びます。", "つばめ"),
    ("サーバーの名前は「ひばり」にしました。", "ひばり"),
    ("프로젝트 이름은 '반딧불'로 정했습니다.", "반딧불"),
    ("앞으로 이 서버를 '제비'라고 부릅니다.", "제비"),
]
DECISIONS = [
    ("ok, we go with Postgres then", "Postgres"),
    ("- decided: SQLite for the pilot", "SQLite"),
    ("We agreed on trunk-based development.", "trunk-based"),
    ("We settled on Node.js for the server.", "Node.js"),
    ("The board voted for Option B.", "Option B"),
    ("Nous avons choisi Kotlin pour la suite.", "Kotlin"),
    ("Am Ende nehmen wir Variante C, die andere nicht.", "Variante C"),
    ("Decidimos usar o Django no novo portal.", "Django"),
    ("最终采用方案乙，下周开始。", "方案乙"),
    ("Mobil uygulamayı Flutter ile yazacağız.", "Flutter"),
]
NOTHING = [
    "The owner of the house was away, and the contact was lost.",
    "The contact is The Company.",
    "Author: Theodora Pike",
    "The table name is Orders. My name is on the list, au nom de la loi.",
    "From now on call me when you are done.",
    "From now on the list is empty; call the function again.",
    "We agreed on the terms and went with them.",
    "They decided on Monday. I went with Anna.",
    "They settled on a well-known plan.",
    "Wir nehmen Brot und haben uns für Wasser entschieden.",
    "Nous avons choisi la paix.",
]


@pytest.mark.parametrize(("text", "value"), PEOPLE + ALIASES + DECISIONS)
def test_the_name_is_found(text, value):
    assert found(text) == [value]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_name_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), PEOPLE + ALIASES + DECISIONS)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == [value]
