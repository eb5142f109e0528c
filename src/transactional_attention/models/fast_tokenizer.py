"""The tokenizer of a folder of transformers, read by the package tokenizers alone.

It answers what is asked of a tokenizer of transformers in this package, and nothing else.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UnsupportedError
from ..gguf.templates import Templated

SPECIAL = ("bos_token", "eos_token", "pad_token")


class FastTokenizer(Templated):
    """Texts to ids and back, by ``tokenizer.json`` and ``tokenizer_config.json`` of a folder.

    ``model``: whose they are, for errors. Raises UnsupportedError without the package tokenizers.
    """

    is_fast = True  # it tells which characters a token covers

    def __init__(self, folder: Path, model: str) -> None:
        try:
            from tokenizers import Tokenizer  # noqa: PLC0415  (extra)
        except ModuleNotFoundError:
            raise UnsupportedError(
                f"the {model} model's tokenizer needs the package tokenizers: pip install "
                "tokenizers, or give --model FILE.gguf"
            ) from None
        self.backend_tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        about = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        self.name, self.init_kwargs = model, about
        self.chat_template = about.get("chat_template")
        self.named = {name: about[name] for name in SPECIAL if name in about}
        added = self.backend_tokenizer.get_added_tokens_decoder()
        self.all_special_ids = [index for index, token in added.items() if token.special]

    def __len__(self) -> int:
        return int(self.backend_tokenizer.get_vocab_size())

    def __call__(
        self,
        text: str,
        *,
        add_special_tokens: bool = True,
        return_offsets_mapping: bool = False,
        verbose: bool = True,
    ) -> dict[str, Any]:
        """``input_ids`` of a text; and, where they are asked for, ``offset_mapping``: the half-open
        range of characters that each covers."""
        read = self.backend_tokenizer.encode(text, add_special_tokens=add_special_tokens)
        return {"input_ids": read.ids} | (
            {"offset_mapping": read.offsets} if return_offsets_mapping else {}
        )

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        """The text of ids."""
        given = [int(index) for index in ids]
        text = self.backend_tokenizer.decode(given, skip_special_tokens=skip_special_tokens)
        return str(text)

    def get_vocab(self) -> dict[str, int]:
        """Ids by the entries of the vocabulary."""
        return dict(self.backend_tokenizer.get_vocab())
