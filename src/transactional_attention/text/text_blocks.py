"""Bytes to text in blocks: a file or standard input of any length, read as it arrives.

It checks what it reads and knows no tokens. At most one block is held.
"""

from __future__ import annotations

import codecs
import weakref
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError

BLOCK = 1 << 16  # bytes


class TextBlocks:
    """The text of a binary file as an iterator of blocks; no character is cut.

    Args:
       file: what to read; it is not closed.
       name: its name in errors.

    Iterating raises InputError, with the position of the byte, for text that is not UTF-8, for NUL
    characters, and for an empty file.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.num_bytes = 0  # read so far
        self._ended = False

    @classmethod
    def open(cls, path: Path) -> TextBlocks:
        """The text of a file. Raises InputError if it cannot be opened."""
        try:
            file = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error
        blocks = cls(file, str(path))
        weakref.finalize(blocks, file.close)
        return blocks

    def __iter__(self) -> TextBlocks:
        return self

    def __next__(self) -> str:
        while not self._ended:
            text = self._decoded(self._read())
            if text:
                return text
        raise StopIteration

    def _read(self) -> bytes:
        try:
            data = self._file.read(BLOCK)
        except OSError as error:
            raise InputError(f"cannot read {self._name}: {error.strerror}") from error
        self._ended = not data
        if self._ended and not self.num_bytes:
            raise InputError(f"{self._name} is empty")
        return data

    def _decoded(self, data: bytes) -> str:
        nul = data.find(0)
        if nul >= 0:
            at = self.num_bytes + nul
            raise InputError(f"{self._name} holds a NUL character (byte {at}): is it binary?")
        waiting = len(self._decoder.getstate()[0])  # of a character that the last block cut
        try:
            text = self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            at = self.num_bytes - waiting + error.start
            raise InputError(f"{self._name} is not valid UTF-8 (byte {at}): convert it") from None
        self.num_bytes += len(data)
        return text
