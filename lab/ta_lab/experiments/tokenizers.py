"""Values under other tokenizers: how many tokens they take.

``credential``: the paper's value in its own sentence, whose tokens it counts (section 4.6);
``kinds``: values of every kind. ``models`` has what is then kept and answered."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any

from transactional_attention.models.embedded import SHIPPED, load_embedded
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Span

from ..collection.values import KINDS, VOCABULARY
from ..templates import markdown
from .audit import VALUE
from .experiment import Context, Record, Row
from .paper import Figure, figures
from .registry import others
from .rendering import section
from .running import Job, run_parts
from .verdicts import DIFFERS, NO_FIGURE, SAME, overall

COUNTED = "tokens of the credential"
STATED = "The value is: {}\n"
SENTENCE = "The secret code is: {}\n"  # the paper's


def run(context: Context) -> Record:
    """Tokens of the credential and by kind of value; one part a tokenizer."""
    siblings = {name: partial(_tokenizer, name) for name in others(context)}
    tokenizers = {context.model: lambda: context.loaded[1], **siblings, **context.tokenizers}
    samples = context.pick(5, 50, 200)
    asked = {"samples": samples, "seed": context.seed}
    jobs = [
        Job({"part": "kinds", "tokenizer": name, **asked}, partial(_kinds, load, **asked))
        for name, load in tokenizers.items()
    ]
    jobs += [
        Job({"part": "credential", "tokenizer": name}, partial(_credential, load))
        for name, load in tokenizers.items()
    ]
    return {"rows": run_parts(context, jobs)}


def _tokenizer(name: str) -> Any:
    return load_embedded(SHIPPED[name])[1]


def _credential(load: Any) -> Row:
    tokenizer = load()
    return {"tokens": tokens_of(TokenText(tokenizer), tokenizer, VALUE, SENTENCE)}


def _kinds(load: Any, samples: int, seed: int) -> Row:
    """Least, median and most tokens of ``samples`` values of every kind."""
    tokenizer, found = load(), {}
    blank = TokenText(tokenizer)
    for kind in KINDS:
        rng = random.Random(f"tokenizers/{kind}/{seed}")  # the same values for every tokenizer
        values = (VOCABULARY.value(kind, rng) for _ in range(samples))
        sizes = sorted(tokens_of(blank, tokenizer, value) for value in values)
        found[kind] = [sizes[0], statistics.median(sizes), sizes[-1]]
    return {"tokens": found}


def tokens_of(blank: TokenText, tokenizer: Any, value: str, stated: str = STATED) -> int:
    """Tokens that hold a character of a value that is stated in a sentence of its own."""
    text = stated.format(value)
    own = blank.copy()
    own.append(list(tokenizer(text, add_special_tokens=False)["input_ids"]))
    own.settle()
    start = own.text.index(value)
    return len(own.tokens_for(Span(start, start + len(value))))


def kinds_table(rows: Sequence[Row]) -> str:
    """A line a kind of value, a column a tokenizer: median tokens, least and most in brackets."""
    found = {row["tokenizer"]: row["tokens"] for row in rows if row.get("part") == "kinds"}
    kinds: Row = next(iter(found.values()), {})
    lines = [[kind, *(_sizes(found[name][kind]) for name in found)] for kind in kinds]
    return markdown(("kind of value", *found), lines)


def _sizes(counted: Sequence[float]) -> str:
    least, median, most = counted
    return f"{median:g} [{least:g}, {most:g}]"


def render(record: Record) -> str:
    """Tokens of the credential, beside the paper's count where it names the tokenizer, and by kind,
    and one line of judgement."""
    known = {f.match["tokenizer"]: f for f in figures("tokenizers", COUNTED)}
    own = [row for row in record["rows"] if row.get("part") == "credential"]
    found = [(row, known.get(row["tokenizer"])) for row in own]
    counted = [(row, stated) for row, stated in found if stated is not None]
    judged = (lambda: judgement(counted)) if counted else lambda: NO_FIGURE
    kinds = kinds_table(record["rows"])
    return section("tokenizers", record, judged, credentials=found, kinds=kinds)


def judgement(counted: Sequence[tuple[Row, Figure]]) -> str:
    """A count is exact, and no more or fewer tokens are better."""
    words = [SAME if row["tokens"] == stated.value else DIFFERS for row, stated in counted]
    told = ", ".join(f"{r['tokens']} with {r['tokenizer']}, there {f.shown}" for r, f in counted)
    verdict = overall(words, "counts of the paper", words=(SAME, DIFFERS))
    return f"Judgement: {verdict}; the credential takes {told} tokens."
