"""Grammars of names: what people call the things, people and places that an agent works with."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor
from .aliases import aliases
from .attributes import attributes
from .branches import branches, labelled, networks, shown_networks, tracked
from .contrasts import contrasts
from .decisions import decisions
from .designators import designators
from .door_phrases import door_phrases
from .duties import duties
from .eastern_degrees import eastern_coordinates
from .eastern_places import eastern_places
from .english_days import english_days
from .field_people import field_people
from .flights import flights
from .foreign_allergies import foreign_allergies
from .foreign_attributes import foreign_attributes
from .foreign_duties import foreign_duties
from .foreign_names import foreign_names
from .foreign_networks import foreign_networks
from .foreign_paths import foreign_paths
from .given_names import given_names
from .han_codes import han_codes
from .handles import handles
from .hidden_places import hidden_places
from .hosts import hosts
from .keepers import keepers
from .lodgings import lodgings
from .machine_names import machine_names
from .measures import measures
from .moments import moments
from .named_people import named_people
from .named_phrases import named_phrases
from .native_codes import native_codes
from .numbered_places import numbered_places
from .parameters import parameters
from .people import people
from .preferences import preferences
from .reported_names import reported_names
from .requested import requested
from .resources import resources
from .said_phrases import said_phrases
from .schedules import schedules
from .secret_words import secret_words
from .settings import settings
from .signed_passwords import signed_passwords
from .terms import terms
from .told_logins import told_logins
from .told_names import told_names
from .told_numbers import told_numbers
from .told_people import told_people
from .told_phrases import told_phrases
from .weekday_clocks import weekday_clocks
from .wide_contrasts import wide_contrasts
from .wide_duties import wide_duties
from .wide_keepers import wide_keepers
from .word_sums import word_sums
from .worded_sums import worded_sums

_GRAMMARS = (
    resources, branches, labelled, networks, shown_networks, tracked, foreign_names,
    foreign_networks, hosts, handles, schedules, settings, terms, given_names, people, aliases,
    decisions, contrasts, wide_contrasts, duties, foreign_duties, wide_duties, named_people,
    keepers, wide_keepers, moments, flights, designators, measures, lodgings, parameters,
    machine_names, requested, attributes, foreign_attributes, preferences, foreign_allergies,
    secret_words, signed_passwords, said_phrases, told_phrases, han_codes, told_numbers,
    told_names, reported_names, field_people, english_days, told_logins, door_phrases,
    hidden_places, told_people, worded_sums, named_phrases, foreign_paths, native_codes,
    eastern_places, numbered_places, weekday_clocks, word_sums, eastern_coordinates,
)  # fmt: skip


def named(text: str) -> Iterator[Anchor]:
    """Names, schedules and settings that need no digit."""
    for grammar in _GRAMMARS:
        yield from grammar(text)
