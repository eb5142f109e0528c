"""Experiments by name: those of ``data/experiments.toml``, and modules that expose ``EXPERIMENT``.

Modules are imported when they are asked for: some need packages that the others do without."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from typing import Any

from transactional_attention.errors import UnknownNameError
from transactional_attention.models.embedded import SHIPPED

from . import cliff
from .experiment import NARROWING, Context, Experiment, Record
from .plan import DEPTHS, FULL, Arm, Block, arms, as_printed, narrowed, task_cases, with_controls
from .rendering import render, render_with_depths
from .running import run_blocks

EXPERIMENTS: tuple[str, ...] = tuple(
    "needle toolcall models tokenizers confusers variants multislot formats hardmode abuse scaling "
    "perplexity longbench audit bfcl composition mechanism ablation detector latency cliff "
    "unstructured durability theorems variant-map answered alike ruler recall recall-texts "
    "recall-tools".split()
)
SIZES = ("quick", "default", "full")
FAMILIES = {
    "llama-3": "llama3",
    "mistral-7b-v0.3": "mistral_v3",
    "mistral-7b-instruct-v0.3": "mistral_v3",
}
"""What the name of a model begins with, to the name that the paper's figures are found by."""


def get_experiment(name: str) -> Experiment:
    """The experiment of that name. Raises UnknownNameError with the closest names."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    spec = _specs().get(name)
    if spec is None:
        return import_module(f"{__package__}.{name.replace('-', '_')}").EXPERIMENT
    shown = {"needle": render_with_depths, "cliff": cliff.render}.get(name, render)
    return case_experiment(
        name, spec["table"], spec["summary"], partial(_blocks, spec), shown,
        controls=spec.get("controls", True), options=(*NARROWING, "tokens"),
    )  # fmt: skip


def case_experiment(
    name: str,
    table: str,
    summary: str,
    blocks: Callable[[Context], Sequence[Block]],
    render: Callable[[Record], str] = render,
    *,
    controls: bool = True,
    options: tuple[str, ...] = NARROWING,
) -> Experiment:
    """Runs blocks, with controls if not told otherwise, beside the paper's figures of that name."""

    def run(context: Context) -> Record:
        found = blocks(context)
        whole = with_controls(context, found) if controls else found
        return run_blocks(context, narrowed(context, whole))

    return Experiment(name, table, summary, run, render, blocks, options)


@cache
def _specs() -> dict[str, Any]:
    text = files("ta_lab").joinpath("data/experiments.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _pick(context: Context, value: Any) -> Any:
    """A value of the table, by size where it has several."""
    return value.get(context.size, value["default"]) if isinstance(value, dict) else value


def _blocks(spec: dict[str, Any], context: Context) -> list[Block]:
    """The blocks of an entry of the table."""
    found = []
    for entry in spec["blocks"]:
        if context.size not in entry.get("sizes", SIZES):
            continue
        number = context.trials or _pick(context, entry.get("contexts", spec["contexts"]))
        chosen = tuple(_arms(context, spec, entry.get("arms", spec["arms"])))
        settings = {"protocol": entry.get("protocol", "hidden")}
        settings |= {
            "groups": tuple(entry.get("groups", ())),
            "questions": entry.get("questions", 1),
        }
        for variant in _pick(context, entry.get("variants", [""])):
            make = task_cases(
                context, entry["task"], variant,
                tokens=context.tokens or _pick(context, spec.get("tokens", 4096)),
                depths=tuple(entry.get("depths", DEPTHS)),
            )  # fmt: skip
            if entry.get("slots"):
                settings |= {"slots": True, "questions": int(variant)}
            name = entry.get("name", "{}").format(variant or entry["task"])
            for own in _owners(context, entry.get("of")):
                found.append(Block(own.pop("name", name), make, number, chosen, **settings, **own))
    return found


def _owners(context: Context, kind: str | None) -> list[dict[str, Any]]:
    """Whose the cases of a block are: what sets each of its blocks apart."""
    if kind == "siblings":
        return [{"name": name, "model": name} for name in others(context)]
    if kind == "tokenizers":
        return [{"name": n, "answered": False, "tokenizer": n} for n in context.tokenizers]
    return [{} if kind is None else {"name": family_of(context.model)}]


def _arms(
    context: Context, spec: dict[str, Any], entries: Iterable[dict[str, Any]]
) -> Iterator[Arm]:
    yield FULL
    for entry in entries:
        settings = dict(entry)
        named, budgets = settings.pop("methods"), spec[settings.pop("at", "budgets")]
        names = _pick(context, spec[named] if isinstance(named, str) else named)
        prefix = settings.pop("prefix", "")
        make = as_printed if settings.pop("printed", False) else arms
        yield from make([prefix + name for name in names], _pick(context, budgets), **settings)


def others(context: Context) -> list[str]:
    """The shipped models that spell otherwise than the one at hand, where that one ships too."""
    return [name for name in SHIPPED if context.model in SHIPPED and name != context.model]


def family_of(model: str) -> str:
    """The name of a model, or that of the tokenizer which the paper's figures are about."""
    known = (name for start, name in FAMILIES.items() if model.lower().startswith(start))
    return next(known, model)
