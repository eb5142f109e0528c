"""Which positions the tokens of a cache have, and how far those of its model reach."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from torch import Tensor, nn

from ...config import Retention
from ...errors import PositionsError
from ...retention.flow import RetentionFlow
from ...selection.places import lowered
from ...types import Ints
from .frequencies import switch_length, takes_long, trained_length
from .rotary import Rotary, can_shift


class CachePositions:
    """Of one cache. ``rotary``: turns keys to their places; None with original positions.
    ``trained_length``: positions that the model was trained on, None without such a limit.
    ``switch``: the longest sequence with the short factors of ``longrope``, None without such
    factors; ``long_factors``: whether the keys were turned with the long ones.

    Raises UnsupportedError for positions that cannot be changed.
    """

    def __init__(self, decoder: nn.Module, config: Any, retention: Retention) -> None:
        self.retention, self.trained_length = retention, trained_length(config)
        self._decoder = weakref.ref(decoder)
        original, user = retention.positions == "original", f"positions={retention.positions!r}"
        self.rotary = None if original else Rotary(decoder, user=user)
        self.switch = switch_length(decoder) if original else None
        self.long_factors: bool | None = None

    def fresh(self, retention: Retention) -> CachePositions:
        """Of an empty cache of the same model."""
        other = copy.copy(self)
        other.retention = retention
        other.rotary = copy.copy(self.rotary)  # which follows the forwards of one cache
        return other

    def follow(self, columns: int, new: int, positions: Tensor | None) -> None:
        """Before a forward of ``new`` columns after others, with a ``switch``: choose the factors,
        if nothing was turned with them yet."""
        assert self.switch is not None
        length = columns + new if positions is None else int(positions.max()) + 1
        held = self.long_factors if columns else None
        self.long_factors = takes_long(length, self.switch, held)

    def lowered_by(self, lengths: Ints) -> Ints | None:
        """How much lower than their positions tokens of rows with ``lengths`` stand, [row]; None:
        not at all, in any forward."""
        if self.rotary is None:
            return None
        trained, positions = self.trained_length, self.retention.positions
        return np.array([lowered(positions, length, trained) for length in lengths.tolist()])

    def check(
        self, flow: RetentionFlow, lengths: Ints, columns: int, held: Callable[[], int]
    ) -> None:
        """Refuse ``columns`` new tokens a row that outgrow the model's positions.

        ``lengths`` [row]: with them; ``held``: gives the slots that are held without them. Raises
        PositionsError when the longest row does or, with moved positions, the tokens that are held
        then."""
        limit, retention = self.trained_length, self.retention
        if limit is None:
            return
        if self.rotary is not None:
            live = held() + columns
            if columns == 1 and retention.ledger == "strict":  # each gives another's slot
                live = min(live, max(retention.budgets(), default=live))
            if live > limit:
                raise PositionsError(
                    f"{live} live tokens outgrow the model's {limit} positions: "
                    "prefill in smaller chunks (ta.prefill, --chunk), with a smaller budget and "
                    "ledger='strict'"
                )
        elif (end := int(lengths.max())) > limit:
            decoder, other = self._decoder(), "compact" if flow.observes else "rolling"
            cut = (
                f", or let it be cut while it is read: Retention(positions={other!r}) and a "
                f"bounded prefill chunk (ta generate --positions {other})"
            )
            raise PositionsError(
                f"{end} tokens outgrow the model's {limit} positions: shorten the text or the "
                f"answer{cut if decoder is not None and can_shift(decoder) else ''}"
            )
