"""The paper's two definitions, estimated: a token is dormant (epsilon) and critical (delta).

Dormant: cumulative attention A, the sum over heads and queries so far, below epsilon. Critical:
removing the token from the context lowers the probability of the right answer by more than delta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ..cases.encoding import EncodedCase
from .dormancy_measure import recording
from .experiment import Row


@torch.inference_mode()
def answer_probability(model: Any, prompt: Sequence[int], answer: Sequence[int]) -> float:
    """Probability that exactly these tokens follow a prompt."""
    ids = torch.tensor([[*prompt, *answer]], device=model.device)
    logits = model(ids, use_cache=False, logits_to_keep=len(answer) + 1).logits[0, :-1]
    logs = logits.double().log_softmax(-1)
    return math.exp(float(logs.gather(1, ids[0, len(prompt) :, None]).sum()))


def answer_ids(model: Any, tokenizer: Any, encoded: EncodedCase) -> list[int]:
    """The answer as a model writes it behind a question: a space before it, an end after it."""
    text = " " + encoded.case.answer
    ids = list(tokenizer(text, add_special_tokens=False)["input_ids"])
    ends = model.generation_config.eos_token_id
    end = ends[0] if isinstance(ends, list) else ends
    return ids if end is None else [*ids, end]


def definitions(model: Any, tokenizer: Any, encoded: EncodedCase) -> Row:
    """What both definitions say of one case; the value is its first critical one.

    ``epsilon``: by layer, the least threshold below which every token of the value is dormant when
    the question comes; ``below``: the share of all tokens of the context that are dormant at it.
    ``delta``: what removing the whole value takes from the answer's probability; ``delta_tokens``:
    the same for each token of it alone.
    """
    value = encoded.values[0]
    answer = answer_ids(model, tokenizer, encoded)
    prompt = [*encoded.ids, *encoded.question]
    with recording(model, len(encoded.ids)) as sums:
        full = answer_probability(model, prompt, answer)
    heads = model.config.get_text_config(decoder=True).num_attention_heads
    epsilon, below = [], []
    for _, layer in sorted(sums.layers.items()):
        received = heads * layer[0, : len(encoded.ids)]
        largest = received[value.start : value.end].max()
        epsilon.append(float(largest))
        below.append(float((received <= largest).double().mean()))
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
