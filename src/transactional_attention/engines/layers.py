"""Which layers of a model a retention manages."""

from typing import NamedTuple


class Layers(NamedTuple):
    """How many of a ``total`` a retention manages; slide, and keep their own window; are recurrent,
    and keep a state of all that was read. A layer may do two of these; the rest hold nothing of
    their own."""

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
        told = [f"{count} {what}" for what, count in others.items() if count]
        return ", ".join([f"{self.managed} of {self.total} layers managed", *told])
