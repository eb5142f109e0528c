"""Experiments by name, those of ``data/experiments.toml``.

One without ``blocks`` there has a module of its name, or that of ``code`` with it among its
``TASKS``, with ``blocks`` of cases or with ``run``, and with ``render``; it is imported when it is
asked for: some need packages that others do without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from transactional_attention.errors import UnknownNameError
from transactional_attention.models.embedded import SHIPPED

from ..data import table
from . import cliff
from .experiment import NARROWING, Context, Experiment, Record
from .plan import (
    DEPTHS,
    FULL,
    Arm,
    Block,
    arms,
    as_printed,
    changed,
    narrowed,
    task_cases,
    with_controls,
)
from .rendering import render, render_with_depths
from .running import run_blocks

EXPERIMENTS: tuple[str, ...] = tuple(table("experiments"))
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
    spec = table("experiments")[name]
    about, options = (name, spec["table"], spec["summary"]), spec.get("options", ())
    if "blocks" in spec:
        blocks: Any = partial(_blocks, spec)
        shown: Any = {"needle": render_with_depths, "cliff": cliff.render}.get(name, render)
    else:
        own: Any = import_module(f"{__package__}.{spec.get('code', name).replace('-', '_')}")
        own = getattr(own, "TASKS", {}).get(name, own)
        if not hasattr(own, "blocks"):
            return Experiment(*about, own.run, own.render, options=options)
        blocks, shown = own.blocks, getattr(own, "render", render)
    controls = spec.get("controls", True)
    return case_experiment(*about, blocks, shown, controls=controls, options=options)


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
        settings = {
            name: entry[name] for name in ("protocol", "groups", "questions") if name in entry
        }
        tokens = context.tokens or _pick(context, entry.get("tokens", spec.get("tokens", 4096)))
        for variant in _pick(context, entry.get("variants", [""])):
            depths = tuple(entry.get("depths", DEPTHS))
            make = task_cases(context, entry["task"], variant, tokens=tokens, depths=depths)
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
    known = (name for start, name in FAMILIES.items() if context.model.lower().startswith(start))
    return [{} if kind is None else {"name": next(known, context.model)}]


def _arms(
    context: Context, spec: dict[str, Any], entries: Iterable[dict[str, Any]]
) -> Iterator[Arm]:
    yield FULL
    for entry in entries:
        settings = dict(entry)
        budgets = _pick(context, spec[settings.pop("at", "budgets")])
        if "changed" in settings:
            yield from changed(settings.pop("changed"), budgets, **settings)
            continue
        named = settings.pop("methods")
        names = _pick(context, spec[named] if isinstance(named, str) else named)
        prefix = settings.pop("prefix", "")
        make = as_printed if settings.pop("printed", False) else arms
        yield from make([prefix + name for name in names], budgets, **settings)


def others(context: Context) -> list[str]:
    """The shipped models that spell otherwise than the one at hand, where that one ships too."""
    return [name for name in SHIPPED if context.model in SHIPPED and name != context.model]
