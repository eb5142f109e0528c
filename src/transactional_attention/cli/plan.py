"""``ta plan``: the values of a file, K*, and whether each is guaranteed; no model is run."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ..config import DEFAULT_METHOD
from ..errors import UnknownNameError
from ..inspection.hints import EXPORTS
from ..inspection.plan import Competitor, Plan, PlannedValue, plan
from ..inspection.provenance import provenance
from ..models import EMBEDDED, load_tokenizer
from . import options
from .common import describe, write_json
from .prompts import text_blocks

STYLES = {
    "guaranteed": "green",
    "when asked": "cyan",
    "at risk": "bold yellow",
    "does not fit": "bold red",
    "given up": "dim",
}
COMPETITORS = 3  # named in the terminal, once where the next value has the same; --json has all


def plan_file(
    file: options.File = "-",
    budget: options.Budget = 64,
    method: options.Method = DEFAULT_METHOD,
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    recall: options.Recall = False,
    tokenizer: options.Tokenizer = None,
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
    text = "".join(text_blocks(file))
    retention = options.retention(budget, method, allow, deny, pattern, recall=recall)
    name = tokenizer or EMBEDDED
    found = plan(text, load_tokenizer(name), retention, reveal=reveal)
    console = Console(highlight=False)
    if export is not None:
        console.print_json(data=EXPORTS[export](found), indent=1)
        return
    console.print(_summary(found), markup=False, soft_wrap=True)
    named: tuple[Competitor, ...] = ()
    for value in sorted((*found.values, *found.given_up), key=lambda value: value.start):
        told = value.competitors if value.competitors != named else ()
        named = value.competitors or named
        console.print(_lines(value, told), soft_wrap=True)
    record = provenance(describe(retention), seed=None, model=Path(name).name)
    write_json(json, {"provenance": record, "plan": found.to_dict()}, private=reveal)
    if not found.guaranteed:
        raise typer.Exit(1)


def _summary(found: Plan) -> str:
    counts = Counter(value.status for value in found.values)
    kept, asked = counts["guaranteed"], counts["when asked"]
    back = f"{asked} come back when asked for, " if asked else ""
    alone = "" if found.minimum_asked is None else f", {found.minimum_asked} for each asked alone"
    return (
        f"{found.method}, K={found.budget}: {kept} of {len(found.values)} values guaranteed, "
        f"{back}{len(found.given_up)} given up, {found.tokens} tokens; K* = {found.minimum_budget}"
        f"{alone}"
    )


def _lines(value: PlannedValue, rivals: Sequence[Competitor]) -> Text:
    """One line a value, and one for each of the first of its rivals."""
    shown = f" = {value.text!r}" if value.text is not None else ""
    least = "" if value.least is None else f"from K={value.least}"
    least += "" if value.asked is None else f", from K={value.asked} when asked"
    room = ": ".join(filter(None, (least, value.why)))
    words = Text("  ").append(value.status.ljust(14), style=STYLES[value.status])
    words.append(
        f"[{value.start}, {value.end})".ljust(16)
        + f"{value.tokens} tokens, {room}, "
        + "characters [{}, {}), ".format(*value.characters)
        + f"{value.rule} {value.confidence:.2f}, source {value.source}, {value.label!r}{shown}"
    )
    for rival in rivals[:COMPETITORS]:
        words.append(f"\n{'behind'.rjust(14)}  [{rival.start}, {rival.end}) {rival.label!r}")
    if (more := len(rivals) - COMPETITORS) > 0:
        words.append(f"\n{'behind'.rjust(14)}  {more} more")
    return words
