"""Codes and telephones whose groups stand apart."""

from __future__ import annotations

import pytest

from found_values import anchors_of

WHOLE = [
    ("Votre colis est parti sous la référence 6A12 8840 775. Merci.", "6A12 8840 775"),
    ("Référence : 6A12 8840 775", "6A12 8840 775"),
    ("Quote reference K7 204 9931 Q when you ring them.", "K7 204 9931 Q"),
    ("My passport is C01X 00T47.", "C01X 00T47"),
    ("The code is X7Q 4MZ.", "X7Q 4MZ"),
    ("Your code is 620 418.", "620 418"),
    ("您的验证码为 620 418，请勿泄露。", "620 418"),
    ("Your confirmation code 620-418 is valid today.", "620-418"),
    ("El número de seguimiento es 1Z 999 AA1 01 2345 6784.", "1Z 999 AA1 01 2345 6784"),
    ("Kontakt: 030 / 555 19 28, Durchwahl 44", "030 / 555 19 28, Durchwahl 44"),
    ("Reference: K7 204 9931 Q", "K7 204 9931 Q"),
    ("Die Sendungsnummer ist RR 4471 9920 DE.", "RR 4471 9920 DE"),
    ("licence key AB12C D34EF 99XYZ 11QQ2", "AB12C D34EF 99XYZ 11QQ2"),
    ("Im Notfall erreichst du mich unter 0171 / 558 20 94, auch nachts.", "0171 / 558 20 94"),
    ("Tel.: 0171 / 558 20 94", "0171 / 558 20 94"),
    ("Reach him at +44 (0)20 7946 0018 ext. 42 at noon.", "+44 (0)20 7946 0018 ext. 42"),
    ("Reach him at (0)20 7946 0018 ext. 42 at noon.", "(0)20 7946 0018 ext. 42"),
]
ALONE = [
    ("The order AB4471 24 boxes came.", "AB4471"),
    ("Quote reference 6A12 I think.", "6A12"),
    ("The room number B12 4th floor.", "B12"),
    ("Your reference is XK7P2M. A man", "XK7P2M"),
]


@pytest.mark.parametrize(("text", "value"), WHOLE + ALONE)
def test_where_a_code_in_groups_ends(text, value):
    found = anchors_of(text)
    assert value in [text[anchor.value.start : anchor.value.end] for anchor in found]


@pytest.mark.parametrize(
    "text", ["open 09 - 17 daily", "The order 4471 A man wrote", "f(0)20 x", "code 200 300"]
)
def test_no_value(text):
    assert anchors_of(text) == []
