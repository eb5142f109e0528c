"""From logits to a token, by OpenAI's parameters: one seeded generator a reply."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from ..types import Ints
from .grammar import Grammar


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen. ``temperature`` 0 takes the likeliest.

    ``top_k``: as many of the likeliest tokens, 0 for all; ``top_p``: of these, those that make up
    this share; ``min_p``: those at least this share as likely as the likeliest. ``frequency`` and
    ``presence``: what a token's logit loses for each time it was generated, and once for all.
    ``repetition``: what divides the logit of a token that the conversation has, or multiplies one
    below nought (Keskar et al. 2019, arXiv:1909.05858, as transformers has it). ``bias``: token id
    to what its logit gains. ``top``: how many likeliest tokens are told with each; None tells no
    logarithm of a probability. ``grammar``: what the answer must follow.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    frequency: float = 0.0
    presence: float = 0.0
    repetition: float = 1.0
    bias: Mapping[int, float] = field(default_factory=dict)
    seed: int | None = None
    top: int | None = None
    grammar: Grammar | None = None

    def sampler(self, prompt: Ints) -> "Sampler":
        """What chooses the tokens of the reply to a prompt [token]."""
        return Sampler(self, prompt)


@dataclass(frozen=True)
class Token:
    """One that was chosen, with its logarithm of probability and the likeliest beside it."""

    id: int = field(repr=False)
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = field(default=(), repr=False)


class Sampler:
    """Chooses the tokens of one reply, and counts them."""

    def __init__(self, sampling: Sampling, prompt: Ints | None = None) -> None:
        self.sampling = sampling
        self.prompt = np.zeros(0, np.int64)
        if prompt is not None and sampling.repetition != 1:
            self.prompt = np.unique(prompt)
        self.generated: Counter[int] = Counter()
        self.grammar = sampling.grammar and sampling.grammar.begun()
        self.random = Random(sampling.seed)  # numpy's takes 3 MB more

    def choose(self, logits: NDArray[np.float32]) -> Token:
        """The next token from the model's logits [vocabulary]; probabilities that are told are
        those before the grammar, temperature, top_k, top_p and min_p. Raises InputError for a
        grammar that cannot be followed further."""
        rule, penalised_logits = self.sampling, self._penalised(logits)
        allowed = (
            penalised_logits if self.grammar is None else self.grammar.masked(penalised_logits)
        )
        chosen = int(allowed.argmax()) if rule.temperature == 0 else self._drawn(allowed)
        self.generated[chosen] += 1
        if self.grammar is not None:
            self.grammar.take(chosen)
        if rule.top is None:
            return Token(chosen)
        logs = penalised_logits - penalised_logits.max()
        logs = logs - np.log(np.exp(logs).sum())
        best = np.argsort(-logs, kind="stable")[: rule.top]
        return Token(chosen, float(logs[chosen]), tuple((int(i), float(logs[i])) for i in best))

    def _penalised(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        rule, new_logits = self.sampling, logits.astype(np.float64)
        if rule.repetition != 1:
            seen = np.union1d(self.prompt, list(self.generated)).astype(np.int64)
            seen = seen[seen < len(new_logits)]
            logit = new_logits[seen]
            new_logits[seen] = np.where(logit > 0, logit / rule.repetition, logit * rule.repetition)
        for token, gain in rule.bias.items():
            if token < len(new_logits):
                new_logits[token] += gain
        if rule.frequency or rule.presence:
            for token, count in self.generated.items():
                new_logits[token] -= rule.frequency * count + rule.presence
        return new_logits

    def _drawn(self, logits: NDArray[np.float64]) -> int:
        rule = self.sampling
        weights = np.exp((logits - logits.max()) / rule.temperature)
        weights /= weights.sum()
        if rule.top_k or rule.top_p < 1 or rule.min_p:
            order = np.argsort(-weights, kind="stable")
            ranked = weights[order]
            ranked[rule.top_k or len(ranked) :] = 0
            ranked /= ranked.sum()
            before = np.cumsum(ranked) - ranked  # the likeliest always stays
            ranked[(before >= rule.top_p) | (ranked < rule.min_p * ranked[0])] = 0
            weights[order] = ranked / ranked.sum()
        shares = weights.cumsum()
        above_none = 1 - self.random.random()  # never 0: what has no weight is never drawn
        return int(shares.searchsorted(above_none * shares[-1]))
