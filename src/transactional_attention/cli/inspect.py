"""``ta inspect``: what is kept at K and why, in the terminal; no model is run."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ..config import DEFAULT_METHOD
from ..inspection.page import build_page
from ..inspection.plan import TextView, read_and_cut
from ..inspection.provenance import provenance
from ..inspection.report import build_report, reasons
from ..models import EMBEDDED
from ..retention.flow import RetentionFlow
from . import options
from .common import describe, tokenizer_of, write_json, write_text
from .prompts import text_or_chat

STYLES = {
    "pinned": "bold cyan",
    "sponsored": "bold black on green",
    "closing": "bold green",
    "label": "green",
    "sink": "cyan",
    "recent": "cyan",
    "utility": "yellow",
}
CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"} | dict.fromkeys(
    range(0x7F, 0xA0), "�"
)
CONTEXT_CHARACTERS = 40
MOST = 40  # lines of a kind that a terminal shows


def inspect(
    context: typer.Context,
    file: options.File = "-",
    messages: options.Messages = None,
    tools: options.Tools = None,
    budget: options.Budget = 64,
    method: options.MethodOption = DEFAULT_METHOD,
    preset: options.PresetOption = "default",
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    pin: options.Pin = options.PINS[0],
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    html: Annotated[
        Path | None, typer.Option(help="Also write one page that shows every K.")
    ] = None,
    reveal: options.Reveal = False,
    seed: options.Seed = 0,
    json: options.Json = None,
) -> None:
    """Show the tokens that survive a cut to K, coloured by reason, and the list of reasons."""
    options.check_one(context, messages)
    options.check_pin(pin)
    name = tokenizer or model
    tokens = tokenizer_of(name)
    text = text_or_chat(file, messages, tools, tokens)
    retention = options.retention(budget, method, allow, deny, pattern, preset=preset, seed=seed)
    if messages is not None:
        retention = options.held_for_chats(retention, memory=False, pin=pin)
    if html is not None:
        source = str(messages or ("standard input" if file == "-" else file))
        about = {"file": Path(source).name, "tokenizer_name": Path(name).name}
        page = build_page(text, tokens, retention, reveal=reveal, **about)
        write_text(html, page, private=reveal)
    flow = read_and_cut(text, tokens, retention)
    console = Console(highlight=False)
    console.print(view(flow, TextView(text, flow, reveal).pieces()), soft_wrap=True)
    console.print(_legend())
    report = build_report(flow, 0, reveal=reveal)
    shown = replace(report, kept=report.kept[:MOST], refused=report.refused[:MOST])
    console.print(str(shown), markup=False, soft_wrap=True)
    if more := len(report.kept) + len(report.refused) - len(shown.kept) - len(shown.refused):
        console.print(f"  {more:,} more lines: --json FILE has them, --html FILE shows them")
    console.print(f"counted by the tokenizer of {name}", markup=False, soft_wrap=True)
    record = provenance(describe(retention), seed=seed, model=Path(name).name)
    write_json(json, {"provenance": record, "report": report.to_dict()}, private=reveal)


def view(flow: RetentionFlow, pieces: Sequence[str]) -> Text:
    """The text with kept tokens coloured; long evicted stretches are shortened. What would move a
    terminal is shown as a sign.

    ``pieces`` is what may be shown of each token.
    """
    why = reasons(flow, 0)
    shown, evicted = Text(), ""
    for position, piece in enumerate(piece.translate(CONTROLS) for piece in pieces):
        if position not in why:
            evicted += piece
            continue
        shown.append(_shorten(evicted), style="dim")
        evicted = ""
        shown.append(piece, style=STYLES[why[position][0]])
    shown.append(_shorten(evicted), style="dim")
    return shown


def _shorten(text: str) -> str:
    if len(text) <= 3 * CONTEXT_CHARACTERS:
        return text
    left, right = text[:CONTEXT_CHARACTERS], text[-CONTEXT_CHARACTERS:]
    return f"{left} […{len(text) - 2 * CONTEXT_CHARACTERS:,} characters evicted…] {right}"


def _legend() -> Text:
    legend = Text("kept: ")
    for name, style in STYLES.items():
        legend.append(name, style=style)
        legend.append("  ")
    legend.append("evicted", style="dim")
    return legend
