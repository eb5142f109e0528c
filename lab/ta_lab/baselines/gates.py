"""Retention gates (TRIM-KV): what one computes, and files of them, for the weights of one model.

A file is ``gates.safetensors`` in the model's folder, or ships with the package. Its metadata holds
the sha256 of the weights, so that gates are never used with another model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open

from transactional_attention.errors import InputError
from transactional_attention.models.embedded.derived import (
    command_for,
    find_file,
    place_of,
    weights_sha256,
)

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

NAME = "gates.safetensors"
WIDTH = 512  # of a gate's hidden layer, as in the paper
KIND = "retention gates of TRIM-KV"


@dataclass(frozen=True)
class Gate:
    """The gate of one layer: log beta = log sigmoid(down silu(up x + up_bias) + down_bias).

    ``up`` [512, hidden], ``up_bias`` [512], ``down`` [kv_head, 512], ``down_bias`` [kv_head]. x is
    what the layer's attention reads: the hidden state after the input norm.
    """

    up: Tensor
    up_bias: Tensor
    down: Tensor
    down_bias: Tensor

    def __call__(self, hidden: Tensor) -> Tensor:
        """Log beta [row, kv_head, token] of hidden states [row, token, hidden], in float32."""
        import torch.nn.functional as F

        inner = F.silu(F.linear(hidden.float(), self.up, self.up_bias))
        return F.logsigmoid(F.linear(inner, self.down, self.down_bias)).transpose(1, 2)

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.up.device

    def to(self, device: torch.device) -> Gate:
        """The gate on a device."""
        parts = (self.up, self.up_bias, self.down, self.down_bias)
        return Gate(*(part.to(device) for part in parts))


def log_decay(log_beta: Tensor) -> Tensor:
    """(t - i) log beta_i [row, kv_head, query t, token i] for a whole sequence; the future is -inf.

    ``log_beta`` [row, kv_head, token].
    """
    import torch

    steps = torch.arange(log_beta.shape[-1], device=log_beta.device)
    age = steps[:, None] - steps
    return (log_beta[:, :, None] * age).masked_fill(age < 0, float("-inf"))


PARTS = tuple(field.name for field in fields(Gate))

Gates = dict[int, Gate]
"""By the index of their layer; only full-attention layers have one."""


def tensors_of(layers: Mapping[int, Gate]) -> dict[str, Tensor]:
    """Gates as the float16 tensors of a file."""
    return {
        f"layers.{index}.{part}": getattr(gate, part).detach().half().cpu().contiguous()
        for index, gate in layers.items()
        for part in PARTS
    }


def metadata_of(weights: str, **made: object) -> dict[str, str]:
    """Metadata of a file: the checksum of the weights, and how the gates were made."""
    return {"kind": KIND, "weights": weights, **{name: str(value) for name, value in made.items()}}


def read_metadata(path: Path) -> dict[str, str]:
    """Metadata of a file of gates. Raises InputError if it is missing, damaged or no such file."""
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path} is missing or damaged: {_remedy(path)}") from error
    if metadata.get("kind") != KIND or "weights" not in metadata:
        raise InputError(f"{path} holds no {KIND}: {_remedy(path)}")
    return metadata


def read_gates(path: Path, weights: str) -> Gates:
    """Gates for weights with that checksum. Raises InputError if they are for other weights, or the
    file is missing or damaged."""
    known = read_metadata(path)["weights"]
    if known != weights:
        raise InputError(
            f"{path} holds gates of other weights (their sha256 starts {known[:12]}, the model's "
            f"{weights[:12]}): {_remedy(path)}"
        )
    parts: dict[int, dict[str, Tensor]] = {}
    try:
        with safe_open(path, "pt") as file:
            for name in file.keys():  # noqa: SIM118  (the file is no mapping)
                _, index, part = name.split(".")
                parts.setdefault(int(index), {})[part] = file.get_tensor(name).float()
        return {index: Gate(**given) for index, given in sorted(parts.items())}
    except (OSError, SafetensorError, ValueError, TypeError) as error:
        raise InputError(f"{path} is damaged: {_remedy(path)}") from error


def find_gates(decoder: nn.Module, folder: str) -> Gates:
    """Gates of a model: those in its folder, otherwise shipped ones for its weights.

    ``folder``: where the model was loaded from; a hub name is no folder. Raises InputError if there
    are none, or if those in its folder are damaged or for other weights.
    """
    weights = weights_sha256(decoder)
    path = find_file(NAME, folder, weights, lambda path: read_metadata(path)["weights"])
    if path is None:
        raise InputError(
            "method 'trim-kv' needs gates trained for this model, and none are of its weights "
            f"(their sha256 starts {weights[:12]}): {_remedy(place_of(NAME, folder))}"
        )
    return read_gates(path, weights)


def use_gates(model: Any, path: str | Path) -> None:
    """Give a model the gates of a file; ``Retention(method="trim-kv")`` then works on it.

    Not needed where the file lies as ``gates.safetensors`` in the model's folder. Raises InputError
    when the gates are of other weights, or the file is missing or damaged.
    """
    from transactional_attention.engines.transformers.decoder import find_decoder
    from transactional_attention.engines.transformers.gating import give_gates

    give_gates(model, read_gates(Path(path), weights_sha256(find_decoder(model))))


def _remedy(path: Path) -> str:
    return (
        f"{command_for('gates', path)} (found in the model's folder; another place is named by "
        "use_gates)"
    )
