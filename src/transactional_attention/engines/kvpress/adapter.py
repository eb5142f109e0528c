"""Any kvpress ``ScorerPress`` as a scorer of this library: exact budgets, twins, decoding."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from kvpress import ScorerPress, StreamingLLMPress
from torch import Tensor

from ...errors import CacheStateError, InputError, UnsupportedError
from ...methods.method import Method
from ...methods.observation import Observation, Seen
from ...methods.registry import TWIN, all_methods, register_method
from ...methods.scorers import Scorer
from ..transformers.decoder import find_decoder

HISTORY = 256  # hidden states that stay while decoding, as kvpress's DecodingPress


class Capture:
    """What attention modules were called with: hidden states and rotations of the last tokens."""

    def __init__(self) -> None:
        self.module: Any = None
        self._states: dict[int, Tensor] = {}
        self._rotation: dict[int, tuple[Tensor, Tensor]] = {}
        self._kwargs: dict[str, Any] = {}

    def enter(self, module: Any, args: tuple, kwargs: dict) -> None:
        """Before attention."""
        layer, states = module.layer_idx, kwargs["hidden_states"].detach()
        rotation = kwargs["position_embeddings"]
        if states.shape[1] == 1 and layer in self._states:  # decoding
            states = torch.cat([self._states[layer], states], 1)[:, -HISTORY:]
            pairs = zip(self._rotation[layer], rotation, strict=True)
            rotation = tuple(torch.cat(pair, 1)[:, -HISTORY:] for pair in pairs)
        self.module, self._kwargs = module, kwargs
        self._states[layer], self._rotation[layer] = states, rotation

    def leave(self, module: Any, args: tuple, output: Any) -> None:
        """After attention, or after an error in it."""
        self.module = None

    def call(self) -> tuple[Any, Tensor, dict[str, Any]]:
        """The module that runs, its last hidden states, and its keyword arguments."""
        if self.module is None:
            raise CacheStateError(
                "a kvpress scorer reads hidden states while its model runs: call use_press(model, "
                "...) with this model, and do not compress() with it"
            )
        layer = self.module.layer_idx
        kwargs = {**self._kwargs, "position_embeddings": self._rotation[layer]}
        return self.module, self._states[layer], kwargs


@dataclass(frozen=True, eq=False)  # presses cannot be hashed: a scorer is itself alone
class PressScorer(Scorer):
    """Scores of a kvpress press, per kv head, on the tokens in order of position.

    The budget is ours, so the press's compression ratio has no meaning. While decoding it sees the
    live keys and at most 256 hidden states of the newest tokens.
    """

    press: Any
    capture: Capture
    observes = Observation(keys=True, values=True)  # hidden states come from the module
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """Scores [row, kv_head, slot] of the press. Raises UnsupportedError: rows of different
        length, which kvpress does not know."""
        if not bool(seen.live.all()):
            raise UnsupportedError("kvpress's scorers take no padding: use rows of equal length")
        module, states, kwargs = self.capture.call()
        order = seen.positions.argsort(-1).expand(seen.keys.shape[:3])
        index = order[..., None].expand_as(seen.keys)
        keys, values = seen.keys.gather(2, index), seen.values.gather(2, index)
        scores = self.press.score(module, states, keys, values, None, kwargs)
        return torch.empty_like(scores).scatter(2, order, scores)


def use_press(model: Any, press: Any, name: str) -> str:
    """Make ``Retention(method=name)`` and ``ta+name`` use a press on this model; returns the name.

    Nothing is always kept beside what the press itself scores up. A prompt in chunks is refused.
    Raises InputError: the press gives no scores, or scores by its own ratio alone, or the name is a
    method already.
    """
    if not isinstance(press, ScorerPress):
        raise InputError(f"{type(press).__name__} gives no scores: use a ScorerPress")
    if isinstance(press, StreamingLLMPress):  # at our budget all of its scores are equal
        raise InputError("StreamingLLMPress scores by its ratio: use method streaming-llm")
    if name in all_methods() or name.startswith(TWIN):
        raise InputError(f"method {name!r} exists already: use another name")
    capture, decoder = Capture(), find_decoder(model)
    press.post_init_from_model(model)
    for layer in decoder.layers:  # type: ignore[union-attr]
        layer.self_attn.rotary_emb = decoder.rotary_emb
        layer.self_attn.register_forward_pre_hook(capture.enter, with_kwargs=True)
        layer.self_attn.register_forward_hook(capture.leave, always_call=True)
    scorer = PressScorer(press, capture)
    factory: Callable[[Any], Scorer] = lambda _: scorer  # noqa: E731
    method = Method(
        name,
        f"scores of kvpress's {type(press).__name__}",
        "kvpress",
        factory,
        sinks=0,
        recent=0,
        decode="least score, over the live tokens",
        whole_prompt=True,
    )
    return register_method(method, module=f"{__package__}.{use_press.__name__}").name
