"""What is lost besides values: how likely less than all makes what the full cache says of a text.

The full cache is asked about the whole, and for a summary. Its own replies are then forced on every
other way to hold the text, so no second model judges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from transactional_attention.engines.sampling import Sampling

from ..data import table
from .asking import pose
from .playing import Arm, Forced, Model, spoken
from .summary import SAMPLES
from .talks import Question, Talk

REQUESTS = ("whole", "summary")
LONGEST = 160  # tokens of a reply
FULL = Arm("full", None)


class Retold(NamedTuple):
    """Of one reply: its ``tokens``, how many are the ``first`` choice, and the mean of their
    negative log-likelihoods in ``nats``."""

    request: str
    tokens: int
    first: int
    nats: float


def requested(talk: Talk) -> Talk:
    """The talk with the requests in place of its questions."""
    texts = table("tasks/documents")
    asked = tuple(Question(texts[name], "", (), name) for name in REQUESTS)
    return replace(talk, questions=asked)


def replies(model: Model, talk: Talk, pinned: int, ledger: str) -> list[list[int]]:
    """What the full cache says to each request, token by token."""
    return [
        list(spoken(posed.session, posed.prompt, Sampling(), model.end_ids, LONGEST))
        for posed in pose(FULL, model, requested(talk), pinned, ledger)
    ]


def retold(
    arm: Arm, model: Model, talk: Talk, said: Sequence[Sequence[int]], pinned: int, ledger: str
) -> Iterator[Retold]:
    """How likely another way to hold the talk makes these replies."""
    for request, posed, reply in zip(
        REQUESTS, pose(arm, model, requested(talk), pinned, ledger), said, strict=True
    ):
        rule = Forced(reply=reply)
        for _ in spoken(posed.session, posed.prompt, rule, frozenset(), len(reply)):
            pass
        right = sum(first == token for first, token in zip(rule.first, reply, strict=True))
        yield Retold(request, len(reply), right, float(np.mean(rule.nats)))


def rows_retold(units: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table from records of single replies, by method, memory, budget and request.

    ``minus``: nats a token more, or less, than the full cache for the same replies, with a 95%
    interval: talks are drawn anew.
    """
    arms = defaultdict[tuple[Any, ...], dict[str, Any]](dict)
    for unit in units:
        key = unit["method"], unit["memory"], unit["budget"], unit["request"]
        arms[key][unit["session"]] = unit
    rows = []
    for (method, memory, budget, request), ours in arms.items():
        nats = {session: unit["nats"] for session, unit in ours.items()}
        row = {"method": method, "memory": memory, "budget": budget, "request": request}
        row |= {name: sum(unit[name] for unit in ours.values()) for name in ("tokens", "first")}
        row["nats"] = round(float(np.mean(list(nats.values()))), 3)
        full = arms.get(("full", False, None, request), {})
        pairs = [nats[session] - full[session]["nats"] for session in nats if session in full]
        if method != "full" and pairs:
            drawn = np.random.default_rng(0).integers(0, len(pairs), (SAMPLES, len(pairs)))
            low, high = np.quantile(np.array(pairs)[drawn].mean(1), [0.025, 0.975])
            row["minus"] = [round(float(x), 3) for x in (np.mean(pairs), low, high)]
        rows.append(row)
    return rows


def lines_of_retold(rows: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """The head and the lines of a table, one a way: of each request nats a token, the same beside
    the full cache, and how many tokens are the first choice."""
    sizes = {row["request"]: row["tokens"] for row in rows if row["method"] == "full"}
    lines: dict[tuple[Any, ...], list[str]] = {}
    for row in rows:
        name = f"{row['method']}, memory" if row["memory"] else row["method"]
        line = lines.setdefault((name, row["budget"]), [name, str(row["budget"] or "all")])
        minus = row.get("minus")
        beside = "" if minus is None else f"{minus[0]:+.2f} [{minus[1]:.2f}, {minus[2]:.2f}]"
        line += [f"{row['nats']:.2f}", beside, f"{row['first']}"]
    of = (f"{name}: {x}" for name in sizes for x in ("nats", "beside full", f"of {sizes[name]}"))
    return ["method", "K", *of], list(lines.values())
