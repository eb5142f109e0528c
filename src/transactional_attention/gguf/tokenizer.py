"""The tokenizer of a GGUF file as llama.cpp has it: ids, pieces, special tokens, chat templates.

It answers what is asked of a tokenizer of transformers in this package, and nothing else. A token
is the bytes of its piece; text is what the bytes of all tokens decode to, and a token covers the
characters to which it gives a byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InputError
from .bindings import library
from .files import GgufFile
from .templates import TOOL_USE, Templated

UNKNOWN, CONTROL, DEFINED = 1, 8, 16  # kinds of tokens: bits of llama_token_attr
SPACE = "▁"  # what SentencePiece writes for a space
NEAR = 64  # bytes that a special token may have swallowed: white space around it
PIECE = 64  # bytes of a piece, at first
PART = 1 << 14  # characters of a long text that are read at once, at least
TEMPLATE = "tokenizer.chat_template"
NAMED = {"bos_token": "bos", "eos_token": "eos", "pad_token": "pad", "sep_token": "sep"}


class GgufTokenizer(Templated):
    """Texts to ids and back, by the vocabulary of a file.

    Args:
        file: open, with or without weights; it stays open as long as this.

    Raises InputError for a file without a tokenizer.
    """

    is_fast = True  # it tells which characters a token covers

    def __init__(self, file: GgufFile) -> None:
        self._file, self.name = file, file.path.name
        if not library().calls.llama_vocab_type(file.vocab):
            raise InputError(f"{file.path} holds no tokenizer: give a file of a language model")
        bare = {text: b"".join(map(self._piece, self._ids(text))) for text in ("a", SPACE)}
        self.strips = bare["a"].startswith(b" ")
        """Whether a space is put before a text, which its decoding drops."""
        self.maps_space = SPACE.encode() not in bare[SPACE]
        """Whether a space and ``SPACE`` are the same."""
        calls, vocab = library().calls, file.vocab
        named = {name: getattr(calls, f"llama_vocab_{kind}")(vocab) for name, kind in NAMED.items()}
        self.named = {name: self._text(i) for name, i in named.items() if i >= 0}
        self.eos_token_id = named["eos_token"] if named["eos_token"] >= 0 else None
        self.chat_template = self._templates()

    @cached_property
    def pieces(self) -> list[bytes]:
        """The bytes of each id; of a special token its name."""
        return [self._piece(i) for i in range(len(self))]

    @cached_property
    def all_special_ids(self) -> list[int]:
        """Ids of tokens that are no text."""
        kind, vocab = library().calls.llama_vocab_get_attr, self._file.vocab
        return [i for i in range(len(self)) if kind(vocab, i) & (UNKNOWN | CONTROL)]

    def get_added_vocab(self) -> dict[str, int]:
        """Ids of the tokens that are read as a whole wherever their names stand, by these."""
        return self._added

    @cached_property
    def _added(self) -> dict[str, int]:
        kind, vocab = library().calls.llama_vocab_get_attr, self._file.vocab
        ids = (i for i in range(len(self)) if kind(vocab, i) & (UNKNOWN | CONTROL | DEFINED))
        return {name: i for i in ids if (name := self._text(i))}

    @cached_property
    def _special(self) -> frozenset[int]:
        return frozenset(self.all_special_ids)

    def _templates(self) -> str | dict[str, str] | None:
        """The file's template; by name where it has one of its own for tools."""
        default = self._file.value(TEMPLATE)
        tools = self._file.value(f"{TEMPLATE}.{TOOL_USE}")
        templates = {"default": default, TOOL_USE: tools}
        return (
            default if tools is None else {name: text for name, text in templates.items() if text}
        )

    def __len__(self) -> int:
        return self._file.vocab_size

    def __call__(
        self,
        text: str,
        *,
        add_special_tokens: bool = True,
        return_offsets_mapping: bool = False,
        verbose: bool = True,
    ) -> dict[str, Any]:
        """``input_ids`` of a text, names of special tokens in it read as these; and, where they are
        asked for, ``offset_mapping``: the half-open range of characters that each covers.

        ``add_special_tokens``: with those around it that the vocabulary asks for; they have no
        offsets. Raises InputError for offsets beside them, and a text that is too long.
        """
        if return_offsets_mapping and add_special_tokens:
            raise InputError("offsets are those of a text alone: give add_special_tokens=False")
        ids = self._ids(text, special=add_special_tokens)
        if not return_offsets_mapping:
            return {"input_ids": ids}
        return {"input_ids": ids, "offset_mapping": self._offsets(text, ids)}

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        """The text of ids; U+FFFD for bytes that are no character."""
        left = self._special if skip_special_tokens else ()
        text = b"".join(self.pieces[i] for i in map(int, ids) if i not in left).decode(
            "utf-8", "replace"
        )
        return text[1:] if self.strips and text.startswith(" ") else text

    def get_vocab(self) -> dict[str, int]:
        """Ids by the entries of the vocabulary, as the file writes them; made at every call."""
        return {self._text(i): i for i in range(len(self))}

    def _ids(self, text: str, *, special: bool = False) -> list[int]:
        """Ids of a text, of a long one part by part: for each special token in it llama.cpp looks
        through all that follows."""
        parts = [text] if len(text) < 2 * PART else list(self._parts(text))
        if len(parts) == 1:
            return self._read(text, special=special)
        before, after = self._around if special else ((), ())
        return [*before, *(i for part in parts for i in self._read(part)), *after]

    def _parts(self, text: str) -> Iterator[str]:
        """A text cut where names of special tokens begin, which are read alone anyhow; not after
        white space, which some of them swallow."""
        start = 0
        for match in self._names.finditer(text):
            at = match.start()
            if at >= start + PART and not text[at - 1].isspace():
                yield text[start:at]
                start = at
        yield text[start:]

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Names of tokens that a text is cut at before all else."""
        names = sorted(self.get_added_vocab(), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, names)) or r"(?!)")

    @cached_property
    def _around(self) -> tuple[list[int], list[int]]:
        """Ids that the vocabulary wants before and after a text."""
        bare, whole = self._read("a"), self._read("a", special=True)
        starts = range(len(whole) - len(bare) + 1)
        at = next(at for at in starts if whole[at : at + len(bare)] == bare)
        return whole[:at], whole[at + len(bare) :]

    def _read(self, text: str, *, special: bool = False) -> list[int]:
        ffi, calls, _ = library()
        data, size = text.encode(), 0
        count = len(data) + 2  # enough for most texts; otherwise it says how many
        while count > size:
            size, buffer = count, ffi.new("llama_token[]", count)
            given = self._file.vocab, data, len(data), buffer, size, special, True
            count = abs(calls.llama_tokenize(*given))
        if count == 1 << 31:
            raise InputError("this text has more tokens than can be counted: give a shorter one")
        return list(ffi.unpack(buffer, count)) if count else []

    def _offsets(self, text: str, ids: Sequence[int]) -> list[tuple[int, int]]:
        shown = text.replace(SPACE, " ") if self.maps_space else text
        data, codes = shown.encode(), np.frombuffer(shown.encode("utf-32-le"), np.uint32)
        widths = 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF)
        chars = np.append(np.repeat(np.arange(len(shown)), widths), len(shown)).tolist()
        offsets, at = [], 0
        for piece in (self.pieces[i] for i in ids):
            if (
                not data.startswith(piece, at)
                and data.startswith(piece[1:], at)
                and piece[:1] == b" "
            ):
                piece = piece[1:]  # a space that the tokenizer put there
            start = data.find(piece, at, at + len(piece) + NEAR)
            end = at if start < 0 else start + len(piece)
            start = at if start < 0 or start == end else start
            offsets.append((chars[start], chars[end - 1] + 1 if end > start else chars[start]))
            at = end
        return offsets

    def _piece(self, token: int) -> bytes:
        ffi, calls, _ = library()
        size, count = 0, PIECE
        while count > size:
            size, buffer = count, ffi.new("char[]", count)
            count = abs(calls.llama_token_to_piece(self._file.vocab, token, buffer, size, 0, True))
        return bytes(ffi.buffer(buffer, count))

    def _text(self, token: int) -> str:
        """An entry of the vocabulary."""
        ffi, calls, _ = library()
        entry = ffi.string(calls.llama_vocab_get_text(self._file.vocab, token))
        return str(entry.decode("utf-8", "replace"))
