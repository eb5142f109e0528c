"""A saved sequence, brought back in a context of the same model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...types import Ints
from .cache import LlamaCache
from .context import Context
from .saving import read_file, restored


def load_cache(
    path: str | Path,
    context: Context,
    tokenizer: Any,
    *,
    input_ids: Sequence[int] | Ints | None = None,
) -> LlamaCache:
    """The sequence that ``LlamaCache.save`` wrote, in a context of the same model.

    ``input_ids``: all tokens that it has read and generated; without them a later prompt is read as
    a text of its own (docs/saving.md). Raises InputError for a file that is missing, damaged or of
    another engine, another tokenizer, and ids that are not those that were read; CacheStateError
    for another model, build or type of cells, and too few cells.
    """
    path = Path(path)
    held = restored(path, *read_file(path), context, tokenizer, input_ids)
    return LlamaCache.resumed(context, held)
