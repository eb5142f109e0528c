"""Perplexity of a model on a text in windows, beside n-grams over the very same tokens.

The text is a file in the tokenised form of WikiText-2; it is never shipped."""

from __future__ import annotations

import lzma
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from transactional_attention.errors import InputError

from ..cases.fillers import decode_text, read_bytes
from ..cases.metrics import NGram

ORDER = 5
Progress = Callable[[int, int], None]
JOINED = (("@-@", "-"), ("@,@", ","), ("@.@", "."))


def load_text(path: Path) -> str:
    """A UTF-8 text file, or one compressed with xz. Raises InputError naming the file, for one that
    cannot be read, is damaged, or is no text."""
    data = read_bytes(path)
    if path.suffix == ".xz":
        try:
            data = lzma.decompress(data)
        except lzma.LZMAError:
            raise InputError(f"{path} is no valid xz file") from None
    return decode_text(path, data)


def detokenise(text: str) -> str:
    """WikiText's tokenised form as plain text, line by line.

    `` @-@ `` joins its neighbours (so do ``@,@`` and ``@.@``); no space before closing
    punctuation, ``'s`` and ``n't``, none after an opening bracket or a currency sign; straight
    double quotes hug what they enclose, in pairs of a line. ``<unk>`` stays as it is."""
    return "\n".join(_detokenise_line(line) for line in text.split("\n"))


def _detokenise_line(line: str) -> str:
    for mark, sign in JOINED:
        line = line.replace(f" {mark} ", sign)
    line = re.sub(r'" (.*?) "', r'"\1"', line)
    line = re.sub(r" ([.,;:!?%)\]}]|'(?:s|re|ve|ll|d|m|t)\b|n't\b)", r"\1", line)
    return re.sub(r"([(\[{$£€]) ", r"\1", line).strip()


def windows(tokenizer: Any, text: str, size: int) -> list[list[int]]:
    """Token ids in windows of ``size``, each opened by the begin token where there is one.

    Without a begin token the first token of a window is read and not predicted."""
    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    begin = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    step = size - len(begin)
    found = [begin + ids[start : start + step] for start in range(0, len(ids), step)]
    return [window for window in found if len(window) > 1]


@torch.inference_mode()
def model_nats(
    model: Any, found: Sequence[Sequence[int]], progress: Progress = lambda done, total: None
) -> float:
    """Negative log-likelihood of every window but its first token, in nats."""
    total = 0.0
    for number, window in enumerate(found, 1):
        ids = torch.tensor([list(window)], device=model.device)
        logits = model(ids, use_cache=False).logits[0, :-1].float()
        total += float(F.cross_entropy(logits, ids[0, 1:], reduction="sum"))
        progress(number, len(found))
    return total


def perplexity(
    model: Any,
    tokenizer: Any,
    text: str,
    baseline: str,
    *,
    window: int = 1024,
    limit: int | None = None,
    progress: Progress = lambda done, total: None,
) -> dict[str, Any]:
    """One row: model, unigram and 5-gram on ``text``; the n-grams are trained on ``baseline``.

    Both texts are in WikiText's form. ``limit``: so many windows only, which are taken to hold
    their share of the characters and words. Words are those of the tokenised file and one end a
    line, as word perplexities of WikiText are counted. Raises InputError for texts without tokens,
    or windows of fewer than two."""
    if window < 2:
        raise InputError(f"a window needs two tokens or more, got {window}")
    plain = detokenise(text)
    found = windows(tokenizer, plain, window)
    train = tokenizer(detokenise(baseline), add_special_tokens=False, verbose=False)["input_ids"]
    if not found or not train:
        raise InputError("a perplexity needs text, and text to train its baselines on")
    share = 1.0
    if limit is not None and limit < len(found):
        share = sum(map(len, found[:limit])) / sum(map(len, found))
        found = found[:limit]
    tokens = sum(len(w) - 1 for w in found)
    characters, words = share * len(plain), share * (len(text.split()) + text.count("\n"))
    vocabulary = max(len(tokenizer), model.config.vocab_size)
    size = tokens, characters, words
    row: dict[str, Any] = {"window": window, "windows": len(found), "tokens": tokens}
    row |= {"characters": round(characters), "words": round(words)}
    row["model"] = _figures(model_nats(model, found, progress), *size)
    for name, order in (("unigram", 1), ("five_gram", ORDER)):
        counted = NGram(train, order, vocabulary)
        row[name] = _figures(sum(counted.nats(w) for w in found), *size)
    return row


def _figures(nats: float, tokens: int, characters: float, words: float) -> dict[str, float]:
    return {
        "nats_per_token": nats / tokens,
        "token_perplexity": math.exp(nats / tokens),
        "bits_per_character": nats / math.log(2) / characters,
        "word_perplexity": math.exp(nats / words),
    }
