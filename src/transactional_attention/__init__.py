"""Semantic sponsorship for KV-cache retention: a value that is stated once is kept.

Names are loaded when they are asked for: ``HOMES`` says what each module gives. So are names of the
laboratory, and the methods that other packages bring.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .config import Choices, Memory, ProtectedRange, Retention, Sponsorship, Weights
    from .config import Memory as Recalling  # its older name
    from .detection.catalogue import register_detector
    from .detection.detector import Detector
    from .engines.transformers import RetentionCache, attach, detach
    from .engines.transformers.chat import encode_chat
    from .engines.transformers.conversation import Chat, Reply
    from .engines.transformers.install import install
    from .engines.transformers.loading import load_cache
    from .engines.transformers.passes import prefill_whole
    from .engines.transformers.prefill import inputs_after, prefill
    from .engines.transformers.prefill import inputs_after as inputs_behind  # its older name
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
    from .methods.method import Method
    from .methods.observation import Observation, Seen
    from .methods.registry import METHODS, register_method
    from .methods.scorers import Scorer, TokenView
    from .models import load_model as load
    from .models.embedded import load_embedded
    from .text.text_blocks import TextBlocks
    from .text.token_stream import TokenStream
    from .types import Anchor, Rank, SourceRange, Span, SponsoredSpan

HOMES = {
    "config": "Choices Memory ProtectedRange Retention Sponsorship Weights",
    "detection.catalogue": "register_detector",
    "detection.detector": "Detector",
    "engines.transformers.attach": "attach detach",
    "engines.transformers.cache": "RetentionCache",
    "engines.transformers.chat": "encode_chat",
    "engines.transformers.conversation": "Chat Reply",
    "engines.transformers.install": "install",
    "engines.transformers.loading": "load_cache",
    "engines.transformers.passes": "prefill_whole",
    "engines.transformers.prefill": "inputs_after prefill",
    "errors": "BudgetError CacheStateError InputError NumericsError PositionsError"
    " RetentionError UnknownNameError UnsupportedError",
    "inspection.memory_plan": "MemoryPlan plan_memory",
    "inspection.plan": "Plan PlannedValue plan",
    "inspection.report": "Report",
    "methods.method": "Method",
    "methods.observation": "Observation Seen",
    "methods.registry": "register_method",
    "methods.scorers": "Scorer TokenView",
    "models.embedded": "load_embedded",
    "text.text_blocks": "TextBlocks",
    "text.token_stream": "TokenStream",
    "types": "Anchor Rank SourceRange Span SponsoredSpan",
}
WHERE = {name: (home, name) for home, names in HOMES.items() for name in names.split()}
WHERE |= {"Recalling": ("config", "Memory"), "load": ("models", "load_model")}
WHERE |= {"inputs_behind": ("engines.transformers.prefill", "inputs_after")}

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
    "inputs_after",
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
        if name in WHERE:
            home, inside = WHERE[name]
            attribute = getattr(import_module(f".{home}", __name__), inside)
        elif name == "METHODS":
            registry = import_module(".methods.registry", __name__)
            registry.all_methods()  # of all packages, by their entry points
            attribute = registry.METHODS
        else:
            laboratory = import_module(".laboratory", __name__)
            if name not in laboratory.NAMES:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            attribute = laboratory.name_of_laboratory(name)
        globals()[name] = attribute
        return attribute


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
