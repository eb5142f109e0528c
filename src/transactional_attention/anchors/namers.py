"""Grammars of names: what people call the things, people and places that an agent works with."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor
from .aliases import aliases
from .branches import branches, labelled, networks
from .contrasts import contrasts
from .decisions import decisions
from .duties import duties
from .foreign_duties import foreign_duties
from .foreign_names import foreign_names
from .given_names import given_names
from .handles import handles
from .hosts import hosts
from .moments import moments
from .people import people
from .resources import resources
from .schedules import schedules
from .settings import settings
from .terms import terms
from .wide_contrasts import wide_contrasts
from .wide_duties import wide_duties

_GRAMMARS = (
    resources, branches, labelled, networks,
    foreign_names, hosts, handles, schedules, settings, terms, given_names, people,
    duties, foreign_duties, wide_duties,
    aliases, decisions, contrasts, wide_contrasts, moments,
)  # fmt: skip


def named(text: str) -> Iterator[Anchor]:
    """Names, schedules and settings that need no digit."""
    for grammar in _GRAMMARS:
        yield from grammar(text)
