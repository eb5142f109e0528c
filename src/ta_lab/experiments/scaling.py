"""Table 4 and section 4.7: accuracy, latency and memory from 4K to 24K tokens.

Parts of a record: ``model``, the memory model of the paper's shapes; ``forward``, time and bytes on
the model that is loaded; ``shape`` (full size), the same with random weights in the shape of
Llama-3.2-1B; ``beyond``, answers where the trained positions end, with compact positions; and
cells of needle cases for the lengths that the model can read whole.
"""

from __future__ import annotations

import gc
from functools import lru_cache, partial
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.selection.slots import PADDING

from ..cases.decoding import forward, greedy
from ..cases.encoding import EncodedCase, encode_case
from ..cases.metrics import judge
from ..cases.sweep import counts
from ..generators.needle import needle_case
from .ceilings import DEPTHS
from .costs import Cost, cost_of
from .experiment import Context, Experiment, Record, Row
from .footprint import eager_kept, head_seconds, managed, random_model
from .jobs import Job, run_parts
from .memory_model import LLAMA_1B, SHAPES, ModelShape, explain, held, shape_of_model
from .plan import CONTROLS, FULL, SEEDS_APART, Block, arms, as_printed, task_cases
from .scaling_table import render

LENGTHS = ((4096, 16), (7168, 32), (8192, 64), (16_384, 64), (24_576, 64))
BUDGETS = (16, 32, 64)
METHODS = ("ta-fast-semantic", "streaming-llm", "tova", "ta-full")
BEYOND = (*[("ta", "ta-fast-semantic", "streaming-llm")] * 2, ("ta", *METHODS))
"""Methods past the trained positions, by size."""
EAGER = "eager, attention kept"
LIMIT = 8e9  # bytes that eager attention may take here; above it the memory model speaks alone
ROOM = 64  # positions for the answer
CHUNK = 512
WHOLE_LAYERS = 8192  # longer prompts of the 1B shape run on two of its layers
NEW_TOKENS = 16


def lengths_of(context: Context) -> tuple[tuple[tuple[int, int], ...], int]:
    """Tokens and K that are run, and the positions that the model was trained for."""
    longest = context.loaded[0].config.get_text_config(decoder=True).max_position_embeddings
    return context.pick(((1024, 16), (2048, 32)), LENGTHS, LENGTHS), longest


def cost(context: Context) -> Cost:
    """Cells, answers beyond the trained positions, and forwards that are timed or weighed."""
    lengths, longest = lengths_of(context)
    past = [_past(context, tokens, k) for tokens, k in lengths if tokens > longest]
    beyond = sum(map(len, past))
    asked = (beyond - len(past)) * trials_beyond(context)
    timed = (len(METHODS) + 1) * sum(tokens <= longest for tokens, _ in lengths)
    shapes = (len(METHODS) + 1) * len(LENGTHS) * (context.size == "full")
    found = cost_of(_blocks(context, lengths, longest))
    return found.plus(Cost(beyond, asked, asked, others=timed + shapes))


def budgets_of(context: Context, budget: int) -> tuple[int, ...]:
    """The K of a length: the paper's own, all of them in a full run."""
    return context.pick((budget,), (budget,), BUDGETS)


def trials_beyond(context: Context) -> int:
    """Contexts of a cell beyond the trained positions."""
    return int(context.trials or context.pick(1, 5, 20))


def run(context: Context) -> Record:
    """Rows of every part; cells that ``context.rows`` holds are not run again."""
    model, tokenizer = context.loaded
    lengths, longest = lengths_of(context)
    jobs = [_explained(name, tokens, k) for name in SHAPES for tokens, k in LENGTHS]
    for tokens, budget in lengths:
        if tokens <= longest:
            size = min(tokens, longest - ROOM)
            ids = _ids(tokenizer, context, size)
            jobs += _forwards("forward", context.model, model, tokenizer, ids, budget)
        else:
            jobs += _past(context, tokens, budget)
    if context.size == "full":
        jobs += [job for tokens, k in LENGTHS for job in shape_jobs(context, tokens, k, LLAMA_1B)]
    return {"rows": run_parts(context, jobs, _blocks(context, lengths, longest))}


def _explained(name: str, tokens: int, budget: int) -> Job:
    row = explain(name, tokens, budget)
    return Job({key: row[key] for key in ("part", "shape", "tokens", "budget")}, lambda: row)


def _ids(tokenizer: Any, context: Context, tokens: int) -> list[int]:
    case = needle_case(
        tokenizer, context=tokens, depth=0.5, seed=context.seed, filler_name=context.filler
    )
    return encode_case(tokenizer, case).ids


def _blocks(context: Context, lengths: Any, longest: int) -> list[Block]:
    """Needle cells of every length that the trained positions hold."""
    trials = context.trials or context.pick(2, 10, 50)
    found = []
    for tokens, budget in lengths:
        if tokens > longest:
            continue
        cases = task_cases(context, "needle", tokens=min(tokens, longest - ROOM))
        budgets = budgets_of(context, budget)
        controls = arms(context.pick((), CONTROLS, CONTROLS), budgets)
        chosen = (FULL, *as_printed(METHODS[:1], budgets), *arms(("ta", *METHODS[1:]), budgets))
        found.append(Block(f"{tokens}", cases, trials, (*chosen, *controls)))
    return found


# time and bytes


def _forwards(
    part: str, name: str, model: Any, tokenizer: Any, ids: list[int], budget: int
) -> list[Job]:
    """A job a method, and one for eager attention, on the same prompt."""
    key = {"part": part, "shape": name, "tokens": len(ids), "budget": budget}
    shape = shape_of_model(model)

    def free(method: str) -> Job:
        retention = Retention(budget, method)
        run = partial(managed, model, tokenizer, ids, retention)
        return Job({**key, "method": method}, run, timed=True)

    jobs = [free(method) for method in METHODS]
    return [*jobs, Job({**key, "method": EAGER}, partial(eager, model, shape, ids), timed=True)]


def eager(model: Any, shape: ModelShape, ids: list[int], limit: float = LIMIT) -> Row:
    """Eager attention measured beside its formula, or the formula alone where it would not fit."""
    expected = held(shape, len(ids), None, keeps_attention=True) - shape.weights
    row: Row = {"formula_bytes": expected}
    if expected + shape.one_layer_eager(len(ids)) > limit:
        return {**row, "not_run": f"needs more than {limit / 1e9:.0f} GB"}
    return {**row, **eager_kept(model, ids)}


@lru_cache(maxsize=1)
def one_at_a_time(shape: ModelShape) -> Any:
    """Random weights in a shape; those of another one are freed first, two would not fit."""
    one_at_a_time.cache_clear()
    gc.collect()
    dtype = torch.bfloat16 if shape.item == 2 else torch.float32
    return random_model(shape, max(tokens for tokens, _ in LENGTHS) + ROOM, dtype)


def shape_jobs(context: Context, tokens: int, budget: int, shape: ModelShape) -> list[Job]:
    """Prompts of a length on random weights in a shape, made when the first of them runs.

    Longer ones run on two layers; ``scale`` says how many times as many the shape has, and
    ``head_seconds`` what is no layer's.
    """
    layers = shape.layers if tokens <= WHOLE_LAYERS else min(2, shape.layers)
    name = "Llama-3.2-1B, random weights" if shape is LLAMA_1B else "random weights"
    key = {"part": "shape", "shape": name, "tokens": tokens, "budget": budget}
    key |= {"layers": layers, "scale": shape.layers // layers}

    own = shape.of_layers(layers)

    def measured(method: str) -> Row:
        tokenizer = context.loaded[1]
        ids = _ids(tokenizer, context, tokens)
        model = one_at_a_time(own)
        head = {"head_seconds": head_seconds(model)} if own.layers < shape.layers else {}
        if method == EAGER:
            return head | eager(model, own, ids)
        return head | managed(model, tokenizer, ids, Retention(budget, method))

    def job(method: str) -> Job:
        return Job({**key, "method": method}, lambda: measured(method), timed=True)

    return [job(method) for method in (*METHODS, EAGER)]


# beyond the trained positions


def _past(context: Context, tokens: int, budget: int) -> list[Job]:
    """Every method at the least and the largest K, and the full cache, which is out of range."""
    key = {"part": "beyond", "method": "full", "tokens": tokens, "budget": None}
    full = Job(key, lambda: {"out_of_range": lengths_of(context)[1]})
    chosen = [
        _beyond(context, method, tokens, k)
        for k in dict.fromkeys((*budgets_of(context, budget)[:1], budget))
        for method in context.pick(*BEYOND)
    ]
    return [full, *chosen]


def _beyond(context: Context, method: str, tokens: int, budget: int) -> Job:
    trials = trials_beyond(context)
    key = {"part": "beyond", "method": method, "tokens": tokens, "budget": budget}

    def measured() -> Row:
        model, tokenizer = context.loaded
        retention = Retention(budget, method, positions="compact", seed=context.seed)
        right = kept = 0
        for trial in range(trials):
            case = needle_case(
                tokenizer,
                context=tokens,
                depth=DEPTHS[trial % len(DEPTHS)],
                seed=context.seed * SEEDS_APART + trial // len(DEPTHS),
                filler_name=context.filler,
            )
            encoded = encode_case(tokenizer, case)
            held_whole, correct = streamed(model, tokenizer, encoded, retention)
            right, kept = right + correct, kept + held_whole
        return counts(trials=trials, correct=right, retained=kept)

    return Job({**key, "trials": trials}, measured)


def streamed(
    model: Any, tokenizer: Any, encoded: EncodedCase, retention: Retention, chunk: int = CHUNK
) -> tuple[bool, bool]:
    """Whether the values were held whole when the question came, and whether it was answered.

    The context is read in chunks, cut after each: no forward sees more than K + ``chunk`` tokens.
    """
    cache = RetentionCache(model, tokenizer, retention)
    prefill(model, torch.tensor([encoded.ids]), cache, chunk=chunk, keep_last=False)
    lanes = [set(lane.tolist()) - {PADDING} for table in cache.flow.tables.values()
             for lane in table.positions]  # fmt: skip
    whole = all(set(range(v.start, v.end)) <= lane for v in encoded.values for lane in lanes)
    logits = forward(model, cache, encoded.question)
    ids, ended = greedy(model, cache, logits, NEW_TOKENS)
    text = tokenizer.decode(ids, skip_special_tokens=True)
    return whole, judge(text, encoded.answers, ended).correct


EXPERIMENT = Experiment(
    "scaling",
    "Table 4, section 4.7",
    "4K to 24K tokens: accuracy, time and memory",
    run,
    render,
    cost,
)
