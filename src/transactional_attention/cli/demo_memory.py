"""``ta demo --memory``: forty values stated, a small cache, and any of them asked for by name."""

import random
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console

from ..config import DEFAULT_METHOD, Ledger, Retention
from ..engines.transformers import RetentionCache
from .demo_text import DATA, judge, write
from .transcript import Transcript


def demo_memory(
    model: Any, tokenizer: Any, budget: int, ledger: Ledger, seed: int, console: Console
) -> Iterator[dict[str, Any]]:
    """Read the text, cut it to K, and answer what is typed, or comes by standard input. A row an
    answer, without text of a value."""
    text, values = write(tokenizer, DATA["labels"], random.Random(seed))
    transcript = Transcript(model, tokenizer, text)
    cache = transcript.cut(Retention(budget, DEFAULT_METHOD, ledger=ledger, memory=True))
    kept = transcript.kept(cache).plain
    held = sum(value in kept for value in values.values())
    assert cache.memory is not None
    size, full = cache.memory.num_bytes, transcript.snapshot.pair_bytes()
    console.print(
        f"\nA transcript of {len(transcript.ids):,} tokens states {len(values)} values. It is cut "
        f"to K={budget}: {held} of them are held, the whole text waits on the host, in "
        f"{size / full:.1%} of the full cache's bytes.\n"
        "Ask for any of them, an empty line ends:\n\n" + ", ".join(sorted(values)) + "\n"
    )
    for asked in _typed(console):
        yield _answered(transcript, cache, asked, values, console)


def _typed(console: Console) -> Iterator[str]:
    """Lines until an empty one, with a prompt in a terminal."""
    while True:
        console.print("> ", end="")
        line = sys.stdin.buffer.readline().decode("utf-8", "replace").strip()
        if not line:
            console.print()
            return
        if not sys.stdin.isatty():
            console.print(line, markup=False)
        yield line


def _answered(
    transcript: Transcript,
    cache: RetentionCache,
    asked: str,
    values: dict[str, str],
    console: Console,
) -> dict[str, Any]:
    """Ask a copy of the cache, and say what came back for it."""
    question = asked if asked.endswith("?") else DATA["question"].format(label=asked)
    meant = [label for label in values if label in question.lower()]
    value = values[max(meant, key=len, default=next(iter(values)))]
    copy = cache.clone()
    answer = transcript.answer(copy, question, value)
    back = copy.report().recalled
    right = judge(answer, value).wrapped if meant else None
    mark = {True: "✓", False: "✗", None: "?"}[right]
    console.print(f"{mark} {answer}", markup=False)
    tokens = sum(item.end - item.start for item in back)
    console.print(f"  came back: {len(back)} segments, {tokens} tokens\n", markup=False)
    return {"asked": meant, "recalled": len(back), "right": right}
