"""The report of ``ta reproduce``: a folder's records as tables on one page of Markdown.

No model is loaded. A record that is absent or broken is named, the others are shown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from transactional_attention.errors import InputError
from transactional_attention.files import write_whole

from ..experiments.beside import the_rest
from ..experiments.catalogue import EXPERIMENTS
from ..experiments.experiment import Experiment, Record
from ..experiments.marks import origins
from ..markdown import markdown
from .records import FOLDER, LEFT_OUT, UNFINISHED, arguments, command, path_of

PAGE = "report.md"
UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, AssertionError)
"""What reading a record raises that is not one: fields missing or of another kind."""
HEAD = """# Transactional Attention, measured again

Made by `ta reproduce report` from the records beside this file. Figures of the paper are the \
paper's, on its own models; all others are from the records. Shares are percent with their 95% \
Wilson interval. Answered: the answer is the value and nothing else, where a model was asked. \
Kept whole: every layer and head holds all of the value when the question comes. Where the full \
cache answers little of the same cases, answers say little of methods."""


class Section(NamedTuple):
    """An experiment in a report. ``state``: how far it ran; ``problem``: why it has no tables."""

    experiment: Experiment
    state: str
    text: str
    problem: str = ""


def write_report(folder: Path) -> list[str]:
    """Writes ``report.md`` beside ``records/``; gives what could not be read. Raises InputError for
    a folder without records, or one that cannot be written."""
    here = Path.cwd().resolve()
    inside = folder.resolve().is_relative_to(here)  # as a command names it from here, or by name
    out = folder.resolve().relative_to(here).as_posix() if inside else folder.name
    sections = [_section(one, folder, out) for one in EXPERIMENTS.values()]
    if all(section.state == "not run" for section in sections):
        raise InputError(
            f"{folder} holds no records: make one with `ta reproduce needle --out {folder}`"
        )
    try:
        write_whole(folder / PAGE, _page(sections).encode("utf-8"), 0o644)
    except OSError as error:
        raise InputError(f"cannot write {folder / PAGE}: {error.strerror}") from None
    return [section.problem for section in sections if section.state == "broken"]


def _page(sections: Iterable[Section]) -> str:
    lines, texts = [], []
    for section in sections:
        one = section.experiment
        lines.append((one.name, one.place, section.problem or section.state))
        texts.append(f"## {one.name}: {one.place}\n\n{section.text}")
    summary = markdown(("experiment", "in the paper", "run"), lines)
    return "\n\n".join((HEAD, summary, *texts)) + "\n"


def _section(experiment: Experiment, folder: Path, out: str) -> Section:
    name, path, summary = experiment.name, path_of(folder, experiment.name), experiment.summary
    about = summary[0].upper() + summary[1:]

    def without(state: str, why: str = "", record: Record | None = None) -> Section:
        stated = the_rest(name, units=None)
        parts = (f"{about}. {why or 'No record yet.'}", stated, _run(command(name, record, out)))
        return Section(experiment, state, "\n\n".join(filter(None, parts)), why)

    def broken(why: str) -> Section:
        remedy = "Repair it, or remove it and run it again."
        return without("broken", f"{FOLDER}/{path.name} cannot be shown: {why}. {remedy}")

    if not path.exists():
        return without("not run")
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return broken("it is no JSON")
    if not isinstance(record, dict) or record.get("experiment") != name:
        return broken(f"it is no record of {name}")
    if not isinstance(record.get("rows"), list):
        return broken("it has no rows")
    if not record["rows"]:
        why = record.get(LEFT_OUT)
        return without("left out", f"Left out: {why}." if why else "No rows yet.", record)
    cut = bool(record.get(UNFINISHED))
    try:
        tables, asked = experiment.tables(record), arguments(record)
        tokens = f"; here in {asked['tokens']:,} tokens" if asked.get("tokens") else ""
        notice = "The run was interrupted: these are the cells so far." if cut else ""
        parts = (f"{about}{tokens}. {_origin(record)}.", notice, tables,
                 _run(command(name, record, out)))  # fmt: skip
    except UNREADABLE as error:  # its message may quote the record
        if cut:
            return without("interrupted", "Interrupted before its tables could be made.", record)
        return broken(f"a field is missing or of another kind ({type(error).__name__})")
    state = "interrupted" if cut else asked.get("size", "finished")
    return Section(experiment, state, "\n\n".join(filter(None, parts)))


def _run(line: str) -> str:
    return f"```\n{line}\n```"


def _origin(record: Record) -> str:
    """Where the figures come from, in one line."""
    origin, made = record.get("provenance") or {}, origins(record["rows"])
    commits = [c for c in made["commits"] or [origin.get("commit")] if c]
    dirty = ", modified" * bool(made["dirty"] or origin.get("dirty"))
    machine, versions = origin.get("machine") or {}, origin.get("versions") or {}
    shown = [
        f"Model {origin.get('model', 'unknown')}",
        f"seed {origin.get('seed', 'unknown')}",
        f"commit {', '.join(str(c)[:7] for c in commits) or 'unknown'}{dirty}",
        f"transformers {versions.get('transformers', 'unknown')}",
        f"torch {versions.get('torch', 'unknown')}",
        f"{machine.get('cpus', 'unknown')} CPUs, {machine.get('system', '')} "
        f"{machine.get('arch', '')}".rstrip(" ,"),
        f"begun {origin.get('time', 'unknown')}",
    ]
    return "; ".join(shown)
