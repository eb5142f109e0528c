"""``ta plan``: the values of a text or a chat, K*, and what a cut to K keeps; no model is run."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ..config import DEFAULT_METHOD
from ..errors import UnknownNameError
from ..inspection.hints import EXPORTS
from ..inspection.memory_plan import MemoryPlan, plan_memory
from ..inspection.plan import Competitor, Plan, PlannedValue, plan
from ..inspection.provenance import provenance
from ..models import EMBEDDED
from . import options
from .common import describe, tokenizer_of, write_json
from .prompts import text_or_chat

STYLES = {  # of what a value may be, the worst first
    "at risk": "bold yellow",
    "does not fit": "bold red",
    "waits": "yellow",
    "guaranteed": "green",
    "held": "green",
    "given up": "dim",
}
LOST = ("at risk", "does not fit", "waits")
ORDER = {status: number for number, status in enumerate(STYLES)}
COMPETITORS = 3  # named in the terminal, once where the next value has the same; --json has all
MANY = 40  # values from which groups are shown
GROUPS = 20  # that are shown
NUMBERS = re.compile(r"\d+")


def plan_file(
    context: typer.Context,
    file: options.File = "-",
    messages: options.Messages = None,
    tools: options.Tools = None,
    budget: options.Budget = 64,
    method: options.MethodOption = DEFAULT_METHOD,
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    pin: options.Pin = options.PINS[0],
    memory: Annotated[
        bool,
        typer.Option("--memory", help="What a memory holds, and what waits; it promises nothing."),
    ] = False,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    all_values: Annotated[
        bool, typer.Option("--all", help="Every value; otherwise groups of them, if many.")
    ] = False,
    reveal: options.Reveal = False,
    export: Annotated[
        str | None,
        typer.Option(help=f"Write token ranges for an engine instead: {', '.join(EXPORTS)}."),
    ] = None,
    json: options.Json = None,
) -> None:
    """Certify what a cut to K keeps. Exit status 1 when a value is not guaranteed."""
    if export is not None and export not in EXPORTS:
        raise UnknownNameError("export", export, EXPORTS)
    options.check_one(context, messages)
    options.check_pin(pin)
    name = tokenizer or model
    tokens = tokenizer_of(name)
    text = text_or_chat(file, messages, tools, tokens)
    retention = options.retention(budget, method, allow, deny, pattern)
    if messages is not None or memory:
        pinned = pin if messages is not None else options.PINS[1]  # a text has no system in it
        retention = options.held_for_chats(retention, memory, pinned)
    console = Console(highlight=False)
    cut_plan: Plan | MemoryPlan
    if memory and export is None:
        cut_plan = plan_memory(text, tokens, retention, reveal=reveal)
    else:
        cut_plan = plan(text, tokens, retention, reveal=reveal)
        if export is not None:
            console.print_json(data=EXPORTS[export](cut_plan), indent=1)
            return
    summary = _remembered(cut_plan) if isinstance(cut_plan, MemoryPlan) else _summary(cut_plan)
    bare = sum(bool(v.label) and v.kept and not v.labelled for v in cut_plan.values)
    if bare:
        summary.append(f"{bare} are kept without the label that names them")
    counted = f"counted by the tokenizer of {name}"
    if not options.given(context, "model") and tokenizer is None:
        counted += "; --model counts by another's"
    for line in (*summary, counted):
        console.print(line, markup=False, soft_wrap=True)
    values = [*cut_plan.values, *(cut_plan.given_up if isinstance(cut_plan, Plan) else ())]
    for shown in _each(values) if all_values or len(values) < MANY else _groups(values):
        console.print(shown, soft_wrap=True)
    record = provenance(describe(retention), seed=None, model=Path(name).name)
    write_json(json, {"provenance": record, "plan": cut_plan.to_dict()}, private=reveal)
    if isinstance(cut_plan, Plan) and not cut_plan.guaranteed:
        raise typer.Exit(1)


def _summary(plan: Plan) -> list[str]:
    counts = Counter(value.status for value in plan.values)
    beside = f" and {plan.pinned:,} pinned" if plan.pinned else ""
    guesses = plan.likely_budget < plan.minimum_budget
    likely = f", without guesses {plan.likely_budget}" if guesses else ""
    return [
        f"{plan.method}, K={plan.budget}{beside}: {counts['guaranteed']} of {len(plan.values)} "
        f"values guaranteed, {len(plan.given_up)} given up, {plan.tokens} tokens; "
        f"K* = {plan.minimum_budget}{likely}"
    ]


def _remembered(plan: MemoryPlan) -> list[str]:
    counts = Counter(value.status for value in plan.values)
    beside = f" and {plan.pinned:,} pinned" if plan.pinned else ""
    parts = ", ".join(f"{count:,} {reason}" for reason, count in sorted(plan.held.items()))
    return [
        f"{plan.method} with a memory, K={plan.budget}{beside}, {plan.tokens} tokens: "
        f"{counts['held']} of {len(plan.values)} values in the cache, {counts['waits']} wait on "
        "the host",
        f"in the cache: {parts}; {plan.waiting:,} segments wait, and come back when they are "
        "asked for: nothing is promised",
    ]


def _each(values: Sequence[PlannedValue]) -> Iterable[Text]:
    """All values, those at risk first."""
    named: tuple[Competitor, ...] = ()
    for value in sorted(values, key=lambda value: (ORDER[value.status], value.start)):
        competitors = value.competitors if value.competitors != named else ()
        named = value.competitors or named
        yield _lines(value, competitors)


def _groups(values: Sequence[PlannedValue]) -> Iterable[Text]:
    """Values of one label, whatever its numbers, and of one rule as a line; those of which most
    are at risk first."""

    def kind(value: PlannedValue) -> tuple[str, str]:
        return NUMBERS.sub("#", value.label.lower()), value.rule if not value.label else ""

    groups = [list(group) for _, group in groupby(sorted(values, key=kind), kind)]
    groups.sort(key=lambda group: (-sum(v.status in LOST for v in group), group[0].start))
    for group in groups[:GROUPS]:
        yield _group(sorted(group, key=lambda value: (ORDER[value.status], value.start)))
    if len(groups) > GROUPS:
        rest = sum(map(len, groups[GROUPS:]))
        yield Text(f"  and {rest:,} values in {len(groups) - GROUPS:,} more groups")
    yield Text("  --all shows every value")


def _group(values: Sequence[PlannedValue]) -> Text:
    """One line: how many of what status, the label of the first, its place, and tokens of all."""
    words, first = Text("  "), values[0]
    counts = Counter(value.status for value in values)
    for status in sorted(counts, key=ORDER.__getitem__):
        words.append(f"{counts[status]:,} {status}  ", style=STYLES[status])
    size = sum(value.tokens for value in values)
    words.append(
        f"{first.label or first.rule!r}, {size:,} tokens, first [{first.start}, {first.end})"
    )
    least = [value.least for value in values if value.least is not None]
    if least:
        words.append(f", all from K={max(least)}")
    bare = sum(bool(v.label) and v.kept and not v.labelled for v in values)
    if bare:
        words.append(f", {bare:,} without their label")
    return words


def _lines(value: PlannedValue, rivals: Sequence[Competitor]) -> Text:
    """One line a value, and one for each of the first of its rivals."""
    shown = f" = {value.text!r}" if value.text is not None else ""
    least = "" if value.least is None else f"from K={value.least}"
    bare = "its label is not held" if value.label and value.kept and not value.labelled else ""
    room = ": ".join(filter(None, (least, value.why)))
    words = Text("  ").append(value.status.ljust(14), style=STYLES[value.status])
    words.append(
        f"[{value.start}, {value.end})".ljust(16)
        + ", ".join(filter(None, (f"{value.tokens} tokens", room, bare)))
        + ", characters [{}, {}), ".format(*value.characters)
        + f"{value.rule} {value.confidence:.2f}, source {value.source}, {value.label!r}{shown}"
    )
    for rival in rivals[:COMPETITORS]:
        words.append(f"\n{'outranked by'.rjust(14)}  [{rival.start}, {rival.end}) {rival.label!r}")
    if (more := len(rivals) - COMPETITORS) > 0:
        words.append(f"\n{'outranked by'.rjust(14)}  {more} more")
    return words
