"""Grammars of names: what people call the things, people and places that an agent works with."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor
from .statements.aliases import aliases
from .statements.attributes import attributes
from .statements.branches import branches, labelled, networks, shown_networks, tracked
from .statements.clefts import clefts
from .statements.contrasts import contrasts
from .statements.decisions import decisions
from .statements.designators import designators
from .statements.door_phrases import door_phrases
from .statements.duties import duties
from .statements.eastern_degrees import eastern_coordinates
from .statements.eastern_places import eastern_places
from .statements.english_days import english_days
from .statements.field_people import field_people
from .statements.flights import flights
from .statements.foreign_allergies import foreign_allergies
from .statements.foreign_attributes import foreign_attributes
from .statements.foreign_duties import foreign_duties
from .statements.foreign_names import foreign_names
from .statements.foreign_networks import foreign_networks
from .statements.foreign_paths import foreign_paths
from .statements.given_names import given_names
from .statements.han_codes import han_codes
from .statements.handles import handles
from .statements.hidden_places import hidden_places
from .statements.hosts import hosts
from .statements.keepers import keepers
from .statements.lodgings import lodgings
from .statements.machine_names import machine_names
from .statements.measures import measures
from .statements.moments import moments
from .statements.named_people import named_people
from .statements.named_phrases import named_phrases
from .statements.native_codes import native_codes
from .statements.numbered_places import numbered_places
from .statements.parameters import parameters
from .statements.people import people
from .statements.preferences import preferences
from .statements.reported_names import reported_names
from .statements.requested import requested
from .statements.resources import resources
from .statements.said_phrases import said_phrases
from .statements.schedules import schedules
from .statements.secret_words import secret_words
from .statements.settings import settings
from .statements.signed_passwords import signed_passwords
from .statements.terms import terms
from .statements.told_logins import told_logins
from .statements.told_names import told_names
from .statements.told_numbers import told_numbers
from .statements.told_people import told_people
from .statements.told_phrases import told_phrases
from .statements.weekday_clocks import weekday_clocks
from .statements.wide_contrasts import wide_contrasts
from .statements.wide_duties import wide_duties
from .statements.wide_keepers import wide_keepers
from .statements.word_sums import word_sums
from .statements.worded_sums import worded_sums

_GRAMMARS = (
    resources, branches, labelled, networks, shown_networks, tracked, foreign_names,
    foreign_networks, hosts, handles, schedules, settings, terms, given_names, people, aliases,
    decisions, contrasts, wide_contrasts, duties, foreign_duties, wide_duties, named_people,
    keepers, wide_keepers, moments, flights, designators, measures, lodgings, parameters,
    machine_names, requested, attributes, foreign_attributes, preferences, foreign_allergies,
    secret_words, signed_passwords, said_phrases, told_phrases, han_codes, told_numbers,
    told_names, reported_names, field_people, english_days, told_logins, door_phrases,
    hidden_places, told_people, clefts, worded_sums, named_phrases, foreign_paths, native_codes,
    eastern_places, numbered_places, weekday_clocks, word_sums, eastern_coordinates,
)  # fmt: skip


def named(text: str) -> Iterator[Anchor]:
    """Names, schedules and settings that need no digit."""
    for grammar in _GRAMMARS:
        yield from grammar(text)
