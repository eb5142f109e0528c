"""Text that arrives in pieces is read as at once; caps are small, so that short texts pass them."""

from itertools import pairwise

import pytest

from transactional_attention.detection.formats import block_ends
from transactional_attention.detection.scanner import Scanner


def assert_read_alike(text, cuts):
    """``cuts``: places where a piece ends, taken within the text."""
    borders = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_ends, "MAX_VALUE", 120)
        patch.setattr("transactional_attention.detection.scanner.MAX_LINE", 300)
        reader, found = Scanner(["values"]), []
        for begin, end in pairwise(borders):
            found += reader.feed(text[begin:end])
        found += reader.feed("", final=True)
        assert found == Scanner(["values"]).feed(text, final=True)
