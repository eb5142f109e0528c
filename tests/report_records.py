"""Records of `ta reproduce` made by hand, one for every figure of a report."""

import json

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


def write(folder, *records):
    """A report's folder with these records."""
    (folder / "records").mkdir(parents=True, exist_ok=True)
    for one in records:
        (folder / "records" / f"{one['experiment']}.json").write_text(json.dumps(one))
    return folder
