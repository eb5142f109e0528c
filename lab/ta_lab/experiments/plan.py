"""What is run: blocks of cases, each prefilled once, and the arms that answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from transactional_attention.config import Choices, Ledger, Preset, Retention, Sponsorship
from transactional_attention.errors import InputError

from ..cases.cases import LABELS, Case
from ..cases.runner import Protocol
from ..data import table
from ..generators import make
from ..generators.placing import Setting
from .experiment import Context, Row

DEPTHS = (0.1, 0.3, 0.5, 0.7, 0.9)
MakeCases = Callable[[Any, int], list[Case]]
READ_TEXT = ("random", "random-spans", "streaming-whitelist")
"""Controls that need no model."""
READ_MODEL = ("boundary-10",)
CONTROLS = ("oracle", *READ_TEXT, *READ_MODEL)
LONG_SPAN = 10  # tokens after the anchor: a space and the value's eight, one a character at worst
LONG_SPAN_NOTE = (
    f"As printed but for the span, which is {LONG_SPAN} tokens where nothing else is said: the "
    "paper's six end before most values do, and nothing else could be seen."
)
SINKS, TAIL = 4, 8  # tokens; a baseline is given at most these beside its own
SEEDS_APART = 100_003  # trials of two seeds never meet


@dataclass(frozen=True)
class Arm:
    """A method in a setting. ``allow``: only the labels of the case's own values may sponsor, as
    the case names them, or by method in its ``meta[LABELS]``.

    ``preset``: ``paper`` is the method as printed. ``sponsored`` False: its ablation, vouchers 0.
    ``tail``: in place of the method's own ends 4 sinks are always kept and the newest K/4 tokens,
    at most 8, which are the end of the question as soon as it is read. ``change``: fields of the
    retention that are other than the method's; ``title`` is what a record calls it, after the name
    of the cases."""

    method: str
    budget: int | None = None
    preset: Preset = "default"
    ledger: Ledger = "strict"
    sponsored: bool = True
    allow: bool = False
    tail: bool = False
    title: str = ""
    change: tuple[tuple[str, Any], ...] = ()

    def retention(self, case: Case, seed: int) -> Retention:
        """The settings of a case."""
        named = tuple(dict.fromkeys(v.label for v in case.critical if v.label))
        labels = case.meta.get(LABELS, {}).get(self.method) or named
        recent = min(TAIL, (self.budget or 0) // 4)
        retention = Retention(
            self.budget,
            self.method,
            preset=self.preset,
            ledger=self.ledger,
            sponsorship=Sponsorship() if self.sponsored else Sponsorship(strength=0.0),
            sinks=SINKS if self.tail else None,
            recent=recent if self.tail else None,
            allow=labels if self.allow else (),
            seed=seed,
        )
        return replace(retention, **dict(self.change))


FULL = Arm("full")
ARM = ("method", "budget", "preset", "ledger", "sponsored", "allow")
CELL = ("block", "protocol", "answered", *ARM)
OPTIONAL = ("tail",)  # older records have rows without it
Cell = tuple[Any, ...]


def cell_of(row: Row) -> Cell:
    """What names the cell of a row, to compare with others."""
    return *(row[name] for name in CELL), *(bool(row.get(name)) for name in OPTIONAL)


@dataclass(frozen=True)
class Block:
    """Cases of one kind. ``make(tokenizer, trial)``: those of one context, one a question.

    ``groups``: sums that the block is part of. ``slots``: count each label apart. ``answered``
    False: what is kept is counted, and no model runs. ``tokenizer``: one of the context's,
    in place of the model's own; ``model``: one that ships, in place of the context's.
    ``questions``: cases that ``make`` gives of a context."""

    name: str
    make: MakeCases
    contexts: int
    arms: tuple[Arm, ...]
    protocol: Protocol = "hidden"
    groups: tuple[str, ...] = ()
    slots: bool = False
    answered: bool = True
    tokenizer: str | None = None
    model: str | None = None
    questions: int = 1

    def key(self, arm: Arm) -> Row:
        """What names a cell in a record."""
        return {
            "block": f"{self.name}: {arm.title}" if arm.title else self.name,
            "protocol": self.protocol,
            "answered": self.answered,
            **{name: getattr(arm, name) for name in ARM},
            **{name: True for name in OPTIONAL if getattr(arm, name)},
        }

    def cell(self, arm: Arm) -> Cell:
        """The same, to compare with others."""
        return cell_of(self.key(arm))


def arms(methods: Iterable[str], budgets: Iterable[int], **settings: Any) -> tuple[Arm, ...]:
    """Every method at every budget, in one setting."""
    chosen = tuple(budgets)
    return tuple(Arm(method, budget, **settings) for method in methods for budget in chosen)


def as_printed(methods: Iterable[str], budgets: Iterable[int], **settings: Any) -> tuple[Arm, ...]:
    """Methods of the paper, first as printed and then as this project builds them."""
    plain = arms(methods, budgets, **settings)
    return (*(replace(arm, preset="paper") for arm in plain), *plain)


def beside_ta(
    others: Iterable[str], printed: Iterable[str], budgets: Iterable[int], **settings: Any
) -> tuple[Arm, ...]:
    """Published methods, those of the paper (``as_printed``, in a setting), and ``ta``."""
    chosen = tuple(budgets)
    ours = *as_printed(printed, chosen, **settings), *arms(("ta",), chosen)
    return (*arms(others, chosen), *ours)


MADE: dict[str, Callable[..., Any]] = {
    "sponsorship": lambda given: Sponsorship(**given),
    "choices": lambda given: Choices(**given),
    "deny": tuple,
}
"""What makes a field of a retention from what the table says."""


def changed(kind: str, budgets: Iterable[int], **settings: Any) -> tuple[Arm, ...]:
    """Method ``ta`` with what a table of ``data/ablation.toml`` changes, line by line."""
    variants = []
    for budget in budgets:
        for title, given in table("ablation")[kind].items():
            change = {name: MADE.get(name, lambda same: same)(v) for name, v in given.items()}
            options = settings | {"sponsored": change.pop("sponsored", True)}
            variants.append(Arm("ta", budget, title=title, change=tuple(change.items()), **options))
    return tuple(variants)


def with_controls(context: Context, blocks: Sequence[Block]) -> list[Block]:
    """Blocks, each with the controls that it lacks, at its budgets; a quick run has none.

    What those keep that read no model is counted after the block; the others are asked in it,
    where its model is."""
    if context.size == "quick":
        return list(blocks)
    all_blocks = []
    for block in blocks:
        present = {arm.method for arm in block.arms}
        budgets = dict.fromkeys(arm.budget for arm in block.arms if arm.budget)
        text, model = (
            arms((name for name in names if name not in present), budgets)
            for names in (("oracle", *READ_TEXT), READ_MODEL)
        )
        asked = block.answered and block.tokenizer is None
        all_blocks.append(replace(block, arms=(*block.arms, *model)) if asked else block)
        all_blocks += [replace(block, arms=text, answered=False)] if text else []
    return all_blocks


def narrowed(context: Context, blocks: Sequence[Block]) -> list[Block]:
    """The arms that the context takes, of blocks that have any but the full cache. Raises
    InputError where there are none."""
    if not (context.only or context.budgets):
        return list(blocks)
    cut = [
        replace(block, arms=tuple(a for a in block.arms if context.takes(a.method, a.budget)))
        for block in blocks
    ]
    kept_blocks = [block for block in cut if any(arm != FULL for arm in block.arms)]
    if not kept_blocks:
        arms = [arm for block in blocks for arm in block.arms if arm.budget]
        there = ", ".join(dict.fromkeys(f"{arm.method} at {arm.budget}" for arm in arms))
        raise InputError(f"--only and --budgets leave nothing; there are {there}")
    return kept_blocks


def task_cases(
    context: Context,
    task: str,
    variant: str = "",
    *,
    tokens: int = 4096,
    depths: tuple[float, ...] = DEPTHS,
) -> MakeCases:
    """Cases of a task of ``ta_lab.generators.TASKS``: trials go through the depths in turn."""

    def cases(tokenizer: Any, trial: int) -> list[Case]:
        depth = depths[trial % len(depths)]
        seed = context.seed * SEEDS_APART + trial // len(depths)
        return make(task, tokenizer, Setting(tokens, depth, seed, context.filler, variant))

    return cases


def middle_needle(context: Context, tokens: int, seed: int | None = None) -> Case:
    """A needle in the middle of ``tokens`` tokens; the context's own seed where none is given."""
    seed = context.seed if seed is None else seed
    setting = Setting(tokens, 0.5, seed, context.filler)
    return make("needle", context.loaded[1], setting)[0]


def block_of(
    context: Context,
    task: str,
    contexts: int,
    arms: Iterable[Arm],
    *,
    variant: str = "",
    name: str = "",
    tokens: int = 4096,
    depths: tuple[float, ...] = DEPTHS,
    **settings: Any,
) -> Block:
    """Cases of a task under the full cache and other arms, named after variant or task."""
    make = task_cases(context, task, variant, tokens=context.tokens or tokens, depths=depths)
    return Block(name or variant or task, make, contexts, (FULL, *arms), **settings)
