"""All experiments by name, in the order of ``ta reproduce`` (``data/experiments.toml``)."""

from collections.abc import Callable
from functools import partial

from transactional_attention.errors import UnknownNameError

from ..data import table
from . import (
    ablation,
    audit,
    bfcl,
    detector,
    durability,
    longbench,
    mechanism,
    needle,
    perplexity,
    recall,
    ruler,
    scaling,
    statements,
    theorems,
    variant_map,
)
from .experiment import Experiment, elsewhere
from .running import case_experiment

CASES = (
    needle.needle, needle.models, needle.composition, needle.cliff, statements.toolcall,
    statements.confusers, statements.variants, statements.multislot, statements.formats,
    statements.hardmode, statements.abuse, statements.unstructured, statements.answered,
    statements.alike, statements.corrections,
)  # fmt: skip
"""Blocks of cases, named as their experiment."""
MEASURED = {
    "tokenizers": (needle.tokenizers, needle.token_tables),
    "scaling": (scaling.run, scaling.tables),
    "perplexity": (perplexity.run, perplexity.tables),
    "longbench": (longbench.run, longbench.tables),
    "audit": (audit.run, audit.tables),
    "bfcl": (bfcl.run, bfcl.tables),
    "mechanism": (mechanism.run, mechanism.tables),
    "detector": (detector.run, detector.tables),
    "latency": (elsewhere("ta bench prefill and ta bench decode"), scaling.latency_tables),
    "durability": (durability.run, durability.tables),
    "theorems": (elsewhere("python -m pytest tests/test_claims.py"), theorems.tables),
    "variant-map": (variant_map.run, variant_map.tables),
    "ruler": (ruler.run, ruler.tables),
    **{name: (task.run, task.tables) for name, task in recall.TASKS.items()},
}
MADE: dict[str, Callable[..., Experiment]] = {
    **{blocks.__name__: partial(case_experiment, blocks=blocks) for blocks in CASES},
    **{name: partial(Experiment, run=r, tables=t) for name, (r, t) in MEASURED.items()},
    "ablation": partial(case_experiment, blocks=ablation.blocks, tables=ablation.tables),
}
EXPERIMENTS = {name: MADE[name](name, **given) for name, given in table("experiments").items()}


def get_experiment(name: str) -> Experiment:
    """The experiment of that name. Raises UnknownNameError with the closest names."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
