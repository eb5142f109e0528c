"""Records as plain data for a file, and back: places, labels, rules, hashes.

They contain no text of a value. The types of the records say what a file may contain: ``read``
compares every field with its type and raises ``ValueError`` for data that ``plain`` did not write.
``part_of`` checks the dtype and shape of arrays.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from ...config import Retention
from ...errors import InputError, UnknownNameError
from ...methods.registry import get_method, registered_by
from ...selection.selection import Selected
from ...sponsorship.claims import Claim
from ...sponsorship.entries import Entry, Excluded
from ...sponsorship.floods import Repetition
from ...sponsorship.sponsor_registry import RegistryState
from ...types import Source, SourceRange, Span, SponsoredSpan

Record = TypeVar("Record")
Count = Annotated[int, 0]
Parts = TypeVar("Parts")


def plain(value: Any) -> Any:
    """Spans as pairs, other records as dicts by field name, sets sorted."""
    if isinstance(value, Span):
        return [value.start, value.end]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, SponsoredSpan | Claim):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def record_of(kind: Callable[..., Record], data: Any) -> Record:
    """The record of a type from the fields that ``plain`` wrote. Raises InputError if the record's
    own checks fail."""
    return _reader(kind)(data)


def plain_retention(retention: Retention) -> dict[str, Any]:
    """The fields of a retention and, if its method is not built in, the ``module`` that registers
    it."""
    module = registered_by(retention.method)
    return plain(retention) | ({} if module is None else {"module": module})


def retention_of(data: Any) -> Retention:
    """What ``plain_retention`` wrote. Raises InputError, naming the module to import, if its method
    is not registered; otherwise as ``record_of``."""
    known = dict(data) if isinstance(data, dict) else data
    module = known.pop("module", None) if isinstance(known, dict) else None
    retention = record_of(Retention, known)
    if module is not None:
        try:
            get_method(retention.method)
        except UnknownNameError:
            raise InputError(
                f"method {retention.method!r} is not registered here, {module} registers it: "
                "import or call that, then load again"
            ) from None
    return retention


def read(kind: Any, value: Any, name: str = "a record") -> Any:
    """What ``plain`` wrote, as its type: a record, or a list, tuple or set of them. Raises
    ValueError for anything else; it names the place, beginning with ``name``."""
    try:
        return _reader(kind)(value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from None


@cache  # a file holds thousands of a kind
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value: value
    if origin is Annotated:
        return _at_least(inner[1], _reader(inner[0]))
    if origin in (Union, UnionType):
        return _one_of([_reader(each) for each in inner])
    if origin is Literal:
        return _checked(lambda value: value in inner and type(value) in {type(i) for i in inner})
    if origin is tuple and inner[-1] is not Ellipsis:
        return _each(inner)
    if origin in (list, tuple, frozenset):
        item = _reader(inner[0])
        return lambda value: origin(map(item, _listed(value)))
    if origin in (dict, Mapping):
        names, parts = map(_reader, inner)
        return _mapping(names, parts)
    return _record(kind) if _is_record(kind) else _checked(PLAIN[kind])


PLAIN: dict[Any, Callable[[Any], bool]] = {
    int: lambda value: type(value) is int and -LARGEST <= value < LARGEST,
    float: lambda value: type(value) in (int, float) and math.isfinite(value),
    bool: lambda value: type(value) is bool,
    str: lambda value: type(value) is str,
    type(None): lambda value: value is None,
}
LARGEST = 1 << 63  # arrays hold no larger numbers


def _checked(fits: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if isinstance(value, list | dict) or not fits(value):
            raise ValueError("of another type, or out of range")
        return value

    return checked


def _at_least(least: int, number: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if number(value) < least:
            raise ValueError(f"below {least}")
        return value

    return checked


def _one_of(kinds: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def first(value: Any) -> Any:
        for read_as in kinds[:-1]:
            with suppress(ValueError):
                return read_as(value)
        return kinds[-1](value)

    return first


def _listed(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError("no list")
    return value


def _each(kinds: Iterable[Any]) -> Callable[[Any], Any]:
    items = [_reader(kind) for kind in kinds]
    return lambda value: tuple(read_as(v) for read_as, v in zip(items, _listed(value), strict=True))


def _mapping(names: Callable[[Any], Any], parts: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def mapping(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("no record")
        return {names(name): parts(part) for name, part in value.items()}

    return mapping


def _record(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind, include_extras=True)
    fields_of = {name: _reader(hint) for name, hint in hints.items() if name != "FORMER"}
    former = getattr(kind, "FORMER", {})  # names of fields in older files

    def record(value: Any) -> Any:
        if is_dataclass(kind) and kind is not Span and not isinstance(value, dict):
            raise ValueError("no record")
        given = value if isinstance(value, dict) else dict(zip(fields_of, _listed(value)))
        given = {former.get(name, name): part for name, part in given.items()}
        if len(given) != len(value) or not given.keys() <= fields_of.keys():
            raise ValueError("more fields than are known")
        fields_read = {}
        for name, part in given.items():
            try:
                fields_read[name] = fields_of[name](part)
            except (ValueError, OverflowError) as error:
                if isinstance(error, InputError):
                    raise
                raise ValueError(f"{name}: {error}") from None
        try:
            return kind(**fields_read)
        except TypeError:
            raise ValueError("fields are missing") from None

    return record


def part_of(
    parts: Mapping[str, Parts], name: str, shape: Sequence[int | None], *dtypes: Any
) -> Parts:
    """An array or tensor of a file with this shape and one of ``dtypes``; a None in ``shape`` is
    any number. Raises ValueError for anything else."""
    part: Any = parts.get(name)
    if part is None:
        raise ValueError(f"{name} is missing")
    alike = len(part.shape) == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, part.shape)
    )
    if not alike or part.dtype not in dtypes:
        raise ValueError(f"{name} is of another type or shape")
    return part


def check(fits: object, name: str) -> None:
    """Raises ValueError, naming a part of the file, unless ``fits``."""
    if not fits:
        raise ValueError(f"{name} does not fit the rest")


def check_inside(spans: Iterable[Span], end: int, name: str) -> None:
    """``check`` that ranges end inside the text."""
    check(all(span.end <= end for span in spans), name)


def _is_record(kind: Any) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


def plain_registry(state: RegistryState, hide: Callable[[str], str]) -> dict[str, Any]:
    """A registry's state, without the repetition, which is an array (``wordings``); words went
    through ``hide``.

    Of the words around a correction only those are written that are words of known labels: a
    correction is compared only with labels of earlier claims, which are all known by now.
    """
    noted = [replace(entry, claim=entry.claim.hashed(hide)) for entry in state.entries]
    labels = {word for entry in noted for word in entry.claim.words.split()}
    entries = [plain(entry) for entry in noted]
    for entry in entries:
        entry["claim"]["around"] = sorted(labels.intersection(entry["claim"]["around"]))
    counts = sorted(state.message_counts.items())
    return {"entries": entries, "aside": plain(state.excluded), "last": state.last, "said": counts}


def wordings(state: RegistryState) -> np.ndarray:
    """The repetition as numbers [wording, 4]."""
    return np.array(state.repetition.rows(), np.int64).reshape(-1, 4)


class SavedRegistry(NamedTuple):
    """What ``plain_registry`` writes."""

    entries: list[Entry]
    aside: list[Excluded]
    last: list[Count]
    said: list[tuple[int, Count]]


def registry_state_of(
    saved: SavedRegistry, repetition: np.ndarray, num_tokens: int, beyond: int
) -> RegistryState:
    """Check that the parts of a saved registry fit each other, and build its state.

    Args:
        saved: what ``plain_registry`` wrote.
        repetition: what ``wordings`` wrote, [wording, 4].
        num_tokens: length of the text that the values belong to.
        beyond: tokens by which a value may reach past its end.

    Raises:
        ValueError: a value lies outside the text, or an index names no entry.
    """
    entries, aside, last, counts = saved
    spans = [*(entry.span for entry in entries), *(item.span for item in aside)]
    check_spans(spans, num_tokens, beyond)
    check(len({entry.span.value for entry in entries}) == len(entries), "registry.entries")
    check(all(index < len(entries) for index in last), "registry.last")
    rows = repetition.tolist()
    check(all(count > 0 for _, count, _, _ in rows), "wordings")
    return RegistryState(entries, aside, last, dict(counts), Repetition.of_rows(map(tuple, rows)))


def check_spans(spans: Iterable[SponsoredSpan], num_tokens: int, beyond: int = 0) -> None:
    """``check`` values of a text of ``num_tokens`` tokens; a value may reach
    ``beyond`` tokens past them (``sequence.beyond_text``)."""
    for span in spans:
        check_inside((span.label,), num_tokens, "a value")
        check_inside((span.value,), num_tokens + beyond, "a value")
        check(0 <= span.anchor <= num_tokens and span.doubtful in range(3), "a value")


def plain_sources(ranges: Iterable[SourceRange]) -> list[list[Any]]:
    """The fields of each range; its span as two numbers."""
    return [[*plain(r.span), r.source, r.template] for r in ranges]


class SavedSource(NamedTuple):
    """What ``plain_sources`` writes of a range."""

    start: int
    end: int
    source: Source
    template: bool


def sources_of(saved: Iterable[SavedSource]) -> list[SourceRange]:
    """What ``plain_sources`` wrote."""
    return [SourceRange(Span(s.start, s.end), s.source, s.template) for s in saved]


def plain_selected(selected: Selected) -> dict[str, Any]:
    """The part of a selection that a report shows: which values were admitted and refused."""
    names = "recent", "yielded", "admitted", "refused"
    return {name: plain(getattr(selected, name)) for name in names}


class SavedSelection(NamedTuple):
    """What ``plain_selected`` writes."""

    recent: Count
    yielded: Count
    admitted: tuple[SponsoredSpan, ...]
    refused: tuple[SponsoredSpan, ...]


def selected_of(saved: SavedSelection) -> Selected:
    """What ``plain_selected`` wrote. The selected slots are not saved: they are the ones that are
    held."""
    none = np.zeros(0, bool)
    return Selected(none, none, saved.recent, saved.admitted, saved.refused, saved.yielded)
