"""Cases under kvpress's own presses: the prefill evicts inside its context managers, then comes the
question, at true positions, as in its pipeline. ``runner.py`` does the same for our engine.

kvpress 0.5.5 needs an older transformers (``.ci/parity`` makes the environment). It evicts in the
prefill alone: K tokens of the context stay, the question and the answer come on top."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import torch
from transformers import DynamicCache

from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.engines.transformers.decoder import attention_modules, find_decoder
from transactional_attention.errors import InputError, RetentionError, UnsupportedError

from .decoding import Answer, greedy_rows
from .encoding import EncodedCase
from .metrics import judge
from .runner import Outcome

Pairs = list[tuple[torch.Tensor, torch.Tensor]]
"""Keys and values [row, kv_head, slot, head_dim] by layer."""
WINDOW = 64  # of SnapKV's press by default
PRESSES: dict[str, Callable[[Any, int], Any]] = {
    # a window of 64 would be all of K=64
    "snapkv": lambda kvpress, budget: kvpress.SnapKVPress(window_size=min(WINDOW, budget // 2)),
    "tova": lambda kvpress, _: kvpress.TOVAPress(),
    "streaming-llm": lambda kvpress, _: kvpress.StreamingLLMPress(),
    "keydiff": lambda kvpress, _: kvpress.KeyDiffPress(),
    "expected-attention": lambda kvpress, _: kvpress.ExpectedAttentionPress(),
    "kvzip": lambda kvpress, _: kvpress.KVzipPress(),
}
"""Presses with their defaults, by the name of the same method here."""
ZIP = "kvzip"
MARK = "#" * 9  # in no chat template
Missed = Callable[[list[int]], bool]


class PressArm(NamedTuple):
    """A press by the name of its method here, and K in tokens of the context."""

    name: str
    budget: int


@dataclass(frozen=True)
class _Batch:
    """Arms whose caches hold equally many tokens, a row each.

    ``kept``: what attention may see, [row, layer, kv_head, token]. ``hidden``: by layer, indices of
    pairs that are there and not seen, or None."""

    arms: tuple[PressArm, ...]
    pairs: Pairs
    kept: torch.Tensor
    hidden: list[Any]


def available() -> str | None:
    """``kvpress`` with its version, or None where it is not installed."""
    return f"kvpress {version('kvpress')}" if find_spec("kvpress") else None


def ratio_keeping(kept: int, of: int) -> float:
    """The compression ratio at which a press keeps exactly so many of ``of``.

    kvpress rounds n (1 - ratio) down, where ``1 - K/n`` is often a hair too large."""
    return 1 - (kept + 0.5) / of


class PressRunner:
    """The ids of one context, prefilled once under all arms.

    A press looks at a layer when its attention is over, and that saw all tokens: one prefill gives
    every press what its own would. KVzip reads the context again behind it, once for all budgets,
    and leaves all tokens in the cache: where a head evicted one, attention meets a key made to get
    no weight. Raises InputError: K is not less than the context."""

    def __init__(
        self, model: Any, tokenizer: Any, ids: Sequence[int], arms: Sequence[PressArm]
    ) -> None:
        self.model, self.tokenizer, self.length = model, tokenizer, len(ids)
        scored = [arm for arm in arms if arm.name != ZIP]
        zipped = [arm for arm in arms if arm.name == ZIP]
        presses = _together([self._press(arm) for arm in scored])
        full, hidden = DynamicCache(), list[list[Any]]()  # what KVzip evicts, by arm and layer
        with torch.no_grad(), ExitStack() as stack:
            if zipped:
                stack.enter_context(_words_of(model, tokenizer, ids))
                stack.enter_context(self._zip(zipped, hidden)(model))  # works when it is left
            stack.enter_context(presses(model))
            inputs = torch.tensor([list(ids)], device=model.device)
            model.model(input_ids=inputs, **cache_argument(full))
        whole: Pairs = [(keys, values) for keys, values, *_ in full]
        kept = dict(zip(scored, presses.kept, strict=True))
        budgets = dict.fromkeys(arm.budget for arm in scored)
        rows = [[arm for arm in scored if arm.budget == k] for k in budgets]
        self._batches = [_evicted(same, [kept[arm] for arm in same], whole) for same in rows]
        if zipped:
            self._batches.append(_hiding(zipped, hidden, whole))

    def _press(self, arm: PressArm) -> Any:
        if arm.budget >= self.length:
            raise InputError(f"a press evicts nothing at K={arm.budget}: {self.length} tokens")
        press = PRESSES[arm.name](import_module("kvpress"), arm.budget)
        press.compression_ratio = ratio_keeping(arm.budget, self.length)
        return press

    def _zip(self, arms: Sequence[PressArm], hidden: list[list[Any]]) -> Any:
        """KVzip's press; ``hidden`` gets what it evicts under each arm, by layer."""
        press, cut = self._press(arms[0]), import_module("kvpress").KVzipPress.compress_post

        def compress_post(model: Any) -> None:
            pairs = press.score_val.numel()
            for arm in arms:  # here what goes is rounded down, over layers and heads at once
                gone = pairs - arm.budget * (pairs // self.length)
                press.compression_ratio = (gone + 0.5) / pairs
                cut(press, model)
                hidden.append([module.masked_key_indices for module in _attentions(model)])
            _hide(model, None)

        press.compress_post = compress_post
        return press

    def ask(
        self, encoded: EncodedCase, limit: int, missed: Missed
    ) -> dict[PressArm, Outcome | RetentionError]:
        """A question about the context, under every arm, or why it cannot be asked; ``limit`` and
        ``missed`` are those of ``greedy_rows``."""
        found: dict[PressArm, Outcome | RetentionError] = {}
        for batch in self._batches:
            try:
                answers = self._answers(batch, encoded.question, limit, missed)
            except ValueError as error:  # no key gets no weight from all queries of a question
                found |= dict.fromkeys(batch.arms, UnsupportedError(f"kvpress: {error}"))
                continue
            for row, (arm, (ids, ended)) in enumerate(zip(batch.arms, answers, strict=True)):
                text = self.tokenizer.decode(ids, skip_special_tokens=True)
                found[arm] = _outcome(batch, row, encoded, text, ended)
        return found

    @torch.no_grad()
    def _answers(
        self, batch: _Batch, question: Sequence[int], limit: int, missed: Missed
    ) -> list[Answer]:
        cache, position, rows = DynamicCache(), self.length, range(len(batch.arms))
        for layer, pairs in enumerate(batch.pairs):
            cache.update(*pairs, layer)

        def feed(model: Any, going: Sequence[int], tokens: Sequence[Sequence[int]]) -> torch.Tensor:
            """All rows read on, those that have ended whatever there is."""
            nonlocal position
            inputs = torch.zeros(len(rows), len(tokens[0]), dtype=torch.long)
            inputs[list(going)] = torch.tensor(tokens)
            places = torch.arange(position, position + inputs.shape[1])[None]
            position += inputs.shape[1]
            output = model(
                input_ids=inputs.to(model.device),
                position_ids=places.to(model.device),
                **cache_argument(cache),
                logits_to_keep=1,
            )
            return output.logits[list(going), -1]

        _hide(self.model, batch.hidden)
        try:
            logits = feed(self.model, rows, [question] * len(rows))
            return greedy_rows(self.model, rows, logits, limit, missed, feed)
        finally:
            _hide(self.model, None)


def _attentions(model: Any) -> list[Any]:
    return attention_modules(find_decoder(model))


def _hide(model: Any, hidden: Sequence[Any] | None) -> None:
    """Tell kvpress's attention what it is not to see, by layer; None: all is seen."""
    modules = _attentions(model)
    for module, indices in zip(modules, hidden or [None] * len(modules), strict=True):
        module.masked_key_indices = indices


def _together(presses: Sequence[Any]) -> Any:
    """A press that has others look at every layer and evicts nothing itself; ``kept`` of each."""

    class Together(import_module("kvpress").BasePress):  # type: ignore[misc]
        kept: list[Pairs] = [[] for _ in presses]  # noqa: RUF012

        def post_init_from_model(self, model: Any) -> None:
            for press in presses:
                press.post_init_from_model(model)

        def compress(self, module: Any, states: Any, keys: Any, values: Any, *rest: Any) -> Any:
            for press, kept in zip(presses, self.kept, strict=True):
                kept.append(press.compress(module, states, keys, values, *rest))
            return keys, values

    return Together()


@contextmanager
def _words_of(model: Any, tokenizer: Any, ids: Sequence[int]) -> Iterator[None]:
    """KVzip's press looks for a tokenizer under the model's name, and takes the beginning of its
    chat template off the context: here it finds this one, without one that the ids do not have."""
    known, words = model.config.name_or_path, copy.copy(tokenizer)
    if words.chat_template is not None:
        turns = [{"role": "user", "content": MARK}]
        text = words.apply_chat_template(turns, tokenize=False).partition(MARK)[0]
        begin = words(text, add_special_tokens=False)["input_ids"]
        if list(ids[: len(begin)]) != begin:
            words.chat_template = None
    with TemporaryDirectory() as folder:
        words.save_pretrained(folder)
        model.config.name_or_path = folder
        try:
            yield
        finally:
            model.config.name_or_path = known


def _evicted(arms: Sequence[PressArm], kept: Sequence[Pairs], whole: Pairs) -> _Batch:
    """Presses of one K, whose caches hold K tokens in every head."""
    by_layer = list(zip(*kept, strict=True))
    pairs = [
        (torch.cat([keys for keys, _ in layer]), torch.cat([values for _, values in layer]))
        for layer in by_layer
    ]
    seen = torch.stack(
        [_known(keys, full) for (keys, _), (full, _) in zip(pairs, whole, strict=True)], 1
    )
    assert bool((seen.sum(-1) == arms[0].budget).all())
    return _Batch(tuple(arms), pairs, seen, [None] * len(pairs))


def _known(keys: torch.Tensor, full: torch.Tensor) -> torch.Tensor:
    """Which of the keys [1, kv_head, token, head_dim] are there [row, kv_head, token]."""
    fingerprint = import_module("transactional_attention.engines.kvpress.sponsor").fingerprint
    prints, found = fingerprint(full)[0], fingerprint(keys)
    return torch.stack([
        torch.stack([torch.isin(own, there) for own, there in zip(prints, row, strict=True)])
        for row in found
    ])  # fmt: skip


def _hiding(arms: Sequence[PressArm], hidden: Sequence[Sequence[Any]], whole: Pairs) -> _Batch:
    """KVzip's rows: all tokens, and what attention is not to see."""
    rows = len(arms)
    pairs = [(keys.repeat(rows, 1, 1, 1), values.repeat(rows, 1, 1, 1)) for keys, values in whole]
    _, heads, length, _ = whole[0][0].shape
    seen = torch.ones(rows, len(whole), heads, length, dtype=torch.bool)
    unseen = []
    for layer, of_rows in enumerate(zip(*hidden, strict=True)):
        found = [(torch.full_like(head, row), head, token)
                 for row, (_, head, token) in enumerate(of_rows)]  # fmt: skip
        unseen.append(tuple(map(torch.cat, zip(*found, strict=True))))
        row, head, token = unseen[-1]
        seen[row, layer, head, token] = False
    wanted = [arm.budget * len(whole) * heads for arm in arms]
    assert seen.sum((1, 2, 3)).tolist() == wanted
    return _Batch(tuple(arms), pairs, seen, unseen)


def _outcome(batch: _Batch, row: int, encoded: EncodedCase, text: str, ended: bool) -> Outcome:
    kept = batch.kept[row]
    whole = tuple(bool(kept[..., value.start : value.end].all()) for value in encoded.values)
    return Outcome(
        kept=kept.any(0).any(0).nonzero()[:, 0].tolist(),
        retained=all(whole),
        protected_tokens=0,
        anchors=0,
        max_live_tokens=int(kept.sum(-1).max()),
        whole=whole,
        answer=text,
        **judge(text, encoded.answers, ended)._asdict(),
    )
