"""Prompts as tokens with their sources: a chat in the model's template, or plain text."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..config import Retention
from ..errors import InputError, RetentionError
from ..types import Ints, SourceRange, Span
from .chat_sources import OURS, chat_text, token_ranges

NOT_OPTIONS = frozenset(
    "self messages conversation tokenizer tools documents chat_template add_generation_prompt "
    "rewrite continue_final_message sanitize_control_tokens kwargs template_options".split()
).union(OURS)
"""Arguments of ``chat_text`` and of transformers' ``apply_chat_template``."""
REPLIED = ({"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello"})
"""A turn in the place of one whose text is not known: what stands after a reply is the same."""


@dataclass(frozen=True, eq=False)  # its arrays have no one truth
class Prompt:
    """Tokens [token] of a conversation so far, and who wrote them; the ``repr`` shows neither.

    ``border``: where the header of the reply begins. A session keeps a state there, to come back to
    when a template writes the reply otherwise than it was generated.
    """

    ids: Ints = field(repr=False)
    sources: Sequence[SourceRange] = field(repr=False)
    border: int


def num_pinned(retention: Retention, sources: Iterable[SourceRange]) -> int:
    """Tokens of a prompt that are held beside K."""
    return sum(len(s.span) for s in sources if s.source in retention.pinned)


def num_held(retention: Retention, prompt: Prompt) -> int:
    """Tokens of a prompt that stay when it is read: K and what is pinned; all without a budget."""
    if not (budgets := retention.budgets()):
        return len(prompt.ids)
    return min(len(prompt.ids), max(budgets) + num_pinned(retention, prompt.sources))


def chat_prompt(
    tokenizer: Any,
    messages: Sequence[Any],
    tools: Sequence[Mapping[str, Any]] | None = None,
    begun: str = "",
    before: Prompt | None = None,
    options: Mapping[str, Any] | None = None,
    rewrite: Callable[[str], str] | None = None,
) -> Prompt:
    """A chat up to its reply, or after what the reply begins with. Raises InputError without a
    template, and for messages that it or the tokenizer refuses, which came from outside: of them
    nothing is quoted.

    ``before``: a conversation up to the end of a reply, of which only the tokens are known; the
    messages go on after it. ``options``: other arguments of the template, such as
    ``enable_thinking``; not those of transformers. ``rewrite``: what becomes of a text that the
    template has written; whatever it raises that is no fault of a template is raised.
    """
    if options and not NOT_OPTIONS.isdisjoint(options):
        raise InputError("an option of the template has the name of one that is the server's own")
    chat = messages if before is None else [*REPLIED, *messages]
    with _refusing("chat template refuses these messages", tokenizer):
        text, pieces = chat_text(chat, tokenizer, tools=tools, rewrite=rewrite, **(options or {}))
        encoding = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids = np.array(encoding["input_ids"], np.int64)
    sources = token_ranges(pieces, [start for start, _ in encoding["offset_mapping"]])
    border = sources[-1].span.start if sources[-1].template else len(ids) - 1
    if begun:
        begun_ids = np.array(tokenizer(begun, add_special_tokens=False)["input_ids"], np.int64)
        sources.append(SourceRange(Span(len(ids), len(ids) + len(begun_ids)), "assistant", True))
        ids = np.concatenate([ids, begun_ids])
    prompt = Prompt(ids, sources, border)
    return prompt if before is None else _continued(before, prompt)


def _continued(before: Prompt, written: Prompt) -> Prompt:
    """A conversation, and what a template wrote after ``REPLIED``."""
    content_ranges = [source_range for source_range in written.sources if not source_range.template]
    if [source_range.source for source_range in content_ranges[:2]] != ["user", "assistant"]:
        raise InputError(
            "the model's chat template writes these messages before a conversation, not after it: "
            "send all messages"
        )
    reply_start = content_ranges[1].span.end
    sources_end = max(source_range.span.end for source_range in before.sources)
    shift = len(before.ids) - reply_start
    sources = [*before.sources, SourceRange(Span(sources_end, len(before.ids)), "assistant")]
    for source_range in written.sources:
        if source_range.span.start >= reply_start:
            shifted = Span(source_range.span.start + shift, source_range.span.end + shift)
            sources.append(replace(source_range, span=shifted))
    ids = np.concatenate([before.ids, written.ids[reply_start:]])
    return Prompt(ids, sources, written.border + shift)


def templates(tokenizer: Any) -> list[str]:
    """The texts of a tokenizer's chat templates."""
    given = getattr(tokenizer, "chat_template", None)
    return list(given.values()) if isinstance(given, Mapping) else [given or ""]


@contextlib.contextmanager
def _refusing(what: str, tokenizer: Any) -> Iterator[None]:
    """Whatever a template or a tokenizer raises at what came from outside, as an InputError."""
    from jinja2 import TemplateError  # noqa: PLC0415  (templates alone need it)

    try:
        yield
    except (RetentionError, MemoryError, OSError):
        raise
    except Exception as error:
        why = f"{type(error).__name__} at the content"
        first_line = str(error).split("\n")[0]
        if isinstance(error, TemplateError) and any(
            first_line in template for template in templates(tokenizer)
        ):
            why = first_line  # the template's own words; others may quote a message
        raise InputError(f"the model's {what}: {why}") from None


def text_prompt(tokenizer: Any, text: str) -> Prompt:
    """A plain prompt, with the tokens that a text begins with. Raises InputError when empty, and
    for a text that the tokenizer refuses, of which nothing is quoted."""
    with _refusing("tokenizer refuses this text", tokenizer):
        ids = np.array(tokenizer(text)["input_ids"], np.int64)
    if not len(ids):
        raise InputError("the prompt is empty: its text gives no token")
    return Prompt(ids, [], len(ids) - 1)
