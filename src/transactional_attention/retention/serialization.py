"""Records of the flow as plain data for a file, and back: places, labels, rules, hashes.

No text of a value is in any of it. The functions that read raise ``KeyError``, ``TypeError``,
``ValueError`` or ``InputError`` for data that the others did not write.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from ..config import Choices, ProtectedRange, Retention, Sponsorship, Weights
from ..selection.selection import Selected
from ..sponsorship.claims import Claim
from ..sponsorship.entries import Aside, Books, Entry
from ..sponsorship.floods import Repetition
from ..types import SourceRange, Span, SponsoredSpan


def plain_span(span: Span) -> list[int]:
    """``[start, end]``."""
    return [span.start, span.end]


def plain_sponsored(span: SponsoredSpan) -> dict[str, Any]:
    """All fields, spans as pairs."""
    return {
        **span._asdict(),
        "label": plain_span(span.label),
        "value": plain_span(span.value),
        "rank": list(span.rank),
    }


def sponsored_of(data: dict[str, Any]) -> SponsoredSpan:
    """What ``plain_sponsored`` wrote."""
    spans = {"label": Span(*data["label"]), "value": Span(*data["value"])}
    return SponsoredSpan(**{**data, **spans, "rank": tuple(data["rank"])})


def plain_claim(claim: Claim, labels: set[str]) -> dict[str, Any]:
    """All fields; of the words around a correction those that are words of ``labels`` alone.

    A correction is compared with the labels of earlier claims, which are all known by now.
    """
    return claim._asdict() | {"around": sorted(claim.around & labels)}


def plain_books(books: Books) -> dict[str, Any]:
    """What a registry noted, without the repetition, which is an array (``wordings``)."""
    labels = {word for entry in books.entries for word in entry.claim.words.split()}
    return {
        "entries": [_plain_entry(entry, labels) for entry in books.entries],
        "aside": [[plain_sponsored(item.span), item.why] for item in books.aside],
        "last": books.last,
        "said": sorted(books.said.items()),
    }


def _plain_entry(entry: Entry, labels: set[str]) -> dict[str, Any]:
    return {
        **{field.name: getattr(entry, field.name) for field in fields(entry)},
        "span": plain_sponsored(entry.span),
        "claim": plain_claim(entry.claim, labels),
    }


def wordings(books: Books) -> np.ndarray:
    """The repetition as numbers [wording, 4]."""
    return np.array(books.repetition.rows(), np.int64).reshape(-1, 4)


def books_of(data: dict[str, Any], repetition: np.ndarray) -> Books:
    """What ``plain_books`` and ``wordings`` wrote."""
    rows = ((key, count, first, last) for key, count, first, last in repetition.tolist())
    return Books(
        [_entry_of(entry) for entry in data["entries"]],
        [Aside(sponsored_of(span), why) for span, why in data["aside"]],
        list(data["last"]),
        dict(data["said"]),
        Repetition.of_rows(rows),
    )


def _entry_of(data: dict[str, Any]) -> Entry:
    claim = data["claim"]
    made = Claim(**{**claim, "around": frozenset(claim["around"])})
    return Entry(**{**data, "span": sponsored_of(data["span"]), "claim": made})


def plain_sources(ranges: Iterable[SourceRange]) -> list[list[Any]]:
    """Fields of each, the span as two numbers."""
    return [[*plain_span(r.span), r.source, r.template] for r in ranges]


def sources_of(data: Iterable[list[Any]]) -> list[SourceRange]:
    """What ``plain_sources`` wrote."""
    return [
        SourceRange(Span(start, end), source, template) for start, end, source, template in data
    ]


def plain_protected(item: ProtectedRange) -> dict[str, Any]:
    """All fields."""
    return asdict(item) | {"span": plain_span(item.span)}


def protected_of(data: dict[str, Any]) -> ProtectedRange:
    """What ``plain_protected`` wrote."""
    return ProtectedRange(**{**data, "span": Span(*data["span"])})


def plain_retention(retention: Retention) -> dict[str, Any]:
    """All fields."""
    return asdict(retention) | {"protected": [plain_protected(p) for p in retention.protected]}


def retention_of(data: dict[str, Any]) -> Retention:
    """What ``plain_retention`` wrote."""
    budget, roles = data["budget"], tuple(data["protect_roles"])
    records = {
        "budget": tuple(budget) if isinstance(budget, list) else budget,
        "protect_roles": roles,
        "weights": Weights(**data["weights"]),
        "sponsorship": Sponsorship(**data["sponsorship"]),
        "choices": Choices(**data.get("choices", {})),
        "protected": tuple(protected_of(item) for item in data["protected"]),
        **{name: tuple(data.get(name, ())) for name in ("allow", "deny", "patterns")},
    }
    return Retention(**{**data, **records})


def plain_selected(selected: Selected) -> dict[str, Any]:
    """What a report reads of a selection: which values were admitted and refused."""
    return {
        "recent": selected.recent,
        "yielded": selected.yielded,
        "admitted": [plain_sponsored(span) for span in selected.admitted],
        "refused": [plain_sponsored(span) for span in selected.refused],
    }


def selected_of(data: dict[str, Any]) -> Selected:
    """What ``plain_selected`` wrote; the slots that it chose are those that are held."""
    none = np.zeros(0, bool)
    admitted, refused = (
        tuple(sponsored_of(span) for span in data[name]) for name in ("admitted", "refused")
    )
    return Selected(none, none, data["recent"], admitted, refused, data["yielded"])
