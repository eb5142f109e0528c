"""The tokenizer that training documents are written with: that of the model that ships."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

from transactional_attention.errors import InputError

BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
BEGIN_ID, END_ID, PAD_ID = 0, 1, 2
FIRST_TEXT_ID = 7  # behind these and the marks of four roles
MAX_POSITIONS = 8192


def load_tokenizer(folder: Path) -> Tokenizer:
    """Read tokenizer.json of a folder; raises InputError when it is missing or damaged."""
    path = folder / "tokenizer.json"
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises bare Exception for a damaged file
        raise InputError(f"{path.name} cannot be read: start the run without --resume") from error


def word_starts(tokenizer: Tokenizer) -> list[bool]:
    """For each token id, whether a text may be cut before it.

    It begins with a space or a line break, or with the first byte of a Chinese, Japanese or Korean
    character, between which there are no spaces."""
    size = tokenizer.get_vocab_size()
    starts = ("Ġ", "Ċ", "▁", "\n", *(chr(lead) for lead in range(0xE3, 0xEE)))
    return [(tokenizer.id_to_token(token) or "").startswith(starts) for token in range(size)]
