"""LongBench, single-document questions at K=256 (section 4.5): token F1 by method.

The document is read, cut to K, then the question is asked; one prefill serves all methods. The
embedded model cannot answer such questions: run it with ``--model``. Needs the files (``--data``).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.compress import compress
from transactional_attention.retention.layout import observed_by

from ..cases.decoding import forward, greedy
from ..cases.runner import FULL
from .experiment import Context, Experiment, Record, Row
from .jobs import NO_JUDGEMENT, Job, is_quick, markdown, own_folder, run_parts
from .longbench_data import (
    TASKS,
    Question,
    archive,
    available,
    best_f1,
    encoded,
    halves,
    prompt_of,
    read_questions,
)
from .paper import figures
from .verdicts import incomparable

BUDGET = 256
METHODS = (("ta", "default"), ("ta-fast-semantic", "paper"), ("tova", "default"),
           ("snapkv", "default"), ("h2o", "default"), ("streaming-llm", "default"))  # fmt: skip
LONGEST = 32_000  # tokens of a prompt where the model would take more


def run(context: Context) -> Record:
    """One row a task, with the F1 of every question under every method.

    Raises:
        InputError: without the files, or for one that cannot be read.
    """
    source = archive(own_folder(context.data, "longbench"))
    limit = context.trials or context.pick(2, 20, 10_000)
    jobs = []
    for task in available(source):
        questions, prompt = read_questions(source, task)[:limit], prompt_of(source, task)
        key = {"part": "longbench", "task": task, "questions": len(questions), "budget": BUDGET}
        jobs.append(Job(key, _measured(context, questions, prompt, TASKS[task])))
    return {"rows": run_parts(context, jobs)}


def retentions(seed: int) -> list[tuple[str, Retention]]:
    """The full cache, and every method at K=256, by name."""
    found = [("full", FULL)]
    for method, preset in METHODS:
        name = method if preset == "default" else f"{method}, as printed"
        found.append((name, Retention(BUDGET, method, preset=preset, seed=seed)))  # type: ignore[arg-type]
    return found


def _measured(context: Context, questions: Sequence[Question], prompt: str, answer: int) -> Any:
    def measured() -> Row:
        model, tokenizer = context.loaded
        scores: dict[str, list[float]] = {name: [] for name, _ in retentions(context.seed)}
        sizes = []
        for question in questions:
            found, size = ask(model, tokenizer, question, prompt, answer, context.seed)
            sizes.append(size)
            for name, score in found.items():
                scores[name].append(score)
        return {"f1": scores, "median_tokens": statistics.median(sizes)}

    return measured


def ask(
    model: Any, tokenizer: Any, question: Question, prompt: str, answer: int, seed: int
) -> tuple[dict[str, float], int]:
    """F1 under every retention, and the tokens of the document as it was read.

    A document that the positions of the model cannot hold loses its middle.
    """
    head, _, rest = prompt.partition("{context}")
    asked = encoded(tokenizer, rest.replace("{input}", question.question))
    longest = min(LONGEST, model.config.get_text_config(decoder=True).max_position_embeddings)
    ids = list(tokenizer(head + question.context, verbose=False)["input_ids"])
    ids = halves(ids, longest - len(asked) - answer)
    chosen = retentions(seed)
    observe = observed_by(retention for _, retention in chosen)
    whole = RetentionCache(model, tokenizer, FULL, observe=observe)
    forward(model, whole, ids)
    found = {}
    for name, retention in chosen:
        cache = compress(whole, retention)
        logits = forward(model, cache, asked)
        generated, _ = greedy(model, cache, logits, answer)
        text = tokenizer.decode(generated, skip_special_tokens=True)
        found[name] = best_f1(text, question.answers)
    return found, len(ids)


def render(record: Record) -> str:
    """Mean F1 in percent with a normal 95% interval, tasks and their mean."""
    rows = record["rows"]
    names = list(rows[0]["f1"])
    lines = []
    for name in names:
        by_task = [row["f1"][name] for row in rows]
        overall = statistics.fmean(statistics.fmean(scores) for scores in by_task)
        beside = ", ".join(f"{f.value:g}" for f in figures("longbench") if f.about(_row(name)))
        lines.append([name, *map(_shown, by_task), f"{100 * overall:.1f}", beside or "–"])
    head = [
        "method",
        *(f"{row['task']}, n={row['questions']}" for row in rows),
        "mean",
        "the paper's",
    ]
    note = (
        f"Token F1 in percent, K={BUDGET}, question hidden. The paper's figures name neither "
        "model, n nor metric."
    )
    unstated = next(figure.unstated for figure in figures("longbench"))
    told = f"Judgement: {incomparable(f'{unstated} unstated')}."
    judged = NO_JUDGEMENT if is_quick(record) else told
    return f"{note}\n\n{markdown(head, lines)}\n\n{judged}"


def _row(name: str) -> Row:
    return {"method": name.partition(",")[0], "budget": BUDGET, "sponsored": True}


def _shown(scores: Sequence[float]) -> str:
    mean = statistics.fmean(scores)
    if len(scores) < 2:
        return f"{100 * mean:.1f}"
    half = 1.959964 * statistics.stdev(scores) / math.sqrt(len(scores))
    return f"{100 * mean:.1f} ± {100 * half:.1f}"


EXPERIMENT = Experiment(
    "longbench", "section 4.5", "single-document questions of LongBench, token F1", run, render
)
