"""Dormant literals of BFCL multi-turn: are they kept when the turn that needs them begins?

No model answers here. A literal counts as kept when one of its statements (by the user, or in an
earlier call) is held whole. Needs the leaderboard's files (``--data``)."""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.methods.method import Shape
from transactional_attention.methods.registry import all_methods

from ..cases.cases import Case, CaseSource, Value
from ..cases.encoding import encode_case
from ..cases.metrics import wilson
from ..cases.runner import TextRunner
from ..data import table
from ..markdown import markdown, share
from .beside import not_run
from .experiment import Context, Record, Row, main
from .running import Job, own_folder, run_parts

FILES = ("base", "long_context", "miss_func", "miss_param")
ANSWERS = ("possible_answer", "answers")
DOCUMENTS = ("multi_turn_func_doc", "func_doc")
SHORTEST = 5  # characters: shorter literals are flags and counts
CLASSES = table("bfcl")["files"]
REMEDY = (
    "give the folder bfcl_eval/data of github.com/ShishirPatil/gorilla (berkeley-function-call-"
    "leaderboard) with --data"
)


@dataclass(frozen=True)
class Moment:
    """A turn that needs dormant literals. ``case``: what came before it, its text as question.

    ``statements``: for each literal the character ranges of the context that state it."""

    case: Case
    statements: tuple[tuple[tuple[int, int], ...], ...]


@dataclass
class Dialogue:
    """An entry: what the user says in each turn, and the calls that answer it."""

    id: str
    turns: list[str]
    calls: list[list[str]]
    classes: list[str] = field(default_factory=list)


def read_dialogues(data: Path | None, name: str) -> list[Dialogue]:
    """Entries of ``multi_turn_<name>`` with their calls, from ``bfcl_eval/data`` (v4, Apache 2.0),
    as it is or compressed with gzip. Raises InputError without a folder, for missing files, and for
    lines that cannot be read."""
    if data is None or not data.is_dir():
        raise InputError(f"bfcl needs the leaderboard's files: {REMEDY}")
    file = f"BFCL_v4_multi_turn_{name}.json"
    answers: dict[str, Any] = {}
    for line in _objects(_one_of(data, [Path(folder) / file for folder in ANSWERS])):
        answers[line.get("id", "")] = line.get("ground_truth")
    dialogues = []
    for line in _objects(_one_of(data, [Path(file)])):
        calls = answers.get(line.get("id", ""))
        if calls is None:
            raise InputError(f"{file}: an entry has no possible answer; the folder is incomplete")
        turns = ["\n".join(message["content"] for message in turn) for turn in line["question"]]
        dialogues.append(Dialogue(line["id"], turns, calls, list(line.get("involved_classes", ()))))
    return dialogues


def _one_of(data: Path, names: list[Path]) -> Path:
    for name in names:
        for path in (data / name, data / f"{name}.gz"):
            if path.is_file():
                return path
    raise InputError(f"{data} lacks {names[0]}: {REMEDY}")


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON-lines file, compressed or not; errors name the file, never the line."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        yield from (json.loads(line) for line in text.splitlines() if line.strip())
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {type(error).__name__}; {REMEDY}") from None


def tool_texts(data: Path, classes: list[str]) -> str:
    """Descriptions of the functions of these classes, one a line; empty without the documents."""
    parts = []
    for folder in (data / name for name in DOCUMENTS):
        for name in classes:
            path = folder / f"{CLASSES.get(name, name)}.json"
            if not path.is_file():
                continue
            for tool in _objects(path):
                chosen = {
                    key: tool[key] for key in ("name", "description", "parameters") if key in tool
                }
                parts.append(json.dumps(chosen))
        if parts:
            break
    return "\n".join(parts)


def literals(calls: list[str]) -> list[str]:
    """Text arguments of calls, each once; a call that is no Python is passed over."""
    strings: dict[str, None] = {}
    for call in calls:
        try:
            tree = ast.parse(call, mode="eval")
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings[node.value] = None
    return [literal for literal in strings if len(literal) >= SHORTEST]


def occurrences(literal: str, text: str) -> list[tuple[int, int]]:
    """Where a literal stands in a text, not as a part of a longer word."""
    pattern = rf"(?<!\w){re.escape(literal)}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text)]


def moments(dialogue: Dialogue, tools: str) -> Iterator[Moment]:
    """The turns of a dialogue that need a dormant literal, each with all that came before: a call
    of the turn needs it, an earlier user turn stated it, the turn itself does not.

    Before it stand the tools' descriptions, and each turn with the calls that answered it; what
    tools returned is not part of the data."""
    context, sources = "", list[CaseSource]()

    def say(text: str, source: str) -> None:
        nonlocal context
        sources.append(CaseSource(len(context), len(context) + len(text), source))
        context += text

    if tools:
        say(f"Tools:\n{tools}\n\n", "system")
    user_spans: list[tuple[int, int]] = []
    for number, (turn, calls) in enumerate(zip(dialogue.turns, dialogue.calls, strict=False)):
        needed = [x for x in literals(calls) if not occurrences(x, turn)]
        earlier = [x for x in needed if any(occurrences(x, context[a:b]) for a, b in user_spans)]
        if earlier:
            start = user_spans[0][0]
            places = [
                tuple((start + a, start + b) for a, b in occurrences(x, context[start:]))
                for x in earlier
            ]
            values = tuple(Value(*spans[0]) for spans in places)
            yield Moment(
                Case(f"{dialogue.id}-{number}", context, f"User: {turn}\n", values=values,
                     sources=tuple(sources), family="bfcl"),
                tuple(places),
            )  # fmt: skip
        if turn:
            user_spans.append((len(context), len(context) + len(turn) + 7))
            say(f"User: {turn}\n", "user")
        if calls:
            say(f"Assistant: {'; '.join(calls)}\n", "assistant")


BUDGETS = (64, 128, 256)
ALONE, WITH_TOOLS = "dialogue", "dialogue behind its tools"
EVERY = "all"


def attention_free() -> list[str]:
    """Registered methods that decide from text and positions alone, twins left out."""
    return [
        name
        for name, method in all_methods().items()
        if method.allocation is None
        and not method.scorer(Retention()).observes
        and not (method.unlimited or method.twin or name == "sidequest")
    ]


def run(context: Context) -> Record:
    """One row a file, kind of context, method and budget. Raises InputError without the data, or
    for files that cannot be read."""
    data = own_folder(context.data, "bfcl")
    files = {name: read_dialogues(data, name) for name in FILES}
    assert data is not None  # or there were no dialogues
    model, tokenizer = context.loaded
    shape = model_shape(model, tokenizer)
    limit = context.trials or context.pick(3, 12, 10_000)
    jobs, totals = [], []
    for name, dialogues in files.items():
        texts = [tool_texts(data, dialogue.classes) for dialogue in dialogues]
        for kind, with_tools in ((ALONE, False), (WITH_TOOLS, True)):
            if with_tools and not any(texts):
                continue
            given = texts if with_tools else [""] * len(texts)
            groups = [list(moments(d, t)) for d, t in zip(dialogues, given, strict=True)]
            groups = [group for group in groups if group]
            counts = [len(moment.statements) for group in groups for moment in group]
            sizes = {"entries": len(groups), "turns": len(counts), "literals": sum(counts)}
            totals.append({"file": name, "context": kind, **sizes})
            chosen = [moment for group in groups[:limit] for moment in group]
            read = cache(partial(_read, chosen, tokenizer, shape))
            named, entries = {"file": name, "context": kind}, len(groups[:limit])
            jobs += [_job(chosen, read, entries, **named, method=m) for m in attention_free()]
    return {"rows": run_parts(context, jobs), "totals": totals}


def _read(moments: Sequence[Moment], tokenizer: Any, shape: Shape) -> list[TextRunner]:
    """The contexts of turns, tokenised and read once for all methods and budgets."""
    encoded = (encode_case(tokenizer, moment.case) for moment in moments)
    return [TextRunner(tokenizer, one, shape) for one in encoded]


def _job(
    moments: Sequence[Moment], read: Callable[[], list[TextRunner]], entries: int, **named: str
) -> Job:
    """A method on all turns of a kind; ``read`` gives their contexts, one a turn."""

    def measured() -> Row:
        literals = sum(len(moment.statements) for moment in moments)
        kept, far, kept_far = (dict.fromkeys(map(str, BUDGETS), 0) for _ in range(3))
        try:
            for runner, moment in zip(read(), moments, strict=True):
                tokens_of = runner.encoded.tokens_of
                places = [[tokens_of(a, b) for a, b in spans] for spans in moment.statements]
                for budget in BUDGETS:
                    cached = set(runner.run(Retention(budget, named["method"])).kept)
                    held = [any(cached.issuperset(range(s.start, s.end)) for s in spans)
                            for spans in places]  # fmt: skip
                    edge = len(runner.encoded.ids) - budget
                    away = [all(span.start < edge for span in spans) for spans in places]
                    kept[str(budget)] += sum(held)
                    far[str(budget)] += sum(away)
                    kept_far[str(budget)] += sum(h and a for h, a in zip(held, away, strict=True))
        except RetentionError as error:
            return {"refused": str(error).partition(":")[0]}
        sizes = sorted(len(runner.encoded.ids) for runner in read())
        return {
            "turns": len(moments),
            "literals": literals,
            "kept": kept,
            "far": far,
            "kept_far": kept_far,
            "ci95": {k: list(wilson(n, literals)) for k, n in kept.items()},
            "median_tokens": sizes[len(sizes) // 2] if sizes else 0,
        }

    return Job({"part": "bfcl", **named, "entries": entries}, measured)


def tables(record: Record, kind: str | None = None) -> str:
    """Literals kept in percent, those that no statement among the last K repeats after the dot: a
    line a method over all files, then one a file. ``kind``: the first of one kind of context."""
    rows = [row for row in record["rows"] if row.get("literals")]
    lines: list[tuple[object, ...]] = []
    for context in dict.fromkeys(row["context"] for row in rows):
        for files in (EVERY, *dict.fromkeys(row["file"] for row in rows)):
            group = [r for r in rows if r["context"] == context and files in (EVERY, r["file"])]
            for method in dict.fromkeys(row["method"] for row in group):
                counted = [row for row in group if row["method"] == method]
                n = sum(row["literals"] for row in counted)
                shares = (_shares(counted, n, str(budget)) for budget in BUDGETS)
                lines.append((context, files, method, n, *shares))
    head = ("method", "literals", *(f"K={budget}" for budget in BUDGETS))
    if kind is not None:
        return markdown(head, [line[2:] for line in lines if line[:2] == (kind, EVERY)])
    return markdown(("context", "files", *head), lines) + not_run(record)


def _shares(rows: Sequence[Row], literals: int, budget: str) -> str:
    kept, far, kept_far = (
        sum(row[name][budget] for row in rows) for name in ("kept", "far", "kept_far")
    )
    beyond = f"{100 * kept_far / far:.0f} of {far}" if far else "none"
    return f"{share(kept, literals)} · {beyond}"


if __name__ == "__main__":
    main("bfcl")
