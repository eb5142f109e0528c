"""What is lost besides values: how likely a bounded cache makes the full cache's own replies.

The full cache is asked about the whole text, and for a summary. Its replies are then forced on
every method, so no second model judges. For a text that asks for nothing, its own next tokens are
forced instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from transactional_attention.engines.sampling import Sampling

from ..data import table
from .asking import pose
from .playing import Arm, Forced, Model, spoken
from .summary import interval
from .talks import Question, Talk

REQUESTS = ("whole", "summary")
LONGEST = 160  # tokens of a reply
FULL = Arm("full", None)


class Likelihood(NamedTuple):
    """Of one reply: its ``tokens``, how many are the ``first`` choice, and the mean of their
    negative log-likelihoods in ``nats``."""

    request: str
    tokens: int
    first: int
    nats: float


@dataclass(frozen=True)
class Judged(Forced):
    """Notes in ``nats`` the negative log-likelihood of each token of the reply as well."""

    nats: list[float] = field(default_factory=list, repr=False)

    def note(self, logits: Any, token: int) -> None:
        """As ``Forced.note``."""
        super().note(logits, token)
        scores = np.asarray(logits, np.float64)
        top = scores.max()
        self.nats.append(float(top + np.log(np.exp(scores - top).sum()) - scores[token]))


def requested(talk: Talk) -> Talk:
    """The talk with the requests in place of its questions; as it is where replies are known."""
    if any(question.follows for question in talk.questions):
        return talk
    texts = table("tasks/documents")
    asked = tuple(Question(texts[name], "", (), name) for name in REQUESTS)
    return replace(talk, questions=asked)


def replies(model: Model, talk: Talk, pinned: int, ledger: str) -> list[list[int]]:
    """What the full cache says to each request, token by token, or what is known to follow."""
    known = [list(question.follows) for question in talk.questions]
    if any(known):
        return known
    return [
        list(spoken(posed.session, posed.prompt, Sampling(), model.end_ids, LONGEST))
        for posed in pose(FULL, model, talk, pinned, ledger)
    ]


def likelihoods(
    arm: Arm, model: Model, talk: Talk, said: Sequence[Sequence[int]], pinned: int, ledger: str
) -> Iterator[Likelihood]:
    """How likely a method makes these replies to the requests of the talk."""
    requests = pose(arm, model, talk, pinned, ledger)
    for question, posed, reply in zip(talk.questions, requests, said, strict=True):
        rule = Judged(reply=reply)
        for _ in spoken(posed.session, posed.prompt, rule, frozenset(), len(reply)):
            pass
        right = sum(first == token for first, token in zip(rule.first, reply, strict=True))
        yield Likelihood(question.kind or "", len(reply), right, float(np.mean(rule.nats)))


def rows_of_likelihoods(known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table from records of single replies, by method, memory, budget and request.

    ``minus``: nats a token more, or less, than the full cache for the same replies, with a 95%
    interval: talks are drawn anew.
    """
    arms = defaultdict[tuple[Any, ...], dict[str, Any]](dict)
    for one in known:
        key = one["method"], one["memory"], one["budget"], one["request"]
        arms[key][one["session"]] = one
    rows = []
    for (method, memory, budget, request), ours in arms.items():
        nats = {session: one["nats"] for session, one in ours.items()}
        row = {"method": method, "memory": memory, "budget": budget, "request": request}
        row |= {name: sum(one[name] for one in ours.values()) for name in ("tokens", "first")}
        row["nats"] = round(float(np.mean(list(nats.values()))), 3)
        full = arms.get(("full", False, None, request), {})
        pairs = [nats[session] - full[session]["nats"] for session in nats if session in full]
        if method != "full" and pairs:
            differences = np.array(pairs)
            row["minus"] = [round(x, 3) for x in interval(differences, np.ones(len(pairs)))]
        rows.append(row)
    return rows


def lines_of_likelihoods(rows: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
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
