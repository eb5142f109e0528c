"""Digests of images with the name of their algorithm, as registries take them: the
``sha256:9d1c...`` of ``jre17@sha256:9d1c...``. Whole and digest alone are found elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import may_hold, places

DIGEST = 0.8
_ALGORITHMS = ("sha1", "sha256", "sha384", "sha512", "md5")
_DIGEST = re.compile(r"\w{3,6}:[0-9a-f]{16,128}(?!\w)")


def digests(text: str, minimum: float) -> Iterator[Anchor]:
    """Digests behind the name of their algorithm."""
    for name in _ALGORITHMS:
        if not may_hold(text, name):
            continue
        for place in places(text, name):
            match = _DIGEST.match(text, place)
            if match and text[place - 1 : place] == "@":
                label, value = Span(place - 1, place), Span(*match.span())
                yield Anchor(label, value, DIGEST, "structure:digest", True)
