"""What a cache hands out of low precision: noted forward by forward, for the judge to read.

The judge puts these keys and values in place of its own, for the queries of that forward alone. It
takes none that is further from its own than rounding once can be: half a step of the format.
"""

from dataclasses import dataclass

import torch

from transactional_attention.engines.transformers.precision import MixedStates


@dataclass
class Handed:
    """Keys and values [row, kv_head, slot, head_dim] as stored, and which slots of them are low.

    ``positions`` [row, kv_head or 1, slot]. Keys of compact caches have no rotation.
    """

    positions: torch.Tensor
    low: torch.Tensor
    keys: torch.Tensor
    values: torch.Tensor
    form: str

    def put(self, full_states, columns, *, values):
        """``full_states`` [row, kv_head, column, head_dim] with what is held low in its place."""
        states, held = full_states.clone(), self.values if values else self.keys
        positions = self.positions.expand_as(self.low)
        for row, head in torch.cartesian_prod(*map(torch.arange, self.low.shape[:2])).tolist():
            slots = self.low[row, head] & (positions[row, head] >= 0)
            places = columns[row][positions[row, head, slots]]
            exact, rounded = full_states[row, head, places], held[row, head, slots]
            assert ((exact - rounded).abs() <= half_step(exact, self.form)).all()
            states[row, head, places] = rounded
        return states


def rounded(states, form):
    """Tokens [..., head_dim] rounded once, as the formats are defined."""
    largest = states.abs().amax(-1, keepdim=True)
    if form == "int8":
        scale = largest / 127
        return torch.round(states / scale) * scale
    scale = largest / 448
    return (states / scale).to(torch.float8_e4m3fn).float() * scale


def half_step(exact, form):
    """The largest error of rounding tokens [token, head_dim] once, each with its own scale."""
    largest = exact.abs().amax(-1, keepdim=True)
    if form == "int8":
        step = largest / 127 / 2
    else:  # three bits after the leading one, the least exponent is 2^-6
        step = exact.abs().clamp(min=2**-6 * largest / 448) / 16
    return step * 1.001 + 1e-4 * largest


def watch(cache):
    """Note in ``cache.handed``, by (forward, managed layer), what is read while a trace is kept."""
    cache.handed = {}
    for index, layer in enumerate(cache.managed):
        layer.update = _noting(cache, index, layer, layer.update)


def _noting(cache, index, layer, update):
    def noting(*args, **kwargs):
        result = update(*args, **kwargs)
        if isinstance(layer.keys, MixedStates):
            positions = layer.forward.slot_positions(layer.keys.device).clone()
            cache.handed[len(cache.trace) - 1, index] = Handed(
                positions, layer.keys.low(), layer.keys.read(), layer.values.read(), layer.keys.form
            )
            assert torch.equal(layer.keys.low(), layer.values.low())
        return result

    return noting
