"""A file of any length to blocks of text, with the place of what is wrong in it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transactional_attention import TextBlocks
from transactional_attention.errors import InputError
from transactional_attention.text import text_blocks


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK", 7)


def of(data: bytes) -> TextBlocks:
    return TextBlocks(io.BytesIO(data), "notes.txt")


def test_characters_across_borders_are_whole(small):
    @given(st.text(alphabet=st.characters(exclude_characters="\0", codec="utf-8"), min_size=1))
    def run(text):
        blocks = list(of(text.encode()))
        assert "".join(blocks) == text
        assert all(0 < len(block) <= 7 for block in blocks)

    run()


@pytest.mark.parametrize("at", [0, 5, 6, 7, 8, 20, 30])
@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x82", b"\xf0\x9f\x98", b"\0"])
@pytest.mark.parametrize("after", [b"", b"and more of it"])
def test_what_is_no_text_is_named_by_its_byte(small, at, bad, after):
    why = "holds a NUL character" if bad == b"\0" else "is not valid UTF-8"
    with pytest.raises(InputError, match=rf"notes.txt {why} \(byte {at}\)"):
        list(of(b"x" * at + bad + after))


def test_nothing_at_all_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"notes\.txt is empty"):
        next(of(b""))
    with pytest.raises(InputError, match=r"cannot read .*absent"):
        TextBlocks.open(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot read"):
        TextBlocks.open(tmp_path)


def test_a_file_is_read_block_by_block(small, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Twenty-one characters")
    blocks = TextBlocks.open(path)
    assert next(blocks) == "Twenty-"
    assert blocks.num_bytes == 7
    assert list(blocks) == ["one cha", "racters"]
