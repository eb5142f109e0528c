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
from ..models import EMBEDDED
from . import options
from .common import describe, tokenizer_of, write_json
from .prompts import text_blocks

STYLES = {
    "guaranteed": "green",
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
    retention = options.retention(budget, method, allow, deny, pattern)
    name = tokenizer or EMBEDDED
    found = plan(text, tokenizer_of(name), retention, reveal=reveal)
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
    return (
        f"{found.method}, K={found.budget}: {counts['guaranteed']} of {len(found.values)} values "
        f"guaranteed, {len(found.given_up)} given up, {found.tokens} tokens; "
        f"K* = {found.minimum_budget}"
    )


def _lines(value: PlannedValue, rivals: Sequence[Competitor]) -> Text:
    """One line a value, and one for each of the first of its rivals."""
    shown = f" = {value.text!r}" if value.text is not None else ""
    least = "" if value.least is None else f"from K={value.least}"
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
