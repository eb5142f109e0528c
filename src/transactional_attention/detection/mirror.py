"""A text read backwards: what stands before a value is matched from the value outwards.

Patterns that read backwards run over the reversed lower-cased text. It is made once a text, not
once a value, and a part of it is named by its bounds, so nothing is copied.
"""

from __future__ import annotations

from functools import lru_cache

Backwards = tuple[str, int, int]
"""A string, and the bounds in it of what is read."""


@lru_cache(maxsize=1)
def _mirrored(text: str) -> str:
    # The one letter whose small form is two characters becomes a plain one: all keep their places.
    return text.replace("İ", "i").lower()[::-1]


def backwards(text: str, end: int, reach: int) -> Backwards:
    """A string, and the bounds in it of the ``reach`` characters before ``end``, reversed.

    Returns string, begin and stop: its character ``p`` is the text's ``end + begin - p - 1``. A
    pattern that is matched between the bounds sees what it would see in a copy of that part in
    lower case.
    """
    begin = len(text) - end
    return _mirrored(text), begin, begin + (reach if reach < end else end)
