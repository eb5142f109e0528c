"""Talks with questions, ``{"id", "messages", "questions"}`` a line, or LoCoMo's own file.

A question is ``{"question", "answer", "evidence": [parts of the talk that tell it]}``, and may have
a ``kind`` of which a table tells. LoCoMo
(snap-research/LoCoMo) is non-commercial: it is read where it lies, and nothing of it is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from .files import Message, json_lines

ANSWERED = (1, 2, 4)  # LoCoMo's categories whose answer stands in the talk
SYSTEM = "You answer questions about a chat. Answer with as few words as you can."


@dataclass(frozen=True)
class Question:
    """``evidence``: texts of the talk, each of which tells the answer. ``follows``: the
    tokens of the reply, where it is known beforehand."""

    text: str = field(repr=False)
    answer: str = field(repr=False)
    evidence: tuple[str, ...] = field(repr=False)
    kind: str | None = None
    follows: tuple[int, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Talk:
    """One talk; its ``repr`` shows nothing of what was said."""

    id: str
    messages: list[Message] = field(repr=False)
    questions: tuple[Question, ...] = field(repr=False)


def read_talks(path: Path, limit: int | None = None) -> list[Talk]:
    """The first ``limit`` talks of a file. Raises InputError that names the place."""
    if path.suffix == ".json":
        talks = _locomo(path)
    else:
        talks = [_talk(place, given) for place, given in json_lines(path)]
    if not talks:
        raise InputError(f"{path} holds no talk")
    return talks[:limit]


def _talk(place: str, given: Any) -> Talk:
    try:
        questions = tuple(
            Question(
                str(q["question"]),
                str(q["answer"]),
                tuple(map(str, q["evidence"])),
                str(q["kind"]) if "kind" in q else None,
            )
            for q in given["questions"]
        )
        messages = [
            {"role": str(m["role"]), "content": str(m["content"])} for m in given["messages"]
        ]
    except (KeyError, TypeError):
        raise InputError(
            f'{place}: a talk is an object {{"id", "messages", "questions"}}, a question has '
            "question, answer and evidence"
        ) from None
    return Talk(str(given.get("id", place)), messages, questions)


def _locomo(path: Path) -> list[Talk]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return [_converted(number, talk) for number, talk in enumerate(given)]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{path} is not LoCoMo's file: give locomo10.json, or JSON lines"
        ) from None


def _converted(number: int, given: Any) -> Talk:
    talk = given["conversation"]
    lines: list[str] = []
    utterances: dict[str, str] = {}
    for name in takewhile(talk.__contains__, (f"session_{n}" for n in count(1))):
        lines.append(f"[{talk[f'{name}_date_time']}]")
        for turn in talk[name]:
            utterances[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}"
            lines.append(utterances[turn["dia_id"]])
    questions = tuple(
        Question(q["question"], str(q["answer"]), (utterances[q["evidence"][0]],))
        for q in given["qa"]
        if q["category"] in ANSWERED and len(q["evidence"]) == 1 and q["evidence"][0] in utterances
    )
    messages = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "\n".join(["Here is the chat.", "", *lines])},
        {"role": "assistant", "content": "I have read it."},
    ]
    return Talk(f"locomo-{number}", messages, questions)
