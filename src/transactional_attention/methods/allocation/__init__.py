"""K split over layers and kv heads; one file a method.

``Allocation`` is uniform: K everywhere. Override the one question that a method answers otherwise.
All numbers are KV pairs per layer and kv head.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...selection.slots import SlotTable
from ...types import Floats, Ints


class Allocation:
    """Budgets of layers and heads; every method may be asked again at a later prompt.

    ``joint``: needs the scores of all layers before any is cut. The layers then stay whole until
    the end of the forward (the peak is the whole prompt in every layer), and ``together`` decides.
    ``ragged``: heads of one layer differ; they are padded, so that the saving is masked.
    """

    joint = False
    ragged = False

    def layers(self, budgets: Sequence[int], length: int) -> Sequence[int]:
        """Budgets [layer] for a prompt of ``length`` tokens, before any score is known.

        ``budgets`` [layer] are the caller's: K for every layer, or one each.
        """
        return budgets

    def heads(self, table: SlotTable, scores: Floats) -> Ints | None:
        """Budgets [lane] of one layer from its utilities [lane, slot]; None when all are equal.

        A kv head below the widest one is filled with padding: the saving is masked, not physical.
        """
        return None

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane] from the utilities of all layers, when ``joint``."""
        raise NotImplementedError
