"""Grammars that an answer must follow: which tokens of a vocabulary may come next.

Here alone llguidance (MIT, extra ``serve``) is met. What a grammar is for, and the texts of tools
and schemas, are known where it is written; logits and tokens where it is obeyed.
"""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, install_extra

COMPILED = 64  # grammars of a tokenizer that are kept
SAID = (
    "Unimplemented keys",
    "Unknown format",
    "Invalid type",
    "oneOf constraints are not supported",
    "is not present in a registry",
    "look-around",
    "regex",
    "Unsatisfiable",
    "limit",
)  # what a fault of the library may say: all else of it may quote the request
KEYWORDS = (
    "contains dependentRequired dependentSchemas else if maxContains minContains not propertyNames "
    "then unevaluatedItems unevaluatedProperties uniqueItems"
).split()


class Grammar:
    """A compiled grammar; ``begun`` for each answer."""

    def __init__(self, matcher: Any, size: int) -> None:
        self._matcher, self._size = matcher, size

    def begun(self) -> Grammar:
        """One for an answer, of a grammar that has taken no token; both then go their own ways."""
        return Grammar(self._matcher.deep_copy(), self._size)

    def masked(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logits [vocabulary] with -inf for tokens that may not come next. Raises InputError when
        the grammar has become too large to go on."""
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        if self._matcher.is_error():
            raise InputError("the schema allows too much at once to be followed: simplify it")
        allowed = np.unpackbits(bits, bitorder="little", count=self._size)[: len(logits)]
        masked_logits = np.full(len(logits), -np.inf)
        np.copyto(masked_logits[: len(allowed)], logits[: len(allowed)], where=allowed.view(bool))
        return masked_logits

    def take(self, token: int) -> None:
        """Go on after a token that was allowed."""
        self._matcher.consume_token(token)


@functools.lru_cache(COMPILED)
def compiled(tokenizer: Any, ends: frozenset[int], text: str) -> Grammar:
    """A grammar in llguidance's Lark, after which one of the tokens ``ends`` comes. Raises
    InputError for one that it refuses, with nothing of it, and where llguidance is missing."""
    vocabulary = _vocabulary(tokenizer, ends)
    matcher = _library().LLMatcher(vocabulary, text, log_level=0)
    if matcher.is_error():
        fault = matcher.get_error()
        why = next((reason for reason in SAID if reason in fault), "it cannot be read")
        names = [name for name in KEYWORDS if f'"{name}"' in fault]
        raise InputError(f"a schema cannot be followed exactly: {' '.join([why, *names])}")
    return Grammar(matcher, vocabulary.vocab_size)


@functools.lru_cache(COMPILED)
def literal(tokenizer: Any, ends: frozenset[int], text: str) -> str:
    """A text in a grammar; what of it is a token that no text contains, as that token."""
    known = _special(tokenizer, ends)
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text) if known else [text]
    return " ".join(f"<[{known[p]}]>" if p in known else json.dumps(p) for p in parts if p)


@functools.lru_cache(4)
def _special(tokenizer: Any, ends: frozenset[int]) -> dict[str, int]:
    """Tokens that no text contains, by their names, the longest first."""
    vocabulary, added = _vocabulary(tokenizer, ends), tokenizer.get_added_vocab().items()
    special_tokens = {name: id_ for name, id_ in added if name and vocabulary.is_special_token(id_)}
    return dict(sorted(special_tokens.items(), key=lambda item: -len(item[0])))


@functools.lru_cache(4)
def _vocabulary(tokenizer: Any, ends: frozenset[int]) -> Any:
    _library()
    if not (ends and getattr(tokenizer, "is_fast", False)):
        raise InputError(
            "a schema needs a model with a fast tokenizer and an end token: send text alone"
        )
    if hasattr(tokenizer, "pieces"):  # that of a GGUF file
        from llguidance import LLTokenizer, TokenizerWrapper  # noqa: PLC0415  (as below)

        return LLTokenizer(TokenizerWrapper(_Pieces(tokenizer, ends)), eos_token=sorted(ends))
    from llguidance import hf  # noqa: PLC0415  (as below)

    return hf.from_tokenizer(tokenizer, eos_token=sorted(ends))


class _Pieces:
    """A tokenizer that tells the bytes of its pieces, as llguidance asks for it."""

    def __init__(self, tokenizer: Any, ends: frozenset[int]) -> None:
        self._tokenizer, self.tokens = tokenizer, tokenizer.pieces
        self.special_token_ids = tokenizer.all_special_ids
        self.eos_token_id, self.bos_token_id = min(ends), None

    def __call__(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def _library() -> Any:
    try:
        import llguidance  # noqa: PLC0415  (of an extra)
    except ImportError:
        raise InputError(
            f"answers that follow a schema need llguidance on the server: {install_extra('serve')}"
        ) from None
    return llguidance
