"""Values that go on without a mark: in deeper lines, and in strings that a language joins."""
# ruff: noqa: E501 - lines of text as they stand in a file

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transactional_attention.detection.structure import Structure

from found_values import anchors_of
from growing import assert_linear
from split_text import assert_read_alike

ONE, TWO, THREE = "kfj39dk20d", "fk20dk29dl", "zz81kd92lq"
JOINED = [
    (f"secret: {ONE}\n  {TWO}\nnext: 2\n", f"{ONE}\n  {TWO}"),
    (f"a:\n  - token: {ONE}\n      {TWO}\n      {THREE}\n    b: 2\n", f"{ONE}\n      {TWO}\n      {THREE}"),
    (f"[a]\nsecret = {ONE}\n    {TWO}\nb = 1\n", f"{ONE}\n    {TWO}"),
    (f"X-Token: {ONE}\r\n {TWO}\r\nHost: a\r\n", f"{ONE}\r\n {TWO}"),
    (f"X-Token: {ONE}\n\t{TWO}", f"{ONE}\n\t{TWO}"),
    (f"client_id: {ONE}\n  {TWO}\n", f"{ONE}\n  {TWO}"),
    ("passphrase: correct horse\n  battery staple\nx: 1\n", "correct horse\n  battery staple"),
    (f'export TOKEN="{ONE}\\\n{TWO}"\nls\n', f"{ONE}\\\n{TWO}"),
    (f'TOKEN = ("{ONE}"\n         "{TWO}")\n', f'{ONE}"\n         "{TWO}'),
    (f'TOKEN = (\n    "{ONE}"\n    "{TWO}"\n)\n', f'{ONE}"\n    "{TWO}'),
    (f'const apiKey = "{ONE}" + "{TWO}";\n', f'{ONE}" + "{TWO}'),
    (f'const apiKey =  "{ONE}" +\n   "{TWO}" +\n "{THREE}";\n', f'{ONE}" +\n   "{TWO}" +\n "{THREE}'),
    (f'String apiKey = "{ONE}"\n    + "{TWO}";\n', f'{ONE}"\n    + "{TWO}'),
    (f"$secret = '{ONE}' . 'zz9kx';\n", f"{ONE}' . 'zz9kx"),
    (f"  'secret' => '{ONE}' . 'zz9kx',\n", f"{ONE}' . 'zz9kx"),
    (f'local token = "{ONE}" .. "zz9kx"\n', f'{ONE}" .. "zz9kx'),
    (f'Dim Token = "{ONE}" & _\n  "{TWO}"\n', f'{ONE}" & _\n  "{TWO}'),
    (f'const char *api_key = "{ONE}" "zz9kx";\n', f'{ONE}" "zz9kx'),
    (f'connect(token="{ONE}" "zz9kx", port=1)\n', f'{ONE}" "zz9kx'),
    (f'token := "{ONE}" + "zz9kx"\n', f'{ONE}" + "zz9kx'),
]  # fmt: skip


def found(text: str) -> set[str]:
    anchors = anchors_of(text)
    return {text[a.value.start : a.value.end] for a in anchors}


@pytest.mark.parametrize(("text", "value"), JOINED)
def test_the_whole_is_found_and_no_part_of_it(text, value):
    begin = text.index(value)
    spans = [(a.value.start, a.value.end) for a in anchors_of(text)]
    assert (begin, begin + len(value)) in spans
    assert sum(start < begin + len(value) and end > begin for start, end in spans) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"Tokens:   {ONE}\n          {TWO}\nx: 1\n", ONE),
        (f"Mounted tokens: {ONE}\n  {TWO}\n", ONE),
        (f"secret: {ONE}\n  port: 5\n", ONE),
        (f"Password: {ONE}\n  Keep it to yourself.\n", ONE),
        (f"secret: {ONE}\n\n  {TWO}\n", ONE),
        (f"  secret: {ONE}\n  {TWO}\n", ONE),
        (f'TOKEN="{ONE}" "{TWO}"\n', ONE),
        (f'{{"token": "{ONE}", "b": "c"}}\n', ONE),
        (f'password: "{ONE}"\n"user": "bob"\n', ONE),
    ],
)
def test_what_only_stands_below_or_beside_a_value_is_no_part_of_it(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        'message = "Your password " "is wrong"\n',
        "token: str\n  optional\n",
        'error_text = ("Wrong code, "\n    "try again")\n',
    ],
)
def test_sentences_and_types_are_no_values(text):
    assert not found(text)


FRAGMENTS = [text for text, _ in JOINED] + [
    "secret: ", "token = ", 'key = "', ONE, TWO, f'"{TWO}"', "'", '"', " + ", "(\n", "\n", "\n  ", "\r\n\t",
    "- ", "<|im_end|>\n", "port: 5432\n", "correct horse", " . ",
]  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=16).map("".join),
    st.lists(st.integers(0, 2000), max_size=8),
)
def test_pieces_make_no_difference(text, cuts):
    assert_read_alike(text, cuts)


@pytest.mark.parametrize(
    "piece",
    [f"a: {ONE}\n  {TWO}\n", f"  {TWO}\n", f"a: {ONE}\n  ", 'a = "b" + ', '"b" "c" ', "a = (\n", '"b"\n "c"\n', "' . '"],
)  # fmt: skip
def test_hostile_texts_take_linear_time(piece):
    def read(text):
        list(Structure().spanning(text, 0, len(text), final=True))

    assert_linear(read, piece, 20_000)
