"""All concepts: things whose value a text gives without saying "label: value"."""

from __future__ import annotations

from .concept_values import Concept
from .concepts_build import BUILD
from .concepts_home import HOME
from .concepts_money import MONEY
from .concepts_office import OFFICE
from .concepts_ops import OPS
from .concepts_travel import TRAVEL

CONCEPTS: tuple[Concept, ...] = (*HOME, *TRAVEL, *MONEY, *OFFICE, *OPS, *BUILD)
