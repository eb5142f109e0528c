"""Which tokenizer a saved cache belongs to: what of it is compared."""

import functools
import hashlib
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..text.pieces import num_entries

PIECES = 64  # entries of a vocabulary, about


def tokenizer_facts(tokenizer: Any) -> dict[str, Any] | None:
    """What is compared of a tokenizer: its size, and what some of its ids stand for."""
    return None if tokenizer is None else _facts(tokenizer, num_entries(tokenizer))


@functools.lru_cache(4)
def _facts(tokenizer: Any, _: int) -> dict[str, Any]:
    """Of a tokenizer with this many entries: one that is given new ones has others."""
    pieces = sorted((index, piece) for piece, index in tokenizer.get_vocab().items())
    sample = repr(pieces[:: max(1, len(pieces) // PIECES)])
    digest = hashlib.sha256(sample.encode("utf-8", "surrogatepass")).hexdigest()
    return {"size": len(pieces), "pieces": digest}


def check_tokenizer(saved: Mapping[str, Any] | None, tokenizer: Any, path: object) -> None:
    """Refuse another tokenizer, and none where the cache had one. Raises InputError for either."""
    if saved is None:
        return
    if tokenizer is None:
        raise InputError(f"the cache in {path} reads text: give load_cache() the tokenizer")
    if tokenizer_facts(tokenizer) != saved:
        raise InputError(f"{path} was saved with another tokenizer: give load_cache() that one")
