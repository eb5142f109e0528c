"""What serves the model of a benchmark: llama.cpp for a GGUF file, transformers otherwise; and the
time of a reply on it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.session import Engine
from transactional_attention.models.embedded import SHIPPED, chat_template
from transactional_attention.models.loading import gguf_of

from ..sessions.playing import begun, read
from .benchmark import Request


def engines(request: Request) -> tuple[Any, Callable[[Retention], Engine]]:
    """The model's tokenizer, and what serves it under a retention, one session at a time."""
    recipe, sizes = request.recipe, dict[str, Any](chunk=request.chunk)
    if gguf_of(recipe.model) is None:
        from transactional_attention.engines.transformers.sessions import (  # noqa: PLC0415
            TransformersEngine,
        )

        subject = request.subject()
        if recipe.model in SHIPPED:
            subject.tokenizer.chat_template = chat_template()
        served = TransformersEngine("bench", subject.model, subject.tokenizer, **sizes)
        return subject.tokenizer, lambda _: served
    from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415  (extra)
    from transactional_attention.engines.llama_cpp.sessions import LlamaEngine  # noqa: PLC0415
    from transactional_attention.gguf import GgufTokenizer  # noqa: PLC0415  (extra)

    model = GgufModel(recipe.model)
    tokenizer, given = GgufTokenizer(model), {**sizes, "parallel": 1, "threads": recipe.threads}
    return tokenizer, lambda retention: LlamaEngine("bench", model, tokenizer, retention, **given)


def reply_arm(
    engine: Engine, retention: Retention, prompt: Prompt, sampling: Sampling, size: int
) -> Callable[[], float]:
    """Seconds from the first token of a reply to its last of ``size``, in a session that has read
    the prompt."""
    session = engine.session(retention)
    read(session, begun(prompt, prompt.border))

    @torch.inference_mode()
    def work() -> float:
        fork = session.fork(prompt.border)
        steps = fork.steps(prompt, sampling)
        next(token for token in steps if token is not None)
        start = time.perf_counter()
        for _ in itertools.islice(steps, size - 1):
            pass
        return time.perf_counter() - start

    return work
