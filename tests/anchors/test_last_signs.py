"""Last signs that belong to a code or a password, and those of the sentence."""

from __future__ import annotations

import pytest

from found_values import anchors_of

OWN = [
    ("Use the side door; the keypad wants 2958#. Towels are upstairs.", "2958#"),
    ("Press *7714# on the panel and wait for the light.", "*7714#"),
    ("The code is 4471#.", "4471#"),
    ("El código es 4471#, no lo digas.", "4471#"),
    ("현관 비밀번호는 1936*입니다.", "1936*"),
    ("Door code: 1936*", "1936*"),
    ("The password is Juniper!9? and it is case sensitive.", "Juniper!9?"),
    ("The password is hunter22!.", "hunter22!"),
    ("The password is hunter22! Tell nobody.", "hunter22!"),
    ("Le mot de passe est Lune42! et il change demain.", "Lune42!"),
    ("The password is .k9Q;x7 and nothing else", ".k9Q;x7"),
    ("fetch = +refs/heads/*:refs/remotes/backup/*", "+refs/heads/*:refs/remotes/backup/*"),
]
OF_THE_SENTENCE = [
    ("The **code** is **4471**.", "4471"),
    ("The code is *4471*.", "4471"),
    ("*The code is 4471*", "4471"),
    ("The gate code is 4471!", "4471"),
    ("Remember! The password is hunter22!", "hunter22"),
    ("Do you use the gate code 4471?", "4471"),
    ("Is the password hunter22? Then change it.", "hunter22"),
    ("The password is hunter22; user=anna may read.", "hunter22"),
    ("密码是 4471!", "4471"),
]


def _values(text: str) -> list[str]:
    found = anchors_of(text)
    return [text[anchor.value.start : anchor.value.end] for anchor in found]


@pytest.mark.parametrize(("text", "value"), OWN + OF_THE_SENTENCE)
def test_the_value_ends_where_it_does(text, value):
    assert value in _values(text)


@pytest.mark.parametrize("text", ["Sold in 1936* and later.", "Why? 4!"])
def test_no_value(text):
    assert _values(text) == []
