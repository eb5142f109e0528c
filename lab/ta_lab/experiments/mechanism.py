"""The mechanism, one context at a time: anchor, vouchers, utilities and kept positions.

TA-Fast reads no attention, so no model runs. Values are masked. It is what the paper's figures 2
and 3c show."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.inspection.plan import read
from transactional_attention.methods.scorers import TokenView
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.masking import MASK, masked_text
from transactional_attention.types import Floats

from ..cases.cases import Case
from ..cases.encoding import EncodedCase, encode_case
from ..markdown import markdown
from .experiment import Context, Record, Row, main
from .plan import middle_needle
from .running import Job, run_parts

BUDGET = 16
METHODS = (("ta-fast-semantic", "paper"), ("ta", "default"))
BEFORE, AFTER = 9, 5  # tokens shown around the value


def run(context: Context) -> Record:
    """One row a method, all of the same needle at depth 0.5."""
    tokens = context.pick(1024, 4096, 4096)

    def measured(method: str, preset: str) -> Row:
        case = middle_needle(context, tokens)
        return traced(context.loaded[1], case, Retention(BUDGET, method, preset=preset))  # type: ignore[arg-type]

    key = {"budget": BUDGET, "tokens_asked": tokens}
    jobs = [
        Job({"part": "mechanism", "method": m, "preset": p, **key}, partial(measured, m, p))
        for m, p in METHODS
    ]
    return {"rows": run_parts(context, jobs)}


def traced(tokenizer: Any, case: Case, retention: Retention) -> Row:
    """What one cut of an attention-free method decides by; positions are those of the context.

    ``base`` and ``voucher``: the two terms of the utility of the tokens ``first`` and on.
    ``ranks``: of the value's tokens, 1 is best, without and with their vouchers."""
    encoded = encode_case(tokenizer, case, plain=True)  # its text beside what detection reads
    (value,) = encoded.values
    flow = RetentionFlow(retention, tokenizer, 1)
    ids = np.array([encoded.ids])
    flow.read(ids, np.ones_like(ids, dtype=bool), final=True)
    base, voucher = _terms(flow)
    table = flow.table
    flow.cut(table)
    kept = sorted(int(position) for position in table.positions[0] if position >= 0)
    first, last = max(value.start - BEFORE, 0), min(value.end + AFTER, len(encoded.ids))
    inside = slice(value.start, value.end)
    span = next((s for s in flow.sequences[0].registry.spans if s.value.start <= value.start
                 and value.start < s.value.end), None)  # fmt: skip
    return {
        "tokens": len(encoded.ids),
        "value": [value.start, value.end],
        "label": None if span is None else [span.label.start, span.label.end],
        "anchor": None if span is None else span.anchor,
        "rule": None if span is None else span.rule,
        "first": first,
        "pieces": pieces(tokenizer, encoded, range(first, last)),
        "base": _rounded(base[first:last]),
        "voucher": _rounded(voucher[first:last]),
        "kept": kept,
        "ranks": {"without": _ranks(base)[inside], "with": _ranks(base + voucher)[inside]},
    }


def _terms(flow: RetentionFlow) -> tuple[Floats, Floats]:
    """Base utility and voucher of every token before the cut, [position] each (eq. 3 and 2).

    The default preset admits values whole, ahead of single tokens: it has neither anchor status
    nor vouchers in its utilities."""
    sequence = flow.sequences[0]
    table = flow.table
    positions = np.arange(sequence.num_tokens)
    printed = flow.retention.preset == "paper"
    anchor = np.isin(positions, sequence.registry.anchor_positions()) & printed
    frequency = sequence.ids.frequency(table.ids[0])
    length, row = np.array([[len(positions)]]), np.zeros((1, 1), np.int64)
    view = TokenView(positions[None], length, anchor[None], frequency[None], row)
    return flow.scorer.score(view)[0], sequence.registry.vouchers(positions) * printed


def pieces(tokenizer: Any, encoded: EncodedCase, tokens: range) -> list[str]:
    """Text of tokens, every value in it masked."""
    shown = masked_text(read(encoded.case.context, tokenizer, Retention()).sequences[0])
    texts = []
    for token in tokens:
        start, end = int(encoded.text.starts[token]), int(encoded.text.ends[token])
        hidden = any(span.start <= token < span.end for span in encoded.values)
        texts.append(MASK * (end - start) if hidden else shown[start:end])
    return texts


def _ranks(utility: Floats) -> list[int]:
    """Rank of every token, 1 has the largest utility; of equals the later is first."""
    order = np.lexsort((-np.arange(len(utility)), -utility))
    ranks = np.empty(len(utility), np.int64)
    ranks[order] = np.arange(1, len(utility) + 1)
    return ranks.tolist()


def _rounded(numbers: Floats) -> list[float]:
    return [round(float(number), 4) for number in numbers]


def tables(record: Record) -> str:
    """Tokens around the value with their terms, a line a token and method; values are masked."""
    lines, ranks = [], []
    for row in record["rows"]:
        name = row["method"] + ", as printed" * (row["preset"] == "paper")
        start, end = row["value"]
        kept = sum(start <= position < end for position in row["kept"])
        best = [f"{max(row['ranks'][which]):,}" for which in ("without", "with")]
        ranks.append((name, row["budget"], f"{kept} of {end - start}", *best, f"{row['tokens']:,}"))
        for i, piece in enumerate(row["pieces"]):
            place, held = row["first"] + i, "yes" if row["first"] + i in row["kept"] else "no"
            terms = f"{row['base'][i]:.3f}", f"{row['voucher'][i]:.2f}"
            lines.append((name, place, f"`{piece.strip() or '↵'}`", *terms, held))
    head = ("method", "K", "value tokens kept", "rank of its last token without vouchers",
            "with them", "of")  # fmt: skip
    tokens = ("method", "position", "token", "utility without voucher", "voucher", "kept")
    return f"{markdown(head, ranks)}\n\n{markdown(tokens, lines)}"


if __name__ == "__main__":
    main("mechanism")
