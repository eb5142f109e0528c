"""Text that arrives in blocks to the token ids of the whole text, a few at a time.

In: a tokenizer and blocks of text, cut anywhere. Out: the very ids that the tokenizer gives for the
whole text at once. It knows no model and no cache.

A text is cut at seams (``Seams``). Every part is tokenised together with the end of the part before
it, whose ids are then left out, so that a space that a tokenizer puts before a text occurs once. At
each seam it is checked that the ids before it do not change with the next ``MARGIN`` characters. A
tokenizer that looks further ahead could give other ids. None is known; if ids that were given out
turn out different, an error says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, UnsupportedError
from ..types import Bools, Ints
from .decoding import reproduces
from .pieces import SPACE, PieceTable, piece_table

PIECE = 4096  # characters that are tokenised at once, at least
MARGIN = 256  # characters after a seam that are checked
CONTEXT = 64  # least number of characters before a seam that the next part is tokenised with
TRIES = 32  # seams that are checked in one part


class TokenStream:
    """The ids of a text that is never there as a whole.

    Args:
        tokenizer: of transformers, fast or slow.
        blocks: the text in blocks of any size (a file opened for reading, ``TextBlocks``), or one
            string.
        before: ids that come first, in place of the special tokens around a text: the text goes on
            after something, such as an answer whose last token no model has read.

    Held are the ids that were not taken and at most a few thousand characters, or the text since
    the last seam: a stretch without one is tokenised as one. Raises UnsupportedError when the
    tokenizer puts special tokens inside a text, or its ids depend on what stands further ahead;
    InputError, later, for blocks that are not text.
    """

    def __init__(
        self, tokenizer: Any, blocks: Iterable[str], *, before: Sequence[int] | None = None
    ) -> None:
        self._tokenizer, self._seams = tokenizer, Seams(tokenizer)
        self._blocks: Iterator[str] = iter((blocks,) if isinstance(blocks, str) else blocks)
        first, self._last = self._special() if before is None else (list(before), [])
        self._ids: list[int] = first
        self._parts: list[str] = []  # text that is not tokenised yet
        self._size, self._wanted = 0, PIECE + MARGIN
        self._context = ""  # the end of what is
        self._known: list[int] = []  # its ids alone
        self._ended = self._busy = False

    @property
    def rest(self) -> tuple[int, ...]:
        """Ids that are known and were not taken: after a prefill, those that it left."""
        return tuple(self._ids)

    def peek(self, count: int) -> Ints:
        """The next ``count`` ids [token], fewer only at the end of the text; they are not taken.
        Raises InputError after an error or interrupt while the text was read."""
        if self._busy:
            raise InputError("reading this text was interrupted: begin it anew")
        while len(self._ids) < count and not self._ended:
            self._busy = True  # a block that is lost must not go unnoticed
            self._advance()
            self._busy = False
        return np.array(self._ids[:count], np.int64)

    def take(self, count: int) -> None:
        """Drop the next ``count`` ids."""
        del self._ids[:count]

    def parts(self, count: int) -> Iterator[tuple[Ints, bool]]:
        """The rest of the ids in parts of ``count``, the last may be shorter, and whether a part is
        the last. A part leaves the stream only when the next one is asked for, so that a consumer
        that fails finds it there again."""
        while len(ids := self.peek(count + 1)):  # one ahead, to know the last id when it comes
            part = ids[:count]
            yield part, len(ids) <= count
            self.take(len(part))

    def _advance(self) -> None:
        """Read a block, and tokenise if there is enough text."""
        block = next(self._blocks, None)
        if block is None:
            self._ids += self._encode_after("".join(self._parts)) + self._last
            self._parts, self._ended = [], True
            return
        self._parts.append(_checked(block))
        self._size += len(block)
        if self._size < self._wanted:
            return
        text = "".join(self._parts)
        cut = self._cut(text)
        self._parts, self._size = [text[cut:]], len(text) - cut
        # A long stretch without a seam is not looked through again for every block.
        self._wanted = PIECE + MARGIN if cut else 2 * self._size

    def _cut(self, text: str) -> int:
        """Tokenise up to the last seam of ``text`` that holds; returns 0 if there is none."""
        seams = self._seams.before(text, len(text) - MARGIN)
        for _, cut in zip(range(TRIES), seams):
            left = self._context + text[:cut]
            begin = next(self._seams.before(left, max(len(left) - CONTEXT, 0)), 0)
            context = left[begin:]
            known = self._encode(context)
            if self._encode(context + text[cut : cut + MARGIN])[: len(known)] != known:
                continue
            new = self._encode_after(text[:cut])
            half = min(len(new), (len(known) + 1) // 2)
            if new[len(new) - half :] != known[len(known) - half :]:
                continue
            self._ids += new
            self._context, self._known = context, known
            return cut
        return 0

    def _encode_after(self, text: str) -> list[int]:
        """Ids of ``text`` after the context."""
        ids = self._encode(self._context + text)
        if ids[: len(self._known)] != self._known:
            raise UnsupportedError(
                "this tokenizer decides by what stands further ahead than "
                f"{MARGIN} characters: tokenise the whole text and give its input_ids"
            )
        return ids[len(self._known) :]

    def _encode(self, text: str) -> list[int]:
        return self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]

    def _special(self) -> tuple[list[int], list[int]]:
        """Ids that the tokenizer puts before and after a text."""
        bare, whole = self._encode("a"), list(self._tokenizer("a", verbose=False)["input_ids"])
        for at in range(len(whole) - len(bare) + 1):
            if bare and whole[at : at + len(bare)] == bare:
                return whole[:at], whole[at + len(bare) :]
        raise UnsupportedError(
            "this tokenizer does not put its special tokens around a text: "
            "tokenise the whole text and give its input_ids"
        )


def _checked(block: str) -> str:
    if not isinstance(block, str):
        raise InputError(f"blocks of text must be str, got {type(block).__name__}: decode them")
    return whole_characters(block, "a block of text")


def whole_characters(text: str, what: str) -> str:
    """The text, if a tokenizer can take it. Raises InputError, naming ``what``, for half a
    surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{what} holds half a surrogate pair at character {error.start}: decode it anew"
        ) from None
    return text


class Seams:
    """Places where a text may be cut for its tokenizer: no token crosses them.

    A seam is a place between two characters that are adjacent in no piece of the vocabulary. No
    merge and no piece crosses it, so both sides give the same ids alone, as far as the tokenizer's
    pre-split into words agrees; ``TokenStream`` checks that. If a tokenizer's pieces cannot be read
    as bytes, texts are cut only before white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        table = piece_table(tokenizer, reproduces)
        self._joined = None if table is None else _joined(table)
        self._maps_space = table is not None and table.maps_space

    def before(self, text: str, last: int) -> Iterator[int]:
        """Seams of ``text`` from ``last`` down to 1, those beside white space first."""
        for at in range(last, 0, -1):
            if text[at - 1].isspace() != text[at].isspace() and self._splits(text, at):
                yield at
        for at in range(last, 0, -1):
            if not (text[at - 1].isspace() or text[at].isspace()) and self._splits(text, at):
                yield at

    def _splits(self, text: str, at: int) -> bool:
        if self._joined is None:
            return text[at].isspace()
        pair = text[at - 1 : at + 1]
        if self._maps_space:  # SentencePiece writes a space so
            pair = pair.replace(SPACE, " ")
        left, right = (char.encode("utf-8") for char in pair)
        return not self._joined[left[-1], right[0]]


def _joined(table: PieceTable) -> Bools:
    """Whether some piece contains one byte followed by another, [byte, byte]."""
    data = np.frombuffer(b"".join(table.data), np.uint8)
    inside = np.ones(len(data), bool)
    ends = np.cumsum([len(piece) for piece in table.data])
    inside[ends[ends > 0] - 1] = False
    first = np.flatnonzero(inside)
    joined = np.zeros((256, 256), bool)
    joined[data[first], data[first + 1]] = True
    return joined
