"""How long a value is held: generated tokens and turns between its statement and the question.

The paper's vouchers lose a tenth at every decode step; method ``ta`` holds what it admitted until
something releases it. What is kept is counted without a model, and the model is asked, each up to
5,000 tokens. The printed span of six tokens would cut the value at once, so it is 10 here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from transactional_attention.config import Retention, Sponsorship
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.types import Span

from ..benchmarks.corpus import encode
from ..cases.decoding import forward_rows
from ..cases.encoding import EncodedCase, encode_case
from ..cases.fillers import filler, paragraphs
from ..cases.runner import CaseRunner, held_whole, observed_by, read_and_cut, with_oracle
from ..generators.placing import CHARACTERS_PER_TOKEN, truncate
from ..markdown import markdown, share
from .experiment import Context, Record, Row, main, part_of
from .plan import CONTROLS, LONG_SPAN, LONG_SPAN_NOTE, READ_TEXT, task_cases
from .running import Job, run_parts


@dataclass(frozen=True)
class Part:
    """``measure(context, part, trial)``: the cells of a trial.

    ``tokens`` of a context. ``gaps``: distances to the question, of ``each`` tokens. ``asked``: the
    model answers."""

    name: str
    measure: Callable[[Context, Part, int], Iterator[Row]]
    tokens: int
    trials: int
    gaps: tuple[int, ...]
    settings: tuple[str, ...]
    asked: bool = False
    each: int = 1


BUDGET = 32
FAST = "ta-fast-semantic"
PRINTED = f"{FAST}, as printed"


def _printed(**numbers: Any) -> Sponsorship:
    return Sponsorship(span_length=LONG_SPAN, **numbers)


ARMS: dict[str, Retention] = {
    "full": Retention(None, "full"),
    "streaming-llm": Retention(BUDGET, "streaming-llm"),
    PRINTED: Retention(BUDGET, FAST, preset="paper", sponsorship=_printed()),
    f"{PRINTED}, no reserved slots": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed()
    ),
    f"{PRINTED}, no reserved slots, no decay": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed(step_decay=1.0)
    ),
    "ta": Retention(BUDGET, "ta"),
    "ta, fading by step": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="step")),
    "ta, fading by turn": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="turn")),
    **{name: Retention(BUDGET, name) for name in CONTROLS},
}
"""Settings by name; the optional decays of the default preset are off unless named."""
TEXT = ("oracle", *READ_TEXT)
MANAGED = tuple(name for name in ARMS if name not in ("full", *CONTROLS))
SETTINGS = ("full", *MANAGED)
FEW = ("full", "streaming-llm", PRINTED, "ta")
"""Those that are asked where every trial takes minutes."""


def stated(context: Context, tokens: int, trial: int) -> EncodedCase:
    """A value that is stated once in a context of ``tokens`` tokens."""
    tokenizer = context.loaded[1]
    return encode_case(tokenizer, task_cases(context, "needle", tokens=tokens)(tokenizer, trial)[0])


def cell(name: str, gap: int, kept: bool, **others: Any) -> Row:
    """What became of a value in a setting after ``gap`` tokens or turns."""
    arm = ARMS[name]
    named = {"setting": name, "method": arm.method, "preset": arm.preset, "budget": arm.budget}
    return {**named, "gap": gap, "kept": kept, **others}


def registered(flow: RetentionFlow, value: Span) -> bool:
    """Whether the registry still sponsors a span that covers the value, or the oracle names it."""
    sequence = flow.sequences[0]
    named = [span for span, _ in sequence.explicit()]
    spans = [span.value for span in (*named, *sequence.registry.spans)]
    return any(s.start <= value.start and value.end <= s.end for s in spans)


ASKED, SAID = 48, 24  # tokens of a turn: at most what a user writes, and what is generated


def read(tokenizer: Any, encoded: EncodedCase, name: str) -> RetentionFlow:
    """A flow of a setting that has read the context and cut it."""
    flow = RetentionFlow(with_oracle(ARMS[name], encoded), tokenizer, 1)
    read_and_cut(flow, encoded.ids)
    return flow


def generate(flow: RetentionFlow, count: int) -> None:
    """``count`` generated tokens, whatever they are."""
    for _ in range(count):
        flow.decode(evict=True)


def over_generated(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of generated tokens."""

    def go_on(flow: RetentionFlow, value: Span, seen: int, gap: int) -> int:
        if not held_whole(flow, value):  # what is lost once does not come back
            return seen
        generate(flow, gap - seen)
        return gap

    return _over(context, part, trial, go_on)


def over_turns(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of turns."""
    turns = turns_of(context, trial, max(part.gaps))

    def go_on(flow: RetentionFlow, _: Span, seen: int, gap: int) -> int:
        for message, answer in turns[seen:gap]:
            read_and_cut(flow, message)
            generate(flow, len(answer))
            flow.read_generated([answer])
        return gap

    return _over(context, part, trial, go_on)


def _over(
    context: Context, part: Part, trial: int, go_on: Callable[[RetentionFlow, Span, int, int], int]
) -> Iterator[Row]:
    """``go_on``: from a distance to the next; which it has come to."""
    encoded, tokenizer = stated(context, part.tokens, trial), context.loaded[1]
    (value,) = encoded.values
    for name in part.settings:
        flow, seen = read(tokenizer, encoded, name), 0
        for gap in part.gaps:
            seen = go_on(flow, value, seen, gap)
            yield cell(name, gap, held_whole(flow, value), registered=registered(flow, value))


def turns_of(context: Context, trial: int, count: int) -> list[tuple[list[int], list[int]]]:
    """Tokens of what a user says, and of what is generated then, turn by turn."""
    rng, tokenizer = random.Random(f"durability/{context.seed}/{trial}"), context.loaded[1]
    turns = []
    for _ in range(count):
        message, answer = (rng.choice(paragraphs(context.filler)) for _ in range(2))
        asked = encode(tokenizer, "\n\n" + truncate(tokenizer, message, ASKED))
        turns.append((asked, encode(tokenizer, answer)[:SAID]))
    return turns


ROOM = 128
Caches = Sequence[RetentionCache]


def longest(model: Any) -> int:
    """Positions that a model was trained for."""
    return int(model.config.get_text_config(decoder=True).max_position_embeddings)


def fed(context: Context, trial: int, count: int) -> list[int]:
    """Tokens of other text, to be fed as if they had been generated."""
    rng = random.Random(f"durability/fed/{context.seed}/{trial}")
    text = filler(context.filler, CHARACTERS_PER_TOKEN * max(count, 1), rng)
    return encode(context.loaded[1], text)[:count]


def after_generated(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of generated tokens; those that the model can hold."""
    model, others = context.loaded[0], fed(context, trial, max(part.gaps))
    return _asked_after(
        context, part, trial, lambda caches, gap: _generated(model, caches, others[:gap])
    )


def after_turns(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of turns."""
    model = context.loaded[0]
    turns = turns_of(context, trial, max(part.gaps))

    def feed(caches: Caches, gap: int) -> None:
        for message, answer in turns[:gap]:
            forward_rows(model, caches, [message] * len(caches))
            _generated(model, caches, answer)

    return _asked_after(context, part, trial, feed)


def _generated(model: Any, caches: Caches, ids: Sequence[int]) -> None:
    for token in ids:
        forward_rows(model, caches, [[token]] * len(caches))


def _asked_after(
    context: Context, part: Part, trial: int, feed: Callable[[Caches, int], None]
) -> Iterator[Row]:
    model, tokenizer = context.loaded
    case = stated(context, part.tokens, trial).case
    observe = observed_by(ARMS[name] for name in part.settings)
    runner = CaseRunner(model, tokenizer, case, "hidden", observe)
    (value,) = runner.encoded.values
    gaps = [g for g in part.gaps if part.tokens + part.each * g + ROOM <= longest(model)]
    cells = {}
    for gap in gaps:
        caches = [runner.compress(ARMS[name]) for name in part.settings]
        feed(caches, gap)
        kept = [held_whole(cache.flow, value) for cache in caches]
        answers = runner.answers(caches)
        for name, held, (text, ended) in zip(part.settings, kept, answers, strict=True):
            right = runner.judged(text, ended).correct
            cells[name, gap] = cell(name, gap, held, correct=right)
    yield from (cells[name, gap] for name in part.settings for gap in gaps)


CONTROLS_OF = "{}, controls"
TITLES = {
    "generated": "kept whole after n generated tokens, no model",
    "turns": "kept whole after n turns of at most 72 tokens, no model",
    "answers": "kept whole / answered after n tokens fed as generated",
    "far": "the same as far as the trained positions reach, shorter contexts",
    "asked turns": "kept whole / answered after n turns of at most 72 tokens",
}


def tables(record: Record) -> str:
    """Values in percent, a table a part, settings by distance; then cache against registry."""
    sections = [LONG_SPAN_NOTE]
    for part, title in TITLES.items():
        if rows := part_of(record, part):
            controls = part_of(record, CONTROLS_OF.format(part))
            sections.append(_table(f"{title}, %, n={len(rows)}", [*rows, *controls]))
    held = Counter(
        (c["kept"], c["registered"])
        for row in record["rows"] for c in row["cells"] if "registered" in c
    )  # fmt: skip
    head = ("both cache and registry hold it", "the cache alone", "the registry alone", "readings")
    counts = (held[True, True], held[True, False], held[False, True], held.total())
    return "\n\n".join([*sections, markdown(head, [counts])])


def _table(title: str, rows: Sequence[Row]) -> str:
    cells = [cell for row in rows for cell in row["cells"]]
    gaps = sorted({cell["gap"] for cell in cells})
    lines = [
        [name, *(_shown([c for c in cells if (c["setting"], c["gap"]) == (name, g)]) for g in gaps)]
        for name in dict.fromkeys(cell["setting"] for cell in cells)
    ]
    return markdown((title, *(f"{gap:,}" for gap in gaps)), lines)


def _shown(cells: Sequence[Row]) -> str:
    asked = cells and "correct" in cells[0]
    counted = ("kept", "correct") if asked else ("kept",)
    return " / ".join(share(sum(c[name] for c in cells), len(cells)) for name in counted)


GENERATED = ((0, 10, 50, 200), *[(0, 1, 5, 10, 20, 27, 50, 100, 200, 500, 1000, 2000, 5000)] * 2)
TURNS = ((0, 1, 5), *[(0, 1, 2, 5, 10, 20, 40, 70)] * 2)  # 70 turns are 5,000 tokens
ANSWERED = ((0, 20), (0, 10, 27, 100, 300), (0, 10, 27, 50, 100, 500, 2000))
FAR = (200, 1000, 5000)
ASKED_TURNS = ((1, 2), (1, 5, 20), (1, 5, 20, 70))
LEAST = 3  # distances at which the controls are asked
SHORT = 2048  # tokens of a context that leaves room for 5,000 before the trained positions end


def parts_of(context: Context) -> list[Part]:
    """What is measured, by size."""
    pick, trials = context.pick, context.trials
    tokens = pick(512, 1024, 4096)
    short = min(tokens, SHORT)
    free, asked = trials or pick(1, 5, 20), trials or pick(1, 3, 20)
    far, turns = pick(0, 1, 20), trials or pick(1, 3, 20)  # minutes each
    parts = [
        Part("generated", over_generated, tokens, free, pick(*GENERATED), MANAGED),
        Part("turns", over_turns, tokens, free, pick(*TURNS), MANAGED),
        Part("answers", after_generated, tokens, asked, pick(*ANSWERED), SETTINGS, asked=True),
        Part("far", after_generated, short, far, (pick(*FAR),), FEW, asked=True),
        Part(
            "asked turns", after_turns, short, turns, pick(*ASKED_TURNS), SETTINGS,
            asked=True, each=ASKED + SAID,
        ),
    ]  # fmt: skip
    return parts if context.size == "quick" else [*parts, *map(_controls, parts)]


def _controls(part: Part) -> Part:
    """A part with the controls: where minutes pass, the oracle alone, as the others lose the value
    at once, and what is lost does not come back."""
    few = part.settings == FEW
    settings = ("oracle",) if few else CONTROLS if part.asked else TEXT
    gaps = part.gaps if few or not part.asked else part.gaps[:LEAST]
    return replace(part, name=CONTROLS_OF.format(part.name), settings=settings, gaps=gaps)


def run(context: Context) -> Record:
    """A row a trial and part, every setting over the same contexts."""
    jobs = []
    for part in parts_of(context):
        for trial in range(part.trials):
            key = {"part": part.name, "trial": trial, "tokens": part.tokens}
            key |= {"protocol": "hidden", "ledger": "strict"}
            jobs.append(Job(key, partial(_measured, context, part, trial)))
    return {"rows": run_parts(context, jobs)}


def _measured(context: Context, part: Part, trial: int) -> Row:
    return {"cells": list(part.measure(context, part, trial))}


if __name__ == "__main__":
    main("durability")
