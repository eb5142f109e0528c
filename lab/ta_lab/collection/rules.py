"""The rules that decide which values are found and kept, and how each is left out.

A rule is something that a module of the library looks up by name: a parser, a pattern, a function.
It is left out by putting something in its place that finds nothing. ``listening`` tells which rules
spoke: for a text in which a rule says nothing, leaving it out changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

from transactional_attention.detection import formats, scanner, values
from transactional_attention.detection.formats import (
    blocks,
    commands,
    continued,
    joined_strings,
    markup,
    sql,
    urls,
)
from transactional_attention.sponsorship import (
    claims,
    corrections,
    floods,
    ordering,
    sponsor_registry,
    supersession,
)
from transactional_attention.sponsorship.claims import Claim

pairs = import_module("transactional_attention.detection.formats.pairs")  # not its parser
NEVER = re.compile(r"(?!)")
Function = Callable[..., Any]


@dataclass(frozen=True)
class Rule:
    """``owners``: the modules or classes that look it up under ``attribute``. ``without``: from
    what stands there to what stands there when the rule is left out. ``detects``: it decides what
    is found, not what is kept of it. ``part_of``: the rule with which it is left out too."""

    name: str
    owners: tuple[Any, ...]
    attribute: str
    without: Callable[[Any], Any]
    detects: bool = True
    part_of: str = ""


@contextmanager
def _replaced(rule: Rule, made: Callable[[Any], Any]) -> Iterator[None]:
    originals = [(owner, getattr(owner, rule.attribute)) for owner in rule.owners]
    try:
        for owner, original in originals:
            setattr(owner, rule.attribute, made(original))
        yield
    finally:
        for owner, original in originals:
            setattr(owner, rule.attribute, original)


@contextmanager
def left_out(rule: Rule) -> Iterator[None]:
    """The library without a rule."""
    with _replaced(rule, rule.without):
        yield


@contextmanager
def listening(rules: Sequence[Rule]) -> Iterator[set[str]]:
    """The library as it is. The set has the names of the rules that spoke since it was cleared:
    those without which a pattern, or a function, would have said something else."""
    spoke: set[str] = set()
    with ExitStack() as stack:
        for rule in rules:
            originals = getattr(rule.owners[0], rule.attribute)
            note = partial(spoke.add, rule.name)
            heard = partial(_heard, without=rule.without(_plain(originals)), note=note)
            stack.enter_context(_replaced(rule, heard))
        yield spoke


def _plain(original: Any) -> Any:
    """What stood there before anybody listened."""
    if isinstance(original, tuple):
        return tuple(map(_plain, original))
    while hasattr(original, "heard"):
        original = original.heard
    return original


def _heard(original: Any, without: Any, note: Callable[[], None]) -> Any:
    if isinstance(_plain(original), re.Pattern):
        return _HeardPattern(original, without, note)
    if isinstance(original, tuple):  # of parsers
        left = {_plain(parser) for parser in without}
        return tuple(
            one if _plain(one) in left else _heard(one, lambda _: iter(()), note)
            for one in original
        )

    def both(*args: Any, **options: Any) -> Any:
        whole, other = original(*args, **options), without(*args, **options)
        if isinstance(other, Iterator):  # of what a parser proposes
            whole, other = list(whole), list(other)
        if whole != other:
            note()
        return whole

    both.heard = original  # type: ignore[attr-defined]
    return both


class _HeardPattern:
    """A pattern that tells when another one in its place would match otherwise."""

    def __init__(self, pattern: Any, other: re.Pattern[str], note: Callable[[], None]) -> None:
        self.heard, self._other, self._note = pattern, other, note

    def __getattr__(self, name: str) -> Any:
        return getattr(self.heard, name)

    def _compared(self, method: str, *args: Any) -> Any:
        match = getattr(self.heard, method)(*args)
        other = getattr(self._other, method)(*args)
        if (match and match.span()) != (other and other.span()):
            self._note()
        return match

    def match(self, *args: Any) -> Any:
        return self._compared("match", *args)

    def search(self, *args: Any) -> Any:
        return self._compared("search", *args)

    def finditer(self, *args: Any) -> Iterator[Any]:
        matches = list(self.heard.finditer(*args))
        if len(matches) != len(list(self._other.finditer(*args))):
            self._note()
        return iter(matches)


def _always(result: Any) -> Callable[[Any], Function]:
    return lambda _: lambda *args, **options: result


def _nothing(_: Function) -> Function:
    return lambda *args, **options: iter(())


# Detection.


def _parser(parser: Function) -> Rule:
    def without(parsers: tuple[Function, ...]) -> tuple[Function, ...]:
        return tuple(one for one in parsers if one is not parser)

    file = parser.__module__.rpartition(".")[2]
    return Rule(f"{file}: {parser.__name__}", (formats,), "GRAMMARS", without)


def _pattern(name: str, owner: Any, attribute: str) -> Rule:
    return Rule(name, (owner,), attribute, lambda _: NEVER)


def _block(name: str, *openers: re.Pattern[str]) -> Rule:
    def without(read: Function) -> Function:
        def reading(text: str, at: int, match: re.Match[str], final: bool) -> Any:
            label, block = read(text, at, match, final)
            return label, None if match.re in openers else block

        return reading

    return Rule(name, (blocks,), "_read", without)


def _with_parts(whole: Rule, *parts: Rule) -> tuple[Rule, ...]:
    return whole, *(replace(part, part_of=whole.name) for part in parts)


DETECTION = (
    *_with_parts(
        Rule("formats: all that read a line", (formats,), "GRAMMARS", lambda _: ()),
        *map(_parser, formats.GRAMMARS),
        _pattern("pairs: names inside a value", pairs, "_INNER"),
        _pattern("pairs: schemes before a value", pairs, "_SCHEME"),
        _pattern("pairs: several words", pairs, "_REST"),
        Rule("pairs: no addresses", (pairs,), "_is_address", _always(False)),
        Rule("pairs: quoted lines that go on", (pairs,), "goes_on", _always(False)),
        _pattern("urls: extensions", urls, "_EXTENSION"),
        _pattern("markup: name attributes", markup, "_NAME"),
        _pattern("markup: the element before", markup, "_BEFORE"),
        Rule("commands: directives, lines", (commands,), "_LINES", _nothing),
        _pattern("commands: directives, .netrc", commands, "_LOGIN"),
        _pattern("sql: VALUES", sql, "_VALUES"),
        _pattern("sql: literals after a word", sql, "_LITERAL"),
    ),
    Rule("tables: cells", (values, scanner), "follow", _always(([], None))),
    *_with_parts(
        Rule("blocks: all", (values, scanner), "blocks", _nothing),
        _block("blocks: |", blocks._INDENTED[0]),
        _block("blocks: >", blocks._INDENTED[1]),
        *(_block(f"blocks: {mark}", kind) for mark, kind in zip("\"'`", blocks._QUOTED)),
        _block("blocks: heredocs", blocks._HEREDOC),
        _block("blocks: backslashes", blocks._JOINED),
        _block("blocks: armour", blocks._ARMOUR),
        _block("continued: lines below a value", continued.CONTINUED),
        _block("joined_strings: joined", *joined_strings.CLOSED),
        _block("joined_strings: in a bracket", joined_strings.OPENED),
        Rule("block_rest: longer than a value", (blocks,), "_beyond", _always(None)),
        Rule("blocks: refused lines", (blocks,), "_is_refused", _always(False)),
    ),
)

# What is kept.


def _decides(
    name: str, owner: Any, attribute: str, without: Callable[[Function], Function]
) -> Rule:
    return Rule(name, (owner,), attribute, without, detects=False)


def _only_corrections(replaces: Function) -> Function:
    return lambda new, old: new[0].corrects and replaces(new, old)


def _only_statements(replaces: Function) -> Function:
    return lambda new, old: replaces((new[0]._replace(corrects=False), new[1]), old)


def _untrusting(_: Function) -> Function:
    return lambda new, old: new[0].value != old[0].value


def _is_record(claim: Claim) -> bool:
    return not (claim.states or claim.around or claim.corrects)


def _no_records(follows: Function) -> Function:
    return lambda new, old, *, alone: not _is_record(new[0]) and follows(new, old, alone=alone)


def _not_alone(follows: Function) -> Function:
    return lambda new, old, *, alone: follows(new, old, alone=alone and _is_record(new[0]))


def _only_alone(follows: Function) -> Function:
    return lambda new, old, *, alone: alone and follows(new, old, alone=alone)


def _floods_too(newer_first: Function) -> Function:
    return lambda spans, claims, flooded: newer_first(spans, claims, frozenset())


def _as_elsewhere(factor: Function) -> Function:
    return lambda self, template, place, gap, rule="": factor(self, template, place, gap)


def _all_inside(factor: Function) -> Function:
    def without(*args: Any, **options: Any) -> float:
        return floods.INSIDE if factor(*args, **options) < 1 else 1.0

    return without


def _uncrowded(factor: Function) -> Function:
    def without(entry: Any, repetition: Any) -> Any:
        crowded, entry.crowded = entry.crowded, False
        try:
            return factor(entry, repetition)
        finally:
            entry.crowded = crowded

    return without


def _correction(name: str, attribute: str) -> Rule:
    return replace(_pattern(f"corrections: {name}", corrections, attribute), detects=False)


def _later(name: str, without: Callable[[Any], Any], attribute: str) -> Rule:
    return _decides(f"supersession: {name}", supersession, attribute, without)


RETENTION = (
    *_with_parts(
        _decides("corrections: all", claims, "corrected", _always(False)),
        _correction("markers", "_MARKER"),
        _correction("interjections", "_INTERJECTION"),
    ),
    *_with_parts(
        _decides("supersession: replacing", ordering, "replacements", _nothing),
        _later("a statement replaces its label", _only_corrections, "_replaces"),
        _later("a correction replaces its label", _only_statements, "_replaces"),
        _later("no known label", _always([]), "_spoken_of"),
        _later("mentioned labels", _always(False), "_mentions"),
        _later("shortened labels", _always(False), "_shortens"),
        _later("what it is about", _always(set()), "_about"),
        _later("the last of the form", _always([]), "_closest"),
        _later("the closest of the form", lambda _: lambda claims, i, alike: alike, "_closest"),
    ),
    _later("trust", _untrusting, "_may_replace"),
    *_with_parts(
        _later("outranking", _always({}), "_followed"),
        _later("records outrank", _no_records, "_may_follow"),
        _later("the later of two", _not_alone, "_may_follow"),
        _later("of many by the label", _only_alone, "_may_follow"),
        _decides("supersession: not in floods", ordering, "newer_first", _floods_too),
    ),
    _decides("supersession: copies", ordering, "_copies", _always({})),
    *_with_parts(
        _decides("floods: repetition", floods.Repetition, "factor", _always(1.0)),
        _decides("floods: long tables", floods.Repetition, "factor", _as_elsewhere),
        _decides("floods: the first and the distant", floods.Repetition, "factor", _all_inside),
    ),
    _decides("floods: rows of a series", floods.Repetition, "row", _always(1.0)),
    _decides("floods: crowded messages", sponsor_registry, "factor", _uncrowded),
    _decides("floods: quota", ordering, "_over_quota", _always([])),
)
RULES = (*DETECTION, *RETENTION)
