"""``longrope`` at original positions: keys are held as one set of its factors turned them.

transformers takes the long factors for a whole forward once a position in it passes the trained
length. Keys that were stored before would meet queries of the other set without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ...errors import UnsupportedError

if TYPE_CHECKING:
    from .cache import RetentionCache
    from .several import SeveralCaches


def follow_switch(
    cache: RetentionCache | SeveralCaches, ids: torch.Tensor | None, positions: torch.Tensor | None
) -> None:
    """Note which factors the coming forward takes; ``positions`` None are those of the columns.

    Raises:
        UnsupportedError: when the cache holds keys of the other factors; it stays as it was.
    """
    switch = cache.switch  # of several caches None: each of them is asked
    if switch is None or ids is None or not ids.shape[1]:
        return
    columns = cache.num_columns
    length = columns + ids.shape[1] if positions is None else int(positions.max()) + 1
    long = length > switch
    if columns and cache.long_factors not in (None, long):
        raise UnsupportedError(
            f"at {length} tokens longrope takes other factors than for the keys that the cache "
            f"holds (it changes beyond {switch}): use positions='compact', or feed a text "
            "that ends beyond it in one forward"
        )
    cache.long_factors = long
