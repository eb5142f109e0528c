"""Semantic sponsorship for KV-cache retention: a value that is stated once is kept.

What runs on transformers is loaded when it is asked for: ``LATER`` says where each name is; so
are names of the laboratory, and the methods that other packages bring.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .config import Choices, Memory, ProtectedRange, Retention, Sponsorship, Weights
from .detection.catalogue import register_detector
from .detection.detector import Detector
from .errors import (
    BudgetError,
    CacheStateError,
    InputError,
    NumericsError,
    PositionsError,
    RetentionError,
    UnknownNameError,
    UnsupportedError,
)
from .inspection.memory_plan import MemoryPlan, plan_memory
from .inspection.plan import Plan, PlannedValue, plan
from .inspection.report import Report
from .laboratory import NAMES, name_of_laboratory
from .methods import registry
from .methods.method import Method
from .methods.observation import Observation, Seen
from .methods.registry import all_methods, register_method
from .methods.scorers import Scorer, TokenView
from .models import load_model as load
from .models.embedded import load_embedded
from .text.text_blocks import TextBlocks
from .text.token_stream import TokenStream
from .types import Anchor, Rank, SourceRange, Span, SponsoredSpan
from .version import __version__

if TYPE_CHECKING:
    from .engines.transformers import RetentionCache, attach, detach
    from .engines.transformers.chat import encode_chat
    from .engines.transformers.conversation import Chat, Reply
    from .engines.transformers.install import install
    from .engines.transformers.loading import load_cache
    from .engines.transformers.passes import prefill_whole
    from .engines.transformers.prefill import inputs_behind, prefill
    from .methods.registry import METHODS

Recalling = Memory  # its older name
LATER = {
    "Chat": "conversation",
    "Reply": "conversation",
    "RetentionCache": "cache",
    "attach": "attach",
    "detach": "attach",
    "encode_chat": "chat",
    "inputs_behind": "prefill",
    "install": "install",
    "load_cache": "loading",
    "prefill": "prefill",
    "prefill_whole": "passes",
}

__all__ = [
    "METHODS",
    "Anchor",
    "BudgetError",
    "CacheStateError",
    "Chat",
    "Choices",
    "Detector",
    "InputError",
    "Memory",
    "MemoryPlan",
    "Method",
    "NumericsError",
    "Observation",
    "Plan",
    "PlannedValue",
    "PositionsError",
    "ProtectedRange",
    "Rank",
    "Recalling",
    "Reply",
    "Report",
    "Retention",
    "RetentionCache",
    "RetentionError",
    "Scorer",
    "Seen",
    "SourceRange",
    "Span",
    "SponsoredSpan",
    "Sponsorship",
    "TextBlocks",
    "TokenStream",
    "TokenView",
    "UnknownNameError",
    "UnsupportedError",
    "Weights",
    "__version__",
    "attach",
    "detach",
    "encode_chat",
    "inputs_behind",
    "install",
    "load",
    "load_cache",
    "load_embedded",
    "plan",
    "plan_memory",
    "prefill",
    "prefill_whole",
    "register_detector",
    "register_method",
]


if not TYPE_CHECKING:  # which knows the names above, and no others

    def __getattr__(name):
        """A name that is loaded when it is asked for; from then on it is the module's own."""
        if name in LATER:
            found = getattr(import_module(f".engines.transformers.{LATER[name]}", __name__), name)
        elif name == "METHODS":
            all_methods()  # of all packages, by their entry points
            found = registry.METHODS
        elif name in NAMES:
            found = name_of_laboratory(name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
