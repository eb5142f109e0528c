"""Passphrases of plain words, and sentences that hold none."""

from __future__ import annotations

import pytest
from transactional_attention.detection.passphrases import passphrases

FOUND = [
    ("The passphrase, all in lower case, is glacier cobalt copper.", "glacier cobalt copper"),
    ("Alarm passphrase (tell nobody): maple onyx quill", "maple onyx quill"),
    ("vault phrase indigo lilac kelp otter", "indigo lilac kelp otter"),
    ("La parola d'ordine di stasera è sorrel otter velvet.", "sorrel otter velvet"),
    ("A senha do cofre ficou jasper quill lantern, ouviu?", "jasper quill lantern"),
    ("Knock and whisper ocean quill raven through the slot.", "ocean quill raven"),
    ("I wrote quill tulip puzzle on my hand.", "quill tulip puzzle"),
    ("The parrot screeched plum comet canyon until he left.", "plum comet canyon"),
    ("We settled on maple onyx quill after an hour.", "maple onyx quill"),
    ("I send you the motto, namely zinnia jasper raven, and remain yours.", "zinnia jasper raven"),
    ("合言葉は「月 海 銅 灯台」です。", "月 海 銅 灯台"),
]
SILENT = [
    "The passphrase should be long, easy to remember and never written down.",
    "La contraseña debe ser larga y fácil de recordar; importa más que los signos.",
    "Das Passwort ist immer noch gültig, steht aber in keinem Buch.",
    "On sait que le mot de passe est toujours le même depuis longtemps.",
    "A senha continua a ser um segredo bem guardado por todos nós.",
    "The words are chosen, sorted and printed.",
    "She wrote to her brother and read the long letters twice.",
    "She says nothing about the weather, and whispers to the dog.",
]


@pytest.mark.parametrize(("text", "value"), FOUND)
def test_found(text, value):
    assert value in [text[a.value.start : a.value.end] for a in passphrases(text)]


@pytest.mark.parametrize("text", SILENT)
def test_silent(text):
    assert [text[a.value.start : a.value.end] for a in passphrases(text)] == []
