"""Which claims a later one replaces, or stands before: by no less trusted a source.

A claim is replaced by the same label said again. Only sentences replace each other by saying a
label again: records of a list repeat their labels without taking anything back. A claim that says
so itself ("correction: ...") replaces records too, and where it names no label, what it speaks of,
or else the last value that looks like its own, however far back. Near-identical labels differ in a
word, so each keeps its own value.

A restatement need not say its label again, nor that it corrects anything: "Too muddy there, let's
do V". Where the later value has no name of its own and its sentences speak of the earlier one's, or
where a text holds these two of the form alone, both rank alike, the newer one first: what it is
was said of the earlier one. So does a record of a name that was stated before ("Password: V").
Neither is given up, since both may hold.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ..detection.label_words import is_common
from ..types import CURRENT, Source, SponsoredSpan
from .claims import PART, Claim
from .corrections import WORDS
from .trust import CLASSES, TRUST

REMEMBERED = 8  # claims of one label, or of one form, that stand side by side, of each source
LIKELY = 0.4
"""Likelihood from which a claim counts as a value here."""

Said = tuple[Claim, Source]
Flooded = tuple[int, Source]
_NONE: Mapping[int, Iterable[int]] = {}


def replacements(
    said: Sequence[Said], judged: Mapping[int, Iterable[int]] = _NONE, replaced: Iterable[int] = ()
) -> Iterator[tuple[int, int, bool]]:
    """Indices of claims that a later one replaces, with that one's, and whether it says so by its
    label.

    ``said`` in the order of the text. ``judged``: claims that replace nothing any more, with those
    that they replaced; ``replaced``: others that are. A value that is said again is no replacement,
    and a source never replaces what a more trusted one said.
    """
    if not any(c.states or c.corrects for i, (c, _) in enumerate(said) if i not in judged):
        return  # records alone, which replace nothing
    # by their words in any order: room's code, code of the room
    labels: dict[frozenset[str], list[int]] = {}
    forms: dict[int, list[int]] = {}
    gone = set(replaced)
    for i, (claim, _) in enumerate(said):
        new = i not in judged
        gone.update(judged.get(i, ()))
        if claim.words:
            name = frozenset(claim.words.split())
            same = labels.get(name, [])
            for j in same if new and (claim.corrects or claim.states) else ():
                if _replaces(said[i], said[j]):
                    gone.add(j)
                    yield j, i, claim.corrects
            labels[name] = _remembered([j for j in same if j not in gone], i, said)
        alike = forms.setdefault(claim.form, [])
        corrects = new and claim.corrects
        if corrects and not any(said[j][0].words == claim.words != "" for j in alike):
            current = [j for j in alike if j not in gone]
            values = {said[j][0].value for j in _spoken_of(said, i, current)}
            for j in current:
                if said[j][0].value in values and _may_replace(said[i], said[j]):
                    gone.add(j)
                    yield j, i, False
        forms[claim.form] = _remembered(alike, i, said)


def _remembered(alike: list[int], i: int, said: Sequence[Said]) -> list[int]:
    """With ``i``, without the oldest of its source where that has too many: what a tool lists hides
    no statement of the user."""
    own = [j for j in alike if said[j][1] == said[i][1]]
    over = own[: len(own) + 1 - REMEMBERED]
    return [*(j for j in alike if j not in over), i]


def _replaces(new: Said, old: Said) -> bool:
    claim, earlier = new[0], old[0]
    return _may_replace(new, old) and (claim.corrects or (claim.states and earlier.states))


def _may_replace(new: Said, old: Said) -> bool:
    """Whether a claim says another value, and its source is trusted no less."""
    (claim, source), (earlier, other) = new, old
    return claim.value != earlier.value and TRUST[source] >= TRUST[other]


def _spoken_of(said: Sequence[Said], i: int, alike: list[int]) -> list[int]:
    """What a correction without a known label corrects: the newest earlier claim of its form whose
    label it mentions, or shortens (the locker, for the locker to ship to). Else one that nothing
    names, when it names something itself ("the docs have moved to 8443"); any, when it does not."""
    claim, _ = said[i]
    allowed = [j for j in alike if _may_replace(said[i], said[j])]
    about = _about(claim)
    named = [j for j in allowed if _mentions(claim, said[j][0])]
    named = named or [j for j in allowed if about and about <= set(said[j][0].words.split())]
    if about and not named:
        unnamed = [(j, _about(said[j][0])) for j in allowed if not said[j][0].words]
        allowed = [j for j, of in unnamed if not of or about & of]
    return named[-1:] or _closest(said, i, allowed)[-1:]


def _about(claim: Claim) -> set[str]:
    """What a claim names: its label, or what is said around it beside words that correct, join or
    are short."""
    words = claim.words.split() or [word for word in claim.around if len(word) > 1]
    return {word for word in words if word not in WORDS and not is_common(word)}


def _closest(said: Sequence[Said], i: int, alike: list[int]) -> list[int]:
    """Those of the claims of one form that look most like a correction: five digits correct five
    digits, whatever else was said since."""
    claim, _ = said[i]
    series = [j for j in alike if said[j][0].outline == claim.outline]
    return series or [j for j in alike if said[j][0].length == claim.length] or alike


def _mentions(claim: Claim, earlier: Claim) -> bool:
    return bool(earlier.words) and claim.around.issuperset(earlier.words.split())


def newer_first(
    spans: Sequence[SponsoredSpan], said: Sequence[Said], flooded: Container[Flooded]
) -> list[SponsoredSpan]:
    """Spans in the order of the text, a later one ranked at least as the earlier one of the same
    thing, with what lies inside of that one behind it.

    ``said``: what each span says. ``flooded``: forms of which a source has a flood; they stay.
    """
    found = list(spans)
    for earlier, later in sorted(_followed(spans, said, flooded).items()):
        first = found[earlier]
        if first.rank <= found[later].rank or first.rank.asked > found[later].rank.asked:
            continue
        place = found[later].rank.place
        found[later] = found[later]._replace(rank=first.rank._replace(place=place))
        for i in range(earlier + 1, later):
            if found[i].value.end > first.value.end:
                break
            found[i] = found[i]._replace(rank=min(found[i].rank, first.rank))
    return found


def _followed(
    spans: Sequence[SponsoredSpan], said: Sequence[Said], flooded: Container[Flooded]
) -> dict[int, int]:
    """Claims that a later one of the same form may stand for, and the last such one."""
    forms: dict[int, list[int]] = {}
    for i, (claim, source) in enumerate(said):
        rank = spans[i].rank
        current = claim.value and rank.tier >= CURRENT and spans[i].rule != PART
        likely = rank.likelihood >= LIKELY * CLASSES
        if current and likely and (claim.form, source) not in flooded:
            forms.setdefault(claim.form, []).append(i)
    found: dict[int, int] = {}
    for alike in forms.values():
        for at, i in enumerate(alike[1:], 1):
            for j in alike[max(0, at - REMEMBERED) : at]:
                if _may_follow(said[i], said[j], alone=len(alike) == 2):
                    found[j] = i
    return found


def _may_follow(new: Said, old: Said, *, alone: bool) -> bool:
    claim, earlier = new[0], old[0]
    if not _may_replace(new, old):
        return False
    names, former = set(claim.words.split()), set(earlier.words.split())
    if not (claim.states or claim.around or claim.corrects):  # a record
        return alone and earlier.states and bool(names) and (names <= former or former <= names)
    if alone and (claim.corrects or not names or (claim.states and not (former - names))):
        return True
    if alone and claim.states and earlier.states and names & former:
        return True
    return bool(former) and claim.around.issuperset(former)
