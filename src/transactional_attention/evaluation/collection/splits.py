"""SPLITS: disjoint sets of templates of the same families.

Development, test, and the test split that was scored once and is for development since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ...errors import UnknownNameError
from .templates import (
    agent_retired_templates,
    agent_templates,
    agent_test_templates,
    code_retired_templates,
    code_templates,
    code_test_templates,
    config_retired_templates,
    config_templates,
    config_test_templates,
    language_retired_templates,
    language_templates,
    language_test_templates,
    plain_retired_templates,
    plain_templates,
    plain_test_templates,
    prose_retired_templates,
    prose_templates,
    prose_test_templates,
    shape_retired_templates,
    shape_templates,
    shape_test_templates,
    web_retired_templates,
    web_templates,
    web_test_templates,
)


@dataclass(frozen=True)
class Split:
    """Templates: ``families`` by name, ``languages`` and ``paragraphs`` by language."""

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

    def texts(self) -> Iterator[str]:
        """Every template and paragraph."""
        for many in (self.families, self.agents, self.languages, self.paragraphs):
            yield from (text for texts in many.values() for text in texts)
        for texts in (self.shapes, self.confusers, self.flood_facts, self.flood_fakes):
            yield from texts


def _split(name: str, *modules: ModuleType) -> Split:
    """A split from the modules of its templates."""
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
    )


TRANSCRIPTS = ("chat-turns", "agent-transcript")
DEVELOPMENT = _split(
    "development",
    config_templates,
    web_templates,
    code_templates,
    agent_templates,
    prose_templates,
    language_templates,
    shape_templates,
    plain_templates,
)
RETIRED = _split(
    "retired",
    config_retired_templates,
    web_retired_templates,
    code_retired_templates,
    agent_retired_templates,
    prose_retired_templates,
    language_retired_templates,
    shape_retired_templates,
    plain_retired_templates,
)
TEST = _split(
    "test",
    config_test_templates,
    web_test_templates,
    code_test_templates,
    agent_test_templates,
    prose_test_templates,
    language_test_templates,
    shape_test_templates,
    plain_test_templates,
)
SPLITS: dict[str, Split] = {split.name: split for split in (DEVELOPMENT, RETIRED, TEST)}


def get_split(name: str) -> Split:
    """The split of that name.

    Raises:
        UnknownNameError: for a name that is none of ``SPLITS``.
    """
    if name not in SPLITS:
        raise UnknownNameError("split", name, SPLITS)
    return SPLITS[name]
