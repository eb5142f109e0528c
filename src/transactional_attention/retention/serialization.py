"""Records of the flow as plain data for a file, and back: places, labels, rules, hashes.

No text of a value is in any of it. What reads raises ``KeyError``, ``TypeError``, ``ValueError`` or
``InputError`` for data that ``plain`` did not write.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..config import Choices, ProtectedRange, Recalling, Retention, Sponsorship, Weights
from ..recall.entries import Entry as Stated
from ..selection.selection import Selected
from ..sponsorship.claims import Claim
from ..sponsorship.entries import Entry
from ..sponsorship.floods import Repetition
from ..sponsorship.registry import Aside, Books
from ..types import SourceRange, Span, SponsoredSpan

Record = TypeVar("Record")


def plain(value: Any) -> Any:
    """Spans as pairs, other records as their fields by name, sets sorted."""
    if isinstance(value, Span):
        return [value.start, value.end]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, SponsoredSpan | Claim):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def record_of(kind: Callable[..., Record], data: dict[str, Any]) -> Record:
    """The record of a kind whose fields ``plain`` wrote."""
    parts = PARTS.get(kind, {})
    return kind(**{name: parts.get(name, _same)(value) for name, value in data.items()})


def _same(value: Any) -> Any:
    return value


def _span(pair: list[int]) -> Span:
    return Span(*pair)


def _spans(pairs: list[list[int]]) -> tuple[Span, ...]:
    return tuple(Span(*pair) for pair in pairs)


def _span_or_none(pair: list[int] | None) -> Span | None:
    return None if pair is None else Span(*pair)


def _recalling(data: dict[str, Any] | None) -> Recalling | None:
    return None if data is None else Recalling(**data)


def spans_of(data: Iterable[dict[str, Any]]) -> tuple[SponsoredSpan, ...]:
    """Sponsored spans that ``plain`` wrote."""
    return tuple(record_of(SponsoredSpan, item) for item in data)


def _protected(data: Iterable[dict[str, Any]]) -> tuple[ProtectedRange, ...]:
    return tuple(record_of(ProtectedRange, item) for item in data)


PARTS: dict[Callable[..., Any], dict[str, Callable[[Any], Any]]] = {
    SponsoredSpan: {"label": _span, "value": _span, "rank": tuple},
    Claim: {"around": frozenset},
    Entry: {
        "span": partial(record_of, SponsoredSpan),
        "claim": partial(record_of, Claim),
        "replaces": _spans,
    },
    ProtectedRange: {"span": _span},
    Retention: {
        "protect_roles": tuple,
        "weights": partial(record_of, Weights),
        "sponsorship": partial(record_of, Sponsorship),
        "choices": partial(record_of, Choices),
        "protected": _protected,
        "recall": _recalling,
    },
    Stated: {"value": _span, "label": _span, "line": _span_or_none},
}
"""How fields of records are read that are not plain themselves."""


def plain_books(books: Books) -> dict[str, Any]:
    """What a registry noted, without the repetition, which is an array (``wordings``).

    Of the words around a correction those are written that are words of known labels: a correction
    is compared with the labels of earlier claims, which are all known by now.
    """
    labels = {word for entry in books.entries for word in entry.claim.words.split()}
    entries = [plain(entry) for entry in books.entries]
    for entry in entries:
        entry["claim"]["around"] = sorted(labels.intersection(entry["claim"]["around"]))
    aside = [[plain(item.span), item.why] for item in books.aside]
    said = sorted(books.said.items())
    return {"entries": entries, "aside": aside, "last": books.last, "said": said}


def wordings(books: Books) -> np.ndarray:
    """The repetition as numbers [wording, 4]."""
    return np.array(books.repetition.rows(), np.int64).reshape(-1, 4)


def books_of(data: dict[str, Any], repetition: np.ndarray) -> Books:
    """What ``plain_books`` and ``wordings`` wrote."""
    return Books(
        [record_of(Entry, entry) for entry in data["entries"]],
        [Aside(record_of(SponsoredSpan, span), why) for span, why in data["aside"]],
        list(data["last"]),
        dict(data["said"]),
        Repetition.of_rows(map(tuple, repetition.tolist())),
    )


def plain_sources(ranges: Iterable[SourceRange]) -> list[list[Any]]:
    """Fields of each, the span as two numbers."""
    return [[*plain(r.span), r.source, r.template] for r in ranges]


def sources_of(data: Iterable[list[Any]]) -> list[SourceRange]:
    """What ``plain_sources`` wrote."""
    return [SourceRange(Span(start, end), *rest) for start, end, *rest in data]


def plain_selected(selected: Selected) -> dict[str, Any]:
    """What a report reads of a selection: which values were admitted and refused."""
    names = "recent", "yielded", "admitted", "refused"
    return {name: plain(getattr(selected, name)) for name in names}


def selected_of(data: dict[str, Any]) -> Selected:
    """What ``plain_selected`` wrote; the slots that it chose are those that are held."""
    none, (admitted, refused) = (
        np.zeros(0, bool),
        map(spans_of, (data["admitted"], data["refused"])),
    )
    return Selected(none, none, data["recent"], admitted, refused, data["yielded"])
