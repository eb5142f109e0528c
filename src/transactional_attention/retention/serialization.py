"""Records of the flow as plain data for a file, and back: places, labels, rules, hashes.

No text of a value is in any of it. What reads raises ``KeyError``, ``TypeError``, ``ValueError`` or
``InputError`` for data that ``plain`` did not write.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

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
    return read(kind, data)


def read(kind: Any, value: Any) -> Any:
    """What ``plain`` wrote, as the kind that it was: a record, or a list, tuple or set of them."""
    return _reader(kind)(value)


@cache  # a file holds thousands of a kind
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        own = _reader(next((k for k in inner if _is_record(k)), inner[0]))
        return lambda value: own(value) if isinstance(value, list | dict) else value
    if origin in (list, tuple, frozenset) and inner:
        item = _reader(inner[0])
        return lambda value: origin(map(item, value))
    if not _is_record(kind):
        return lambda value: value
    fields_of = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def record(value: Any) -> Any:
        if isinstance(value, list):
            return kind(*(own(part) for own, part in zip(fields_of.values(), value, strict=True)))
        return kind(**{name: fields_of[name](part) for name, part in value.items()})

    return record


def _is_record(kind: Any) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


def plain_books(books: Books, hide: Callable[[str], str]) -> dict[str, Any]:
    """What a registry noted, without the repetition, which is an array (``wordings``); words as
    ``hide`` gives them.

    Of the words around a correction those are written that are words of known labels: a correction
    is compared with the labels of earlier claims, which are all known by now.
    """
    noted = [replace(entry, claim=entry.claim.hashed(hide)) for entry in books.entries]
    labels = {word for entry in noted for word in entry.claim.words.split()}
    entries = [plain(entry) for entry in noted]
    for entry in entries:
        entry["claim"]["around"] = sorted(labels.intersection(entry["claim"]["around"]))
    said = sorted(books.said.items())
    return {"entries": entries, "aside": plain(books.aside), "last": books.last, "said": said}


def wordings(books: Books) -> np.ndarray:
    """The repetition as numbers [wording, 4]."""
    return np.array(books.repetition.rows(), np.int64).reshape(-1, 4)


def books_of(data: dict[str, Any], repetition: np.ndarray) -> Books:
    """What ``plain_books`` and ``wordings`` wrote."""
    return Books(
        read(list[Entry], data["entries"]),
        read(list[Aside], data["aside"]),
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
    admitted, refused = (read(tuple[SponsoredSpan, ...], data[n]) for n in ("admitted", "refused"))
    none = np.zeros(0, bool)
    return Selected(none, none, data["recent"], admitted, refused, data["yielded"])
