"""What a table of needles says beside its counts: live tokens, bytes, own passes, masks."""

from __future__ import annotations

from collections.abc import Sequence

from ..cases.sweep import Row

MASKED = (
    "masked: kv heads of a layer hold different numbers, padded to the widest; the mean is within "
    "K, memory is not"
)
BYTES = "bytes, % of pairs"
PASSES = "own passes"
PASSES_NOTE = "own passes: what a method reads beyond the one prefill, tokens and seconds a case"
LOOSER_NOTE = (
    "x [..] / y / z: exact; exact or within quotes, backticks, a code fence or with a full stop; "
    "contained"
)
BYTES_NOTE = "bytes: keys and values held, in % of what the live pairs take in full precision"


def name_of(row: Row) -> str:
    """The method, marked where its saving is masked."""
    return f"{row['method']} (masked)" if row.get("saving") == "masked" else row["method"]


def notes(rows: Sequence[Row]) -> list[str]:
    """What marks and columns of these rows mean, where they are there."""
    found = [MASKED] if any(row.get("saving") == "masked" for row in rows) else []
    found += [BYTES_NOTE] if has_bytes(rows) else []
    found += [LOOSER_NOTE] if any(looser(row) for row in rows) else []
    return [*found, PASSES_NOTE] if has_passes(rows) else found


def looser(row: Row) -> str:
    """Answers in their wrapping and those that hold the value, in %, where either is more."""
    if row.get("contains", 0) <= row["correct"] or "wrapped" not in row:
        return ""
    return "".join(f" / {100 * row[name] / row['trials']:.0f}" for name in ("wrapped", "contains"))


def live(rows: Sequence[Row]) -> str:
    """Live tokens of a method at all its budgets: within K, or what they were where most above.

    ``max`` is the layer and kv head that held most, ``mean`` is over all of them: a method that
    shares K out among them is above K in the first and not in the second.
    """
    worst = max(rows, key=lambda row: row["max_live_tokens"] / row["budget"])
    if worst["max_live_tokens"] <= worst["budget"]:
        return "≤ K"
    mean = worst.get("mean_live_tokens")
    if mean is None or mean == worst["max_live_tokens"]:
        return str(max(row["max_live_tokens"] for row in rows))
    shown = f"{mean:.1f}".removesuffix(".0")
    return f"mean {shown}, max {worst['max_live_tokens']} at K={worst['budget']}"


def has_bytes(rows: Sequence[Row]) -> bool:
    """Whether some method holds other than its pairs in full precision."""
    return any(row.get("stored_bytes") != row.get("pair_bytes") for row in rows)


def stored(rows: Sequence[Row]) -> str:
    """Bytes of a method, in percent of those of its pairs in full precision; over its budgets."""
    shares = [100 * row["stored_bytes"] / row["pair_bytes"] for row in rows]
    return " to ".join(dict.fromkeys(f"{share:.0f}" for share in (min(shares), max(shares))))


def has_passes(rows: Sequence[Row]) -> bool:
    """Whether some method needs passes of its own."""
    return any(row.get("pass_tokens") for row in rows)


def passes(rows: Sequence[Row]) -> str:
    """Tokens and seconds a case of a method's own passes; the largest of its budgets."""
    worst = max(rows, key=lambda row: row.get("pass_tokens") or 0)
    if not worst.get("pass_tokens"):
        return ""
    return f"{worst['pass_tokens']:,.0f}, {worst['pass_seconds']:.1f} s"
