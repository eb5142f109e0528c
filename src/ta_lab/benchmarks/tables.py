"""Tables of benchmark records, for a page and for the terminal; nothing is measured here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transactional_attention.models import AUTO

Row = dict[str, Any]
Column = tuple[str, Callable[[Row], str]]
UNITS = ("B", "KB", "MB", "GB", "TB")


def size(count: float) -> str:
    """Bytes with three figures, in powers of 1000."""
    power = 0
    while count >= 1000 and power < len(UNITS) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.3g} {UNITS[power]}" if power else f"{count:.0f} B"


def duration(seconds: float) -> str:
    """Seconds, or minutes from two of them on."""
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def _span(row: Row, key: str, form: str) -> str:
    low, high = row[key]
    return f"{low:{form}} to {high:{form}}"


def _ms(row: Row) -> str:
    return f"{row['median_ms']:.2f}"


def _count(key: str) -> Callable[[Row], str]:
    return lambda row: "-" if row[key] is None else f"{row[key]:,}"


def _bytes(key: str) -> Callable[[Row], str]:
    return lambda row: size(row[key]) if row.get(key) is not None else "-"


def _time(key: str) -> Callable[[Row], str]:
    return lambda row: duration(row[key]) if row.get(key) is not None else "-"


def _share(row: Row) -> str:
    return f"{100 * row['kv_share']:.3g}%" + ("" if row.get("measured", True) else " (computed)")


ARM: Column = ("arm", lambda row: str(row["name"]))
TOKENS: Column = ("tokens", _count("tokens"))
BUDGET: Column = ("K", _count("budget"))
TIMES: tuple[Column, ...] = (
    ("median ms", _ms),
    ("range ms", lambda row: _span(row, "range_ms", ".2f")),
)
RATIOS: tuple[Column, ...] = (
    ("ratio", lambda row: f"{row['ratio']:.4g}"),
    ("range of ratios", lambda row: _span(row, "ratio_range", ".3g")),
)
TIMED = (*TIMES, *RATIOS)
PEAK: Column = ("peak KV", _bytes("kv_peak_bytes"))
OF_FULL: Column = ("of a full cache", _share)
RSS: Column = ("peak RSS", _bytes("rss_peak_bytes"))

COLUMNS: dict[str, tuple[Column, ...]] = {
    "prefill": (TOKENS, BUDGET, ARM, *TIMED),
    "decode": (TOKENS, BUDGET, ARM, *TIMED),
    "detection": (ARM, *TIMED),
    "detectors": (ARM, *TIMED, ("MB/s", lambda row: f"{row['mb_per_s']:.2f}")),
    "agent": (
        TOKENS,
        BUDGET,
        ARM,
        ("first token ms", _ms),
        ("range ms", lambda row: _span(row, "range_ms", ".1f")),
        ("last turn ms", lambda row: f"{row['last_ms']:.1f}"),
        *RATIOS,
        ("tokens/s", lambda row: f"{row['tokens_per_s']:.1f}"),
        ("KV at the end", _bytes("kv_bytes")),
        ("held", lambda row: f"{row['held']}/{row['values']}"),
        ("right", lambda row: f"{row['correct']}/{row['values']}"),
    ),
    "llama-cpp": (
        TOKENS,
        BUDGET,
        ARM,
        ("prefill tokens/s", lambda row: f"{row['prefill_tokens_per_s']:.0f}"),
        ("range", lambda row: _span(row, "prefill_range", ".0f")),
        ("decode tokens/s", lambda row: f"{row['decode_tokens_per_s']:.1f}"),
        ("range", lambda row: _span(row, "decode_range", ".1f")),
        ("cells", _count("cells")),
        ("KV held", _bytes("kv_bytes")),
    ),
    "memory": (ARM, BUDGET, TOKENS, PEAK, OF_FULL, RSS, ("time", _time("seconds"))),
    "stream": (
        ARM,
        BUDGET,
        TOKENS,
        ("time", _time("seconds")),
        PEAK,
        OF_FULL,
        RSS,
        ("value at", lambda row: f"{100 * row['value_at']:.1f}%"),
        ("held whole", lambda row: "yes" if row["held"] else "no"),
        ("answered exactly", lambda row: "yes" if row["correct"] else "no"),
        ("seed", _count("seed")),
        ("sittings", _count("sittings")),
    ),
    "columns": (
        TOKENS,
        ARM,
        *TIMED,
        ("peak bytes", _bytes("peak_bytes")),
        ("ratio of bytes", lambda row: f"{row['bytes_ratio']:.3g}"),
    ),
    "peers": (
        TOKENS,
        BUDGET,
        ("what", lambda row: str(row["what"])),
        ARM,
        *TIMED,
        ("KV", _bytes("kv_bytes")),
    ),
}


def cells(benchmark: str, rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Heads and lines of a benchmark's rows."""
    columns = COLUMNS[benchmark]
    return [head for head, _ in columns], [[cell(row) for _, cell in columns] for row in rows]


def by_benchmark(record: Row) -> dict[str, list[Row]]:
    """The rows of a record, one benchmark after the other."""
    found: dict[str, list[Row]] = {}
    for row in record["rows"]:
        found.setdefault(row["benchmark"], []).append(row)
    return found


def is_bench(record: Row) -> bool:
    """Whether a record is one of ``ta bench``."""
    return any("benchmark" in row for row in record["rows"])


def bench_table(record: Row) -> str:
    """Markdown of a record: a table for each benchmark that it holds."""
    parts = []
    for benchmark, rows in by_benchmark(record).items():
        head, lines = cells(benchmark, rows)
        table = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        parts.append("\n".join([*table, *("| " + " | ".join(line) + " |" for line in lines)]))
    return "\n\n".join(parts)


def model_name(record: Row) -> str:
    """The model of a record; of a shape, what its weights are."""
    origin = record["provenance"]
    return str(origin["model"]) + (", random weights" if origin["arguments"].get("shape") else "")


def bench_caption(record: Row) -> str:
    """The model, sizes and machine of a record, and the commit that made it, in one line."""
    origin = record["provenance"]
    asked, machine, versions = origin["arguments"], origin["machine"], origin["versions"]
    rounds = {row.get("rounds") for row in record["rows"]} - {None}
    numbers = [f"{max(rounds)} rounds"] if rounds else []
    if asked.get("tokenizer"):
        numbers = [f"tokenizer {asked['tokenizer']}", *numbers]
    where = asked.get("card") or f"{machine['cpu']} ({machine['cpus']} cores)"
    threads = machine["threads"]
    parts = [
        model_name(record) + ("" if asked["dtype"] == AUTO else f" in {asked['dtype']}"),
        *numbers,
        f"{threads} thread{'' if threads == 1 else 's'}",
        where,
        f"commit {str(origin['commit'])[:7]}{', modified' if origin['dirty'] else ''}",
        f"torch {versions['torch']}",
        f"transformers {versions['transformers']}",
    ]
    return ", ".join([*parts, *record.get("notes", [])])
