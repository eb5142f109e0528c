"""Section 5.2: what each number and each choice is worth, one changed at a time.

``as printed``: the paper's mechanism at K=16 with its weights, sponsor budget, span, decays and
partition. Its span is 10 here where nothing else is said: six tokens cut the value under most
tokenizers, and nothing else could be seen. ``our choice``: method ``ta`` with one choice of the
default preset taken back, each on the cases that it was made for. All settings of one context are
cut from one prefill, so that rows are paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

from transactional_attention.config import Sponsorship, Weights

from ..data import table
from ..markdown import NONE, markdown, share
from .beside import count_of, method_name
from .exact_tests import paired
from .experiment import Context, Record, Row, main
from .marks import KEPT, RIGHT
from .paper import figures
from .plan import FULL, LONG_SPAN, LONG_SPAN_NOTE, Arm, Block, changed, task_cases
from .statements import flooded

BASE = "unchanged"
PRINTED, OURS = "as printed", "our choice"


class Setting(NamedTuple):
    """A row's place: the cases, the method where it varies, and what was changed to what."""

    cases: str
    method: str
    title: str


def setting_of(row: Row) -> Setting:
    """The parts of a block's name; a full cache has no title."""
    cases, _, title = row["block"].partition(": ")
    method, comma, changed = title.partition(", ")
    if cases == PRINTED and comma:
        return Setting(cases, method, changed)
    return Setting(cases, "", title)


HEAD = (
    "cases", "method", "setting", "K", "kept whole, %", "beside unchanged", "answered, %",
    "beside unchanged", "n",
)  # fmt: skip


NOTE = (
    f"{LONG_SPAN_NOTE} Beside unchanged: cases that only this setting (+), or only the unchanged "
    "one (-), keeps whole or answers, with the p of the exact sign test."
)


def tables(record: Record) -> str:
    """A line a number that was varied beside the paper's accuracy, then one a setting.

    Settings of one context are cut from the same prefills: after the share stand the cases that
    only this setting keeps or answers (+), or only the unchanged one (-), and the sign test's p."""
    placed = [(setting_of(row), row) for row in record["rows"] if row.get("trials")]
    bases = {place[:2]: row for place, row in placed if place.title == BASE}
    lines, spreads = [], dict[tuple[str, str], tuple[str, str, str, str]]()
    for place, row in placed:
        base, ours = bases.get(place[:2]), count_of(row)
        lines.append((
            place.cases, place.method or row["method"], place.title or method_name(row),
            row["budget"] or NONE, share(ours.kept, ours.trials), _effect(row, base, KEPT),
            share(ours.right, ours.trials), _effect(row, base, RIGHT), ours.trials,
        ))  # fmt: skip
        what, varied, _ = place.title.partition(" = ")
        if place.cases == PRINTED and varied:
            stated = [f for f in figures("ablation") if f.match["block"] == what]
            paper = ", ".join(f"{f.measure} {f.shown}" for f in stated) or NONE
            spreads[place.method, what] = (place.method, what, paper, _spread(placed, place))
    head = ("method, as printed", "number", "accuracy, the paper, %", "kept whole, ours, %")
    return "\n\n".join((NOTE, markdown(head, spreads.values()), markdown(HEAD, lines)))


def _spread(placed: Sequence[tuple[Setting, Row]], varied: Setting) -> str:
    """Least and most of the values kept whole over the settings of one number."""
    what = varied.title.partition(" = ")[0]
    rows = [row for place, row in placed if place[:2] == varied[:2]
           and place.title.partition(" = ")[0] in (what, BASE)]  # fmt: skip
    shares = [100 * count_of(row).kept / count_of(row).trials for row in rows]
    return f"{min(shares):.0f} to {max(shares):.0f}"


def _effect(row: Row, base: Row | None, kind: str) -> str:
    """What one change does to the values that are kept whole, or answered, case by case."""
    if (
        base is None
        or base is row
        or (kind == RIGHT and not (row["answered"] and base["answered"]))
    ):
        return NONE
    ours, theirs = ("".join(one["marks"].values()) for one in (row, base))
    effect = paired(ours, theirs, kind)
    same = not (effect.gained or effect.lost)
    return "the same" if same else f"+{effect.gained} -{effect.lost}, p = {effect.p:.2g}"


BUDGET = 16
FAST, FULL_TA = "ta-fast-semantic", "ta-full"


def printed(title: str, method: str = FAST, numbers: Row | None = None, **change: Any) -> Arm:
    """A method as printed with one thing changed; ``numbers``: of the sponsorship."""
    sponsorship = replace(Sponsorship(span_length=LONG_SPAN), **(numbers or {}))
    settled = (("sponsorship", sponsorship), *change.items())
    return Arm(method, BUDGET, "paper", title=f"{method}, {title}", change=settled)


DATA = table("ablation")


def as_printed_variants(context: Context) -> tuple[Arm, ...]:
    """The paper's numbers, one changed at a time; weights also where attention is read."""
    arms = [printed(BASE), printed(BASE, FULL_TA)]
    weight_names = tuple(field.name for field in fields(Weights))
    for method, names in ((FULL_TA, weight_names), (FAST, ("recency", "anchor", "frequency"))):
        for name in names:
            for factor in DATA["weights"][context.size]:
                weights = replace(Weights(), **{name: factor * getattr(Weights(), name)})
                arms.append(printed(f"weight of {name} = x {factor:g}", method, weights=weights))
    for what, number in DATA["numbers"].items():
        for value in number[context.size]:
            arms.append(printed(f"{what} = {value:g}", numbers={number["field"]: value}))
    arms += [printed(f"partition = {name}", partition=name) for name in ("strict", "audit")]
    return tuple(arms)


def our_variants(budget: int) -> tuple[Arm, ...]:
    """What a caller can take back of the default preset, one choice at a time; last the paper's
    selection: by tokens, with the paper's detectors, ends and partition, and its span as long as
    the cap of a value in prose."""
    longest = Sponsorship(span_length=Sponsorship().prose_cap, step_decay=1.0)
    change = (("sponsorship", longest),)
    paper = Arm("ta", budget, "paper", title="the paper's selection", change=change)
    return *changed("choices", [budget]), paper


KINDS = (
    ("needle", ("needle",), BUDGET),
    ("5 confusers", ("confusers", "5"), 32),
    ("unstructured", ("unstructured",), 32),
    ("corrections", ("corrections",), 32),
    ("json", ("formats", "json"), 32),
)
"""Cases that our choices were made for, and the K at which one is taken back."""


def blocks(context: Context) -> list[Block]:
    """The needle under every setting of the paper, and five kinds of cases under ours."""
    tokens = context.pick(1024, 4096, 4096)
    number, few = (context.trials or context.pick(1, n, 50) for n in (8, 5))
    make = task_cases(context, "needle", tokens=tokens)
    blocks = [Block(PRINTED, make, number, (FULL, *as_printed_variants(context)))]
    for name, task, budget in context.pick(KINDS[:1], KINDS, KINDS):
        make, arms = task_cases(context, *task, tokens=tokens), (FULL, *our_variants(budget))
        blocks.append(Block(f"{OURS}, {name}", make, few, arms))
    arms, fakes = (FULL, *changed("floods", [64])), context.pick(20, 100, 100)
    for name, sourced in (("flood of a tool", True), ("flood, sources unknown", False)):
        make = partial(flooded, context.seed, "templated", fakes, sourced, ())
        blocks.append(Block(f"{OURS}, {name}", make, few, arms, answered=False))
    return blocks


if __name__ == "__main__":
    main("ablation")
