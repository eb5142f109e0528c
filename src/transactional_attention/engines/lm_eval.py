"""lm-evaluation-harness under retention: the model ``transactional-attention``.

Import it by name, nothing else here needs the harness; or run its command with the model known:
``python -m transactional_attention.engines.lm_eval run --model transactional-attention ...``.

Every context is fed whole, cut to K, and goes on from there: by generated tokens, or by those of a
continuation one after another, as if they had been generated. A text without a context (rolling
log-likelihood) is read token by token. The question is part of the context, so it is seen before
the cut. What the harness logs (``--log_samples``) holds the texts of its tasks.

Raises:
    UnsupportedError: lm-eval is missing.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor

from ..config import Retention
from ..errors import UnsupportedError, install_extra
from ..models.embedded import SHIPPED, load_embedded
from .transformers import RetentionCache
from .transformers.arguments import cache_argument

if find_spec("lm_eval") is None:
    raise UnsupportedError(f"lm-eval is not installed: {install_extra('lm-eval')}")

from lm_eval.api.registry import register_model
from lm_eval.models.huggingface import HFLM

NAME = "transactional-attention"
EMBEDDED = "embedded"
ROWS = 16  # continuations of one context that are scored together

Request = tuple[Any, list[int], list[int]]  # its text or None, context, continuation
Score = tuple[float, bool]  # log-likelihood in nats, and whether greedy decoding gives it


@register_model(NAME)
class RetentionLM(HFLM):
    """A causal model whose cache holds ``budget`` tokens; other arguments are those of ``hf``.

    ``pretrained``: ``embedded``, ``embedded-wide``, or what ``hf`` takes. ``method``, ``preset``,
    ``ledger``: as in ``Retention``; ``full`` with ``budget=None`` is the plain model.
    """

    def __init__(
        self,
        pretrained: Any = EMBEDDED,
        *,
        budget: int | None = 256,
        method: str = "ta",
        preset: str = "default",
        ledger: str = "strict",
        tokenizer: Any = None,
        **others: Any,
    ) -> None:
        self.retention = Retention(budget, method, preset=preset, ledger=ledger)  # type: ignore[arg-type]
        if isinstance(pretrained, str) and pretrained in SHIPPED:
            pretrained, embedded_tokenizer = load_embedded(SHIPPED[pretrained])
            tokenizer = tokenizer or embedded_tokenizer
        super().__init__(pretrained, tokenizer=tokenizer, backend="causal", **others)
        self._cache()  # refuses bad choices at once

    def _cache(self) -> RetentionCache:
        return RetentionCache(self.model, self.tokenizer, self.retention)

    def _model_generate(
        self, context: Any, max_length: int, stop: list[str], **generation: Any
    ) -> Any:
        """As ``hf`` generates, from a cache of K tokens."""
        given = {**generation, **cache_argument(self._cache())}
        return super()._model_generate(context, max_length, stop, **given)

    def _loglikelihood_tokens(
        self,
        requests: Sequence[Request],
        disable_tqdm: bool = False,
        override_bs: int | None = None,
    ) -> list[Score]:
        """Scores in the order of the requests; a context is fed once for all that share it."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for i, request in enumerate(requests):
            text = not (request[0] and request[0][0])
            room = self.max_length + 1 - len(request[2])
            key = tuple(request[1][-max(room, 1) :]), i if text else None
            groups.setdefault(key, []).append(i)
        request_scores: dict[int, Score] = {}
        for (context, alone), members in groups.items():
            for first in range(0, len(members), ROWS):
                some = members[first : first + ROWS]
                given = [requests[i][2] for i in some]
                scores = self._scored(list(context), given, text=alone is not None)
                request_scores |= dict(zip(some, scores, strict=True))
        for i, request in enumerate(requests):
            if request[0] is not None:
                self.cache_hook.add_partial("loglikelihood", request[0], request_scores[i])
        return [request_scores[i] for i in range(len(requests))]

    @torch.no_grad()
    def _scored(
        self, context: list[int], continuations: Sequence[list[int]], *, text: bool
    ) -> list[Score]:
        """Continuations of one context, token by token. ``text``: they are prompt."""
        cache, rows = self._cache(), len(continuations)
        longest = max(map(len, continuations))
        if text:
            cache.expect_prompt(len(context) + longest - 1)
        padded = [ids + [0] * (longest - len(ids)) for ids in continuations]
        tokens = torch.tensor(padded, device=self.device)
        lengths = torch.tensor([len(ids) for ids in continuations], device=self.device)
        logits = self._fed(cache, torch.tensor([context], device=self.device))
        if rows > 1:
            cache.batch_repeat_interleave(rows)
            logits = logits.expand(rows, -1)
        nats = torch.zeros(rows, dtype=torch.float64, device=self.device)
        greedy = torch.ones(rows, dtype=torch.bool, device=self.device)
        for column in range(longest):
            inside, token = column < lengths, tokens[:, column : column + 1]
            chances = torch.log_softmax(logits.float(), -1)
            nats += torch.where(inside, chances.gather(1, token)[:, 0], 0.0).double()
            greedy &= (chances.argmax(-1) == token[:, 0]) | ~inside
            if column + 1 < longest:
                logits = self._fed(cache, token)
        return list(zip(nats.tolist(), greedy.tolist(), strict=True))

    def _fed(self, cache: RetentionCache, ids: Tensor) -> Tensor:
        """Logits [row, vocab] after the last token."""
        output = self.model(ids, **cache_argument(cache), use_cache=True, logits_to_keep=1)
        return output.logits[:, -1]


if __name__ == "__main__":
    from lm_eval.__main__ import cli_evaluate

    cli_evaluate()
