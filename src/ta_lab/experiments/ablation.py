"""Section 5.2: what each number and each choice is worth, one changed at a time.

``as printed``: the paper's mechanism at K=16 with its weights, sponsor budget, span, decays and
partition. Its span is 10 here where nothing else is said: six tokens cut the value under most
tokenizers, and nothing else could be seen. ``our choice``: method ``ta`` with one choice of the
default preset taken back, each on the cases that it was made for. All settings of one context are
cut from one prefill, so that rows are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from transactional_attention.config import Choices, Retention, Sponsorship, Weights

from ..cases.cases import Case
from .ablation_table import BASE, OURS, render
from .abuse import flood
from .cells import run_blocks
from .costs import cost_of
from .experiment import Context, Experiment, Record, Row
from .plan import FULL, Arm, Block, MakeCases, contexts, task_cases, with_controls
from .rendering import LONG_SPAN

BUDGET = 16
FAST, FULL_TA = "ta-fast-semantic", "ta-full"
FACTORS = ((0.5, 2.0), (0.5, 2.0), (0.5, 0.75, 1.5, 2.0))
BUDGETS = (
    (0.0, 30.0),
    (0.0, 1.0, 2.5, 5.0, 30.0),
    (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0),
)
SPANS = ((6,), (4, 6, 8, 16), (2, 4, 6, 7, 8, 9, 12, 16, 24))
TOKEN_DECAYS = ((1.0,), (0.6, 1.0), (0.5, 0.6, 0.7, 0.9, 1.0))
STEP_DECAYS = ((1.0,), (0.5, 1.0), (0.5, 0.7, 0.95, 0.99, 1.0))
Change = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Variant(Arm):
    """An arm with fields of its retention changed; ``title`` is what a record calls it."""

    title: str = ""
    change: Change = ()

    def retention(self, case: Case, seed: int) -> Retention:
        """The settings of a case."""
        return replace(super().retention(case, seed), **dict(self.change))


@dataclass(frozen=True)
class Titled(Block):
    """A block whose rows are named by the setting of their arm, behind the name of its cases."""

    def key(self, arm: Arm) -> Row:
        """What names a cell in a record."""
        title = getattr(arm, "title", "")
        return {**super().key(arm), "block": f"{self.name}: {title}" if title else self.name}


def printed(title: str, method: str = FAST, numbers: Row | None = None, **change: Any) -> Variant:
    """A method as printed with one thing changed; ``numbers``: of the sponsorship."""
    sponsorship = replace(Sponsorship(span_length=LONG_SPAN), **(numbers or {}))
    settled = (("sponsorship", sponsorship), *change.items())
    return Variant(method, BUDGET, "paper", title=f"{method}, {title}", change=settled)


def as_printed_variants(context: Context) -> tuple[Variant, ...]:
    """The paper's numbers, one changed at a time; weights also where attention is read."""
    found = [printed(BASE), printed(BASE, FULL_TA)]
    for method, names in ((FULL_TA, _weights()), (FAST, ("recency", "anchor", "frequency"))):
        for name in names:
            for factor in context.pick(*FACTORS):
                weights = replace(Weights(), **{name: factor * getattr(Weights(), name)})
                found.append(printed(f"weight of {name} = x {factor:g}", method, weights=weights))
    numbers = (
        ("sponsor budget", "budget", BUDGETS),
        ("span L", "span_length", SPANS),
        ("decay per token", "token_decay", TOKEN_DECAYS),
        ("decay per step", "step_decay", STEP_DECAYS),
    )
    for what, field, values in numbers:
        for value in context.pick(*values):
            found.append(printed(f"{what} = {value:g}", numbers={field: value}))
    found += [printed(f"partition = {name}", partition=name) for name in ("strict", "audit")]
    return tuple(found)


def _weights() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Weights))


def ours(budget: int, title: str = BASE, **change: Any) -> Variant:
    """Method ``ta`` with one choice taken back."""
    return Variant("ta", budget, title=title, change=tuple(change.items()))


def our_variants(budget: int) -> tuple[Variant, ...]:
    """What a caller can take back of the default preset, one choice at a time.

    ``the paper's selection``: by tokens, with the paper's detectors, ends and partition, and its
    span as long as the cap of a value in prose.
    """
    longest = Sponsorship(span_length=Sponsorship().prose_cap, step_decay=1.0)
    paper = ours(budget, "the paper's selection", sponsorship=longest)
    return (
        ours(budget),
        replace(ours(budget, "no sponsorship"), sponsored=False),
        *(
            ours(budget, f"no values of {name}", deny=(f"{rule}:*",))
            for name, rule in (
                ("structure", "structure"),
                ("labels in prose", "prose"),
                ("other languages", "languages"),
                ("known shapes", "shape"),
            )
        ),
        ours(budget, "values at most 6 tokens", sponsorship=_capped(6)),
        ours(budget, "protection fades by 0.9 a step", sponsorship=Sponsorship(fade_per="step")),
        ours(budget, "4 sinks, 1 recent", sinks=4, recent=1),
        *(
            ours(budget, title, choices=Choices(**{name: False}))
            for title, name in (
                ("values that do not fit are cut", "whole"),
                ("no closing tokens", "closing"),
                ("ends do not yield", "yielding"),
                ("no labels kept", "labels"),
                ("values in the order of the text", "ranked"),
                ("values go with their labels", "outliving"),
                ("the other tokens by eq. 3", "newest"),
            )
        ),
        replace(paper, preset="paper"),
    )


def _capped(tokens: int) -> Sponsorship:
    return Sponsorship(prose_cap=tokens, delimited_cap=tokens)


def of_floods(budget: int) -> tuple[Variant, ...]:
    """What stands against floods of a tool, one choice taken back at a time."""
    every = Sponsorship(untrusted_rate=10**9, untrusted_share=1.0)
    return (
        ours(budget),
        ours(budget, "no quota of K for tools", sponsorship=Sponsorship(untrusted_share=1.0)),
        ours(budget, "no limit on values in a message", sponsorship=every),
    )


def unsourced(make: MakeCases) -> MakeCases:
    """The same cases without who wrote what."""
    return lambda tokenizer, trial: [replace(c, sources=()) for c in make(tokenizer, trial)]


def blocks(context: Context) -> list[Block]:
    """The needle under every setting of the paper, and five kinds of cases under ours."""
    tokens = context.pick(1024, 4096, 4096)

    def cases(task: str, variant: str = "") -> MakeCases:
        return task_cases(context, task, variant, tokens=tokens)

    number, few = contexts(context, 1, 8, 50), contexts(context, 1, 5, 50)
    found: list[Block] = [
        Titled("as printed", cases("needle"), number, (FULL, *as_printed_variants(context)))
    ]
    kinds: Iterable[tuple[str, MakeCases, int]] = context.pick(
        (("needle", cases("needle"), BUDGET),), _kinds(cases), _kinds(cases)
    )
    for name, make, budget in kinds:
        arms = (FULL, *our_variants(budget))
        found.append(Titled(f"{OURS}, {name}", make, few, arms))
    make = partial(flood, context, "templated", context.pick(20, 100, 100), True)
    arms = (FULL, *of_floods(64))
    kinds_of_flood: Sequence[tuple[str, MakeCases]] = (
        ("flood of a tool", make),
        ("flood, sources unknown", unsourced(make)),
    )
    for name, make_flood in kinds_of_flood:
        found.append(Titled(f"{OURS}, {name}", make_flood, few, arms, answered=False))
    return found


def _kinds(cases: Any) -> tuple[tuple[str, MakeCases, int], ...]:
    return (
        ("needle", cases("needle"), BUDGET),
        ("5 confusers", cases("confusers", "5"), 32),
        ("unstructured", cases("unstructured"), 32),
        ("corrections", cases("corrections"), 32),
        ("json", cases("formats", "json"), 32),
    )


def run(context: Context) -> Record:
    """Rows of every setting, context by context."""
    return run_blocks(context, with_controls(context, blocks(context)))


EXPERIMENT = Experiment(
    "ablation", "section 5.2, Figure 5", "each number and each choice changed alone", run, render,
    lambda context: cost_of(with_controls(context, blocks(context))),
)  # fmt: skip
