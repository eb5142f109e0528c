"""Values in a console session that shows how something works: ``>>> f('37.24N')`` and its output.

Documentation is full of them and nobody asks for them again; they stand back behind what a text
says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..types import Anchor
from .detector import LOOKBACK

SHOWN = 0.75
"""What is left of the confidence of such a value."""
PROMPT = ">>> "
_PROMPTS = (PROMPT, "... ")


def lessened(anchors: Iterable[Anchor], text: str) -> Iterator[Anchor]:
    """The anchors, those of lines with a prompt and of the line below one less confident."""
    if PROMPT not in text:
        yield from anchors
        return
    for anchor in anchors:
        shown = _is_shown(text, anchor.value.start)
        yield anchor._replace(confidence=anchor.confidence * SHOWN) if shown else anchor


def _is_shown(text: str, at: int) -> bool:
    before = text[max(0, at - LOOKBACK) : at]
    lines = before.rsplit("\n", 2)
    if PROMPT in lines[-1]:  # lines may have been joined
        return True
    whole = at <= LOOKBACK  # the first of the lines is not cut
    above = lines[-2] if len(lines) == 3 or (len(lines) == 2 and whole) else ""
    own = lines[-1] + text[at : at + 4] if len(lines) > 1 or whole else ""
    return any(line.lstrip().startswith(_PROMPTS) for line in (own, above))
