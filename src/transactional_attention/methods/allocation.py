"""How K is split over layers and kv heads.

``Allocation`` is uniform: K everywhere. Override the method that differs. All numbers are KV pairs
per layer and kv head.
"""

from collections.abc import Sequence

from ..selection.slot_table import SlotTable
from ..types import Floats, Ints


class Allocation:
    """Budgets of layers and heads, asked for again at every later prompt.

    ``joint``: it needs the scores of all layers before any is cut. Layers then stay whole until the
    forward ends (the peak is the whole prompt in every layer), and ``together`` decides.
    ``ragged``: heads of one layer differ; they are padded, so the saving is masked.
    """

    joint = False
    ragged = False

    def layers(self, budgets: Sequence[int], length: int) -> Sequence[int]:
        """Budgets [layer] for a prompt of ``length`` tokens, before any score is known.

        ``budgets`` [layer] are the caller's: K for every layer, or one each.
        """
        return budgets

    def heads(self, table: SlotTable, scores: Floats) -> Ints | None:
        """Budgets [lane] of one layer from its utilities [lane, slot]; None if all are equal.

        A kv head below the widest one is filled with padding: the saving is masked, not
        physical.
        """
        return None

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane] from the utilities of all layers, if ``joint``."""
        raise NotImplementedError
