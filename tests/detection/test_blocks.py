"""Values of several lines: the whole is one value, and no part of it is."""
# ruff: noqa: E501 - lines of text as they stand in a file

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import transactional_attention as ta
from found_values import anchors_of, parted, read
from growing import assert_linear
from split_text import assert_read_alike
from transactional_attention.detection.formats.blocks import blocks
from transactional_attention.detection.scanner import Scanner
from transactional_attention.detection.values import Values

TEXTS = tomllib.loads(Path(__file__).with_name("blocks.toml").read_text(encoding="utf-8"))
WHOLE = "structure:block"
LINES = ("MHcCAQEEIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "q7x/kQz9Lr0v+T2nWmYp")
PEM = "\n".join(("-----BEGIN EC PRIVATE KEY-----", *LINES, "-----END EC PRIVATE KEY-----"))


def indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + by * " ")


BLOCKS = [
    ("password: |\n  correct horse\n  battery staple\nport: 1\n", "correct horse\n  battery staple"),
    ("db:\n  password: >-\n    bluefish redbird\n    tin\n", "bluefish redbird\n    tin"),
    ("password: |2\n    Xk81 QQ7\n   zz-9\nport: 1", "Xk81 QQ7\n   zz-9"),
    ("wifi:\n  psk: |+\n    Blue\n\n    Heron\n\n  ssid: x\n", "Blue\n\n    Heron"),
    ("PASSWORD: | # rotate\r\n  one11\r\n  two22\r\nX: 1\r\n", "one11\r\n  two22"),
    ("- password: |\n    one11\n    two22\n  port: 1\n", "one11\n    two22"),
    ("secret: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  62313365396662343061\n  333830\n",
     "$ANSIBLE_VAULT;1.1;AES256\n  62313365396662343061\n  333830"),
    ("blob: |\n  MHcCAQEEIIEv7QIBADAN\n  q7x/kQz9Lr0v\nport: 1\n", "MHcCAQEEIIEv7QIBADAN\n  q7x/kQz9Lr0v"),
    ("license key: |\n  ABCD-1234-EFGH\n", "ABCD-1234-EFGH"),
    (f"tls.key: |\n  {indented(PEM, 2)}\nca: x\n", indented(PEM, 2)),
    (f"keys:\n  - |\n    {indented(PEM, 4)}\n", indented(PEM, 4)),
    (f'key = """\n{PEM}\n"""\n[next]\n', PEM),
    (f'PRIVATE_KEY="{PEM}\n"\nNEXT=1\n', PEM),
    (f"const key = `{PEM}`;\n", PEM),
    ('SECRET="line one 88x\nline two 99y"\nNEXT=1\n', "line one 88x\nline two 99y"),
    ('password: "abc def\n  ghi jkl"\n', "abc def\n  ghi jkl"),
    ("password = '''\nbluefish\nredbird'''\n", "bluefish\nredbird"),
    ("seed_phrase: >\n  abandon ability able about\n  above absent absorb abstract\n  absurd abuse access"
     " accident\n",
     "abandon ability able about\n  above absent absorb abstract\n  absurd abuse access accident"),
    ("admin_password = <<EOT\nTr0ub4dor\n&3-xyz\nEOT\n", "Tr0ub4dor\n&3-xyz"),
    (f"private_key = <<-EOT\n  {indented(PEM, 2)}\n  EOT\n", indented(PEM, 2)),
    ("PASSWORD=$(cat <<'END'\nab cd 99\nxx yy 12\nEND\n)\n", "ab cd 99\nxx yy 12"),
    ("export TOKEN=abc123def\\\n456ghi789\n", "abc123def\\\n456ghi789"),
    ("db.password=Xk81\\\n    QQ7zz\\\n    end9\nother=1\n", "Xk81\\\n    QQ7zz\\\n    end9"),
    (f"Here is the private key:\n\n{PEM}\nThanks", PEM),
    (f"{PEM}\n", PEM),
]  # fmt: skip


def values(text: str) -> dict[str, str]:
    return {text[a.value.start : a.value.end]: a.rule for a in anchors_of(text)}


@pytest.mark.parametrize(("text", "value"), BLOCKS)
def test_the_whole_is_one_value(text, value):
    rules = values(text)
    assert rules.get(value) == WHOLE
    assert not [part for part in rules if part != value and part in value]


@pytest.mark.parametrize(("text", "value"), BLOCKS)
def test_pieces_make_no_difference(text, value):
    text = f"Before it.\n{text}and behind it: PIN 44719\n"
    assert read(text) == read([text])


@pytest.mark.parametrize(("text", "value"), BLOCKS)
def test_the_detector_alone_finds_it(text, value):
    values = [text[a.value.start : a.value.end] for a in Values().find(text)]
    assert value in values


@pytest.mark.parametrize("text", TEXTS["prose"])
def test_prose_and_scripts_are_no_values(text):
    assert values(text) == {}


@pytest.mark.parametrize(("text", "value"), [*map(parted, TEXTS["lines"])])
def test_what_is_no_block_is_read_line_by_line(text, value):
    assert value in values(text)
    assert WHOLE not in values(text).values()


def test_the_line_above_a_block_keeps_its_value_however_it_arrives():
    text = "the code is 4417-XK\n- |\n  Xk81QQ7zz\n  bluefish\n"
    assert [*values(text)] == ["4417-XK", "Xk81QQ7zz\n  bluefish"]
    assert read(text) == read([text])


def test_a_turn_ends_a_block():
    assert "abc def9\n  xyz" in values("password: |\n  abc def9\n  xyz<|im_end|>\n<|im_start|>x")


def test_a_block_is_waited_for_and_provisional_meanwhile():
    reader = Scanner(["values"])
    assert reader.feed("password: |\n  bluefish\n  redbird\n") == []
    (early,) = reader.provisional()
    assert len(early.value) == len("bluefish\n  redbird")
    assert reader.feed("  tin\n") == []
    anchor, *_ = reader.feed("port: 1\n")
    assert anchor.rule == WHOLE
    assert len(anchor.value) == len("bluefish\n  redbird\n  tin")
    assert reader.provisional() == []


def test_what_never_ends_is_not_waited_for_for_ever():
    reader = Scanner(["values"])
    reader.feed('note = """\n')
    anchors = [a for _ in range(400) for a in reader.feed("PIN: 44719\nand on and on\n")]
    assert len(anchors) > 200
    assert len(reader._text) < 15_000


def test_a_block_over_its_cap_is_reported_and_no_part_of_it_is_promised():
    key = "\n  ".join([f"{i:02}Q7x/kQz9Lr0v+T2nWmYpMHcCAQEEIIEv" for i in range(60)])
    text = (
        f"tls.key: |\n  -----BEGIN RSA PRIVATE KEY-----\n  {key}\n  -----END RSA PRIVATE KEY-----\n"
    )
    planned = ta.plan(text + "x: 1\n", ta.load_embedded()[1], 64).values
    begin = text.index("-----BEGIN")
    inside = [value for value in planned if begin <= value.characters[0] < len(text)]
    assert [value.status for value in inside] == ["does not fit"]
    assert "cap" in inside[0].why


FRAGMENTS = [
    *("password: |\n", "  tls.key: |\n", "key: >-\n", 'token = """\n', '"""\n', 'secret: "abc\n'),
    *('x"\n', "pw = <<EOF\n", "EOF\n", PEM[:31], "-----END EC PRIVATE KEY-----\n", "a=Xk81\\\n"),
    *(
        "  bluefish\n",
        "  Xk81QQ7zz\n",
        "\n",
        "    deep: |\n",
        "      q7x/kQz9\n",
        "- |\n",
        "  a: 1\n",
    ),
    *("the code is 4417-XK\n", "more text. ", "<|im_end|>\n", "port: 5432\n", "\r\n", LINES[0]),
]
CUTS = st.lists(st.integers(0, 2000), max_size=8)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join), CUTS)
def test_any_split_of_blocks_gives_the_same_anchors(text, cuts):
    assert_read_alike(text, cuts)


@pytest.mark.parametrize(
    "piece",
    ["a: |\n", " b: |\n  c", 'a="\n', 'a="""\n', "<<A\n", "a=<<B\n", "a=b\\\n", "-----BEGIN A-----\n", "\\\n",
     "a: !b !b |\n", "x = '\\\n", '= "', "END ", "----"],
)  # fmt: skip
def test_hostile_blocks_take_linear_time(piece):
    def read(text):
        for lines in blocks(text, 0, len(text), final=True, rest=None):
            assert lines.stop is not None

    assert_linear(read, piece, 20_000)
