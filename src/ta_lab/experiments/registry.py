"""EXPERIMENTS: a name, and the module that exposes it as ``EXPERIMENT``. One line an experiment.

Modules are imported when they are asked for: some need packages that the others do without.
"""

from __future__ import annotations

from importlib import import_module

from transactional_attention.errors import UnknownNameError

from .experiment import Experiment

EXPERIMENTS: tuple[str, ...] = (
    "needle",
    "toolcall",
    "models",
    "tokenizers",
    "confusers",
    "variants",
    "multislot",
    "formats",
    "hardmode",
    "abuse",
    "scaling",
    "perplexity",
    "longbench",
    "audit",
    "bfcl",
    "composition",
    "mechanism",
    "ablation",
    "detector",
    "latency",
    "cliff",
    "unstructured",
    "durability",
    "theorems",
    "variant-map",
    "answered",
    "ruler",
    "beyond",
)


def get_experiment(name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        UnknownNameError: with the closest names.
    """
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return import_module(f"{__package__}.{name.replace('-', '_')}").EXPERIMENT
