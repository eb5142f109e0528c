"""SPLITS: disjoint sets of templates of the same families.

Development, test, and the test splits that were scored once and are for development since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from transactional_attention.errors import UnknownNameError

from . import templates

PARTS = ("config", "web", "code", "agent", "prose", "language", "shape", "plain")
"""A split's modules: ``PART_templates``, with the split's suffix after the part."""
TRANSCRIPTS = ("chat-turns", "agent-transcript")


@dataclass(frozen=True)
class Counts:
    """Cases a family: most families, ``kind-*``, ``confusers-*``, ``flood-*``, ``value-free*``.

    Of most families, one with more templates has more cases (see ``Split.cases_of``), and so have
    ``confusers-*`` with more frames.
    """

    family: int = 12
    shape: int = 6
    confusers: int = 10
    flood: int = 10
    plain: int = 20


@dataclass(frozen=True)
class Split:
    """Templates: ``families`` by name, ``languages`` and ``paragraphs`` by language.

    ``value_free``: further English paragraphs, which surround no value.
    """

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
    value_free: Sequence[str]
    counts: Counts

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


def _split(name: str, suffix: str, counts: Counts) -> Split:
    """A split from the modules of its templates."""
    modules = (import_module(f"{templates.__name__}.{part}{suffix}_templates") for part in PARTS)
    tables: dict[str, Any] = {
        key: value for module in modules for key, value in vars(module).items()
    }
    agent = tables["AGENT"]
    inline = {name: texts for name, texts in agent.items() if name not in TRANSCRIPTS}
    groups = (tables[key] for key in ("CONFIG", "WEB", "CODE", "PROSE"))
    return Split(
        name=name,
        families={family: texts for group in (*groups, inline) for family, texts in group.items()},
        agents={name: agent[name] for name in TRANSCRIPTS},
        languages=tables["LANGUAGES"],
        shapes=tables["SHAPES"],
        shape_names=tables["SHAPE_NAMES"],
        confusers=tables["CONFUSERS"],
        confuser_labels=tables["CONFUSER_LABELS"],
        flood_facts=tables["FLOOD_FACTS"],
        flood_fakes=tables["FLOOD_FAKES"],
        paragraphs=tables["PARAGRAPHS"],
        value_free=tables.get("VALUE_FREE", ()),
        counts=counts,
    )


SMALL, LARGE = Counts(), Counts(family=24, shape=18, confusers=24, flood=24, plain=24)
SPLITS: dict[str, Split] = {
    split.name: split
    for split in (
        _split("development", "", SMALL),
        _split("retired", "_retired", SMALL),
        _split("retired-second", "_second_retired", SMALL),
        _split("test", "_test", LARGE),
    )
}


def get_split(name: str) -> Split:
    """The split of that name.

    Raises:
        UnknownNameError: for a name that is none of ``SPLITS``.
    """
    if name not in SPLITS:
        raise UnknownNameError("split", name, SPLITS)
    return SPLITS[name]
