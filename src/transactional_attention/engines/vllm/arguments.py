"""What a request may ask of its cache, and what the server's environment says for all of them.

``SamplingParams.extra_args`` (``vllm_xargs`` of OpenAI's interface) hold numbers, strings and flat
lists: ``ta_budget``, ``ta_method``, ``ta_protect`` ("START:END" in tokens of the prompt),
``ta_roles``, ``ta_allow``, ``ta_deny``, ``ta_patterns``. ``TA_VLLM`` is a budget, or a JSON object
with the same names without their beginning, and ``chunk``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...config import ProtectedRange, Retention
from ...errors import InputError, UnknownNameError, UnsupportedError
from ...methods.registry import get_method
from ...retention.chunks import CHUNK
from ...types import Span
from ..supported import check_served

ENVIRONMENT, PREFIX, ENGINE = "TA_VLLM", "ta_", "vLLM"
LISTS = {"roles": "protect_roles", "allow": "allow", "deny": "deny", "patterns": "patterns"}
NAMES = ("budget", "method", "protect", *LISTS)
RANGE = re.compile(r"(\d+):(\d+)")


@dataclass(frozen=True)
class Defaults:
    """Of all requests: names without ``ta_``, and new tokens of a prompt between two cuts."""

    asked: Mapping[str, Any]
    chunk: int = CHUNK

    @classmethod
    def of_environment(cls) -> Defaults:
        """What ``TA_VLLM`` says. Raises InputError for what it may not."""
        text = os.environ.get(ENVIRONMENT, "")
        try:
            given = json.loads(text or "{}")
        except ValueError:
            given = None
        given = {"budget": given} if type(given) is int else given
        if not isinstance(given, dict):
            raise InputError(f"{ENVIRONMENT} must be a budget, or a JSON object: {text!r}")
        chunk = given.pop("chunk", CHUNK)
        if type(chunk) is not int or chunk < 1:
            raise InputError(f"{ENVIRONMENT}: chunk must be at least 1 token, got {chunk!r}")
        defaults = cls(given, chunk)
        defaults.retention({})
        return defaults

    def chunk_in(self, config: Any) -> int:
        """New tokens of a prompt between two cuts under a ``VllmConfig``."""
        return min(self.chunk, int(config.scheduler_config.max_num_batched_tokens))

    def retention(self, extra: Mapping[str, Any] | None) -> Retention | None:
        """Of a request with these ``extra_args``; None where it has no budget (none given, or 0).
        Raises InputError and UnknownNameError for what is not understood; UnsupportedError for what
        whole blocks cannot hold (``supported.check_served``)."""
        fields = {k[len(PREFIX) :]: v for k, v in (extra or {}).items() if k.startswith(PREFIX)}
        asked = {**self.asked, **fields}
        for name in asked:
            if name not in NAMES:
                raise UnknownNameError("field", PREFIX + name, [PREFIX + n for n in NAMES])
        if not asked.get("budget"):
            if fields.keys() - {"budget"}:
                raise InputError(f"{PREFIX}{min(fields)}: give a {PREFIX}budget with it")
            return None
        given: dict[str, Any] = {f: _texts(n, asked[n]) for n, f in LISTS.items() if n in asked}
        given["protected"] = tuple(map(_range, _texts("protect", asked.get("protect", []))))
        if "method" in asked:
            given["method"] = asked["method"]
        retention = Retention(budget=asked["budget"], **given)
        check_served(retention, ENGINE)
        method = get_method(retention.method)
        if method.whole_prompt or method.unlimited:
            why = "keeps everything" if method.unlimited else "needs the whole prompt at once"
            raise UnsupportedError(f"method {method.name!r} {why}: ta_budget 0 is without a budget")
        return retention


def _texts(name: str, given: Any) -> tuple[str, ...]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{PREFIX}{name} must be a list of strings")
    return tuple(texts)


def _range(text: str) -> ProtectedRange:
    match = RANGE.fullmatch(text)
    if match is None:
        raise InputError(f"{PREFIX}protect takes ranges of tokens, START:END, got {text!r}")
    return ProtectedRange(Span(int(match[1]), int(match[2])))
