"""Long texts in WikiText's tokenised form, cut into streams. No text is shipped."""

from __future__ import annotations

import lzma
import random
import re
from pathlib import Path

from transactional_attention.errors import InputError

from .fillers import decode_text, read_bytes

JOINED = (("@-@", "-"), ("@,@", ","), ("@.@", "."))


def load_text(path: Path) -> str:
    """A UTF-8 text file, or one compressed with xz. Raises InputError naming the file, for one that
    cannot be read, is damaged, or is no text."""
    data = read_bytes(path)
    if path.suffix == ".xz":
        try:
            data = lzma.decompress(data)
        except lzma.LZMAError:
            raise InputError(f"{path} is no valid xz file") from None
    return decode_text(path, data)


def detokenise(text: str) -> str:
    """WikiText's tokenised form as plain text, line by line.

    `` @-@ `` joins its neighbours (so do ``@,@`` and ``@.@``); no space before closing
    punctuation, ``'s`` and ``n't``, none after an opening bracket or a currency sign; straight
    double quotes hug what they enclose, in pairs of a line. ``<unk>`` stays as it is."""
    return "\n".join(_detokenise_line(line) for line in text.split("\n"))


def _detokenise_line(line: str) -> str:
    for mark, sign in JOINED:
        line = line.replace(f" {mark} ", sign)
    line = re.sub(r'" (.*?) "', r'"\1"', line)
    line = re.sub(r" ([.,;:!?%)\]}]|'(?:s|re|ve|ll|d|m|t)\b|n't\b)", r"\1", line)
    return re.sub(r"([(\[{$£€]) ", r"\1", line).strip()


def stream_offsets(tokens: int, count: int, length: int, seed: int) -> list[int]:
    """Where ``count`` streams of ``length`` tokens begin in a text; no two share a token. Raises
    InputError for a text that is too short for them."""
    places = tokens // length
    if places < count:
        raise InputError(
            f"the text has {tokens} tokens: too few for {count} streams of {length}, ask for fewer"
        )
    chosen = random.Random(f"streams/{seed}").sample(range(places), count)
    return [place * length for place in sorted(chosen)]
