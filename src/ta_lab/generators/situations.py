"""Everyday and technical situations: cues without a label, and questions in other words."""

from __future__ import annotations

from typing import NamedTuple

from ..data import texts


class Situation(NamedTuple):
    """``cues`` state a ``{value}`` without announcing it by ``label``; ``plain`` asks for it in
    the words of the cues; ``paraphrases`` ask for ``label`` in words that do not name it.
    """

    kind: str
    label: str
    cues: tuple[str, ...]
    plain: str
    paraphrases: tuple[str, ...]


TEXTS = texts("tasks/situations")
SITUATIONS = tuple(Situation(**situation) for situation in TEXTS.situations)
STATED: tuple[str, ...] = TEXTS.stated
TEMPLATES = (
    *STATED[2:],
    *(cue for situation in SITUATIONS for cue in situation.cues),
    *(situation.plain for situation in SITUATIONS),
    *(text for situation in SITUATIONS for text in situation.paraphrases),
)
