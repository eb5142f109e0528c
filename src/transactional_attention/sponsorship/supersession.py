"""Which earlier values a later statement replaces or outranks. A less trusted source cannot.

*Replacing.* A sentence replaces an earlier sentence with the same label. Records of a list repeat
their labels without taking anything back. A claim that says that it corrects something
("correction: ...") replaces records too. If it names no known label, it replaces what its sentence
mentions, otherwise the last value of the same form, however far back. Labels that differ in one
word keep their own values.

*Outranking.* A later statement need not repeat the label, nor say that it corrects: "Too muddy
there, let's do V". If the later value has no label of its own and its sentences mention the earlier
label, or if the text has only these two values of the form, the later one takes the earlier one's
rank and comes first. Of just two values, a record of a stated label does so too ("Password:
V").
Neither value is given up, because both may hold.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ..detection.label_words import is_common
from ..types import CURRENT, Source, SponsoredSpan
from .claims import PART, Claim
from .corrections import WORDS
from .trust import CLASSES, TRUST

SIDE_BY_SIDE = 8  # claims of one label, or of one form, that stand side by side, of each source
OUTRANKS = 0.4
"""Likelihood from which a claim can outrank an earlier one."""

SourcedClaim = tuple[Claim, Source]
Flooded = tuple[int, Source]
_NONE: Mapping[int, Iterable[int]] = {}


def replacements(
    claims: Sequence[SourcedClaim],
    judged: Mapping[int, Iterable[int]] = _NONE,
    replaced: Iterable[int] = (),
) -> Iterator[tuple[int, int, bool]]:
    """Index of each claim that a later one replaces, index of the later one, and whether that one
    names the same label.

    ``claims``: in text order. ``judged``: claims that replace nothing more, with what they
    replaced. ``replaced``: other claims that are replaced already. A value that is repeated does
    not replace itself, and a source never replaces what a more trusted one stated.
    """
    if not any(c.states or c.corrects for i, (c, _) in enumerate(claims) if i not in judged):
        return  # records alone, which replace nothing
    # by their words in any order: room's code, code of the room
    labels: dict[frozenset[str], list[int]] = {}
    forms: dict[int, list[int]] = {}
    gone = set(replaced)
    for i, (claim, _) in enumerate(claims):
        new = i not in judged
        gone.update(judged.get(i, ()))
        if claim.words:
            name = frozenset(claim.words.split())
            same = labels.get(name, [])
            for j in same if new and (claim.corrects or claim.states) else ():
                if _replaces(claims[i], claims[j]):
                    gone.add(j)
                    yield j, i, claim.corrects
            labels[name] = _remembered([j for j in same if j not in gone], i, claims)
        alike = forms.setdefault(claim.form, [])
        corrects = new and claim.corrects
        if corrects and not any(claims[j][0].words == claim.words != "" for j in alike):
            current = [j for j in alike if j not in gone]
            values = {claims[j][0].value for j in _spoken_of(claims, i, current)}
            for j in current:
                if claims[j][0].value in values and _may_replace(claims[i], claims[j]):
                    gone.add(j)
                    yield j, i, False
        forms[claim.form] = _remembered(alike, i, claims)


def _remembered(alike: list[int], i: int, claims: Sequence[SourcedClaim]) -> list[int]:
    """``alike`` with ``i``; the oldest claim of the same source goes if there are too many. So a
    tool's list cannot displace a statement of the user."""
    same_source = [j for j in alike if claims[j][1] == claims[i][1]]
    over = same_source[: len(same_source) + 1 - SIDE_BY_SIDE]
    return [*(j for j in alike if j not in over), i]


def _replaces(new: SourcedClaim, old: SourcedClaim) -> bool:
    claim, earlier = new[0], old[0]
    return _may_replace(new, old) and (claim.corrects or (claim.states and earlier.states))


def _may_replace(new: SourcedClaim, old: SourcedClaim) -> bool:
    """Whether the new claim has another value and its source is trusted no less."""
    (claim, source), (earlier, other) = new, old
    return claim.value != earlier.value and TRUST[source] >= TRUST[other]


def _spoken_of(claims: Sequence[SourcedClaim], i: int, alike: list[int]) -> list[int]:
    """What a correction without a known label corrects.

    The newest earlier claim of its form whose label it mentions, or shortens ("the locker" for "the
    locker to ship to"). Otherwise, if it names something itself ("the docs have moved to 8443"),
    one without a label; if it names nothing, any.
    """
    claim, _ = claims[i]
    allowed = [j for j in alike if _may_replace(claims[i], claims[j])]
    about = _about(claim)
    named = [j for j in allowed if _mentions(claim, claims[j][0])]
    named = named or [j for j in allowed if _shortens(about, claims[j][0])]
    if about and not named:
        unnamed = [(j, _about(claims[j][0])) for j in allowed if not claims[j][0].words]
        allowed = [j for j, of in unnamed if not of or about & of]
    return named[-1:] or _closest(claims, i, allowed)[-1:]


def _about(claim: Claim) -> set[str]:
    """What a claim is about: the words of its label, otherwise the words around it, without
    short, joining and correcting words."""
    words = claim.words.split() or [word for word in claim.around if len(word) > 1]
    return {word for word in words if word not in WORDS and not is_common(word)}


def _shortens(about: set[str], earlier: Claim) -> bool:
    return bool(about) and about <= set(earlier.words.split())


def _closest(claims: Sequence[SourcedClaim], i: int, alike: list[int]) -> list[int]:
    """Of claims of one form, those that look most like the correction: five digits correct five
    digits, whatever came between."""
    claim, _ = claims[i]
    series = [j for j in alike if claims[j][0].outline == claim.outline]
    return series or [j for j in alike if claims[j][0].length == claim.length] or alike


def _mentions(claim: Claim, earlier: Claim) -> bool:
    return bool(earlier.words) and claim.around.issuperset(earlier.words.split())


def newer_first(
    spans: Sequence[SponsoredSpan], claims: Sequence[SourcedClaim], flooded: Container[Flooded]
) -> list[SponsoredSpan]:
    """The spans, in text order, where a later statement of the same thing gets at least the rank of
    the earlier one. Spans inside the earlier value rank no higher than it.

    ``claims``: what each span says. ``flooded``: forms of which a source has a flood; these
    stay.
    """
    ranked = list(spans)
    for earlier, later in sorted(_followed(spans, claims, flooded).items()):
        first = ranked[earlier]
        if first.rank <= ranked[later].rank or first.rank.asked > ranked[later].rank.asked:
            continue
        place = ranked[later].rank.place
        ranked[later] = ranked[later]._replace(rank=first.rank._replace(place=place))
        for i in range(earlier + 1, later):
            if ranked[i].value.end > first.value.end:
                break
            ranked[i] = ranked[i]._replace(rank=min(ranked[i].rank, first.rank))
    return ranked


def _followed(
    spans: Sequence[SponsoredSpan], claims: Sequence[SourcedClaim], flooded: Container[Flooded]
) -> dict[int, int]:
    """Claims that a later one of the same form may stand for, each with the last such one."""
    forms: dict[int, list[int]] = {}
    for i, (claim, source) in enumerate(claims):
        rank = spans[i].rank
        current = claim.value and rank.tier >= CURRENT and spans[i].rule != PART
        likely = rank.likelihood >= OUTRANKS * CLASSES
        if current and likely and (claim.form, source) not in flooded:
            forms.setdefault(claim.form, []).append(i)
    followed: dict[int, int] = {}
    for alike in forms.values():
        for at, i in enumerate(alike[1:], 1):
            for j in alike[max(0, at - SIDE_BY_SIDE) : at]:
                if _may_follow(claims[i], claims[j], alone=len(alike) == 2):
                    followed[j] = i
    return followed


def _may_follow(new: SourcedClaim, old: SourcedClaim, *, alone: bool) -> bool:
    claim, earlier = new[0], old[0]
    if not _may_replace(new, old):
        return False
    names, former = set(claim.words.split()), set(earlier.words.split())
    if not (claim.states or claim.around or claim.corrects):  # a record
        return alone and earlier.states and bool(names) and (names <= former or former <= names)
    if alone and (claim.corrects or not names or (claim.states and not (former - names))):
        return True
    return bool(former) and claim.around.issuperset(former)
