"""Whether two engines held the same tokens in the same sessions:
``python -m ta_lab.sessions.compared A.json B.json``, of records of ``ta sessions``.

Compared is what is held when a call begins. Where an earlier call opened slots, the model's own
queries had a part in it, which differ where its weights do.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ARM, CALL = ("method", "memory", "budget"), ("session", "message")


def compared(ours: Iterable[Any], theirs: Iterable[Any]) -> list[dict[str, Any]]:
    """Of each way to play that two lists of arguments share: its ``calls`` and how many of them
    hold the ``same`` tokens, its ``arguments`` and how many are ``alike`` held or not."""
    known = {_key(argument): argument for argument in theirs}
    pairs = [(entry, other) for entry in ours if (other := known.get(_key(entry))) is not None]
    rows = []
    for arm in sorted({_of(entry, ARM) for entry, _ in pairs}, key=str):
        mine = [(entry, other) for entry, other in pairs if _of(entry, ARM) == arm]
        calls = {_of(entry, CALL): entry["kept"] == other["kept"] for entry, other in mine}
        row = dict(zip(ARM, arm)) | {"calls": len(calls), "same": sum(calls.values())}
        alike = sum(entry["held"] == other["held"] for entry, other in mine)
        rows.append({**row, "arguments": len(mine), "alike": alike})
    return rows


def _of(argument: Any, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(argument[name] for name in names)


def _key(argument: Any) -> tuple[Any, ...]:
    return _of(argument, (*ARM, *CALL, "place", "argument"))


def main(files: Sequence[str]) -> int:
    """Print a line for each way; 0 where all tokens are the same."""
    records = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    rows = compared(*(record["arguments"] for record in records))
    for row in rows:
        print(json.dumps(row))
    return 0 if rows and all(row["same"] == row["calls"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
