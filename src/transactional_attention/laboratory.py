"""What the laboratory brings, which is a distribution of its own: found by entry points."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

INSTALL = "pip install . ./lab in a clone of the repository"


@cache
def brought(kind: str) -> dict[str, EntryPoint]:
    """``commands``, or folders of ``weights``, of installed distributions, by name."""
    return {point.name: point for point in entry_points(group=f"transactional_attention.{kind}")}
