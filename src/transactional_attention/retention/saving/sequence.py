"""The state of one sequence as plain data, and back.

Its text and token ids are left out, because they spell values. If the caller gives the ids again,
everything is as it was. Without them the registry goes on, and what comes next is read as a new
text: a value that was cut at the end is known only as far as it was read, labels before that point
announce nothing after it, and token ids are counted from zero.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...config import ProtectedRange, Retention
from ...errors import InputError
from ...sponsorship.sponsor_registry import SponsorRegistry
from ...text.partial_text import BlankText, Mark, digest, marks_of
from ...text.token_text import TokenText
from ...types import Ints, Span, SponsoredSpan
from ..masking import hiding, masked_labels, secrets_of
from ..memory import SavedMemory
from ..presets import PRESETS
from ..read_ids import UNKNOWN
from ..sequence import SALT, SequenceState
from .records import (
    Count,
    SavedRegistry,
    SavedSource,
    check,
    check_inside,
    check_spans,
    plain,
    plain_registry,
    plain_sources,
    registry_state_of,
    sources_of,
    wordings,
)


class SavedText(NamedTuple):
    """What a file says of a text; older files lack ``stated`` and ``open``."""

    num_chars: Count
    marks: list[Mark]
    labels: list[tuple[int, int, str]]
    digest: str
    settled: list[Count]
    began: Count
    resumes: bool
    border: list[Span]
    stated: list[Span] | None = None
    open: tuple[Span, ...] = ()


class SavedSequence(NamedTuple):
    """What ``export_sequence`` gives. Fields that older files lack come last, then fields that only
    older files have: of values that waited one by one."""

    row: Count
    num_tokens: Count
    num_generated: Count
    counted: list[Span]
    most: Count
    sources: list[SavedSource]
    protected: list[ProtectedRange]
    registry: SavedRegistry
    salt: str
    whole: bool
    text: SavedText | None
    provisional: list[SponsoredSpan]
    heard: Count
    secrets: frozenset[str] = frozenset()
    memory: SavedMemory | None = None
    recall: Any = None
    away: Any = None
    asked: Any = None
    request_end: Any = None


def beyond_text(retention: Retention) -> int:
    """Tokens by which a value may reach past the end of the text, which have not been read."""
    return PRESETS[retention.preset].reach(retention.sponsorship)


def check_saved(saved: SavedSequence, length: int, longest: int, beyond: int) -> None:
    """Check that all places lie inside ``length`` tokens of at most ``longest`` characters each.

    Raises:
        ValueError: one does not; ``beyond``: see ``beyond_text``.
    """
    tokens, text = saved.num_tokens, saved.text
    check(tokens == length and saved.num_generated <= tokens, "num_tokens")
    check(len(saved.salt) == 2 * SALT, "salt")
    check_inside(saved.counted, tokens, "counted")
    check_spans(saved.provisional, tokens, beyond)
    if text is None:
        return
    chars, most = text.num_chars, tokens * longest
    check(max(chars, text.began, saved.heard) <= most, "num_chars")
    # characters that are not finished count in them, and not in ``num_chars``
    check_inside([*text.border, *(text.stated or ()), *text.open], most, "stated")
    check(_ascend([*text.settled, tokens]), "settled")
    for numbers, end in zip(zip(*text.marks), (chars, tokens, tokens)):
        check(_ascend([0, *numbers, end]), "marks")


def _ascend(numbers: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(numbers))


def export_sequence(
    sequence: SequenceState, reported: Iterable[SponsoredSpan]
) -> tuple[dict[str, Any], Ints]:
    """The record of a sequence, and the wordings that it counted [wording, 4].

    ``reported``: spans outside the registry whose labels a report shows.
    """
    text, registry = sequence.text, sequence.registry.state()
    secrets = sequence.lost.secrets = secrets_of(sequence)
    hide = hiding(secrets, sequence.salt)
    record = {
        "row": sequence.row,
        "num_tokens": sequence.num_tokens,
        "num_generated": sequence.num_generated,
        "counted": plain(sequence.ids.counted),
        "most": sequence.ids.highest,
        "sources": plain_sources(sequence.ranges.sources),
        "protected": plain(sequence.ranges.protected),
        "registry": plain_registry(registry, hide),
        "salt": sequence.salt.hex(),
        "secrets": sorted(secrets),
        "whole": sequence.whole,
        "memory": None if sequence.memory is None else sequence.memory.exported(),
        "heard": sequence.heard,
        "text": None if text is None else _plain_text(sequence, text, reported),
    }
    return record, wordings(registry)


def _plain_text(
    sequence: SequenceState, text: TokenText, reported: Iterable[SponsoredSpan]
) -> dict[str, Any]:
    scan = sequence.scan
    named = [item.span for item in sequence.ranges.protected if item.unit == "chars"]
    masked = masked_labels(sequence, [*sequence.registry.known, *reported])
    # between a table's header and a cell may stand other cells
    labels = {span: label.split("\n")[0] for span, label in masked.items()}
    return {
        "num_chars": text.num_chars,
        "marks": marks_of(text, [char for span in named for char in plain(span)]),
        "labels": [[*plain(span), label] for span, label in sorted(labels.items())],
        "digest": digest(text, sequence.salt) if sequence.whole else "",
        "settled": text.settled,
        "began": scan.began,
        "resumes": scan.resumes,
        "border": plain(scan.border),
        "stated": plain(sorted(scan.stated)),
        "open": plain(scan.open),
    }


def resume_sequence(
    sequence: SequenceState,
    state: SavedSequence,
    repetition: Ints,
    ids: Sequence[int] | None,
    tokenizer: Any,
) -> None:
    """Bring a fresh sequence to a saved state.

    Args:
        repetition: the wordings that ``export_sequence`` gave.
        ids: all tokens that the sequence has seen, if the caller has them.

    Raises:
        InputError: ``ids`` are not those tokens, or are of no use any more.
        ValueError: the state does not fit the sequence.
    """
    old, sequence.row = sequence.registry, state.row
    sequence.num_generated = state.num_generated
    sequence.ranges.sources, sequence.ranges.protected = sources_of(state.sources), state.protected
    sequence.salt = bytes.fromhex(state.salt)
    sequence.lost.secrets, sequence.lost.hide = state.secrets, hiding(state.secrets, sequence.salt)
    beyond = beyond_text(sequence.retention)
    registry = registry_state_of(state.registry, repetition, state.num_tokens, beyond)
    sequence.registry = SponsorRegistry.resumed(old.numbers, old.budget, registry)
    check((sequence.text is None) == (state.text is None), "text")
    sequence.ids.append(np.full(state.num_tokens, UNKNOWN) if ids is None else ids)
    if ids is None:
        _forget(sequence, state, tokenizer)
    else:
        _read_again(sequence, state, ids)
    check((sequence.memory is None) == (state.memory is None), "memory")
    if sequence.memory is not None and state.memory is not None:
        given = sequence.text, sequence.heard, sequence.whole
        sequence.memory.resume(state.memory, *given)


def _forget(sequence: SequenceState, state: SavedSequence, tokenizer: Any) -> None:
    known = state.text
    sequence.lost.num_tokens, sequence.ids.most = state.num_tokens, state.most
    if known is None:
        return
    sequence.text = BlankText(tokenizer, sequence.num_tokens, known.num_chars, known.marks)
    sequence.lost.labels = {Span(start, end): label for start, end, label in known.labels}
    sequence.scan.resumes, sequence.heard = True, known.num_chars


def _read_again(sequence: SequenceState, state: SavedSequence, ids: Sequence[int]) -> None:
    if not state.whole:
        raise InputError(
            "the cache of this file had gone on without its text before it was saved, or read a "
            "long stream: load it without input_ids"
        )
    if len(ids) != state.num_tokens:
        raise _others(sequence, f"{len(ids)} tokens, it has seen {state.num_tokens}")
    read, scan = sequence.ids, sequence.scan
    read.counted = state.counted
    counted = [token for span in read.counted for token in ids[span.start : span.end]]
    read.counts = np.bincount(np.asarray(counted, np.int64))
    text, known = sequence.text, state.text
    if text is None or known is None:
        return
    start = 0
    for end in known.settled:
        text.append(ids[start:end])
        text.settle()
        start = end
    text.append(ids[start:])
    if digest(text, sequence.salt) != known.digest:
        raise _others(sequence, "another text")
    scan.border, scan.open = known.border, list(known.open)
    stated = known.stated
    if stated is None:
        stated = [text.chars_for(span.value) for span in sequence.registry.known]
    scan.stated, scan.resumes, scan.began = set(stated), known.resumes, known.began
    sequence.heard = state.heard
    if not scan.resumes:
        sequence.register(scan.look_again(text))


def _others(sequence: SequenceState, what: str) -> InputError:
    return InputError(
        f"input_ids of row {sequence.row} are not those that the saved cache has seen ({what}): "
        "give all columns so far, generated ones included, with their attention_mask"
    )
