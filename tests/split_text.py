"""Text that arrives in pieces is read as at once; caps are small, so that short texts pass them."""

from itertools import pairwise

import pytest

from found_values import read
from transactional_attention.detection.formats import block_ends


def pieces(whole, cuts):
    """A text or a list in pieces; ``cuts``: places where one ends, taken within it."""
    borders = sorted({0, len(whole), *(cut % (len(whole) + 1) for cut in cuts)})
    return [whole[a:b] for a, b in pairwise(borders)]


def assert_read_alike(text, cuts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_ends, "MAX_VALUE", 120)
        patch.setattr("transactional_attention.detection.scanner.MAX_LINE", 300)
        assert read(pieces(text, cuts)) == read([text])
