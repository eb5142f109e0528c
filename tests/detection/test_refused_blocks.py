"""Blocks that are not found whole: no line of them is a value, however the text arrives."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import transactional_attention as ta
from found_values import anchors_of, parted
from scenes import half
from split_text import assert_read_alike
from transactional_attention.detection.competition import TRUNCATED
from transactional_attention.detection.scanner import Scanner
from transactional_attention.detection.values import Values

TEXTS = tomllib.loads(Path(__file__).with_name("blocks.toml").read_text(encoding="utf-8"))
_RANDOM = random.Random(7)
LETTERS = "abcdefghijkmnpqrstuvwxyz0123456789"


def drawn(count: int, size: int = 30, indent: str = "") -> str:
    """Lines that no one could read."""
    lines = ("".join(_RANDOM.choices(LETTERS, k=size)) for _ in range(count))
    return "".join(f"{indent}{line}\n" for line in lines)


def values(text: str) -> list[str]:
    """What can be kept: the begin of a value that is too long is no value."""
    anchors = anchors_of(text)
    return [text[a.value.start : a.value.end] for a in anchors if a.rule != TRUNCATED]


OPENED = [  # what opens a block, how its lines begin, and what closes it
    ("password: |\n", "  ", ""),
    ("a:\n  api_key: >-\n", "    ", ""),
    ("- secret: |\n", "    ", ""),
    ('token = """\n', "", '"""\n'),
    ("SECRET=<<EOF\n", "", "EOF\n"),
    ("SECRET=$(cat <<'EOF'\n", "", "EOF\n)\n"),
    ('SECRET="', "", '"\n'),
    ("-----BEGIN PGP MESSAGE-----\n", "", "-----END PGP MESSAGE-----\n"),
]


@pytest.mark.parametrize(("signs", "count"), half(OPENED, [100, 127, 132, 300]))
def test_a_long_block_is_one_value_or_none_whatever_the_pieces(signs, count):
    opened, indent, closed = signs
    text = f"{opened}{drawn(count, indent=indent)}{closed}pin: 44719\n"
    anchors = anchors_of(text)
    assert [anchors_of(text, size) for size in (100, 997)] == [anchors] * 2
    inside = [a for a in anchors if text[a.value.start : a.value.end] != "44719"]
    assert len(anchors) - len(inside) == 1
    assert [a.rule for a in inside] in (["structure:unended"], ["structure:block"])
    assert all(len(a.value) > min(30 * count, 3900) for a in inside)
    assert {(a.value.start, a.value.end) for a in Values().find(text)} >= {
        (a.value.start, a.value.end) for a in inside
    }


@pytest.mark.parametrize("count", [127, 260])
def test_no_line_of_a_long_block_is_promised(count):
    text = f"password: |\n{drawn(count, indent='  ')}port: 54321\n"
    retention = ta.Retention(512, sponsorship=ta.Sponsorship(delimited_cap=100_000))
    secret, port = ta.plan(text, ta.load_embedded()[1], retention).values
    assert (secret.label, secret.status, secret.rule) == (
        "password: |",
        "does not fit",
        "structure:unended",
    )
    assert (port.label, port.status) == ("port:", "guaranteed")


@pytest.mark.parametrize("form", ["api_key: {}", '{{"token": "{}"}}', "The key is {} and more."])
@pytest.mark.parametrize("size", [4097, 9000])
def test_the_begin_of_a_long_word_is_not_promised(form, size):
    text = form.format(drawn(1, size).strip()) + "\nport: 54321\n"
    retention = ta.Retention(8000, sponsorship=ta.Sponsorship(delimited_cap=100_000))
    planned = ta.plan(text, ta.load_embedded()[1], retention).values
    assert {v.label for v in planned if v.status == "guaranteed"} == {"port:"}
    assert "does not fit" in [v.status for v in planned]


def test_a_line_longer_than_any_wait_is_refused_as_well():
    text = "password: |\n  " + drawn(1, 30_000) + "  " + drawn(1) + "pin: 44719\n"
    assert values(text) == ["44719"]
    assert anchors_of(text, 500) == anchors_of(text)


def test_a_long_block_costs_no_memory():
    reader = Scanner(["values"])
    reader.feed("password: |\n")
    begun = [a for _ in range(100) for a in reader.feed(drawn(20, indent="  "))]
    assert [a.rule for a in begun] == [TRUNCATED]
    assert len(reader._text) < 15_000
    (anchor,) = reader.copy().feed("pin: 44719\n", final=True)
    assert len(anchor.value) == 5


def test_a_mark_that_never_comes_does_not_silence_the_text():
    text = 'token = """\n' + drawn(200) + "And here the notes go on as before.\npin: 44719\n"
    assert values(text) == ["44719"]


def test_a_turn_ends_a_long_block():
    text = "password: |\n" + drawn(200, indent="  ") + "  x<|im_end|>\n  The pin is 44719.\n"
    assert values(text) == ["44719"]


@pytest.mark.parametrize(("text", "value"), [*map(parted, TEXTS["signs"])])
def test_signs_in_a_secret_do_not_make_it_a_setting(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize("text", TEXTS["refused"])
def test_no_line_of_a_refused_block_is_a_value_by_its_place(text):
    assert values(text) == []


@pytest.mark.parametrize(("text", "value"), [*map(parted, TEXTS["named"])])
def test_what_a_block_names_itself_is_a_value(text, value):
    assert value in values(text)


@pytest.mark.parametrize(("text", "value"), [*map(parted, TEXTS["ways"])])
def test_ways_to_write_a_value_of_several_lines(text, value):
    assert values(text) == [value]
    assert anchors_of(text, 1) == anchors_of(text)


PARTS = st.sampled_from(
    ["password: |\n", "  tls.key: |\n", 'token = """\n', "pw = <<EOF\n", "-----BEGIN A B-----\n",
     "-----END A B-----\n", '"""\n', "EOF\n", "\n", "x: 1\n", "<|im_end|>\n", "the pin is 44719\n"]
)  # fmt: skip
LINES = st.builds(
    lambda indent, count: drawn(count, indent=indent),
    st.sampled_from(["", "  ", "    "]),
    st.integers(1, 12),
)
CUTS = st.lists(st.integers(0, 2000), max_size=8)


@settings(deadline=None, max_examples=150)
@given(st.lists(PARTS | LINES, max_size=20).map("".join), CUTS)
def test_any_split_of_long_blocks_gives_the_same_anchors(text, cuts):
    assert_read_alike(text, cuts)
