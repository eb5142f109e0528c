"""Rolling and compact positions: keys stored without rotation, rotated to their places when read.

A stream of any length stays inside the positions that the model was trained on
(``selection/places.py``). Rotation as in RoFormer
(2104.09864), with the halves of the head, or of its first part, as pairs.

Under the strict ledger ranks (compact) stay below K + chunk. Rope types that depend on the length
follow the tokens that are live in a forward, however long the stream: ``dynamic`` scales nothing
and ``longrope`` takes its short factors while they fit the trained length. All keys and queries of
a forward are rotated alike; keys that are stored rotated cannot follow such a change (YaRN,
2309.00071, on dynamic scaling).
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ...errors import UnsupportedError
from .forward import ForwardPlan
from .frequencies import FAMILIES, FIXED, VARYING, by_kind

COMPACT, REMEDY = "positions='compact'", "use positions='original'"
Angles = tuple[Tensor, Tensor]  # cosines and sines [row, head or 1, slot, rotary_dim]


@dataclass(frozen=True)
class Rotation:
    """How a decode step turns the keys of a layer: to the places of its slots, and back.

    ``to_places``: of all slots; ``back``: of the new token. Sines carry the signs of ``_signed``.
    """

    to_places: Angles
    back: Angles

    def apply(self, keys: Tensor) -> Tensor:
        """Turn stored keys to their places."""
        return _turn_signed(keys, *self.to_places)

    def undo(self, key: Tensor) -> Tensor:
        """Remove what the model gave to the key of the new token."""
        return _turn_signed(key, *self.back)


def can_shift(decoder: nn.Module) -> bool:
    """Whether the keys of a decoder can be turned to other places."""
    try:
        Rotary(decoder)
    except UnsupportedError:
        return False
    return True


class Rotary:
    """Rotates and un-rotates states [row, head, slot, head_dim] in float32.

    ``live``: tokens that the running forward sees in its longest row, which is the length that its
    frequencies follow. The rotary dimensions come first; the others pass through. ``user`` is what
    needs a rotation, and ``remedy`` what to do without, for errors. Raises UnsupportedError for a
    family or a rope type that cannot be turned anew.
    """

    def __init__(
        self,
        decoder: nn.Module,
        rope_types: tuple[str, ...] = FIXED + VARYING,
        *,
        user: str = COMPACT,
        remedy: str = REMEDY,
    ) -> None:
        config: Any = decoder.config
        family = getattr(config, "model_type", type(decoder).__name__)
        if family not in FAMILIES:
            raise UnsupportedError(
                f"{user} turns keys anew in {', '.join(FAMILIES)}; {family} places its tokens in "
                f"another way (learned, interleaved, not in every layer, or untested): {remedy}"
            )
        self.full, self.sliding = by_kind(decoder)
        if self.full.rope_type not in rope_types:
            raise UnsupportedError(
                f"{user} covers rope types {', '.join(rope_types)}, "
                f"not {self.full.rope_type} ({family}): {remedy}"
            )
        heads = config.num_attention_heads
        self.head_dim = getattr(config, "head_dim", None) or config.hidden_size // heads
        self.live = 1
        self._running: ForwardPlan | None = None
        self._given: dict[Any, Angles] = {}

    def begin(self, forward: ForwardPlan, device: torch.device) -> Tensor:
        """Follow a forward; returns the places [row, new] of its new tokens, their position ids."""
        assert forward.places is not None
        self._running, self._given = forward, {}
        self.live = int(forward.places.max()) + 1
        return forward.place_tensors(device)[1][:, 0]

    def given(self, like: Tensor, *, sliding: bool) -> Angles:
        """Cosines and sines for the new tokens, [row, new, rotary_dim], computed once a forward.

        A managed layer: places, at the frequencies of this length. A sliding one: true positions,
        whose differences stay inside the window, so its frequencies are never scaled by length.
        """
        key = sliding, like.device, like.dtype
        if key not in self._given:
            assert self._running is not None
            if sliding:
                places = self._running.asking(like.device)[:, None].clamp(min=0)
                angles = _angles(places, *self.sliding.at(1))
            else:
                angles = self._angles(self._running.place_tensors(like.device)[1])
            cos, sin = (part[:, 0].to(like.dtype) for part in angles)
            self._given[key] = cos, sin
        return self._given[key]

    def rotation(self, forward: ForwardPlan, device: torch.device) -> Rotation:
        """How a decode step without padding rotates keys: made once, for all layers."""
        places, new = forward.place_tensors(device)
        return Rotation(_signed(*self._angles(places)), _signed(*self._backwards(new)))

    def apply(self, keys: Tensor, forward: ForwardPlan) -> Tensor:
        """Rotate stored keys to their places."""
        return self.rotate(keys, forward.place_tensors(keys.device)[0])

    def undo(self, states: Tensor, forward: ForwardPlan) -> Tensor:
        """Remove the rotation that the model gave to keys or queries of the last new tokens."""
        places = forward.place_tensors(states.device)[1]
        return self.unrotate(states, places[:, :, -states.shape[2] :])

    def rotate(self, states: Tensor, places: Tensor) -> Tensor:
        """Rotate states to places or positions [row, head or 1, slot]."""
        return _turn(states, *self._angles(places))

    def unrotate(self, states: Tensor, places: Tensor) -> Tensor:
        """Undo ``rotate``, its factor included."""
        return _turn(states, *self._backwards(places))

    def _backwards(self, places: Tensor) -> Angles:
        cos, sin = self._angles(places)
        squared = cos.square() + sin.square()  # of the factor that some rope types have
        return cos / squared, -sin / squared

    def mean_rotation(self, start: Tensor, count: int) -> Tensor:
        """Mean over positions ``start`` [row] to ``start + count``, [row, head_dim, head_dim].

        Row vectors are multiplied by it from the right.
        """
        ahead = start[:, None, None] + torch.arange(count, device=start.device)
        cos, sin = (angles.mean(2, keepdim=True)[:, 0] for angles in self._angles(ahead))
        return _turn(torch.eye(self.head_dim, device=cos.device).expand(len(cos), -1, -1), cos, sin)

    def _angles(self, places: Tensor) -> Angles:
        return _angles(places, *self.full.at(self.live))


def _angles(places: Tensor, frequencies: Tensor, factor: float) -> Angles:
    angles = places[..., None].float() * frequencies.to(places.device, torch.float32)
    angles = torch.cat([angles, angles], -1)
    return angles.cos() * factor, angles.sin() * factor


def _signed(cos: Tensor, sin: Tensor) -> Angles:
    """With minus before the sines of the first half, whose other half turns against them."""
    half = sin.shape[-1] // 2
    return cos, torch.cat([-sin[..., :half], sin[..., half:]], -1)


def _turn(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    return _turn_signed(states, *_signed(cos, sin))


def _turn_signed(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    width = cos.shape[-1]
    if width < states.shape[-1]:
        turned = _turn_signed(states[..., :width], cos, sin)
        return torch.cat([turned, states[..., width:]], -1)
    wide = states.float()
    first, second = wide.chunk(2, -1)
    return (wide * cos + torch.cat([second, first], -1) * sin).to(states.dtype)
