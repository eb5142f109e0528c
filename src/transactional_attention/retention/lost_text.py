"""What is known of text that is gone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..types import Span


@dataclass
class LostText:
    """Of text that was not saved with a cache, or that a stream dropped.

    ``num_tokens``: tokens at the beginning that a saved cache lacks. ``labels``: by their tokens,
    the labels that are still known. ``secrets``: salted hashes of words of values, as far as noted;
    ``hide``: gives words as the saved file has them, if the sequence came from one.
    """

    num_tokens: int = 0
    labels: dict[Span, str] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()
    hide: Callable[[str], str] | None = None
