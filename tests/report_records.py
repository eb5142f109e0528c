"""Records of `ta reproduce` made by hand, one for every figure of a report."""

import json
from dataclasses import replace

from reproduce_rows import row
from ta_lab.experiments.plan import FULL, Arm

BUDGETS = (16, 64, 256)
ORIGIN = {
    "time": "2026-01-01T00:00:00+00:00",
    "commit": "a" * 40,
    "dirty": False,
    "versions": {"transformers": "5.0.0", "torch": "2.10.0"},
    "machine": {"cpus": 2, "system": "Linux", "arch": "x86_64"},
    "model": "embedded",
    "seed": 0,
    "arguments": {"size": "default", "trials": None, "filler": "pydoc"},
}
KEPT = {"ta": (20, 20, 20), "tova": (0, 6, 20), "h2o": (0, 0, 4), "streaming-llm": (0, 0, 0),
        "oracle": (20, 20, 20), "random": (0, 0, 1)}  # fmt: skip


def record(name, rows, **others):
    return {"experiment": name, "provenance": ORIGIN, "rows": rows, **others}


def cell(block, kept, arm, right=None, n=20, **others):
    """A cell in which ``kept`` of n values are whole and ``right`` of those are answered."""
    right = kept if right is None else right
    marks = right * "b" + (kept - right) * "k" + (n - kept) * "-"
    made = row(block, marks, arm, **others)
    return made | {"anchors": 0, "max_live_tokens": 16, "commits": ["a" * 40], "dirty": False}


def needle(full=20):
    fast = "ta-fast-semantic"
    rows = [cell("needle", 20, FULL, full)]
    for method, counts in KEPT.items():
        rows += [
            cell("needle", count, Arm(method, k)) for count, k in zip(counts, BUDGETS, strict=True)
        ]
    for k in BUDGETS:
        rows += [
            cell("needle", 14, Arm(fast, k, preset="paper"), 13),
            cell("needle", 20, Arm(fast, k)),
        ]
        rows.append(cell("needle", 0, Arm(fast, k, preset="paper", sponsored=False)))
        rows.append(cell("needle", 3, Arm("tova", k, tail=True)))
    return record("needle", rows)


def hardmode(full=19):
    rows = []
    for block, kept in (("similar", 20), ("paraphrased", 18), ("early", 2)):
        rows.append(cell(block, 20, FULL, full, groups=("overall",)))
        for method, count in (("ta-learned", kept - 2), ("ta", kept), ("h2o", 1)):
            rows.append(cell(block, count, Arm(method, 64), groups=("overall",)))
    return record("hardmode", rows)


def composition():
    rows = [cell("needle", 20, FULL)]
    for k in (16, 64):
        for method, count in (("tova", 1), ("ta+tova", 19), ("snapkv", 0), ("ta+snapkv", 20)):
            rows.append(cell("needle", count, Arm(method, k)))
    return record("composition", rows)


def ablation():
    paper = Arm("ta-fast-semantic", 16, preset="paper")
    settings = {"unchanged": 20, "sponsor budget = 1": 8, "sponsor budget = 30": 20,
                "weight of recency = x 2": 17}  # fmt: skip
    rows = [
        cell(f"as printed: ta-fast-semantic, {title}", count, paper)
        for title, count in settings.items()
    ]
    for title, count in (("unchanged", 20), ("no sponsorship", 1), ("4 sinks, 1 recent", 19)):
        rows.append(cell(f"our choice, needle: {title}", count, replace(paper, method="ta")))
    return record("ablation", rows)


def audit():
    ranks = [
        {"layer": i, "positions": 4000, "chance": 2000.0,
         "before": {"median": 3600.0 - 400 * i, "worst": 3900},
         "after": {"median": 900.0 + 300 * i, "worst": 3000}}
        for i in range(4)
    ]  # fmt: skip
    kept = [
        {"method": method, "preset": "default", "partition": "partition", "kept": 16,
         "sinks": sinks, "window": window, "value": value, "of_value": 7, "lanes": 8}
        for method, sinks, window, value in (
            ("ta", 1, 4, 7), ("tova", 1, 10, 0), ("streaming-llm", 4, 12, 0))
    ]  # fmt: skip
    coverage = {"part": "coverage", "name": "depth 0.5", "tokens": 4090, "value": [2048, 2055],
                "kept": kept}  # fmt: skip
    return record(
        "audit", [coverage, {"part": "rank", "tokens": 4000, "trials": 5, "layers": ranks}]
    )


def mechanism():
    value, first, size = [500, 506], 492, 20
    base = [round(0.2 + 0.003 * i, 4) for i in range(size)]
    vouchers = [15 * 0.8 ** (i - 7) if 8 <= i < 14 else 0.0 for i in range(size)]
    pieces = [f" w{i}" for i in range(8)] + 6 * ["••"] + ["\n"] + [" $x$" for _ in range(5)]
    curve = [[rank, round(1.0 / rank, 4)] for rank in (1, 2, 4, 8, 16, 64, 512, 1000)]
    printed = {
        "part": "mechanism", "method": "ta-fast-semantic", "preset": "paper", "budget": 16,
        "tokens_asked": 1024, "tokens": 1000, "value": value, "label": [495, 499], "anchor": 499,
        "rule": "semantic", "first": first, "pieces": pieces, "base": base, "voucher": vouchers,
        "kept": [0, *range(500, 505), *range(990, 1000)],
        "ranks": {"without": [480, 481, 482, 483, 484, 485], "with": [1, 2, 3, 4, 5, 6]},
        "curve": {"without": curve, "with": curve},
    }  # fmt: skip
    ours = printed | {"method": "ta", "preset": "default", "voucher": size * [0.0]}
    return record("mechanism", [printed, ours])


ALL = (needle, hardmode, composition, ablation, audit, mechanism)


def write(folder, *records):
    """A report's folder with these records."""
    (folder / "records").mkdir(parents=True, exist_ok=True)
    for one in records or [make() for make in ALL]:
        (folder / "records" / f"{one['experiment']}.json").write_text(json.dumps(one))
    return folder
