"""``ta demo``: one 4K-token transcript with a value, K = 16, several methods side by side; or with
forty values, of which any may be asked for."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..config import DEFAULT_METHOD, Ledger, Retention
from ..methods.registry import get_method
from ..models import AUTO, EMBEDDED, load_model
from . import demo_text, options
from .common import origin, set_threads, write_json
from .demo_text import DATA, DEPTH, judge
from .prompts import asking, asks_in_chat, told_raw

if TYPE_CHECKING:
    from .transcript import Transcript

METHODS = ("full", "streaming-llm", "random", DEFAULT_METHOD)
LABEL = DATA["labels"][0]
BUDGET, CHAT_BUDGET, MEMORY_BUDGET = 16, 64, 128
BUDGET_HELP = f"K, tokens per layer and kv head: {BUDGET}, of a chat model {CHAT_BUDGET}."
MARKS = {
    "correct": ("✓ exact", "bold green"),
    "wrapped": ("✓ in its wrapping", "green"),
    "contains": ("≈ contained", "yellow"),
}
LOST = ("✗ lost", "bold red")


def demo(
    budget: Annotated[int | None, typer.Option(help=BUDGET_HELP)] = None,
    memory: Annotated[
        bool,
        typer.Option(
            "--memory",
            "--recall",
            help=f"40 values, K={MEMORY_BUDGET}: type which one you want.",
        ),
    ] = False,
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    raw: options.Raw = False,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """A value stated once in 4,096 tokens, a small cache: who can still say it?

    A chat model's question takes more than 16 tokens by itself: it rides on top of K."""
    set_threads(threads)
    started = time.perf_counter()
    console = Console(highlight=False)
    loaded, tokens = asking(load_model(model, tokenizer, dtype=dtype), raw)
    from .demo_memory import demo_memory  # noqa: PLC0415  (extra, as below)
    from .transcript import Transcript  # noqa: PLC0415

    chat = asks_in_chat(tokens)
    ledger: Ledger = "on-top" if chat else "strict"
    if memory:
        budget = budget or MEMORY_BUDGET
        about = {"budget": budget, "ledger": ledger, "memory": True, **told_raw(raw)}
        record = origin(about, seed=seed, model=model, dtype=dtype)
        rows = [*demo_memory(loaded, tokens, budget, ledger, seed, console)]
        write_json(json, {"provenance": record, "rows": rows})
        return
    budget = budget or (CHAT_BUDGET if chat else BUDGET)
    arguments = {"budget": budget, "ledger": ledger, "context": demo_text.CONTEXT, **told_raw(raw)}
    record = origin(arguments, seed=seed, model=model, dtype=dtype)
    text, values = demo_text.write(tokens, [LABEL], random.Random(seed))
    transcript, asked = Transcript(loaded, tokens, text), DATA["question"].format(label=LABEL)
    seen = len(transcript.ids)
    statement = DATA["statement"].format(label=LABEL, value=values[LABEL])
    console.print(
        f"\nA transcript of {seen:,} tokens says once, at {DEPTH:.0%}: "
        f"[bold]{statement}[/bold]   (made up for this demo)\n"
        f"It is cut to K={budget} tokens ({budget / seen:.1%}). "
        f"Only then comes the question: [bold]{asked}[/bold]\n"
    )
    budgets = {m: None if get_method(m).unlimited else budget for m in METHODS}
    shown = [
        _run(transcript, Retention(k, m, ledger=ledger, seed=seed), asked, values[LABEL])
        for m, k in budgets.items()
    ]
    console.print(_table(shown))
    console.print("\nWhat each cache held when the question came:\n")
    for row in shown[1:]:
        console.print(Text(f"{row['method']}  ", style="bold").append_text(row["kept"]))
    took = time.perf_counter() - started
    console.print(f"\n{took:.1f} s. Next: ta demo --memory, ta inspect FILE\n")
    spoken = ("answer", "kept")  # for the terminal alone: a record holds no text of a value
    rows = [{k: v for k, v in row.items() if k not in spoken} for row in shown]
    write_json(json, {"provenance": record, "rows": rows})


def _run(transcript: Transcript, retention: Retention, question: str, value: str) -> dict[str, Any]:
    """A method's row."""
    cache = transcript.cut(retention)
    kept = transcript.kept(cache) if retention.budget is not None else Text("everything")
    stored, live = cache.stored_bytes(), cache.ledger.between
    answer = transcript.answer(cache, question, value)
    return {
        "method": retention.method,
        "answer": answer,
        **judge(answer, value)._asdict(),
        "live": live,
        "stored_bytes": stored,
        "kept": kept,
    }


def _table(shown: list[dict[str, Any]]) -> Table:
    table = Table("method", "tokens held", "KV cache", "answer", "", box=None, pad_edge=False)
    for row in shown:
        mark = next((m for name, m in MARKS.items() if row[name]), LOST)
        size = f"{row['stored_bytes'] / 1024:,.0f} KiB"
        table.add_row(row["method"], f"{row['live']:,}", size, repr(row["answer"]), Text(*mark))
    return table
