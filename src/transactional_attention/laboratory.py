"""What other installed distributions add, found by entry points: the laboratory's commands and
weights, methods, and names of ``transactional_attention`` itself."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .errors import UnsupportedError

INSTALL = "pip install . ./lab in a clone of the repository"
BASELINES = frozenset(
    "ada-kv arkv arkv-authors boundary-10 chunkkv dynamickv dynamickv-authors expected-attention"
    " h2o keydiff knorm kvzip pyramidkv pyramidkv-authors r-kv random-spans rocketkv sidequest"
    " snapkv streaming-whitelist structkv tova trim-kv".split()
)
NAMES = frozenset(["end_turn"])
"""Methods of the laboratory, and what it adds to ``transactional_attention``: where it is not
installed, an error says so."""


@cache
def brought(kind: str) -> dict[str, EntryPoint]:
    """What installed packages list as entry points of ``transactional_attention.KIND``, by name.
    Kinds: ``commands``, ``methods``, ``names``, and ``weights`` (folders)."""
    return {point.name: point for point in entry_points(group=f"transactional_attention.{kind}")}


def name_of_laboratory(name: str) -> Any:
    """What ``ta.NAME`` is. Raises UnsupportedError where the laboratory is not installed."""
    if name not in brought("names"):
        raise UnsupportedError(f"{name} belongs to the laboratory: {INSTALL}")
    return brought("names")[name].load()
