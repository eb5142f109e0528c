"""One self-contained HTML page of a text: what is kept at every K, and why; it loads nothing.

The selection runs in the page (``select.js``) on utilities and spans computed here. The file
contains no text of values unless they are revealed.
"""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from ...config import Retention
from ...detection.detector import EVEN
from ...errors import InputError
from ...methods.registry import get_method
from ...methods.scorers.ta import TAFast
from ...retention.flow import RetentionFlow
from ...selection.admission import UNCLOSED
from ...selection.guarantee import certify, minimum_budget
from ...selection.selection import SpanSelection
from ...types import SponsoredSpan
from ..plan import Rendered, TextView, is_pinned, promised_budget, read


def build_page(
    text: str | Rendered,
    tokenizer: Any,
    retention: Retention,
    *,
    reveal: bool,
    file: str = "",
    tokenizer_name: str = "",
) -> str:
    """The page of a prompt that opens at the retention's budget. ``reveal``: the page has the
    values, and a button that shows them; ``file``, ``tokenizer_name``: what it calls them. Raises
    InputError: a method that reads a model or protects no value, or the paper preset."""
    promised_budget(retention)
    if get_method(retention.method).scorer(retention).observes:
        raise InputError(f"--html: {retention.method!r} reads a model's layers, the page has none")
    flow = read(text, tokenizer, retention)
    data = json.dumps(page_data(flow, text, reveal=reveal), ensure_ascii=False)
    by = f" of {tokenizer_name}" if tokenizer_name else ""
    length = f"{flow.sequences[0].num_tokens:,} tokens{by}"
    title_parts = (file, length, f"{retention.method}, {retention.preset} preset")
    title = escape(" · ".join(filter(None, title_parts)))
    return one_file(__package__, ("select.js", "view.js"), data).replace("<!--TITLE-->", title, 1)


def one_file(package: str, scripts: Sequence[str], data: str) -> str:
    """The page of a package as one file: shared style, its own style, its scripts, and ``data`` in
    JSON."""
    folder = files(package)

    def content(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    script = "".join(content(name).removeprefix('"use strict";\n') for name in scripts)
    shared = files(__package__).joinpath("base.css").read_text(encoding="utf-8")
    parts = {
        "/*STYLE*/": shared + content("style.css"),
        "/*SCRIPT*/": '"use strict";\n' + script,
        "/*DATA*/": data.replace("<", "\\u003c"),
    }
    page = content("page.html")
    for mark, part in parts.items():
        page = page.replace(mark, part, 1)
    return page


def page_data(flow: RetentionFlow, text: str | Rendered, *, reveal: bool) -> dict[str, Any]:
    """What the page's script reads: tokens, utilities, counts, and spans by rank; ``revealed``:
    the tokens unmasked, None where they are to stay so."""
    selection, sequence = flow.selection, flow.sequences[0]
    if not isinstance(selection, SpanSelection):
        raise InputError("--html shows the default preset: the paper's is in the terminal")
    view = TextView(text, flow, reveal=False)
    spans = [*(span for span, _ in sequence.explicit()), *sequence.registry.spans]
    length = sequence.num_tokens
    certificates = certify(selection, length, spans, length)
    return {
        "length": length,
        "budget": promised_budget(flow.retention),
        "mandatory": max(selection.mandatory, 1),
        "sinks": selection.sinks,
        "recent": selection.recent,
        "doubtful": selection.doubtful,
        "unlikely": selection.unlikely,
        "unclosed": UNCLOSED,
        "onTop": selection.on_top,
        "least": max(minimum_budget(selection, length, spans) - flow.num_pinned, 1),
        "pinned": flow.num_pinned,
        "pieces": view.pieces(),
        "revealed": TextView(text, flow, reveal=True).pieces() if reveal else None,
        **_utilities(flow),
        "spans": [
            _span(c.span, max(c.least - flow.num_pinned, 1), view, selection)
            | {"pinned": is_pinned(c.span, sequence)}
            for c in certificates
        ],
        "over": [_span(span, None, view, selection) for span in sequence.registry.over_cap],
    }


def _span(
    span: SponsoredSpan, least: int | None, view: TextView, selection: SpanSelection
) -> dict[str, Any]:
    extent, (label, words) = selection.extent(span), selection.before(span)
    return {
        "value": [span.value.start, span.value.end],
        "extent": [extent.start, min(extent.end, len(view.content.ends))],
        "label": [label.start, label.end],
        "words": [words.start, words.end],
        "yields": span.confidence >= EVEN,
        "doubtful": span.doubtful,
        "confidence": span.confidence,
        "rule": span.rule,
        "source": span.source,
        "name": view.label(span.label),
        "least": least,
    }


def _utilities(flow: RetentionFlow) -> dict[str, Any]:
    """Utility of every token at the cut, and the terms from which TA-Fast computes it (eq. 3)."""
    sequence, table = flow.sequences[0], flow.table
    utility = {"utility": flow.cut_scores(table)[0].tolist()}
    if not isinstance(flow.scorer, TAFast):
        return utility
    weights = flow.retention.weights
    counts = sequence.ids.counts[table.ids[0]]
    terms = {"weights": [weights.recency, weights.frequency], "counts": counts.tolist()}
    return {**utility, **terms, "most": int(sequence.ids.counts.max(initial=1))}
