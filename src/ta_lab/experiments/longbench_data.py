"""LongBench's single-document questions (2308.14508): JSON lines, and token F1.

An entry has ``context``, ``input`` (the question) and ``answers``. The files come from a folder,
from ``data.zip`` as the hub has it, or from the hub itself; none of them is shipped.
"""

from __future__ import annotations

import json
import re
import string
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from ..cases.fillers import decode_text, read_bytes

TASKS = {"narrativeqa": 128, "qasper": 128, "multifieldqa_en": 64}  # name: tokens of an answer
HUB, ARCHIVE, PROMPTS = "THUDM/LongBench", "data.zip", "dataset2prompt.json"
PLAIN = "{context}\n\nQuestion: {input}\nAnswer:"
REMEDY = (
    "give a folder with "
    + ", ".join(f"{name}.jsonl" for name in TASKS)
    + f", LongBench's {ARCHIVE}, "
    "or the word hub to download it"
)


@dataclass(frozen=True)
class Question:
    """A question about one document, with every answer that counts."""

    context: str
    question: str
    answers: tuple[str, ...]


def archive(data: Path | None) -> Path:
    """What holds the files: ``data`` itself, or the hub's archive for the word ``hub``.

    Raises:
        InputError: without data, for a missing path, and when the hub cannot be reached.
    """
    if data is None:
        raise InputError(f"longbench needs its files: {REMEDY} (--data)")
    if str(data) != "hub":
        if not data.exists():
            raise InputError(f"cannot read {data}: no such file or folder; {REMEDY}")
        return data
    from huggingface_hub import hf_hub_download  # noqa: PLC0415 - comes with transformers

    try:
        return Path(hf_hub_download(HUB, ARCHIVE, repo_type="dataset"))
    except (OSError, ValueError) as error:
        raise InputError(f"{HUB} cannot be downloaded ({type(error).__name__}): {REMEDY}") from None


def available(source: Path) -> list[str]:
    """Names of ``TASKS`` that a folder or an archive holds.

    Raises:
        InputError: when it holds none.
    """
    found = [name for name in TASKS if _read(source, f"{name}.jsonl") is not None]
    if not found:
        raise InputError(f"{source} holds no file of LongBench: {REMEDY}")
    return found


def read_questions(source: Path, task: str) -> list[Question]:
    """Questions of a task.

    Raises:
        InputError: naming the file and the line, which is never quoted.
    """
    file = f"{task}.jsonl"
    text = _read(source, file)
    if text is None:
        raise InputError(f"{source} lacks {file}: {REMEDY}")
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError(f"{source}, {file}: the file is empty")
    return [_question(line, f"{source}, {file}, line {number}") for number, line in lines]


def _question(line: str, where: str) -> Question:
    try:
        data = json.loads(line)
    except ValueError:
        raise InputError(f"{where}: not valid JSON") from None
    fields = {"context": str, "input": str, "answers": list}
    wrong = [
        n
        for n, kind in fields.items()
        if not isinstance(data, dict) or not isinstance(data.get(n), kind)
    ]
    if wrong or not data["answers"]:
        raise InputError(f"{where}: lacks {', '.join(wrong or ['answers'])} as LongBench has it")
    return Question(data["context"], data["input"], tuple(map(str, data["answers"])))


def prompt_of(source: Path, task: str) -> str:
    """A task's prompt from LongBench's ``dataset2prompt.json`` beside the files, else ``PLAIN``."""
    text = _read(source, PROMPTS)
    prompt = PLAIN if text is None else json.loads(text).get(task, PLAIN)
    if "{context}" not in prompt or "{input}" not in prompt.partition("{context}")[2]:
        raise InputError(
            f"{PROMPTS}: the prompt of {task} does not ask {{input}} after {{context}}"
        )
    return prompt


def _read(source: Path, name: str) -> str | None:
    """A file of a folder (or of its ``data``), or of an archive; None where it is not there."""
    if source.is_dir():
        for path in (source / name, source / "data" / name):
            if path.is_file():
                return decode_text(path, read_bytes(path))
        return None
    try:
        with zipfile.ZipFile(source) as opened:
            inside = [entry for entry in opened.namelist() if Path(entry).name == name]
            return decode_text(Path(inside[0]), opened.read(inside[0])) if inside else None
    except (OSError, zipfile.BadZipFile):
        raise InputError(f"{source} is neither a folder nor an archive: {REMEDY}") from None


def halves(ids: Sequence[int], limit: int) -> list[int]:
    """A text that is too long without its middle, as LongBench shortens prompts."""
    if len(ids) <= limit:
        return list(ids)
    first = limit // 2
    return [*ids[:first], *ids[len(ids) - (limit - first) :]]


def normalised(text: str) -> list[str]:
    """Lower case without punctuation and articles, in words (SQuAD, 1606.05250)."""
    text = "".join(ch for ch in text.lower() if ch not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def token_f1(answer: str, truth: str) -> float:
    """Harmonic mean of precision and recall over the words that both have."""
    ours, theirs = normalised(answer), normalised(truth)
    common = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs)) if common else 0.0


def best_f1(answer: str, truths: Sequence[str]) -> float:
    """F1 with the truth that fits best."""
    return max(token_f1(answer, truth) for truth in truths)


def encoded(tokenizer: Any, text: str) -> list[int]:
    """Token ids without special ones."""
    return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
