"""Which claims a later one replaces: the same label said again, by no less trusted a source.

Only sentences replace each other by saying a label again: records of a list repeat their labels
without taking anything back. A claim that says so itself ("correction: ...") replaces records too,
and where it names no label, what it speaks of, or else the last value that looks like its own,
however far back. Near-identical
labels differ in a word, so each keeps its own value.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Source
from .claims import Claim
from .trust import TRUST

REMEMBERED = 8  # claims of one label, or of one form, that stand side by side

Said = tuple[Claim, Source]


def superseded(said: Sequence[Said]) -> dict[int, bool]:
    """Indices of claims that a later one replaces, and whether that one says so by its label.

    ``said`` in the order of the text. A value that is said again is no replacement, and a source
    never replaces what a more trusted one said.
    """
    if not any(claim.states or claim.corrects for claim, _ in said):
        return {}  # records alone, which replace nothing
    # by their words in any order: room's code, code of the room
    labels: dict[frozenset[str], list[int]] = {}
    forms: dict[int, list[int]] = {}
    replaced: dict[int, bool] = {}
    for i, (claim, _) in enumerate(said):
        if claim.words:
            name = frozenset(claim.words.split())
            same = labels.get(name, [])
            for j in same if claim.corrects or claim.states else ():
                if _replaces(said[i], said[j]):
                    replaced[j] = replaced.get(j, False) or claim.corrects
            labels[name] = [*[j for j in same if j not in replaced], i][-REMEMBERED:]
        alike = forms.setdefault(claim.form, [])
        if claim.corrects and not any(said[j][0].words == claim.words != "" for j in alike):
            for j in _spoken_of(said, i, [j for j in alike if j not in replaced]):
                replaced[j] = False
        forms[claim.form] = [*alike, i][-REMEMBERED:]
    return replaced


def _replaces(new: Said, old: Said) -> bool:
    (claim, source), (earlier, other) = new, old
    if claim.value == earlier.value or TRUST[source] < TRUST[other]:
        return False
    return claim.corrects or (claim.states and earlier.states)


def _spoken_of(said: Sequence[Said], i: int, alike: list[int]) -> list[int]:
    """What a correction without a known label corrects: the newest earlier claim of its form whose
    label it mentions, else the newest one without a label; any, when the correction has none."""
    claim, source = said[i]
    allowed = [
        j for j in alike if said[j][0].value != claim.value and TRUST[source] >= TRUST[said[j][1]]
    ]
    named = [j for j in allowed if _mentions(claim, said[j][0])]
    named = named or [j for j in allowed if _shortens(claim, said[j][0])]
    if claim.words and not named:  # it has a name: then one that has none, if any
        allowed = [j for j in allowed if not said[j][0].words]
    return named[-1:] or _closest(said, i, allowed)[-1:]


def _closest(said: Sequence[Said], i: int, alike: list[int]) -> list[int]:
    """Those of the claims of one form that look most like a correction: five digits correct five
    digits, whatever else was said since."""
    claim, _ = said[i]
    series = [j for j in alike if said[j][0].outline == claim.outline]
    return series or [j for j in alike if said[j][0].length == claim.length] or alike


def _mentions(claim: Claim, earlier: Claim) -> bool:
    return bool(earlier.words) and claim.around.issuperset(earlier.words.split())


def _shortens(claim: Claim, earlier: Claim) -> bool:
    """Whether every word of a correction's label is one of the earlier label: the locker, for the
    locker to ship to."""
    return bool(claim.words) and set(earlier.words.split()).issuperset(claim.words.split())
