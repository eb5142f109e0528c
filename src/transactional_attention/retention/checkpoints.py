"""Which earlier states of a conversation are kept, so that a changed history can go back to one.

A change that lies a distance back is read anew from the last state before it on. States whose
distances from the end grow by a factor each let no such reading be longer than about that factor
times the distance of the change, with as many states as the logarithm of the history.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

State = TypeVar("State")


def spread(
    states: Sequence[State], length: Callable[[State], int], begin: int, most: int
) -> list[State]:
    """At most ``most`` of some states, spread over the history that ends with the last of them.

    ``length``: the tokens that a state has read, more from state to state. ``begin``: the token at
    which the first that may change stands; what is before it can be gone back to anyhow.

    The last two stay, for the latest message is what changes most. Of the others the one goes
    without which the reading from its predecessor on is the shortest beside the distance of the
    nearest change that needs it. Where n states have been thinned to k each time that one came, no
    such factor is above D ** (2 / (k - 1)): D is all tokens after ``begin`` over those of the
    latest turn.
    """
    kept = list(states)
    while len(kept) > max(most, 0):
        ends = [begin, *(length(state) for state in kept)]
        left = [ends[-1] - end for end in ends]
        factors = [
            left[i] / left[i + 2] if left[i + 2] > 0 else float("inf") for i in range(len(kept) - 1)
        ]
        del kept[min(range(len(factors)), key=factors.__getitem__, default=0)]
    return kept
