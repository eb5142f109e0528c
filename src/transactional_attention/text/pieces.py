"""What every token id of a tokenizer stands for, in bytes; built once per tokenizer.

In: a tokenizer of transformers, of the ``tokenizers`` package, or of a GGUF file. Out: a table with
the text or the bytes of every id. A table is used only after it reproduced the tokenizer's own
decode on a sample of its ids. A tokenizer that fits no known scheme has none.
"""

import functools
import json
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gguf.tokenizer import SPACE

REPLACEMENT = "�"

Offsets = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PieceTable:
    """Pieces by id; the last entry stands for ids that the tokenizer does not know.

    ``texts``: the decoded text of a self-contained piece or an ASCII byte. ``data``: bytes of a
    piece. ``sizes`` [id]: number of these bytes. ``width`` [id]: characters of ``texts``. ``whole``
    [id]: the piece is self-contained. ``special`` [id]: it is a special token. ``runs``: byte
    tokens decode in runs (SentencePiece), not as one stream. ``strips``: a space before the first
    character is dropped. ``maps_space``: the tokenizer reads ``SPACE`` in a text as a space.
    """

    texts: NDArray[np.object_]
    data: NDArray[np.object_]
    sizes: NDArray[np.int64]
    width: NDArray[np.int64]
    whole: NDArray[np.bool_]
    special: NDArray[np.bool_]
    runs: bool
    strips: bool
    maps_space: bool


_TABLES: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def decode(tokenizer, ids: Sequence[int]) -> str:
    """The tokenizer's own decode, with special tokens and unchanged spaces."""
    if hasattr(tokenizer, "clean_up_tokenization_spaces"):
        return tokenizer.decode(
            list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
    return tokenizer.decode(list(ids), skip_special_tokens=False)


def num_entries(tokenizer: Any) -> int:
    """How many ids a tokenizer has."""
    return len(tokenizer) if hasattr(tokenizer, "__len__") else int(tokenizer.get_vocab_size())


def longest_entry(tokenizer: Any) -> int:
    """Characters of a tokenizer's longest entry."""
    return _longest(tokenizer, num_entries(tokenizer))


@functools.lru_cache(4)
def _longest(tokenizer: Any, _: int) -> int:
    """Of a tokenizer with this many entries: one that is given new ones is looked at again."""
    return max(map(len, tokenizer.get_vocab()), default=0)


def piece_table(tokenizer, reproduces: Callable[[Any, PieceTable], bool]) -> PieceTable | None:
    """The table of a tokenizer, cached while the size of its vocabulary stays.

    ``reproduces`` (tokenizer, table) decides once whether a new table can be trusted.
    """
    size = num_entries(tokenizer)
    try:
        known = _TABLES.get(tokenizer)
    except TypeError:  # tokenizers.Tokenizer takes no weak reference
        return _build(tokenizer, reproduces)
    if known is None or known[0] != size:
        known = (size, _build(tokenizer, reproduces))
        _TABLES[tokenizer] = known
    return known[1]


def _build(tokenizer, reproduces: Callable[[Any, PieceTable], bool]) -> PieceTable | None:
    knows_bytes = hasattr(tokenizer, "pieces")  # that of a GGUF file
    table = _from_pieces(tokenizer) if knows_bytes else _read(tokenizer)
    return table if table is not None and reproduces(tokenizer, table) else None


def _from_pieces(tokenizer) -> PieceTable:
    """Of a tokenizer that gives the bytes of its pieces; they decode as one stream."""
    data = [*tokenizer.pieces, b""]
    scheme = False, tokenizer.strips, tokenizer.maps_space
    return _table(data, tokenizer.all_special_ids, [True] * len(data), scheme)


def _read(tokenizer) -> PieceTable | None:
    """Of a tokenizer whose decoder is one of the known schemes."""
    scheme = _scheme(tokenizer)
    if scheme is None:
        return None
    byte_level, strips = scheme
    pieces, special = _vocabulary(tokenizer)
    data = [_stream_bytes(piece) if byte_level else _run_bytes(piece) for piece in pieces]
    whole = [byte_level or _byte_token(piece) is None for piece in pieces]
    return _table(data, special, whole, (not byte_level, strips, not byte_level))


def _table(
    data: Sequence[bytes],
    special: Iterable[int],
    alone: Sequence[bool],
    scheme: tuple[bool, bool, bool],
) -> PieceTable:
    """``alone`` [id]: the piece is self-contained, if it is text; ``scheme``: the last fields."""
    texts, whole, flags = [], np.zeros(len(data), np.bool_), np.zeros(len(data), np.bool_)
    for index, content in enumerate(data):
        try:
            texts.append(content.decode())
            whole[index] = alone[index]
        except UnicodeDecodeError:
            texts.append("")
    flags[list(special)] = True
    sizes = np.array([len(content) for content in data], np.int64)
    width = np.array([len(text) for text in texts], np.int64)
    objects = np.array(texts, object), np.array(data, object)  # many are taken at once
    return PieceTable(*objects, sizes, width, whole, flags, *scheme)


def _scheme(tokenizer) -> tuple[bool, bool] | None:
    """(byte level?, strips the first space?) as the tokenizer's decoder says, or None."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "to_str"):
        return _scheme_of_pieces(tokenizer)
    if backend.decoder is None:
        return None
    decoder = json.loads(backend.decoder.__getstate__())
    steps = decoder.get("decoders", [decoder])
    kinds = [step.get("type") for step in steps]
    if kinds == ["ByteLevel"]:
        return True, False
    if "ByteFallback" in kinds or "Replace" in kinds:
        return False, any(s.get("type") == "Strip" and s.get("start") == 1 for s in steps)
    return None


def _scheme_of_pieces(tokenizer) -> tuple[bool, bool] | None:
    vocabulary = tokenizer.get_vocab() if hasattr(tokenizer, "get_vocab") else {}
    if "<0x41>" in vocabulary:
        return False, True
    return (True, False) if any(piece.startswith("Ġ") for piece in vocabulary) else None


def _vocabulary(tokenizer) -> tuple[list[str], set[int]]:
    """The piece of every id (empty where there is none) and the ids of special tokens."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    vocabulary = dict(backend.get_vocab())
    special: set[int] = set(getattr(tokenizer, "all_special_ids", ()))
    pieces = [""] * (max(vocabulary.values(), default=-1) + 2)
    for piece, index in vocabulary.items():
        pieces[index] = piece
    if hasattr(backend, "get_added_tokens_decoder"):
        for index, token in backend.get_added_tokens_decoder().items():
            pieces[index] = token.content
            if token.special:
                special.add(index)
    return pieces, special


_PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
_REST = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTES = {chr(b): b for b in _PRINTABLE} | {chr(256 + i): b for i, b in enumerate(_REST)}
"""GPT-2's characters for the 256 bytes, the other way round."""


def _stream_bytes(piece: str) -> bytes:
    """Bytes of a byte-level piece; a piece with other characters stands for itself."""
    try:
        return bytes([_BYTES[char] for char in piece])
    except KeyError:
        return piece.encode()


def _byte_token(piece: str) -> int | None:
    """The byte of a piece such as ``<0x0A>``."""
    if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
        try:
            return int(piece[3:5], 16)
        except ValueError:
            return None
    return None


def _run_bytes(piece: str) -> bytes:
    byte = _byte_token(piece)
    return piece.replace(SPACE, " ").encode() if byte is None else bytes([byte])


def decode_run(data: bytes) -> tuple[str, Offsets]:
    """The text of a run of byte tokens, and the character of every byte. If the run is not valid
    UTF-8, each byte becomes U+FFFD (ByteFallback of ``tokenizers``)."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return REPLACEMENT * len(data), np.arange(len(data))
    if len(text) == len(data):
        return text, np.arange(len(data))
    return text, np.searchsorted(char_begins(text, data), np.arange(len(data)), "right") - 1


def char_begins(text: str, data: bytes) -> Offsets:
    """The byte of ``data`` at which each character of ``text`` begins, then the end: [char + 1].

    ``text``: ``data`` decoded with U+FFFD in place of bytes that are no character."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    width = 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF)
    shift = 0
    lost = np.flatnonzero(codes == ord(REPLACEMENT)).tolist()
    begins = np.concatenate([[0], np.cumsum(width)])
    for char in lost:
        at = int(begins[char]) - shift
        try:
            data[at : at + 4].decode()
        except UnicodeDecodeError as error:
            if error.start == 0:
                shift += 3 - error.end
                width[char] = error.end
    return np.concatenate([[0], np.cumsum(width)])
