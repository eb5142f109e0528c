"""What grammars share: role x label x worth to an anchor."""

from __future__ import annotations

from ...types import Anchor, Span
from ..roles import label_role
from ..worth import given_worth, worth


def emit(
    text: str,
    label: tuple[int, int],
    value: tuple[int, int],
    role: float,
    rule: str,
    *,
    delimited: bool,
    minimum: float,
    strength: float | None = None,
) -> Anchor | None:
    """The anchor of a label's words and a value, or None when it is not worth ``minimum``."""
    if value[0] >= value[1]:
        return None
    words = text[label[0] : label[1]]
    strength = label_role(words) if strength is None else strength
    if role * strength < minimum:
        return None
    confidence = role * strength * worth(text[value[0] : value[1]], strength, words)
    if confidence < minimum:
        return None
    last = label[1] if label[0] >= value[1] else max(label[0], value[0])
    return Anchor(Span(label[0], last), Span(*value), confidence, rule, delimited)


def given(
    text: str, label: tuple[int, int], value: tuple[int, int], minimum: float
) -> Anchor | None:
    """The anchor of plain words that are used as they stand under the name of a secret."""
    name = text[slice(*label)]
    strength = label_role(name)
    confidence = strength * given_worth(text[slice(*value)], strength, name)
    if strength < 1.0 or confidence < minimum:
        return None
    return Anchor(Span(label[0], value[0]), Span(*value), confidence, "structure:given", True)
