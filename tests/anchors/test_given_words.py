"""Words that are used as they stand: behind a flag, in CDATA, between quotes, alone on a line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
ENSEMBLE = ("values",)

from found_values import anchors_of
from growing import assert_linear
from split_text import assert_read_alike
from transactional_attention.detection.scanner import Scanner

GIVEN = [
    ('run --token "zulu nine" --dry-run\n', "zulu nine"),
    ('tool --api-key="zulu nine" x\n', "zulu nine"),
    ("<secret><![CDATA[a<b>99&c]]></secret>", "a<b>99&c"),
    ("<password><![CDATA[\nx9<q7]]>\n</password>", "x9<q7"),
    ("Der Türcode ist „blauer Wal 7“, bitte merken.", "blauer Wal 7"),
    ('The door code is "blue whale 7", remember.', "blue whale 7"),
    ('My passphrase is "winter\'s last rose" and do not share it.', "winter's last rose"),
    ('The password is "don\'t panic".', "don't panic"),
    ("Le mot de passe est « lune rousse 7 ».", "lune rousse 7"),
    ("token: bluefish\n", "bluefish"),
    ("db:\n  - api_key: bluefish\n", "bluefish"),
    ("The licence expires 2031-04-09 at noon.", "2031-04-09"),
    ("The permit is valid until 2031-04-09.", "2031-04-09"),
]


def found(text: str) -> set[str]:
    anchors = anchors_of(text)
    return {text[a.value.start : a.value.end] for a in anchors}


@pytest.mark.parametrize(("text", "value"), GIVEN)
def test_a_value_is_found(text, value):
    assert found(text) == {value}


@pytest.mark.parametrize(
    "text",
    [
        'git commit --message "zulu nine"\n',
        'run --token "$TOKEN" --api-key="{{ key }}"\n',
        "<note><![CDATA[a<b>99&c]]></note>",
        'The answer is "we\'ll see".',
        'The password is "what you\'ve been given by the man at the door of house 7 today".',
        "token: str\n",
        "token: identifier\n",
        "token: required\n",
        "secret: hidden\n",
        "token: Optional\n",
        "key: value\n",
        "key: expression\n",
        "def f(token: tokenizer, key: bytes):\n",
        "a token: bluefish, or so\n",
        "It was valid until 1995.",
    ],
)
def test_no_value(text):
    assert not found(text)


FRAGMENTS = [text for text, _ in GIVEN] + [
    '"',
    " ",
    "“",
    "is ",
    "]]>",
    "<![CDATA[",
    "token: ",
    "\n",
]


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join),
    st.lists(st.integers(0, 2000), max_size=8),
)
def test_pieces_make_no_difference(text, cuts):
    assert_read_alike(text, cuts)


@pytest.mark.parametrize(
    "piece",
    ['code is "', 'is "a 7 ', "><![CDATA[", "<![CDATA[a]", '--token="', "token: bluefish\n"],
)
def test_hostile_texts_take_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
