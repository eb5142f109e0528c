"""What the model is measured on, and whether a text of training has any of it.

Runs of words are compared and nothing is printed: the test split of the collection stays unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pydoc_data.topics import topics

from ..collection import SPLITS
from ..generators import TASKS
from .facts import is_held_out

RUN = 13
"""So many words in a row are no accident."""
EXAMPLE = "XK7M9P2Q"
"""The value in the paper's statement, "The secret code is: ..."; the label is HELD_OUT_KEY."""
# A word of letters and digits; one character of the scripts that put no space between words.
WORD = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uf900-\ufaff]|[^\W_\u0e00-\u0eff\u2e80-\u9fff]+")


def runs(text: str, size: int = RUN) -> set[int]:
    """Hashes of every run of `size` words; they hold within one process."""
    words = WORD.findall(text.lower())
    return {hash(tuple(words[i : i + size])) for i in range(len(words) - size + 1)}


def runs_of(texts: Iterable[str], size: int = RUN) -> set[int]:
    """Runs of all of the texts."""
    return {run for text in texts for run in runs(text, size)}


def evaluation_texts() -> Iterator[str]:
    """Templates of the tasks and of all splits of the collection, and the default filler."""
    for task in TASKS.values():
        yield from task.templates
    for split in SPLITS.values():
        yield from split.texts()
    yield from topics.values()


@cache
def evaluation_runs(size: int = RUN) -> frozenset[int]:
    """Runs of words of `evaluation_texts`, which no text of training may have."""
    return frozenset(runs_of(evaluation_texts(), size))


def is_evaluation(text: str) -> bool:
    """Whether a text has RUN words of the evaluation in a row, the paper's label or its value."""
    if is_held_out(text) or EXAMPLE.lower() in text.lower():
        return True
    return not evaluation_runs().isdisjoint(runs(text))
