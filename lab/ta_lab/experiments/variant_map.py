"""Table 5: which variant of TA stands behind each experiment, in the paper and in our records.

Nothing is measured here. The paper's map is in ``paper.json``; what its own tables show and what
our records of the same folder ran are set beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from transactional_attention.errors import InputError

from .counting import count_of, is_main
from .experiment import Context, Record, Row, read_record
from .paper import data, figures
from .rendering import section
from .running import origins, traced
from .verdicts import REPRODUCED, incomparable, overall


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
    found = {n: read_record(path, n) for n, path in paths.items() if path.is_file()}
    for name, record in found.items():
        if record is None:
            raise InputError(f"{name}.json is no record of {name}: remove it and run {name} again")
    return {name: record for name, record in found.items() if record is not None}


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
    own = [r for r in rows if r["method"].startswith("ta") and r["sponsored"]]
    ours = [r for r in own if r.get("trials") and is_main(r)]
    return {
        **row,
        "printed": _run([r for r in ours if r["preset"] == "paper"]),
        "built": _run([r for r in ours if r["preset"] == "default"]),
        "refused": {r["method"]: r["refused"] for r in rows if "refused" in r},
        **origins(ours),
    }


def _run(rows: Sequence[Row]) -> list[Row]:
    """Methods with what they kept at their smallest K, over all cases."""
    found = []
    for method, allow in dict.fromkeys((row["method"], row["allow"]) for row in rows):
        own = [row for row in rows if (row["method"], row["allow"]) == (method, allow)]
        least = min(row["budget"] for row in own)
        counts = [count_of(row) for row in own if row["budget"] == least]
        trials, kept = sum(c.trials for c in counts), sum(c.kept for c in counts)
        found.append(
            {"method": method, "allow": allow, "budget": least, "trials": trials, "kept": kept}
        )
    return found


def render(record: Record) -> str:
    """The paper's map, line by line, and where ours and the paper's own tables differ from it."""
    judged = partial(judgement, record["rows"])
    return section("variant-map", record, judged, differences=differences)


def differences(row: Row) -> list[str]:
    """Where the map, the paper's tables and our record name different methods."""
    said, shown = set(row["methods"]), set(row["shown"])
    ran = {one["method"] for one in (*row["printed"], *row["built"])}
    found = []
    if shown - said:
        found.append(f"the paper's table shows {_sorted(shown - said)}, its map does not")
    if shown and said - shown:
        found.append(f"the map names {_sorted(said - shown)}, its table shows none")
    if not row["recorded"]:
        return [*found, f"no record: run {row['experiment']} into the same folder"]
    refused = {method for method in said - ran if method in row["refused"]}
    if refused:
        found.append(f"refused here: {_sorted(refused)}")
    if said - ran - refused:
        found.append(f"not run here: {_sorted(said - ran - refused)}")
    if ran - said - shown - {"ta"}:
        found.append(f"run here beside it: {_sorted(ran - said - shown - {'ta'})}")
    return found


def _sorted(methods: Iterable[str]) -> str:
    return ", ".join(sorted(methods))


def judgement(rows: Sequence[Row]) -> str:
    """Lines that our records follow; one that the paper's own tables contradict has no verdict."""
    against = [row["name"] for row in rows if row["shown"] and
               set(row["shown"]) != set(row["methods"])]  # fmt: skip
    followed = [
        row["name"]
        for row in rows
        if set(row["methods"]) <= {one["method"] for one in (*row["printed"], *row["built"])}
    ]
    words = [
        incomparable("the paper's own tables name other variants")
        if row["name"] in against
        else REPRODUCED
        if row["name"] in followed
        else incomparable("not every variant has a record")
        for row in rows
    ]
    named = f"; the tables differ for {', '.join(against)}" if against else ""
    return (
        f"Judgement: {overall(words, 'lines of the map')}{named}; our records hold every variant "
        f"of {len(followed)} lines."
    )
