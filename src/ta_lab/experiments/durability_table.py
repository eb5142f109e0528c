"""``durability`` in Markdown: what is kept by setting and distance, and how long each one holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .durability_arms import PRINTED
from .experiment import Record, Row
from .jobs import NO_JUDGEMENT, is_quick, markdown
from .rendering import LONG_SPAN_NOTE, share
from .verdicts import incomparable

TITLES = {
    "generated": "Values kept whole after so many generated tokens, no model, %",
    "turns": "Values kept whole after so many turns of 72 tokens at most, no model, %",
    "answers": "Kept whole / answered after so many tokens fed as generated, %",
    "far": "Kept whole / answered as far as the trained positions reach, shorter contexts, %",
    "asked turns": "Kept whole / answered after so many turns of 72 tokens at most, %",
    "past": "Past the trained positions, compact: kept whole / answered after so many tokens, %",
}
CONTROLS_OF = "{}, controls"
DECAYING, OURS = f"{PRINTED}, no reserved slots", "ta"


def render(record: Record) -> str:
    """A table for each part, settings by distance, and one line of judgement."""
    parts = [LONG_SPAN_NOTE]
    for part, title in TITLES.items():
        rows = [row for row in record["rows"] if row["part"] == part]
        controls = [row for row in record["rows"] if row["part"] == CONTROLS_OF.format(part)]
        if rows:
            parts.append(f"### {title}, n={len(rows)}\n\n{_table([*rows, *controls])}")
    parts.append(_registry(record["rows"]))
    generated = [row for row in record["rows"] if row["part"] == "generated"]
    parts.append(NO_JUDGEMENT if is_quick(record) or not generated else judgement(generated))
    return "\n\n".join(part for part in parts if part)


def _table(rows: Sequence[Row]) -> str:
    cells = [cell for row in rows for cell in row["cells"]]
    gaps = sorted({cell["gap"] for cell in cells})
    lines = [
        [name, *(_shown([c for c in cells if (c["setting"], c["gap"]) == (name, g)]) for g in gaps)]
        for name in dict.fromkeys(cell["setting"] for cell in cells)
    ]
    return markdown(("setting", *(f"{gap:,}" for gap in gaps)), lines)


def _shown(cells: Sequence[Row]) -> str:
    if not cells:
        return "–"
    kept = share(sum(cell["kept"] for cell in cells), len(cells))
    if "correct" not in cells[0]:
        return kept
    return f"{kept} / {share(sum(cell['correct'] for cell in cells), len(cells))}"


def _registry(rows: Sequence[Row]) -> str:
    """Whether a registry ever forgot a value that its cache still held, or the reverse."""
    cells = [c for row in rows for c in row["cells"] if "registered" in c]
    if not cells:
        return ""
    both = sum(c["kept"] and c["registered"] for c in cells)
    held = sum(c["kept"] and not c["registered"] for c in cells)
    known = sum(c["registered"] and not c["kept"] for c in cells)
    return (
        f"Cache and registry, {len(cells)} readings: both hold the value in {both}, only the cache "
        f"in {held}, only the registry in {known} (it outlives what the cache lost until the next "
        "prompt)."
    )


def held_until(rows: Sequence[Row], setting: str) -> tuple[int, int | None]:
    """The largest distance at which every trial kept the value, and the next one measured.

    -1 where some trial never did; None where no larger distance was measured.
    """
    cells = [c for row in rows for c in row["cells"] if c["setting"] == setting]
    gaps = sorted({cell["gap"] for cell in cells})
    lost = [g for g in gaps if not all(c["kept"] for c in cells if c["gap"] == g)]
    if not lost:
        return (gaps[-1] if gaps else -1), None
    before = next((a for a, b in pairwise(gaps) if b == lost[0]), -1)
    return before, lost[0]


def judgement(rows: Sequence[Row]) -> str:
    """How long the paper's decay and ours hold every value."""
    said = [f"{name}: {_span(*held_until(rows, name))}" for name in (DECAYING, OURS)]
    return (
        f"Judgement: {incomparable('the paper states no figure')}; {'; '.join(said)}. The paper's "
        "story is a value that is used turns later."
    )


def _span(last: int, lost: int | None) -> str:
    if lost is None:
        return f"every value through {last:,} generated tokens"
    return (
        f"every value through {last:,}, not at {lost:,}"
        if last >= 0
        else "not every value even at once"
    )
