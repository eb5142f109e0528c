"""The order of registered values: what corrections, copies, floods and quotas leave of each."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import SponsoredSpan
from .entries import COPY, CORRECTED, FADED, QUOTA, Entry, Excluded
from .floods import INSIDE, Repetition
from .supersession import SourcedClaim, newer_first, replacements
from .trust import TRUST, UNTRUSTED, doubtful, value_rank


def factor(entry: Entry, repetition: Repetition) -> float:
    """Factor on an entry's likelihood from repetition and crowding; below 1 in a flood."""
    claim = entry.claim
    if entry.crowded:
        return INSIDE
    return repetition.factor(claim.template, claim.place, entry.gap, entry.span.rule)


def judge(entries: Sequence[Entry], factors: Sequence[float]) -> None:
    """Decide once, for new entries, which earlier ones they replace. Otherwise a correction would
    replace another value as soon as the one that it corrects is gone."""
    if all(entry.judged for entry in entries):
        return
    ordered = [entries[i] for i in _in_text_order(entries, factors)]
    at = {entry.span.value: i for i, entry in enumerate(ordered)}
    judged = {
        i: [at[value] for value in entry.replaces if value in at]
        for i, entry in enumerate(ordered)
        if entry.judged
    }
    replaced = {i for i, entry in enumerate(ordered) if entry.replaced is not None}
    replaced.difference_update(*judged.values())
    for old, new, named in replacements(_claims(ordered), judged, replaced):
        entry, value = ordered[new], ordered[old].span.value
        entry.replaces = (*entry.replaces, value)
        ordered[old].replaced = bool(ordered[old].replaced) or named
    for entry in entries:
        entry.judged = True


def ranked(
    entries: Sequence[Entry],
    factors: Sequence[float],
    repetition: Repetition,
    quota: float | None,
) -> tuple[list[SponsoredSpan], list[Excluded]]:
    """Spans with their ranks and present budgets, and what corrections, copies and quotas exclude.

    ``factors``: ``factor`` of each entry; ``quota``: tokens that suspicious values of untrusted
    sources may hold together, None for no limit.
    """
    copies = _copies(entries, factors)
    surest = [entry.span.confidence for entry in entries]
    for i, best in copies.items():
        surest[best] = max(surest[best], surest[i])
    spans = [
        _with_rank(
            entry,
            repetition,
            entry.replaced is None and i not in copies,
            factors[i],
            surest[i],
        )
        for i, entry in enumerate(entries)
    ]
    flooded = {
        (entry.claim.form, entry.span.source)
        for entry, left in zip(entries, factors, strict=True)
        if left < 1
    }
    plain = _in_text_order(entries, factors)
    claims = _claims([entries[i] for i in plain])
    newer = newer_first([spans[i] for i in plain], claims, flooded)
    for i, span in zip(plain, newer, strict=True):
        spans[i] = span
    sponsored: list[SponsoredSpan] = []
    excluded: list[Excluded] = []
    suspects: list[SponsoredSpan] = []
    for i, (entry, span) in enumerate(zip(entries, spans, strict=True)):
        if entry.replaced:
            excluded.append(Excluded(span, CORRECTED))
        elif i in copies or entry.faded:
            excluded.append(Excluded(span, FADED if entry.faded else COPY))
        else:
            sponsored.append(span)
            if factors[i] < 1 and span.source in UNTRUSTED:
                suspects.append(span)
    if over := _over_quota(suspects, quota):
        excluded += [Excluded(span, QUOTA) for span in over]
        left_out = {span.value for span in over}
        sponsored = [span for span in sponsored if span.value not in left_out]
    return sponsored, excluded


def _in_text_order(entries: Sequence[Entry], factors: Sequence[float]) -> list[int]:
    """Entries outside floods, which replace nothing."""
    plain = [i for i, left in enumerate(factors) if left == 1]
    plain.sort(key=lambda i: entries[i].claim.place)
    return plain


def _claims(entries: Sequence[Entry]) -> list[SourcedClaim]:
    return [(entry.claim, entry.span.source) for entry in entries]


def _with_rank(
    entry: Entry, repetition: Repetition, current: bool, factor: float, confidence: float
) -> SponsoredSpan:
    """The span of an entry with its rank; ``confidence`` is that of its most confident copy."""
    span, claim = entry.span, entry.claim
    if not claim.value:  # registered without a claim
        return span._replace(budget=entry.budget)
    label, value, anchor, _, _, rule, source, _, _ = span
    figures = source, rule, confidence, claim.opacity, claim.place
    factor *= repetition.row(claim.template, claim.place)
    rank = value_rank(
        *figures, current=current, asked=entry.asked, factor=factor, states=claim.states
    )
    given = label, value, anchor, entry.budget, confidence, rule, source, rank
    return SponsoredSpan(*given, doubtful(rank))  # sooner than replacing three of them


def _over_quota(suspects: Sequence[SponsoredSpan], quota: float | None) -> list[SponsoredSpan]:
    """The suspicious values that exceed their quota, counted from the best."""
    held, over = 0, list[SponsoredSpan]()
    if quota is None:
        return over
    for span in sorted(suspects, key=lambda s: s.rank, reverse=True):
        if held + len(span.value) > quota:
            over.append(span)
        else:
            held += len(span.value)
    return over


def _copies(entries: Sequence[Entry], factors: Sequence[float]) -> dict[int, int]:
    """Entries that repeat a better statement of the same value under the same label, or under none.
    Gives for each the index of that statement. Replaced and faded entries are left out."""
    alike: dict[int, list[int]] = {}
    for i, entry in enumerate(entries):
        if entry.claim.value and entry.replaced is None and not entry.faded:
            alike.setdefault(entry.claim.value, []).append(i)

    def preference(i: int) -> tuple[float, ...]:
        entry = entries[i]
        trust = TRUST[entry.span.source]
        return (-trust, -factors[i], not entry.claim.words, entry.claim.place)

    copies: dict[int, int] = {}
    for same in alike.values():
        best: dict[str, int] = {}
        if len(same) > 1:  # most values are said once
            same.sort(key=preference)
        for i in same:
            words = entries[i].claim.words
            if words in best:
                copies[i] = best[words]
            elif best and not words:
                copies[i] = next(iter(best.values()))
            else:
                best[words] = i
    return copies
