"""LongBench (2308.14508), single-document questions at K=256 (section 4.5): token F1 by method.

The document is read, cut to K, then the question is asked; one prefill serves all methods. The
embedded model cannot answer such questions: run it with ``--model``. Needs the files (``--data``).
"""

from __future__ import annotations

import json
import re
import statistics
import string
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.errors import InputError

from ..benchmarks.corpus import encode
from ..cases.decoding import forward, greedy
from ..cases.fillers import decode_text, read_bytes
from ..cases.runner import FULL, observed_by
from ..markdown import NONE, markdown
from .experiment import Context, Record, Row, main
from .paper import figures
from .perplexity import half_width
from .running import Job, own_folder, run_parts

TASKS = {"narrativeqa": 128, "qasper": 128, "multifieldqa_en": 64}  # name: tokens of an answer
HUB, ARCHIVE, PROMPTS = "THUDM/LongBench", "data.zip", "dataset2prompt.json"
PLAIN = "{context}\n\nQuestion: {input}\nAnswer:"
FILES = ", ".join(f"{name}.jsonl" for name in TASKS)
REMEDY = f"give a folder with {FILES}, LongBench's {ARCHIVE}, or the word hub to download it"


@dataclass(frozen=True)
class Question:
    """A question about one document, with every answer that counts."""

    context: str
    question: str
    answers: tuple[str, ...]


def archive(data: Path | None) -> Path:
    """What holds the files: ``data`` itself, or the hub's archive for the word ``hub``. Raises
    InputError without data, for a missing path, and when the hub cannot be reached."""
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
    """Names of ``TASKS`` that a folder or archive holds. Raises InputError when it holds none."""
    names = [name for name in TASKS if _read(source, f"{name}.jsonl") is not None]
    if not names:
        raise InputError(f"{source} holds no file of LongBench: {REMEDY}")
    return names


def read_questions(source: Path, task: str) -> list[Question]:
    """Questions of a task. Raises InputError naming file and line, which is never quoted."""
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
    """A task's prompt from LongBench's ``dataset2prompt.json`` beside the files, otherwise
    ``PLAIN``."""
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


BUDGET = 256
PEERS = tuple((name, "default") for name in ("tova", "snapkv", "h2o", "streaming-llm"))
METHODS = (("ta", "default"), ("ta-fast-semantic", "paper"), *PEERS)
LONGEST = 32_000  # tokens of a prompt where the model would take more


def run(context: Context) -> Record:
    """One row a task, with the F1 of every question under every method. Raises InputError without
    the files, or for one that cannot be read."""
    source = archive(own_folder(context.data, "longbench"))
    limit = context.trials or context.pick(2, 20, 10_000)
    jobs = []
    for task in available(source):
        questions, prompt = read_questions(source, task)[:limit], prompt_of(source, task)
        key = {"part": "longbench", "task": task, "questions": len(questions), "budget": BUDGET}
        jobs.append(Job(key, partial(_measured, context, questions, prompt, TASKS[task])))
    return {"rows": run_parts(context, jobs)}


def retentions(seed: int) -> list[tuple[str, Retention]]:
    """The full cache, and every method at K=256, by name."""
    pairs = [("full", FULL)]
    for method, preset in METHODS:
        name = method if preset == "default" else f"{method}, as printed"
        pairs.append((name, Retention(BUDGET, method, preset=preset, seed=seed)))  # type: ignore[arg-type]
    return pairs


def _measured(context: Context, questions: Sequence[Question], prompt: str, answer: int) -> Row:
    asked = [ask(*context.loaded, one, prompt, answer, context.seed) for one in questions]
    scores = {name: [grades[name] for grades, _ in asked] for name, _ in retentions(context.seed)}
    return {"f1": scores, "median_tokens": statistics.median(size for _, size in asked)}


def ask(
    model: Any, tokenizer: Any, question: Question, prompt: str, answer: int, seed: int
) -> tuple[dict[str, float], int]:
    """F1 under every retention, and the tokens of the document as it was read.

    A document that the positions of the model cannot hold loses its middle."""
    head, _, rest = prompt.partition("{context}")
    asked = encode(tokenizer, rest.replace("{input}", question.question))
    longest = min(LONGEST, model.config.get_text_config(decoder=True).max_position_embeddings)
    ids = list(tokenizer(head + question.context, verbose=False)["input_ids"])
    ids = halves(ids, longest - len(asked) - answer)
    chosen = retentions(seed)
    observe = observed_by(retention for _, retention in chosen)
    whole = RetentionCache(model, tokenizer, FULL, observe=observe)
    forward(model, whole, ids)
    scores = {}
    for name, retention in chosen:
        cache = compress(whole, retention)
        logits = forward(model, cache, asked)
        generated, _ = greedy(model, cache, logits, answer)
        text = tokenizer.decode(generated, skip_special_tokens=True)
        scores[name] = max(token_f1(text, truth) for truth in question.answers)
    return scores, len(ids)


def tables(record: Record) -> str:
    """Mean F1 in percent with a normal 95% interval, by task and over tasks."""
    rows, known = record["rows"], figures("longbench")
    lines = []
    for name in rows[0]["f1"]:
        by_task = [row["f1"][name] for row in rows]
        arm = {"method": name.partition(",")[0], "budget": BUDGET, "sponsored": True}
        paper = ", ".join(f"{f.shown} ({f.place})" for f in known if f.about(arm)) or NONE
        mean = 100 * statistics.fmean(map(statistics.fmean, by_task))
        lines.append((name, paper, f"{mean:.1f}", *map(_shown, by_task)))
    tasks = (f"{row['task']}, n={row['questions']}" for row in rows)
    return markdown((f"method, K={BUDGET}", "the paper", "ours, mean", *tasks), lines)


def _shown(scores: Sequence[float]) -> str:
    half = f" ± {100 * half_width(scores):.1f}" if len(scores) > 1 else ""
    return f"{100 * statistics.fmean(scores):.1f}{half}"


if __name__ == "__main__":
    main("longbench")
