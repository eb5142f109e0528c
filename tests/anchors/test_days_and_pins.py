"""Days with their weekdays and clocks in several languages; PINs that look like years."""

from __future__ import annotations

import pytest

from transactional_attention.anchors.ensemble import ENSEMBLE
from transactional_attention.anchors.scanner import Scanner

MOMENTS = [
    "jueves 8 de mayo a las 17:30",
    "mardi 3 juin à 14 h 15",
    "venerdì 11 luglio alle 15:45",
    "Dienstag, 4. März, 7:30 Uhr",
    "Donnerstag, den 4. März um 7:30 Uhr",
    "quinta-feira, 8 de maio às 17:30",
    "пятницу, 19 июня в 15:30",
    "9 Haziran Pazartesi saat 13.20",
    "lun 16/06 ore 9:30",
    "12/05 à 9h45",
    "Thursday 12 June at 9:40 am",
    "12 June at 9:40 a.m.",
    "19th of March at half past ten",
    "3 juin à 14 h",
]
PINS = [
    ("A senha do portão é 1907.", "1907"),
    ("Die PIN ist 1987.", "1987"),
    ("门禁密码是1988。", "1988"),
    ("Le mot de passe est 1954.", "1954"),
    ("El código es 1987, anótalo.", "1987"),
]
NONE = [
    "La clave está en 1987, cuando empezó.",
    "Le code civil est de 1804.",
    "Das Passwort von 1987 war kurz.",
    "Das Buch ist 1987 erschienen.",
    "El libro es 1987.",
    "El domingo 3 personas vinieron.",
    "We met on 19 March at one of the bars.",
]


def _values(text: str) -> list[str]:
    found = Scanner(ENSEMBLE).feed(text, final=True)
    return [text[anchor.value.start : anchor.value.end] for anchor in found]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_is_whole(moment):
    assert moment in _values(f"- {moment}\n")
    assert moment in _values(f"x {moment}, y")


@pytest.mark.parametrize(("text", "value"), PINS)
def test_pins_like_years(text, value):
    assert _values(text) == [value]


@pytest.mark.parametrize("text", NONE)
def test_no_value(text):
    assert _values(text) == []
