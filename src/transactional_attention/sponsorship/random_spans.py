"""Control: as many tokens as are sponsored, in spans of the same sizes, at random places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..types import Span, SponsoredSpan

Place = Callable[[SponsoredSpan, int, int, int], SponsoredSpan]


def displaced(span: SponsoredSpan, length: int, seed: int, row: int) -> SponsoredSpan:
    """The span moved to a uniform place among ``length`` tokens; rank, size and rule stay.

    The same seed, row and span give the same place. Places may overlap one another, and the value
    itself by chance; in a later turn, a place whose tokens are gone is not kept.
    """
    size = len(span.value)
    generator = np.random.default_rng((seed, row, span.value.start, size))
    start = int(generator.integers(0, max(length - size, 0) + 1))
    return span._replace(
        label=Span(start, start),
        value=Span(start, start + size),
        anchor=max(start - 1, 0),
    )
