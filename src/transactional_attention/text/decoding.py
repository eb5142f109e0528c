"""Token ids to characters as they arrive: three ways to decode, by what a tokenizer's pieces are.

A decoder keeps only what waits for more bytes. It says which characters new ids add, and where the
tokens stand in the text; ``TokenText`` keeps both.
"""

from __future__ import annotations

import codecs
import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from .pieces import REPLACEMENT, Offsets, PieceTable, char_begins, decode, decode_run, piece_table

CONTEXT = 6  # settled tokens that a generic decode sees before the new one
PROBE = 2048  # ids that a table must decode as the tokenizer does
MAX_WAITING = 64  # tokens that a generic decode waits for a character to complete


class Decoded(NamedTuple):
    """What some ids add to a text.

    ``text``: the new characters. ``starts``, ``ends`` [token]: the characters of the tokens that
    waited and of the new ones, counted in the whole text. ``num_open``: how many of the last tokens
    wait for more bytes; their ends are the end of the text. ``special``: begin and end of every
    special token among the new ones.
    """

    text: str
    starts: Offsets
    ends: Offsets
    num_open: int
    special: list[tuple[int, int]]


class TokenDecoder(ABC):
    """Reads the ids of one sequence. ``num_chars``: characters decoded so far; ``num_open``: tokens
    that wait for more bytes."""

    num_chars = num_open = 0

    @abstractmethod
    def feed(self, ids: Offsets) -> Decoded:
        """Decode new ids [token], at least one."""

    @abstractmethod
    def settle(self) -> Decoded:
        """Decode what waits as the tokenizer does at the end of a text."""

    def copy(self) -> TokenDecoder:
        """An independent decoder in the same state."""
        return copy.copy(self)

    def _added(
        self, text: str, starts: Offsets, ends: Offsets, special: Sequence[tuple[int, int]] = ()
    ) -> Decoded:
        self.num_chars += len(text)
        return Decoded(text, starts, ends, self.num_open, list(special))


class TableDecoder(TokenDecoder):
    """Decodes by a table of pieces; what its two kinds share."""

    def __init__(self, table: PieceTable) -> None:
        self.table = table
        self._bytes = b""  # of the tokens that wait

    def feed(self, ids: Offsets) -> Decoded:
        """Decode new ids; an id that the tokenizer does not know is the last entry."""
        ids = np.minimum(ids, len(self.table.texts) - 1)
        if not self.num_open and bool(self.table.whole[ids].all()):
            return self._whole(ids)
        return self._mixed(ids)

    @abstractmethod
    def _mixed(self, ids: Offsets) -> Decoded:
        """Decode ids of which some are part of a character, or come after such a part."""

    def _whole(self, ids: Offsets) -> Decoded:
        """Decode tokens that are text of their own, with complete runs of byte tokens between
        them."""
        table = self.table
        texts = table.texts[ids].tolist()
        gain, width = table.width[ids], table.width[ids]
        split = np.flatnonzero(~table.whole[ids])
        if not width[split].all():
            for run in np.split(split, np.flatnonzero(np.diff(split) > 1) + 1):
                if width[run].all():
                    continue  # ASCII alone
                data = b"".join(table.data[ids[run]].tolist())
                texts[run[0] : run[-1] + 1] = [""] * len(run)
                texts[run[0]], chars = decode_run(data)
                gain[run] = np.diff(chars, prepend=-1)
                width[run] = 1
        ends = np.cumsum(gain) + self.num_chars
        starts = ends - width
        new = self._strip("".join(texts), starts, ends)
        return self._added(new, starts, ends, self._special(ids, starts, ends))

    def _strip(self, new: str, starts: Offsets, ends: Offsets) -> str:
        """Drop the space before the first character of the text, as SentencePiece does."""
        if not self.table.strips or self.num_chars or not new.startswith(" "):
            return new
        np.maximum(starts - 1, 0, out=starts)
        np.maximum(ends - 1, 0, out=ends)
        return new[1:]

    def _special(self, ids: Offsets, starts: Offsets, ends: Offsets) -> list[tuple[int, int]]:
        """Characters of the special tokens among ``ids``, of all of which the places are given."""
        special = self.table.special[ids] & self.table.whole[ids]  # a byte of a character is text
        places = zip(starts[special].tolist(), ends[special].tolist(), strict=True)
        return [(begin, end) for begin, end in places if begin < end]


class StreamDecoder(TableDecoder):
    """One stream of bytes (byte-level BPE)."""

    def __init__(self, table: PieceTable) -> None:
        super().__init__(table)
        self._sizes = np.zeros(0, np.int64)  # bytes of each token that waits
        self._starts = np.zeros(0, np.int64)  # and its first character

    def _mixed(self, ids: Offsets) -> Decoded:
        table = self.table
        data = self._bytes + b"".join(table.data[ids].tolist())
        new, used = codecs.utf_8_decode(data, "replace", False)
        sizes = np.concatenate([self._sizes, table.sizes[ids]])
        byte_ends = np.cumsum(sizes)
        starts, ends = byte_ends - sizes, byte_ends
        if not data.isascii():  # otherwise a character is a byte
            before = np.zeros(used + 2, np.int64)  # characters that begin before each byte
            before[char_begins(new, data[:used]) + 1] = 1
            before = np.cumsum(before)
            starts = before[np.minimum(starts, used) + 1] - 1
            ends = np.minimum(before[np.minimum(ends, used)], len(new))
        starts, ends = starts + self.num_chars, ends + self.num_chars
        new = self._strip(new, starts, ends)
        if self.num_open:  # placed anew, now that more of their character is known
            starts[0] = min(starts[0], self._starts[0])
        waits = byte_ends > used
        self._bytes, self.num_open = data[used:], int(waits.sum())
        self._sizes, self._starts = np.minimum(sizes, byte_ends - used)[waits], starts[waits]
        special = self._special(ids, starts[-len(ids) :], ends[-len(ids) :])
        return self._added(new, starts, ends, special)

    def settle(self) -> Decoded:
        """What is incomplete becomes one U+FFFD."""
        starts, ends = self._starts, np.full(self.num_open, self.num_chars + 1)
        self._bytes, self.num_open = b"", 0
        self._sizes = self._starts = np.zeros(0, np.int64)
        return self._added(REPLACEMENT, starts, ends)


class RunDecoder(TableDecoder):
    """Runs of byte tokens between whole tokens (SentencePiece with byte fallback)."""

    def _mixed(self, ids: Offsets) -> Decoded:
        whole = np.flatnonzero(self.table.whole[ids])
        if not whole.size:
            return self._wait(ids)
        first, last = int(whole[0]), int(whole[-1]) + 1
        self._wait(ids[:first])
        return _joined([self.settle(), self._whole(ids[first:last]), self._wait(ids[last:])])

    def _wait(self, ids: Offsets) -> Decoded:
        self._bytes += b"".join(self.table.data[ids].tolist())
        self.num_open += len(ids)
        return self._added("", *np.full((2, self.num_open), self.num_chars))

    def settle(self) -> Decoded:
        """What is no character becomes U+FFFD, byte by byte."""
        new, chars = decode_run(self._bytes)
        starts, ends = chars + self.num_chars, chars + self.num_chars + 1
        new = self._strip(new, starts, ends)
        self._bytes, self.num_open = b"", 0
        return self._added(new, starts, ends)


class WindowDecoder(TokenDecoder):
    """Any other tokenizer: what the decode of a short window gains by a token."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._recent: list[int] = []

    def copy(self) -> WindowDecoder:
        """An independent decoder in the same state."""
        other = copy.copy(self)
        other._recent = list(self._recent)
        return other

    def feed(self, ids: Offsets) -> Decoded:
        """Decode new ids one by one."""
        parts = []
        for token in ids.tolist():
            self._recent.append(token)
            self.num_open += 1
            if not self._gained().endswith(REPLACEMENT) or self.num_open == MAX_WAITING:
                parts.append(self.settle())
        parts.append(self._added("", *np.full((2, self.num_open), self.num_chars)))
        return _joined(parts)

    def _gained(self) -> str:
        settled = self._recent[: len(self._recent) - self.num_open]
        return decode(self._tokenizer, self._recent)[len(decode(self._tokenizer, settled)) :]

    def settle(self) -> Decoded:
        """What the tokenizer makes of the tokens that wait."""
        new, count, begin = self._gained(), self.num_open, self.num_chars
        special = getattr(self._tokenizer, "all_special_ids", ())
        is_special = bool(new) and count == 1 and self._recent[-1] in special
        # Windows that decode to nothing would take the next token for the first of the text.
        if decode(self._tokenizer, self._recent[-CONTEXT:]):
            self._recent = self._recent[-CONTEXT:]
        self.num_open, end = 0, begin + len(new)
        places = np.full(count, begin), np.full(count, end)
        return self._added(new, *places, [(begin, end)] if is_special else ())


def _joined(parts: Sequence[Decoded]) -> Decoded:
    """What several parts in a row add together."""
    texts, starts, ends, num_open, special = zip(*parts, strict=True)
    places = np.concatenate(starts), np.concatenate(ends)
    return Decoded("".join(texts), *places, num_open[-1], [at for part in special for at in part])


def decoder_of(tokenizer: Any) -> TokenDecoder:
    """A decoder for the beginning of a text."""
    table = piece_table(tokenizer, reproduces)
    return WindowDecoder(tokenizer) if table is None else _by_table(table)


def _by_table(table: PieceTable) -> TableDecoder:
    return RunDecoder(table) if table.runs else StreamDecoder(table)


def reproduces(tokenizer: Any, table: PieceTable) -> bool:
    """Whether a table decodes a sample of ids, special ones included, as the tokenizer does."""
    known = [i for i, piece in enumerate(table.data) if piece]
    generator = Random(0)
    sample = np.flatnonzero(table.special)[:64].tolist()
    sample += generator.sample(known, min(PROBE, len(known)))
    generator.shuffle(sample)
    for start in range(0, len(sample), 64):
        part, decoder = sample[start : start + 64], _by_table(table)
        text = decoder.feed(np.array(part)).text
        if decoder.num_open:
            text += decoder.settle().text
        if text != decode(tokenizer, part):
            return False
    return True
