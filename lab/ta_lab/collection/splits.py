"""SPLITS: disjoint sets of templates of the same families.

Development, test, and the test splits that were scored once and are for development since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transactional_attention.errors import UnknownNameError

from ..data import table

PARTS = ("config", "web", "code", "prose", "agent", "language", "shape", "plain")
"""A split's files under ``data/collection/SPLIT/``."""
TRANSCRIPTS = ("chat-turns", "agent-transcript")


@dataclass(frozen=True)
class Counts:
    """Cases a family: most families, ``kind-*``, ``confusers-*``, ``flood-*``, ``value-free*``.

    Of most families, one with more templates has more cases (see ``Split.cases_of``), and so have
    ``confusers-*`` with more frames."""

    family: int = 12
    shape: int = 6
    confusers: int = 10
    flood: int = 10
    plain: int = 20


@dataclass(frozen=True)
class Split:
    """Templates: ``families`` by name, ``languages`` and ``paragraphs`` by language.

    ``value_free``: further English paragraphs, which surround no value."""

    name: str
    families: Mapping[str, Sequence[str]]
    agents: Mapping[str, Sequence[str]]
    languages: Mapping[str, Sequence[str]]
    shapes: Sequence[str]
    shape_names: Mapping[str, str]
    confusers: Sequence[str]
    confuser_labels: Sequence[tuple[str, str]]
    flood_facts: Sequence[str]
    flood_fakes: Sequence[str]
    paragraphs: Mapping[str, Sequence[str]]
    counts: Counts
    value_free: Sequence[str] = ()

    def cases_of(self, templates: Sequence[str]) -> int:
        """Cases of a family: its number, and one a template at least."""
        return max(self.counts.family, len(templates))

    def texts(self) -> Iterator[str]:
        """Every template and paragraph."""
        for many in (self.families, self.agents, self.languages, self.paragraphs):
            yield from (text for texts in many.values() for text in texts)
        for texts in (self.shapes, self.confusers, self.flood_facts, self.flood_fakes):
            yield from texts
        yield from self.value_free


def _split(name: str, counts: Counts) -> Split:
    """A split from the files of its templates."""
    families: dict[str, Sequence[str]] = {}
    others: dict[str, Any] = {}
    for part in PARTS:
        tables = table(f"collection/{name}/{part}")
        families |= tables.get("families", {})
        others |= {key: texts for key, texts in tables.items() if key != "families"}
    agents = {family: families.pop(family) for family in TRANSCRIPTS}
    return Split(name=name, families=families, agents=agents, counts=counts, **others)


SMALL, LARGE = Counts(), Counts(family=24, shape=18, confusers=24, flood=24, plain=24)
SPLITS = {name: _split(name, SMALL) for name in ("development", "retired", "retired-second")}
SPLITS["test"] = _split("test", LARGE)


def get_split(name: str) -> Split:
    """The split of that name. Raises UnknownNameError for a name that is none of ``SPLITS``."""
    if name not in SPLITS:
        raise UnknownNameError("split", name, SPLITS)
    return SPLITS[name]
