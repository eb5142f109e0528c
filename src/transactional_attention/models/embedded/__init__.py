"""The small language models that ship: found, checked and loaded.

`load_embedded` needs no network: the weights, the tokenizer and a card with checksums lie in
`weights/<name>/`, here or in the laboratory. `read_card` reads what was measured when the weights
were made.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UnknownNameError
from ...laboratory import INSTALL, brought
from ..installed import need_transformers

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

SHIPPED = {"embedded": "main", "embedded-wide": "wide"}
"""What commands and records call the shipped models, to what `load_embedded` takes."""
WEIGHTS = Path(__file__).parent / "weights"
FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "card.json")
REMEDY = "reinstall transactional-attention"


def places() -> list[Path]:
    """Folders of weights: the library's, and the laboratory's where it is installed."""
    return [WEIGHTS, *(point.load() for point in brought("weights").values())]


def folder(name: str = "main") -> Path:
    """Folder of the embedded model `name`.

    Raises UnknownNameError for a name that is not shipped and InputError for a missing file, or a
    model of the laboratory where that is not installed.
    """
    if name not in SHIPPED.values():
        raise UnknownNameError("embedded model", name, [*SHIPPED.values()])
    path = next((place / name for place in places() if (place / name).is_dir()), None)
    if path is None:
        raise InputError(f"embedded model {name!r} belongs to the laboratory: {INSTALL}")
    missing = [file for file in FILES if not (path / file).is_file()]
    if missing:
        raise InputError(f"embedded model {name!r} lacks {', '.join(missing)}: {REMEDY}")
    return path


def chat_template() -> str:
    """The form of chats that the shipped models were trained on, without tools."""
    return (Path(__file__).parent / "chat.jinja").read_text(encoding="utf-8").rstrip("\n")


def read_card(path: Path) -> dict[str, Any]:
    """The card in a model folder; raises InputError when it is damaged."""
    try:
        card = json.loads((path / "card.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"card.json of {path.name!r} cannot be read: {REMEDY}") from error
    if not isinstance(card, dict) or "sha256" not in card:
        raise InputError(f"card.json of {path.name!r} holds no sha256: {REMEDY}")
    return card


def check_weights(path: Path) -> None:
    """Raise InputError unless model.safetensors in `path` has the checksum of its card."""
    expected = read_card(path)["sha256"]
    checksum = hashlib.sha256((path / "model.safetensors").read_bytes()).hexdigest()
    if checksum != expected:
        raise InputError(
            f"model.safetensors of {path.name!r} is damaged (its sha256 starts {checksum[:12]}, "
            f"the card says {str(expected)[:12]}): {REMEDY}"
        )


def load_embedded(
    name: str = "main",
    *,
    dtype: torch.dtype | str = "float32",
    device: torch.device | str | None = None,
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load an embedded model and its tokenizer, offline.

    Inputs: the name of the model, the dtype of its weights or its name (they are stored as
    bfloat16) and the device (None: the CPU). Output: the model in evaluation mode with attention
    "sdpa", and the tokenizer.
    Raises UnknownNameError for an unknown name, InputError for missing or damaged files,
    UnsupportedError without the extra transformers.
    """
    need_transformers()
    from transformers import AutoTokenizer, LlamaForCausalLM  # noqa: PLC0415  (slow: all of transformers' model code)

    path = folder(name)
    check_weights(path)
    model = LlamaForCausalLM.from_pretrained(
        path, dtype=dtype, attn_implementation="sdpa", local_files_only=True
    )
    tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    model.eval()
    if device is not None:
        model.to(device)  # type: ignore[arg-type]
    return model, tokenizer
