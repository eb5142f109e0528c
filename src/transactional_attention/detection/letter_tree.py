"""Many words as one pattern, a tree of their letters: what is none of them fails at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def letter_tree(words: Iterable[Sequence[str]]) -> str:
    """A pattern of any of the words; of two that begin alike the longer one matches.

    A word is given as the patterns of its letters, in their order.
    """
    tree: dict = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branches(tree)


def _branches(node: dict) -> str:
    """The longest word first: its end is the last branch."""
    longer = [letter + _branches(below) for letter, below in sorted(node.items()) if letter]
    return f"(?:{'|'.join([*longer, *([''] if '' in node else [])])})" if node else ""
