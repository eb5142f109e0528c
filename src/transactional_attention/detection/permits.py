"""Which anchors may sponsor: a caller's lists of labels and rules that are allowed or denied."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from ..errors import InputError
from .label_words import content_words

FORMER = {"stated:label": ("prose", "languages")}
"""Older names of rules: lists that use them keep working."""


def check_entries(entries: Sequence[str], name: str) -> tuple[str, ...]:
    """The entries of a list; ``name``: what the caller calls it.

    Raises:
       InputError: a string in place of a list, or an entry without a word to compare.
    """
    if isinstance(entries, str):
        raise InputError(f"{name} takes a list of labels and rules, got one string")
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, str) or not (":" in entry or content_words(entry)):
            raise InputError(f"{name}: entry {number} names no label and no rule")
    return tuple(entries)


def permitted(label: str, rule: str, allow: Sequence[str], deny: Sequence[str]) -> bool:
    """Whether an anchor may sponsor; ``label`` is the text of its label.

    An entry with a colon is a rule (``shape:uuid``, ``structure:*``). Any other entry is a label,
    compared by its words anywhere in the anchor's label (``api key`` also means ``API_KEY`` and
    ``apiKey``). ``*`` stands for any characters. ``deny`` wins; an empty ``allow`` permits all.
    """
    words = f" {content_words(label)} "

    def matches(entry: str) -> bool:
        if ":" in entry:
            return fnmatchcase(rule, entry) or entry.partition(":")[0] in FORMER.get(rule, ())
        return fnmatchcase(words, f"* {_words(entry)} *")

    if any(matches(entry) for entry in deny):
        return False
    return not allow or any(matches(entry) for entry in allow)


def _words(entry: str) -> str:
    """The words of an entry; its stars stay in place."""
    return "*".join(content_words(part) for part in entry.split("*"))
