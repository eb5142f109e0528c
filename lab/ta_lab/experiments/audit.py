"""The paper's baseline audit (appendix): its template, its partition, the needle in the window.

``template``: the printed template verbatim, its value as well, 200 tokens of filler after it, which
is depth 0.95 and not the stated 0.5. ``depth 0.5`` and ``depth 0.997``: what the text says; at
0.997 of 4,096 tokens a value begins before the newest 12. ``in the window``: the template without a
filler after it, so that the whole value is among them.
Parts beside the cells: what is kept of one context (``coverage``), the rank of the value by
cumulative attention (``rank``), and epsilon and delta of the definitions (``definitions``)."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.methods.observation import Observation

from ..cases.cases import Case, Value
from ..cases.decoding import forward
from ..cases.encoding import EncodedCase, encode_case
from ..cases.fillers import filler
from ..cases.runner import CaseRunner, observed_by
from ..generators.placing import CHARACTERS_PER_TOKEN, truncate
from ..markdown import NONE, markdown
from .beside import tables as cells
from .experiment import Context, Record, Row, main, part_of
from .needle import VALUE
from .paper import figure, figures
from .plan import (
    CONTROLS,
    FULL,
    SEEDS_APART,
    Arm,
    Block,
    MakeCases,
    arms,
    as_printed,
    middle_needle,
    task_cases,
)
from .running import Job, run_parts


def received(model: Any, tokenizer: Any, *parts: Sequence[int]) -> list[list[torch.Tensor]]:
    """Cumulative attention [token] by layer, after each part of a text: the weights that a token
    has received from every query so far, averaged over heads (H2O's score, by which the paper ranks
    a value). The cache adds it up in blocks of queries (``Observation.columns``)."""
    whole = Retention(None, "full")
    cache = RetentionCache(model, tokenizer, whole, observe=Observation(columns=True))
    heads = model.config.get_text_config(decoder=True).num_attention_heads
    scores = []
    for ids in parts:
        forward(model, cache, ids)
        observers = [layer.observer for layer in cache.managed]
        scores.append([o.sums[0].double().sum(0) / heads for o in observers])  # type: ignore[union-attr, index]
    return scores


def value_ranks(
    model: Any, tokenizer: Any, encoded: EncodedCase
) -> list[tuple[list[int], list[int]]]:
    """Per layer: ranks of the value's tokens before and after the question; 1 has received most.

    Ranks are among the tokens of the context."""
    places = [place for span in encoded.values for place in span]
    scores = received(model, tokenizer, encoded.ids, encoded.question)

    def ranks(row: torch.Tensor) -> list[int]:
        return [1 + int((row > row[place]).sum()) for place in places]

    context = slice(len(encoded.ids))
    return [(ranks(before[context]), ranks(after[context])) for before, after in zip(*scores)]


def dormancy(context: Context, tokens: int, trials: int) -> Row:
    """A row a layer over ``trials`` needles: median and worst rank before and after.

    ``chance``: the median rank of a token picked at random. ``n``: ranks that a median is of."""
    model, tokenizer = context.loaded
    ranks: dict[int, tuple[list[int], list[int]]] = {}
    sizes = []
    for trial in range(trials):
        (case,) = task_cases(context, "needle", tokens=tokens)(tokenizer, trial)
        encoded = encode_case(tokenizer, case)
        sizes.append(len(encoded.ids))
        for layer, pair in enumerate(value_ranks(model, tokenizer, encoded)):
            for all_ranks, more in zip(ranks.setdefault(layer, ([], [])), pair, strict=True):
                all_ranks.extend(more)
    positions = statistics.median(sizes)
    layers = [
        {
            "layer": layer,
            "positions": positions,
            "chance": (positions + 1) / 2,
            "trials": trials,
            "n": len(before),
            "before": _summary(before),
            "after": _summary(after),
        }
        for layer, (before, after) in ranks.items()
    ]
    return {"layers": layers}


def _summary(ranks: Sequence[int]) -> dict[str, float]:
    return {"median": statistics.median(ranks), "best": min(ranks), "worst": max(ranks)}


@torch.inference_mode()
def answer_probability(model: Any, prompt: Sequence[int], answer: Sequence[int]) -> float:
    """Probability that exactly these tokens follow a prompt."""
    ids = torch.tensor([[*prompt, *answer]], device=model.device)
    logits = model(ids, use_cache=False, logits_to_keep=len(answer) + 1).logits[0, :-1]
    logs = logits.double().log_softmax(-1)
    return math.exp(float(logs.gather(1, ids[0, len(prompt) :, None]).sum()))


def answer_ids(model: Any, tokenizer: Any, encoded: EncodedCase) -> list[int]:
    """The answer as a model writes it: in plain text after a space; an end after it."""
    text = encoded.case.answer if encoded.chat else f" {encoded.case.answer}"
    ids = list(tokenizer(text, add_special_tokens=False)["input_ids"])
    ends = model.generation_config.eos_token_id
    end = ends[0] if isinstance(ends, list) else ends
    return ids if end is None else [*ids, end]


def definitions(model: Any, tokenizer: Any, encoded: EncodedCase) -> Row:
    """What both definitions of the paper say of one case; the value is its first critical one.

    Dormant: cumulative attention, the sum over heads and queries so far, below epsilon. Critical:
    removing the token from the context lowers the probability of the right answer by over delta.
    ``epsilon``: by layer, the least threshold below which every token of the value is dormant when
    the question comes; ``below``: the share of all tokens of the context that are dormant at it.
    ``delta``: what removing the whole value takes from the answer's probability; ``delta_tokens``:
    the same for each token of it alone."""
    value = encoded.values[0]
    answer = answer_ids(model, tokenizer, encoded)
    prompt = [*encoded.ids, *encoded.question]
    full = answer_probability(model, prompt, answer)
    heads = model.config.get_text_config(decoder=True).num_attention_heads
    epsilon, below = [], []
    for layer in received(model, tokenizer, encoded.ids)[0]:
        largest = layer[value.start : value.end].max()
        epsilon.append(float(heads * largest))
        below.append(float((layer <= largest).double().mean()))
    removed = [(value.start, value.end), *((p, p + 1) for p in range(value.start, value.end))]
    without = [
        answer_probability(model, prompt[:start] + prompt[stop:], answer) for start, stop in removed
    ]
    return {
        "epsilon": epsilon,
        "below": below,
        "probability": full,
        "delta": full - without[0],
        "delta_tokens": [full - p for p in without[1:]],
    }


def partition(method: str) -> str:
    """The paper's sinks, window and protected slots of a method; a dash without them."""
    parts = ("sinks", "window", "protected")
    sizes = [f for f in figures("audit") if f.measure in parts and method in f.match["methods"]]
    return ", ".join(figure.shown for figure in sizes) or NONE


def tables(record: Record) -> str:
    """Cells, what K goes to, ranks by attention, and the two definitions."""
    sections = [cells(record), partitions(record), ranks(record), _definitions_table(record)]
    return "\n\n".join(filter(None, sections))


def partitions(record: Record) -> str:
    """Tokens kept of one context in the layer and head that keeps least of the value."""
    lines = [
        (f"{row['name']}, value at {row['value'][0]:,} of {row['tokens']:,}",
         kept["method"] + ", as printed" * (kept["preset"] == "paper")
         + ", audit's partition" * (kept["partition"] == "audit"),
         partition(kept["method"]), kept["sinks"], kept["window"], kept["kept"],
         f"{kept['value']} of {kept['of_value']}")
        for row in part_of(record, "coverage") for kept in row["kept"]
    ]  # fmt: skip
    slots = [figure("audit", f"{kind} slots").shown for kind in ("main", "protected")]
    head = (
        "context", "method", "the paper's sinks, window, protected "
        f"(section 3.3: {slots[0]} main, {slots[1]} protected)", "sinks", "window", "kept",
        "of the value",
    )  # fmt: skip
    return markdown(head, lines) if lines else ""


def ranks(record: Record) -> str:
    """Rank of the value's tokens by cumulative attention, 1 has received most, layer by layer."""
    rank, ranked = figure("audit", "rank"), figure("audit", "ranked")
    paper = f"{int(rank.value):,}th of {int(ranked.value):,}"
    lines = [
        (layer["layer"], paper, _median(layer["before"]), _median(layer["after"]),
         f"{layer['positions']:,.0f}", f"{layer['chance']:,.0f}", layer["trials"])
        for row in part_of(record, "rank") for layer in row["layers"]
    ]  # fmt: skip
    head = ("layer", f"the paper ({rank.place})", "before the question", "after it", "of",
            "by chance", "n")  # fmt: skip
    return markdown(head, lines) if lines else ""


def _median(summary: Row) -> str:
    return f"{summary['median']:,.0f} (worst {summary['worst']:,})"


def _definitions_table(record: Record) -> str:
    """The least epsilon that covers the value when the question comes, by layer, and delta."""
    rows = part_of(record, "definitions")
    lines = [
        (layer, f"{max(row['epsilon'][layer] for row in rows):.3g}",
         f"{100 * statistics.median(row['below'][layer] for row in rows):.0f}")
        for layer in range(len(rows[0]["epsilon"]) if rows else 0)
    ]  # fmt: skip
    if not rows:
        return ""
    mean = (statistics.fmean(row[name] for row in rows) for name in ("probability", "delta"))
    token = statistics.fmean(max(row["delta_tokens"]) for row in rows)
    probability, delta = mean
    return (
        f"{markdown(('layer', 'least epsilon', 'tokens dormant at it, %'), lines)}\n\n"
        f"Critical: of the answer's probability {probability:.3f} {delta:.3f} is lost without the "
        f"value (delta), {token:.3f} without the token that matters most; {len(rows)} contexts."
    )


BUDGET = 16
BEFORE, AFTER = 3800, 200
TEMPLATE = "{before}\n\nThe secret code is: {value}\n\n{after}"
QUESTION = "\n\nWhat is the secret code?"
BASELINES = ("tova", "streaming-llm", "h2o", "snapkv")
PAPERS = ("ta-fast-regex", "ta-fast-semantic")
DEPTHS = (0.5, 0.997)


def template_cases(context: Context, before: int, after: int) -> MakeCases:
    """Cases of the printed template: another filler each time, the same value."""

    def cases(tokenizer: Any, trial: int) -> list[Case]:
        rng = random.Random(f"audit/{context.seed * SEEDS_APART + trial}")
        pieces = [
            truncate(tokenizer, filler(context.filler, CHARACTERS_PER_TOKEN * size, rng), size)
            for size in (before, after)
        ]
        text = TEMPLATE.format(before=pieces[0], value=VALUE, after=pieces[1])
        start = len(pieces[0]) + 2 + len("The secret code is: ")
        value = Value(start, start + len(VALUE), "secret code")
        name = f"template-{context.seed}-{trial}"
        return [Case(name, text, QUESTION, VALUE, (value,), family="audit")]

    return cases


def run(context: Context) -> Record:
    """Cells of the placements under both protocols, then the parts."""
    tokens = context.pick(1024, BEFORE + AFTER + 96, BEFORE + AFTER + 96)
    before = tokens - AFTER - 96
    trials = context.trials or context.pick(2, 10, 50)
    chosen = (FULL, *as_printed(PAPERS, [BUDGET]), *arms(("ta", *BASELINES), [BUDGET]))
    kinds = {
        "template": template_cases(context, before, AFTER),
        "in the window": template_cases(context, before + AFTER, 0),
    }
    for depth in DEPTHS:
        kinds[f"depth {depth}"] = task_cases(context, "needle", tokens=tokens, depths=(depth,))
    controls = arms(context.pick((), CONTROLS, CONTROLS), [BUDGET])
    blocks = [
        Block(name, cases, trials, (*chosen, *controls), protocol)  # type: ignore[arg-type]
        for name, cases in kinds.items()
        for protocol in ("hidden", "visible")
    ]
    jobs = [
        Job({"part": "coverage", "name": name}, partial(_coverage, context, cases, chosen))
        for name, cases in kinds.items()
    ]
    sizes = {"tokens": tokens, "trials": context.pick(1, 5, 20)}
    jobs.append(Job({"part": "rank", **sizes}, partial(dormancy, context, **sizes)))
    for trial in range(context.pick(1, 2, 10)):
        one = {"tokens": tokens, "trial": trial}
        jobs.append(Job({"part": "definitions", **one}, partial(_definitions, context, **one)))
    return {"rows": run_parts(context, jobs, blocks)}


def _coverage(context: Context, make: MakeCases, chosen: Sequence[Arm]) -> Row:
    """Which positions every method keeps of the first context of a placement."""
    model, tokenizer = context.loaded
    case = make(tokenizer, 0)[0]
    given = [arm.retention(case, context.seed) for arm in chosen if arm.budget]
    given += [replace(r, partition="audit") for r in given if r.preset == "paper"]
    runner = CaseRunner(model, tokenizer, case, "hidden", observed_by(given))
    (value,) = runner.encoded.values
    return {
        "tokens": len(runner.encoded.ids),
        "value": [value.start, value.end],
        "kept": [
            {name: getattr(retention, name) for name in ("method", "preset", "partition")}
            | covered(runner, retention)
            for retention in given
        ],
    }


def covered(runner: CaseRunner, retention: Retention) -> Row:
    """Sinks, window, value and rest among the kept positions of the layer and head that keeps least
    of the value; ``lanes``: how many layers and heads there are.

    ``sinks`` and ``window``: runs of kept positions at both ends of the context."""
    (value,) = runner.encoded.values
    inside, last = set(range(value.start, value.end)), len(runner.encoded.ids) - 1
    flow = runner.compress(retention).flow
    lanes = [set(lane[lane >= 0].tolist()) for t in flow.tables.values() for lane in t.positions]
    lane = min(lanes, key=lambda held: len(held & inside))
    sinks = next(n for n in range(last + 2) if n not in lane)
    window = next(n for n in range(last + 2) if last - n not in lane)
    return {
        "kept": len(lane),
        "sinks": min(sinks, len(lane)),
        "window": min(window, len(lane)),
        "value": len(lane & inside),
        "of_value": len(inside),
        "lanes": len(lanes),
    }


def _definitions(context: Context, tokens: int, trial: int) -> Row:
    case = middle_needle(context, tokens, context.seed * SEEDS_APART + trial)
    return definitions(*context.loaded, encode_case(context.loaded[1], case))


if __name__ == "__main__":
    main("audit")
