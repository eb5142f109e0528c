"""What other installed distributions add, found by entry points: the laboratory's commands and
weights, and methods."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

INSTALL = "pip install . ./lab in a clone of the repository"


@cache
def brought(kind: str) -> dict[str, EntryPoint]:
    """Entry points of one kind (``commands``, folders of ``weights``, ``methods``) by name."""
    return {point.name: point for point in entry_points(group=f"transactional_attention.{kind}")}
