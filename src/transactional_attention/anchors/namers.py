"""Grammars of names: what people call the things, people and places that an agent works with."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor
from .aliases import aliases
from .branches import branches, labelled, networks, tracked
from .decisions import decisions
from .designators import designators
from .flights import flights
from .foreign_names import foreign_names
from .given_names import given_names
from .handles import handles
from .hosts import hosts
from .lodgings import lodgings
from .measures import measures
from .parameters import parameters
from .people import people
from .resources import resources
from .schedules import schedules
from .settings import settings
from .terms import terms

_GRAMMARS = (
    resources, branches, labelled, networks, tracked,
    foreign_names, hosts, handles, schedules, settings, terms, given_names, people,
    aliases, decisions, flights, designators, measures, lodgings, parameters,
)  # fmt: skip


def named(text: str) -> Iterator[Anchor]:
    """Names, schedules and settings that need no digit."""
    for grammar in _GRAMMARS:
        yield from grammar(text)
