"""The text of perplexity, as it was written before it was tokenised."""

import lzma

import pytest

from ta_lab.experiments.perplexity import detokenise, load_text
from transactional_attention import InputError


def test_detokenised_text_reads_as_it_was_written():
    line = " He said \" a well @-@ known 1 @,@ 000 man \" ( Smith 's ) , and did n't <unk> . "
    assert detokenise(line) == ("He said \"a well-known 1,000 man\" (Smith's), and didn't <unk>.")


def test_texts_and_their_faults(tmp_path):
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(b"one two"))
    (tmp_path / "b.txt.xz").write_bytes(b"one two")
    assert load_text(tmp_path / "a.txt.xz") == "one two"
    with pytest.raises(InputError, match=r"b\.txt\.xz is no valid xz"):
        load_text(tmp_path / "b.txt.xz")
    with pytest.raises(InputError, match=r"cannot read .*none"):
        load_text(tmp_path / "none")
