"""Which layers of a model a retention manages."""

from typing import NamedTuple


class Layers(NamedTuple):
    """Counts of a model's layers, of ``total``.

    ``managed``: hold what a retention chooses. ``sliding``: keep a window of their own.
    ``recurrent``: keep a state of all that was read. A layer may be two of these; the rest hold
    nothing.
    """

    managed: int
    sliding: int
    recurrent: int
    total: int

    @property
    def whole(self) -> bool:
        """Whether nothing is kept that no retention chooses."""
        return not (self.sliding or self.recurrent)

    def __str__(self) -> str:
        others = {"slide": self.sliding, "are recurrent": self.recurrent}
        phrases = [f"{count} {what}" for what, count in others.items() if count]
        return ", ".join([f"{self.managed} of {self.total} layers managed", *phrases])
