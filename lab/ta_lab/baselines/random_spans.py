"""Spans at random places, of the sizes of the sponsored ones (control)."""

import numpy as np

from transactional_attention.types import Span, SponsoredSpan


def displaced(span: SponsoredSpan, length: int, seed: int, row: int) -> SponsoredSpan:
    """The span moved to a uniformly random place among ``length`` tokens. Rank, size and
    rule stay.

    The same seed, row and span give the same place. Places may overlap each other, and by chance
    the value itself. In a later turn, a place whose tokens are gone is not kept.
    """
    size = len(span.value)
    generator = np.random.default_rng((seed, row, span.value.start, size))
    start = int(generator.integers(0, max(length - size, 0) + 1))
    return span._replace(
        label=Span(start, start),
        value=Span(start, start + size),
        anchor=max(start - 1, 0),
    )
