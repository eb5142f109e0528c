"""The two presets, and all that they differ in once a retention is made: what is sponsored of a
detected value, how it is selected, and how long it lasts. Methods name detectors for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..config import Retention, Sponsorship
from ..methods.method import Method
from ..selection.selection import PartitionSelection, Selection, SpanSelection
from ..selection.slot_table import SlotTable
from ..selection.utility import comparable
from ..sponsorship.sponsor_registry import SponsorRegistry
from ..types import Floats, Ints, SponsoredSpan


class WholeValues:
    """The default: a value is held whole, best first, until it is released or loses a token.

    ``whole``: whole values are held, so they can be promised, brought back, and forgotten when a
    token is gone. What they say ranks them among each other, and too long ones are left out.
    """

    whole = True

    def reach(self, numbers: Sponsorship) -> int:
        """How many tokens after an anchor are sponsored, read or not; 0 for the value itself."""
        return 0

    def ends(self, retention: Retention) -> tuple[int, int]:
        """First and last tokens that are always kept. Measured (docs/embedded-model.md): one sink
        is needed, more made no difference after a header."""
        return 1, 4

    def selection(self, retention: Retention, method: Method, sinks: int, recent: int) -> Selection:
        """Which tokens stay at K."""
        choices = retention.choices
        if method.detectors and not method.finds_values:  # it keeps keywords, which are no values
            choices = replace(choices, keep_closing_token=False)
        on_top = retention.ledger == "on-top"
        return SpanSelection(sinks, recent, choices=choices, on_top=on_top)

    def reads_anchors(self, method: Method) -> bool:
        """Whether a scorer is told which tokens are anchors: here labels are admitted as spans."""
        return False

    def utility(self, method: Method, base: Floats) -> Floats:
        """What tokens compete by, [lane, slot]; allocations compare the scores themselves."""
        return base

    def vouchers(
        self, registry: SponsorRegistry, positions: Ints, observed: Floats | None
    ) -> Floats:
        """What is added to the utility of sponsored tokens, [slot]: nothing here, because values
        are admitted whole; ``Vouchers`` adds V (eq. 2)."""
        return np.zeros(len(positions))

    def age(
        self,
        numbers: Sponsorship,
        registries: Iterable[SponsorRegistry],
        tables: Iterable[SlotTable],
    ) -> list[list[SponsoredSpan]]:
        """One generated token has passed: the values [row] that the optional decay lets go."""
        return [registry.fade() for registry in registries] if numbers.fade_per == "step" else []


class Vouchers(WholeValues):
    """The paper's: the L tokens after an anchor have vouchers, which decay at every step."""

    whole = False

    def reach(self, numbers: Sponsorship) -> int:
        """L of the paper: the number of tokens after an anchor that are sponsored."""
        return numbers.span_length

    def ends(self, retention: Retention) -> tuple[int, int]:
        """A sink and two tokens; four sinks in the partition that audits."""
        return 4 if retention.partition == "audit" else 1, 2

    def selection(self, retention: Retention, method: Method, sinks: int, recent: int) -> Selection:
        """Algorithm 1."""
        return PartitionSelection(sinks, recent, retention.partition)

    def reads_anchors(self, method: Method) -> bool:
        """S of eq. 1; the scorer below a twin knows nothing of anchors."""
        return not method.twin

    def utility(self, method: Method, base: Floats) -> Floats:
        """Other methods score on scales of their own, vouchers are made for utilities around 1."""
        return comparable(base) if method.twin else base

    def vouchers(
        self, registry: SponsorRegistry, positions: Ints, observed: Floats | None
    ) -> Floats:
        """V of eq. 2."""
        return registry.vouchers(positions, observed)

    def age(
        self,
        numbers: Sponsorship,
        registries: Iterable[SponsorRegistry],
        tables: Iterable[SlotTable],
    ) -> list[list[SponsoredSpan]]:
        """B <- 0.9 B (algorithm 1, line 10)."""
        for registry in registries:
            registry.decay()
        for table in tables:
            table.voucher *= numbers.step_decay
        return []


DEFAULT = WholeValues()
PRESETS = {"default": DEFAULT, "paper": Vouchers()}
