"""Grammars of names: what people call the things, people and places that an agent works with."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor
from .aliases import aliases
from .attributes import attributes
from .branches import branches, labelled, networks, tracked
from .contrasts import contrasts
from .decisions import decisions
from .designators import designators
from .duties import duties
from .flights import flights
from .foreign_attributes import foreign_attributes
from .foreign_duties import foreign_duties
from .foreign_names import foreign_names
from .given_names import given_names
from .han_codes import han_codes
from .handles import handles
from .hosts import hosts
from .lodgings import lodgings
from .machine_names import machine_names
from .measures import measures
from .moments import moments
from .parameters import parameters
from .people import people
from .preferences import preferences
from .requested import requested
from .resources import resources
from .schedules import schedules
from .secret_words import secret_words
from .settings import settings
from .terms import terms
from .told_names import told_names
from .told_numbers import told_numbers
from .wide_contrasts import wide_contrasts
from .wide_duties import wide_duties

_GRAMMARS = (
    resources, branches, labelled, networks, tracked,
    foreign_names, hosts, handles, schedules, settings, terms, given_names, people,
    aliases, decisions, contrasts, wide_contrasts, duties, foreign_duties, wide_duties,
    moments, flights, designators, measures, lodgings, parameters, machine_names,
    requested, attributes, foreign_attributes, preferences, secret_words, han_codes,
    told_numbers, told_names,
)  # fmt: skip


def named(text: str) -> Iterator[Anchor]:
    """Names, schedules and settings that need no digit."""
    for grammar in _GRAMMARS:
        yield from grammar(text)
