"""A plain word under the name of a token or a key that fills its line: ``token: bluefish``.

Documentation writes types, kinds and states there, and so do annotations of code.
"""

from __future__ import annotations

import re

from ..joining import is_common
from ..quoted_states import is_state

_NAME = re.compile(r"(?i)(?:.*[\W_a-z])?(?:token|secret|(?:api|access|secret|auth)[_-]?key)")
_VALUE = re.compile(r"[a-z]{6,32}")
_ENDS = re.compile(r"[ \t]*+\r?(?:\n|\Z)")
_MARKS = " \t-"
_SAID = frozenset(
    "string strings boolean integer number object buffer bytearray unicode varchar optional unknown"
    " undefined identifier expression symbol opaque bearer session cookie header literal keyword"
    " operator always default random hidden masked present absent public private static dynamic"
    " custom manual automatic normal special single double punctuation whitespace newline comment"
    " number plural placeholder changeme redacted example secret password username".split()
)


def is_alone(text: str, label: tuple[int, int], value: tuple[int, int]) -> bool:
    """Whether a rare word stands alone on its line under a name that no plain word explains."""
    if text[label[1] : label[1] + 2] != ": " or not _NAME.fullmatch(text, *label):
        return False
    if not _VALUE.fullmatch(text, *value) or not _ENDS.match(text, value[1]):
        return False
    line = text.rfind("\n", max(0, label[0] - 64), label[0]) + 1
    word = text[slice(*value)]
    if text[line : label[0]].strip(_MARKS) or (not line and label[0] > len(_MARKS)):
        return False
    return not (word in _SAID or is_common(word) or is_state(word))
