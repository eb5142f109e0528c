"""All concepts: things whose value a text gives without saying "label: value"."""

from __future__ import annotations

from transactional_attention.training.families.concept_values import Concept
from transactional_attention.training.families.concepts_build import BUILD
from transactional_attention.training.families.concepts_home import HOME
from transactional_attention.training.families.concepts_money import MONEY
from transactional_attention.training.families.concepts_office import OFFICE
from transactional_attention.training.families.concepts_ops import OPS
from transactional_attention.training.families.concepts_travel import TRAVEL

CONCEPTS: tuple[Concept, ...] = (*HOME, *TRAVEL, *MONEY, *OFFICE, *OPS, *BUILD)
