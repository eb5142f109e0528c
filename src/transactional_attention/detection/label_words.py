"""The words of a label or a question that name something."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_LOOSE = frozenset(
    "the a an my your our his her their its this that is was are be now new of for to at in on it"
    " number please remember note es el la de le du der die das ist lautet est il è what which tell"
    " me say give again set came comes moved stands reads became goes stays remains opens"
    " unlocks works gets lets s".split()
)


def content_words(text: str) -> str:
    """The words of a label or a question that name something, in lower case, split as identifiers
    are (``apiKey``)."""
    words = [word.lower() for word in _WORD.findall(text)]
    return " ".join([word for word in words if word not in _LOOSE])
