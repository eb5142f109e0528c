"""The text of ``ta demo`` as a model has read it: once, to be cut and asked about often."""

from typing import Any

import numpy as np
import torch
from rich.text import Text

from ..config import Retention
from ..engines.prompts import Prompt, chat_prompt, text_prompt
from ..engines.transformers import RetentionCache
from ..engines.transformers.arguments import cache_argument
from ..engines.transformers.compression import compress
from ..engines.transformers.prefill import prefill
from ..errors import InputError
from ..inspection.report import reasons
from ..text.token_text import TokenText
from .demo_text import MORE, token_count
from .inspect import STYLES
from .prompts import ALONE, asks_in_chat


class Transcript:
    """A text that a model has read, before any question. Raises InputError for a chat template that
    writes a turn otherwise where another follows it."""

    def __init__(self, model: Any, tokenizer: Any, text: str) -> None:
        self.model, self.tokenizer, self.text = model, tokenizer, text
        self.chat = asks_in_chat(tokenizer)
        prompt = self._prompt(None)
        self.ids = prompt.ids[: prompt.border] if self.chat else prompt.ids
        sources = [prompt.sources]
        whole = Retention(None, "full")
        self.snapshot = RetentionCache(model, tokenizer, whole, sources=sources)
        ids = torch.from_numpy(self.ids)[None]
        prefill(model, ids, self.snapshot, chunk=len(self.ids), keep_last=False)
        self._content = TokenText(tokenizer)
        self._content.append(self.ids)
        self._content.settle()

    def _prompt(self, question: str | None) -> Prompt:
        if not self.chat:
            return text_prompt(self.tokenizer, self.text)
        asked = [] if question is None else [f"{question}\n{ALONE}"]
        turns = [{"role": "user", "content": content} for content in (self.text, *asked)]
        return chat_prompt(self.tokenizer, turns)

    def cut(self, retention: Retention) -> RetentionCache:
        """What is left of it for a question."""
        return compress(self.snapshot, retention)

    def answer(self, cache: RetentionCache, question: str, value: str) -> str:
        """What the model says, greedily, with what a cache holds; the cache has heard it then."""
        if self.chat:
            ids = self._prompt(question).ids
            if not np.array_equal(ids[: len(self.ids)], self.ids):
                raise InputError("the chat template rewrites earlier turns: ask with --raw")
        else:
            asked = self.tokenizer(f"\n\n{question}", add_special_tokens=False)["input_ids"]
            ids = np.concatenate([self.ids, np.array(asked, np.int64)])
        inputs = torch.from_numpy(ids)[None].to(self.model.device)
        output = self.model.generate(
            inputs,
            attention_mask=torch.ones_like(inputs),
            **cache_argument(cache),
            max_new_tokens=token_count(self.tokenizer, value) + MORE,
            do_sample=False,
        )
        reply = self.tokenizer.decode(output[0, len(ids) :], skip_special_tokens=True)
        return str(reply).strip()

    def kept(self, cache: RetentionCache) -> Text:
        """The pieces that a cache holds, coloured by reason, with marks where text was evicted."""
        content, shown, previous = self._content, Text(), -1
        for position, (reason, _) in reasons(cache.flow, 0).items():
            if position != previous + 1:
                shown.append(" … ", style="dim")
            piece = content.text[int(content.starts[position]) : int(content.ends[position])]
            shown.append(piece.replace("\n", "⏎"), style=STYLES.get(reason, ""))
            previous = position
        return shown
