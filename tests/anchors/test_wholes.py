"""Values that white space or quotes inside them part: found whole, by whatever announces them."""
# ruff: noqa: E501 - lines of text as they stand in a file

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from found_values import anchors_of
from growing import assert_linear
from split_text import assert_read_alike
from transactional_attention.detection.wholes import widened

SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
WHOLES = [
    ("meet at 40°26'46\"N 79°58'56\"W tomorrow", "40°26'46\"N 79°58'56\"W"),
    ("meet at 48°51′29.1″N 2°17′40.2″E tomorrow", "48°51′29.1″N 2°17′40.2″E"),
    ("location: 40°26'46\"N, 79°58'56\"W\n", "40°26'46\"N, 79°58'56\"W"),
    ("It is 40° 26' 46\" N 79° 58' 56\" W.", "40° 26' 46\" N 79° 58' 56\" W"),
    ("The cache lies at N 40° 26.767 W 079° 58.933.", "N 40° 26.767 W 079° 58.933"),
    ("copy C:\\Program Files\\Foo 9\\cfg.ini there", "C:\\Program Files\\Foo 9\\cfg.ini"),
    ("path: C:\\Program Files\\x\\y.exe\n", "C:\\Program Files\\x\\y.exe"),
    ('"C:\\Program Files (x86)\\Acme\\run me.exe" --x', "C:\\Program Files (x86)\\Acme\\run me.exe"),
    ("path: /Users/ann/My Files/a b.txt\n", "/Users/ann/My Files/a b.txt"),
    ("path = ~/My Files/a9/b.txt\r\n", "~/My Files/a9/b.txt"),
    ('it lies under "/srv/my data/v 2/out.bin" now', "/srv/my data/v 2/out.bin"),
    ("open '/Users/ann/My Files/a b.txt'\n", "/Users/ann/My Files/a b.txt"),
    ("cat /Users/ann/My\\ Files/a9.txt now\n", "/Users/ann/My\\ Files/a9.txt"),
    ("Call +1 555 010 4477 ext. 204 for help.", "+1 555 010 4477 ext. 204"),
    ("Call (415) 555-0137 ext. 22 for help.", "(415) 555-0137 ext. 22"),
    ("phone: 415-555-0137 x22\n", "415-555-0137 x22"),
    ("phone: +49 30 1234567, ext 12\n", "+49 30 1234567, ext 12"),
    ("Our number is 415-555-0137 extension 9921.", "415-555-0137 extension 9921"),
    ("role arn:aws:iam::123456789012:role/deploy-x used", "arn:aws:iam::123456789012:role/deploy-x"),
    ("Role: arn:aws:sns:us-east-1:123456789012:orders\n", "arn:aws:sns:us-east-1:123456789012:orders"),
    ("~/Library/Mobile Documents/x.txt\n", "~/Library/Mobile Documents/x.txt"),
    ("Latitude: 52.5200° N\n", "52.5200° N"),
    ("The accent colour is #E07A5F.", "#E07A5F"),
    ("搜索服务地址：10.30.5.66：9200，只允许内网访问。", "10.30.5.66：9200"),
    ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKq9 kit", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKq9"),
    (f"use {SECRET} for it", SECRET),
    (f"aws_secret_access_key = {SECRET}\n", SECRET),
]  # fmt: skip


def spans(text: str) -> list[tuple[int, int]]:
    return [(a.value.start, a.value.end) for a in anchors_of(text)]


@pytest.mark.parametrize(("text", "value"), WHOLES)
def test_the_whole_is_found_and_no_part_of_it(text, value):
    begin = text.index(value)
    found = spans(text)
    assert (begin, begin + len(value)) in found
    assert sum(start < begin + len(value) and end > begin for start, end in found) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("copy C:\\Temp\\x9.txt to D:\\y\n", "C:\\Temp\\x9.txt"),
        ("output: /srv/run/x9.log then stop\n", "/srv/run/x9.log"),
        ('run "/srv/jobs/x9.sh --fast /srv/data/y9"\n', "/srv/jobs/x9.sh"),
        ("sources: './lib/row9.h ./lib/util9.h'\n", "./lib/row9.h"),
        ("/opt/relay9/run conf/x9.yml\n", "/opt/relay9/run"),
        ("phone: 415-555-0137 x-ray\n", "415-555-0137"),
        ("phone: 415-555-0137, 22 of them\n", "415-555-0137"),
        ("see docs/guides/3f9a8b7c6d5e4f3a2b1c/x.md\n", "3f9a8b7c6d5e4f3a2b1c"),
    ],
)
def test_what_stands_beside_a_value_is_no_part_of_it(text, value):
    begin = text.index(value)
    assert (begin, begin + len(value)) in spans(text)


def test_prompts_and_the_end_of_a_query_are_no_values():
    assert not spans("kit@web1:~/src$ ls\nGET /list?from=2027-02-28&type=csv HTTP/1.1\n")


def test_degrees_of_heat_are_no_place():
    assert not spans("It was 21° 5 days ago and 30° later.\n")


FRAGMENTS = [text for text, _ in WHOLES] + [
    "°",
    " ",
    "'",
    '"',
    "\\",
    "/a b/",
    ":\\",
    "x22",
    "\n",
    "N",
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
    [
        "40°26'46\"N ",
        "1° ",
        "C:\\a b",
        "C:\\a b\\",
        "/a b",
        '"/a b/',
        ": /a b/c",
        "\\ /",
        "a ",
        "415-555-0137 x2 ",
    ],
)
def test_hostile_texts_take_linear_time(piece):
    assert_linear(lambda text: widened([], text), piece, 20_000)
