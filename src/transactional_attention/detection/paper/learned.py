"""Learned: a small network on the model's hidden states tells where a value is announced.

f(h) = sigmoid(W2 GELU(W1 h)) (paper, section 5.1), one number per token: the probability that the
next token begins a value. The paper's h is the token's state in the last layer. Here h is the state
in a middle layer, of the token and of the next one: what follows "Use" shows whether that was an
announcement, and later layers are not run. The states come from a separate forward over the text,
line by line, before the prompt is fed; its tokens and seconds are counted. Weights are trained for
one model (``ta train detector``) and refused by any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...types import Anchor, Floats32
from ..competition import strongest
from ..model_detectors import Reader, anchor_of, blocks, unbound

THRESHOLD = 0.5  # paper, section 5.1
RANK_THRESHOLD = 0.3  # the same of LearnRank
CONFIDENCE = 0.75
"""Of every anchor: above the threshold all count the same; LearnRank uses the probability."""


@dataclass(frozen=True, eq=False)
class Probe:
    """The trained network: ``inner`` [2 x states, width], ``inner_bias`` [width], ``outer``
    [width], ``outer_bias`` [1]. States are divided by ``scale`` first. ``layer`` [1]: after how
    many layers the states are taken."""

    inner: Floats32
    inner_bias: Floats32
    outer: Floats32
    outer_bias: Floats32
    scale: Floats32
    layer: npt.NDArray[np.int64]

    def probabilities(self, pairs: Floats32) -> Floats32:
        """f of ``paired`` hidden states [token, 2 x states]: [token]."""
        inner: Floats32 = (pairs / self.scale @ self.inner + self.inner_bias).astype(np.float32)
        hidden = gelu(inner)
        return 1.0 / (1.0 + np.exp(-(hidden @ self.outer + self.outer_bias)))


def paired(states: Floats32) -> Floats32:
    """States [token, states] beside those of the next token, zeros after the last: [token, 2 x
    states]."""
    following = np.concatenate([states[1:], np.zeros_like(states[:1])])
    return np.concatenate([states, following], 1)


def gelu(x: Floats32) -> Floats32:
    """x Phi(x), by the tanh approximation (Hendrycks and Gimpel, 1606.08415)."""
    return (0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))).astype(
        np.float32
    )


@dataclass(frozen=True)
class Learned:
    """Finds values by a trained network that reads the model's hidden states: an anchor wherever
    the probability that a value begins exceeds ``threshold``.

    ``bind`` it to a model first: that gives it ``reader``, which runs the model over a text, and
    ``probe``, the network. ``ranks``: the probability is the anchor's confidence and scales its
    protection (LearnRank); otherwise all anchors have the same. ``trained``: it needs weights
    trained for the model.
    """

    trained: ClassVar[bool] = True
    name: str = "learned"
    threshold: float = THRESHOLD
    ranks: bool = False
    reader: Reader | None = None
    probe: Probe | None = field(default=None, compare=False)

    def bind(self, reader: Reader) -> Learned:
        """The detector for a model; raises InputError without weights trained for it."""
        return replace(self, reader=reader, probe=Probe(**reader.learned_weights()))

    def find(self, text: str) -> list[Anchor]:
        """Anchors after what the network points out (see ``Detector``).

        Raises:
           InputError: it is not bound to a model.
        """
        if self.reader is None or self.probe is None:
            raise unbound(self.name)
        parts = blocks(text)
        lines, layer = [text[begin:end] for begin, _, end in parts], int(self.probe.layer[0])
        read = self.reader.hidden(lines, self.name, layer)
        anchors = []
        for (begin, new, _), (tokens, states) in zip(parts, read, strict=True):
            probabilities = self.probe.probabilities(paired(states))
            inside = (tokens.ends + begin > new) & (probabilities > self.threshold)
            for i in np.flatnonzero(inside).tolist():
                span = int(tokens.starts[i]) + begin, int(tokens.ends[i]) + begin
                anchors.append(self._anchor(text, *span, float(probabilities[i])))
        return strongest(a for a in anchors if a is not None)

    def _anchor(self, text: str, start: int, end: int, probability: float) -> Anchor | None:
        if not self.ranks:
            return anchor_of(text, start, end, CONFIDENCE, self.name)
        return anchor_of(text, start, end, probability, self.name, share=probability)


def learn_rank() -> Learned:
    """LearnRank: Learned at a lower threshold; what is more probable gets more protection.

    V_j = sum_i f(h_i) 0.8^(j-i) 1[f(h_i) > 0.3, i < j <= i + L] (paper, section 5.1). As printed it
    has no budget B and stays below recency and anchor status; here B is multiplied by f. Under the
    default preset whole values are admitted in the order of f.
    """
    return Learned(name="learnrank", threshold=RANK_THRESHOLD, ranks=True)
