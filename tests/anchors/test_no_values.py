"""What a verb, a turn of a conversation, a flag or a description has, and is no value."""

from __future__ import annotations

import pytest

from found_values import anchors_of

NONE = [
    "La contraseña caduca cada tres meses.",
    "La passphrase doit rester secrète.",
    "Das Passwort läuft alle drei Monate ab.",
    "La password scade ogni tre mesi.",
    "user: remember, it's important to be kind",
    "사용자: 아니요, 바뀌었어요.",
    "المستخدم: عفوًا، أخطأت",
    "उपयोगकर्ता: माफ़ कीजिए, रुकिए",
    "пользователь: нет, ошибся",
    "PUT /doc HTTP/1.1",
    '{"dossier": "rénovation cuisine", "etat": "accepté"}',
    'The phrase is "kick it".',
    'The phrase was used in the "house of the rising sun" song.',
    "La frase es «hola a todo el mundo».",
    "La frase secreta del libro aparece en «Cien años de soledad».",
    "The machine is on. Please login now and set a password soon.",
]
VALUES = [
    ("passphrase tulip marble grape", "tulip marble grape"),
    ("- my passphrase tulip marble grape", "tulip marble grape"),
    ("пользователь: марио, пароль: синяярыба", "марио"),
    ("user: mario, password: bluefish", "mario"),
    ('{"passphrase": "blue whale song"}', "blue whale song"),
    ('{"owner": "blue whale song"}', "blue whale song"),
    ('At the desk the phrase is "purple anchors never rust".', "purple anchors never rust"),
    ("La frase secreta es «luna de papel mojado», no la digas.", "luna de papel mojado"),
    ("La frase de paso es «luna de papel mojado».", "luna de papel mojado"),
    ("La phrase secrète est « lune de papier mouillé ».", "lune de papier mouillé"),
    ("La frase segreta è «luna di carta bagnata».", "luna di carta bagnata"),
    ("Секретная фраза: «луна из мокрой бумаги».", "луна из мокрой бумаги"),
    ("machine ftp.example.com login vera_prints password x", "vera_prints"),
    ("machine nas.attic.lan login me password secretPw9", "nas.attic.lan"),
    ("machine nas.attic.lan login me password secretPw9", "secretPw9"),
]
FLAGS = [
    ("curl -s https://intra.test/board", "shape:url"),
    ("curl -sSL https://intra.test/board-77 | grep -q x", "shape:url"),
    ("wget -q https://intra.test/f-881", "shape:url"),
    ("psql -s https://intra.test/f-881", "structure:flag"),
    ("curl -o https://intra.test/f-881", "structure:flag"),
]


def _found(text: str) -> dict[str, str]:
    found = anchors_of(text)
    return {text[anchor.value.start : anchor.value.end]: anchor.rule for anchor in found}


@pytest.mark.parametrize("text", NONE)
def test_no_value(text):
    assert _found(text) == {}


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_value(text, value):
    assert value in _found(text)


@pytest.mark.parametrize(("text", "rule"), FLAGS)
def test_the_flags_of_a_command(text, rule):
    assert rule in _found(text).values()
