"""The most tokens that a cache has held."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...selection.slot_table import SlotTable


@dataclass
class LedgerRecord:
    """Largest counts so far. Live tokens are per layer and kv head.

    ``between``: after a forward, in the layer and kv head that holds most (``strict``: never above
    the budget that it was given). ``mean``: over all layers and kv heads, which K bounds where a
    method shares it out. ``within``: inside a forward, when a chunk or a question is live beside
    what is held.
    """

    between: int = 0
    within: int = 0
    mean: float = 0.0

    def note(self, tables: Sequence[SlotTable], within: int) -> None:
        """Take one forward in, after which the layers hold ``tables``, one each."""
        distinct = {id(table): table for table in tables}
        self.between = max(self.between, *(table.width for table in distinct.values()))
        self.within = max(self.within, within)
        live = {key: table.live for key, table in distinct.items()}
        mean = sum(live[id(table)] for table in tables) / len(tables)
        self.mean = max(self.mean, mean)
