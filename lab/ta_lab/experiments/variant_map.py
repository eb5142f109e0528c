"""Table 5: which variant of TA stands behind each experiment, in the paper and in our records.

Nothing is measured here. The paper's map is in ``paper.json``; what its own tables show and what
our records of the same folder ran are set beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from transactional_attention.errors import InputError

from ..markdown import NONE, markdown, share
from .beside import count_of, is_main
from .experiment import Context, Record, Row, main, read_record
from .marks import origins
from .paper import data, figures
from .running import traced


def variants() -> tuple[Row, ...]:
    """The lines of the paper's map: name, line, our experiment, its methods, ``allow`` if given."""
    return tuple(data()["variants"])


def run(context: Context) -> Record:
    """A row a line of the map, from what the folder holds now; commits of its cells and this run.
    Raises InputError for a folder without any record of the map's experiments."""
    names = dict.fromkeys(line["experiment"] for line in variants())
    records = saved(context.records, names)
    if not any(record["rows"] for record in records.values()):
        raise InputError(
            "variant-map reads the records of other experiments and there are none yet: run "
            f"{', '.join(names)} into the same --out first, any of them"
        )
    rows = (mapped(line, records.get(line["experiment"])) for line in variants())
    return {"rows": [traced(row, context.origin) for row in rows]}


def saved(folder: Path | None, names: Iterable[str]) -> dict[str, Record]:
    """The records that a folder holds, by name; those that it lacks are left out. Raises InputError
    for a file that is no record of its name."""
    paths = {} if folder is None else {name: folder / f"{name}.json" for name in names}
    records = {n: read_record(path, n) for n, path in paths.items() if path.is_file()}
    for name, record in records.items():
        if record is None:
            raise InputError(f"{name}.json is no record of {name}: remove it and run {name} again")
    return {name: record for name, record in records.items() if record is not None}


def mapped(line: Row, record: Record | None) -> Row:
    """A line of the map beside the paper's own figures and our record."""
    block = line.get("block")
    known = [f for f in figures(line["experiment"]) if block in (None, f.match.get("block"))]
    shown = dict.fromkeys(
        m
        for f in known
        if f.match["sponsored"]
        for m in f.match.get("methods", ())
        if m.startswith("ta")
    )
    row = {"part": "variant", **line, "shown": list(shown), "recorded": record is not None}
    if record is None:
        return {**row, "printed": [], "built": [], "refused": {}, **origins(())}
    rows = [r for r in record["rows"] if "marks" in r and block in (None, r["block"])]
    ta_rows = [r for r in rows if r["method"].startswith("ta") and r["sponsored"]]
    ours = [r for r in ta_rows if r.get("trials") and is_main(r)]
    return {
        **row,
        "printed": _run([r for r in ours if r["preset"] == "paper"]),
        "built": _run([r for r in ours if r["preset"] == "default"]),
        "refused": {r["method"]: r["refused"] for r in rows if "refused" in r},
        **origins(ours),
    }


def _run(rows: Sequence[Row]) -> list[Row]:
    """Methods with what they kept at their smallest K, over all cases."""
    entries = []
    for method, allow in dict.fromkeys((row["method"], row["allow"]) for row in rows):
        method_rows = [row for row in rows if (row["method"], row["allow"]) == (method, allow)]
        least = min(row["budget"] for row in method_rows)
        counts = [count_of(row) for row in method_rows if row["budget"] == least]
        trials, kept = sum(c.trials for c in counts), sum(c.kept for c in counts)
        entries.append(
            {"method": method, "allow": allow, "budget": least, "trials": trials, "kept": kept}
        )
    return entries


def tables(record: Record) -> str:
    """The paper's map, its own tables' methods, and ours with the values that they keep whole at
    the smallest K that was run, over all cases."""
    lines = [
        (f"{row['name']} ({row['experiment']})", ", ".join(row["methods"]) or NONE,
         ", ".join(row["shown"]) or NONE, _kept(row["printed"]), _kept(row["built"]),
         ", ".join(row["refused"]) or NONE)
        for row in record["rows"]
    ]  # fmt: skip
    head = ("experiment", "the paper's map", "the paper's own tables", "ours as printed, %",
            "ours as built, %", "cannot run here")  # fmt: skip
    return markdown(head, lines)


def _kept(ran: Sequence[Row]) -> str:
    phrases = (
        f"{one['method']}{', allowlist' * one['allow']} at K={one['budget']} "
        f"{share(one['kept'], one['trials'])}"
        for one in ran
    )
    return "; ".join(phrases) or NONE


if __name__ == "__main__":
    main("variant-map")
