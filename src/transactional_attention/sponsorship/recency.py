"""Which of two values of one form stands first where nothing replaces the other: the newer one.

A restatement need not say its label again, nor that it corrects anything: "Too muddy there, let's
do V". Where the later value has no name of its own and its sentences speak of the earlier one's, or
where a text holds these two of the form alone, both rank alike, the newer one first: what it is
was said of the earlier one. Neither is given up, since both may hold.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ..types import SponsoredSpan
from .claims import PART, Claim
from .supersession import REMEMBERED, Said
from .trust import CLASSES, TRUST

LIKELY = 0.4
"""Likelihood from which a claim counts as a value here."""
_CLASS, _ASKED = 2, 3  # places in a rank (see ``trust``)


def newer_first(
    spans: Sequence[SponsoredSpan], said: Sequence[Said], flooded: Container[int]
) -> list[SponsoredSpan]:
    """Spans in the order of the text, a later one ranked at least as the earlier one of the same
    thing, with what lies inside of that one behind it.

    ``said``: what each span says. ``flooded``: forms of which there is a flood; they stay.
    """
    found = list(spans)
    for earlier, later in sorted(_followed(spans, said, flooded).items()):
        first = found[earlier]
        if first.rank <= found[later].rank or first.rank[_ASKED] > found[later].rank[_ASKED]:
            continue
        place = found[later].rank[-1]
        found[later] = found[later]._replace(rank=(*first.rank[:-1], place))
        for i in range(earlier + 1, later):
            if found[i].value.end > first.value.end:
                break
            found[i] = found[i]._replace(rank=min(found[i].rank, first.rank))
    return found


def _followed(
    spans: Sequence[SponsoredSpan], said: Sequence[Said], flooded: Container[int]
) -> dict[int, int]:
    """Claims that a later one of the same form may stand for, and the last such one."""
    forms: dict[int, list[int]] = {}
    for i, (claim, _) in enumerate(said):
        rank = spans[i].rank
        current = claim.value and claim.form not in flooded and rank[0] and spans[i].rule != PART
        if current and rank[_CLASS] >= LIKELY * CLASSES:
            forms.setdefault(claim.form, []).append(i)
    found: dict[int, int] = {}
    for alike in forms.values():
        for at, i in enumerate(alike[1:], 1):
            if _is_record(said[i][0]):
                continue
            for j in alike[max(0, at - REMEMBERED) : at]:
                if _may_follow(said[i], said[j], alone=len(alike) == 2):
                    found[j] = i
    return found


def _is_record(claim: Claim) -> bool:
    return not (claim.states or claim.around or claim.corrects)


def _may_follow(new: Said, old: Said, *, alone: bool) -> bool:
    (claim, source), (earlier, other) = new, old
    if claim.value == earlier.value or TRUST[source] < TRUST[other]:
        return False
    names, former = set(claim.words.split()), set(earlier.words.split())
    if alone and (claim.corrects or not names or (claim.states and not (former - names))):
        return True
    if alone and claim.states and earlier.states and names & former:
        return True
    return bool(former) and claim.around.issuperset(former)
