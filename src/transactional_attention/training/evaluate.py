"""Ceilings of a model: what it answers when the right tokens are kept.

Four readings of the same prefilled context:
full        nothing is evicted.
on_top      the context is cut to K; the question and the answer ride on top.
strict      the context is cut to K, the question is fed in one forward, then K tokens are live
            through every step of the answer (token 0, the value, the most recent ones).
random      as on_top, with random tokens in the place of the value: must fail.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoTokenizer, DynamicCache, LlamaForCausalLM, PreTrainedModel

from transactional_attention.evaluation.metrics import wilson
from transactional_attention.training import workers
from transactional_attention.training.arithmetic import flushed_subnormals
from transactional_attention.training.export import write_json
from transactional_attention.training.needles import (
    DEPTHS,
    STATEMENT,
    Needle,
    filler_words,
    make_needle,
    pydoc_filler,
)


class HeldCache:
    """A model's cache that can be cut to chosen slots; positions stay the original ones."""

    def __init__(self, model: PreTrainedModel) -> None:
        """An empty cache."""
        self.model = model
        # Any: transformers types the layers as a union that holds caches without keys.
        self.cache: Any = DynamicCache()
        self.next_position = 0

    def __len__(self) -> int:
        return self.cache.get_seq_length()

    def feed(self, ids: Sequence[int]) -> int:
        """Feed tokens in one forward; returns the most likely next token."""
        positions = torch.arange(self.next_position, self.next_position + len(ids))[None]
        output = self.model(
            torch.tensor([list(ids)]),
            past_key_values=self.cache,
            position_ids=positions,
            use_cache=True,
            logits_to_keep=1,
        )
        self.next_position += len(ids)
        return int(output.logits[0, -1].argmax())

    def keep(self, slots: Sequence[int]) -> None:
        """Drop every slot but `slots` (ascending) in all layers and heads."""
        index = torch.tensor(list(slots))
        for layer in self.cache.layers:
            layer.keys = layer.keys[:, :, index]
            layer.values = layer.values[:, :, index]

    def snapshot(self) -> list[tuple[Tensor, Tensor]]:
        """The tensors of the layers, to be put back by `fork`."""
        return [(layer.keys, layer.values) for layer in self.cache.layers]

    def fork(self) -> HeldCache:
        """A cache of its own with the same content."""
        other = HeldCache(self.model)
        for number, (keys, values) in enumerate(self.snapshot()):
            other.cache.update(keys, values, number)
        other.next_position = self.next_position
        return other


def held_slots(count: int, kept: Sequence[int], budget: int) -> list[int]:
    """`kept` slots and the most recent others, `budget` in all, out of `count`."""
    chosen = {slot for slot in kept if slot < count}
    for slot in range(count - 1, -1, -1):
        if len(chosen) >= budget:
            break
        chosen.add(slot)
    return sorted(chosen)


def answer(cache: HeldCache, first: int, needle: Needle, held: int | None, budget: int) -> bool:
    """Whether greedy decoding gives the value and then the end token.

    `held` is the number of slots at the front that always stay (strict), or None: nothing more
    is evicted.
    """
    token = first
    for expected in needle.answer:
        if token != expected:
            return False
        if expected == needle.answer[-1]:
            return True
        if held is not None and len(cache) >= budget:
            cache.keep(held_slots(len(cache), range(held), budget - 1))
        token = cache.feed([token])
    return False


def judge(model: PreTrainedModel, needle: Needle, budgets: Sequence[int], seed: int):
    """Reading -> whether the answer was right, for one needle; readings as in the module text."""
    read = HeldCache(model)
    read.feed(needle.context)
    count = len(needle.context)
    result: dict[str, bool] = {}
    full = read.fork()
    result["full"] = answer(full, full.feed(needle.question), needle, None, 0)
    value = list(range(*needle.value))
    for budget in budgets:
        kept = held_slots(count, [0, *value], budget)
        on_top = read.fork()
        on_top.keep(kept)
        strict = on_top.fork()
        result[f"on_top@{budget}"] = answer(on_top, on_top.feed(needle.question), needle, None, 0)
        first = strict.feed(needle.question)
        strict.keep(held_slots(len(strict), _front(kept, value), budget))
        front = 1 + len(value)
        result[f"strict@{budget}"] = answer(strict, first, needle, front, budget)
    others = [slot for slot in range(1, count - budgets[0]) if slot not in value]
    chosen = random.Random(seed).sample(others, len(value))
    wrong = read.fork()
    wrong.keep(held_slots(count, [0, *chosen], budgets[0]))
    result[f"random@{budgets[0]}"] = answer(wrong, wrong.feed(needle.question), needle, None, 0)
    return result


def _front(kept: Sequence[int], value: Sequence[int]) -> list[int]:
    """Slots of token 0 and the value among the `kept` positions."""
    return [slot for slot, position in enumerate(kept) if position == 0 or position in value]


@torch.no_grad()
def measure(
    folder: Path,
    *,
    filler: str | None = None,
    length: int = 4096,
    trials: int = 4,
    budgets: Sequence[int] = (16, 24, 32),
    depths: Sequence[float] = DEPTHS,
    seed: int = 1000,
    statement: str = STATEMENT,
) -> dict[str, dict[str, float]]:
    """Ceilings of the model in `folder`: reading -> right, trials, share, low, high.

    `trials` are per depth, `length` is in tokens, `filler` is a text (None: the language
    reference of Python). The same seed gives the same needles.
    """
    model = LlamaForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="sdpa", local_files_only=True
    ).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    words = filler_words(pydoc_filler() if filler is None else filler)
    rng = random.Random(seed)
    right: dict[str, int] = {}
    for trial in range(trials):
        for depth in depths:
            needle = make_needle(tokenizer, words, length, depth, rng, statement=statement)
            for name, good in judge(model, needle, budgets, seed + trial).items():
                right[name] = right.get(name, 0) + good
    return {name: _figures(count, trials * len(depths)) for name, count in right.items()}


def _figures(right: int, trials: int) -> dict[str, float]:
    low, high = wilson(right, trials)
    return {
        "right": right,
        "trials": trials,
        "share": round(right / trials, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def add_to_card(folder: Path, name: str, conditions: dict[str, Any], figures: dict) -> None:
    """Store figures under `name` in the ceilings of a model's card."""
    path = folder / "card.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    card.setdefault("ceilings", {})[name] = {**conditions, "figures": figures}
    write_json(path, card)


def main() -> None:
    """Print the ceilings of a model folder as JSON."""
    parser = argparse.ArgumentParser(prog="python -m transactional_attention.training.evaluate")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--filler", type=Path, help="a text file (default: Python's reference)")
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--trials", type=int, default=4, help="needles at each depth")
    parser.add_argument("--statement", default=STATEMENT)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--card", help="store the figures in the model's card under this name")
    options = parser.parse_args()
    workers.prepare_process()
    text = options.filler.read_text(encoding="utf-8") if options.filler else None
    conditions = {
        "length": options.length,
        "seed": options.seed,
        "statement": options.statement,
    }
    with flushed_subnormals():
        figures = measure(options.folder, filler=text, trials=options.trials, **conditions)
    if options.card:
        add_to_card(options.folder, options.card, conditions, figures)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
