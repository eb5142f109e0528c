"""Days with their weekdays and clocks in several languages, terms; PINs that look like years."""

from __future__ import annotations

import pytest

from found_values import anchors_of

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
TERMS = [
    ("The deadline for abstracts is now March 3, 2027, not later.", "March 3, 2027"),
    ("The inspection has been moved to 3 March 2027.", "3 March 2027"),
    ("The subscription ends on 2027-05-04, then stops.", "2027-05-04"),
    ("El contrato vence el 12 de noviembre de 2027 y acaba.", "12 de noviembre de 2027"),
    ("La réunion est reportée au 8 février 2027, même salle.", "8 février 2027"),
    ("Abgabetermin ist der 24. April 2027, danach nicht mehr.", "24. April 2027"),
    ("La visita è fissata per il 19 giugno 2027, salvo scioperi.", "19 giugno 2027"),
    ("Срок отчёта перенесли на 5 октября 2027 года.", "5 октября 2027 года"),
    ("Teslim tarihi 21 Ağustos 2027 olarak güncellendi.", "21 Ağustos 2027"),
]
NONE = [
    "On 3 March 2027 we met the mayor.",
    "Changed on 12 May 2024 by Tim.",
    "The treaty was moved to 3 March 1945.",
    "La clave está en 1987, cuando empezó.",
    "Le code civil est de 1804.",
    "Das Passwort von 1987 war kurz.",
    "Das Buch ist 1987 erschienen.",
    "El libro es 1987.",
    "El domingo 3 personas vinieron.",
]


def _values(text: str) -> list[str]:
    found = anchors_of(text)
    return [text[anchor.value.start : anchor.value.end] for anchor in found]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_is_whole(moment):
    assert moment in _values(f"- {moment}\n")
    assert moment in _values(f"x {moment}, y")


@pytest.mark.parametrize(("text", "value"), PINS + TERMS)
def test_pins_like_years_and_terms(text, value):
    assert _values(text) == [value]


@pytest.mark.parametrize("text", NONE)
def test_no_value(text):
    assert _values(text) == []
