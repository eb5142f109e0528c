"""What ``ta serve`` says of itself when it can be asked."""

from collections.abc import Iterator
from typing import Any

from ..config import Retention
from ..engines.session import Engine
from ..errors import InputError

NO_CHATS = "chats are refused, and texts alone answered; give one by --chat-template FILE"
NO_TOOLS = "its chat template writes no tools: requests with tools are refused"


def startup_lines(
    name: str, url: str, engine: str, runs: Engine, retention: Retention
) -> Iterator[str]:
    """Lines: where it is and what runs it; what is held of a conversation, and how long one may be;
    what its template does not do."""
    layers = "" if runs.layers.whole else f", {runs.layers}"
    yield f"{name} at {url}/v1, page at {url}/, on {engine}{layers}"
    kept = "all tokens" if retention.budget is None else f"K = {retention.budget:,}"
    memory = "on" if retention.memory else "off"
    yield f"{kept}, memory {memory}, conversations of {_length(runs, retention)}"
    if not runs.tokenizer.chat_template:
        yield f"{name} has no chat template: {NO_CHATS}"
    elif not _takes_tools(runs.tokenizer):
        yield f"{name}: {NO_TOOLS}"


def _length(runs: Engine, retention: Retention) -> str:
    limit = runs.limit(retention)
    if limit is None:
        return "any length"
    lifted = " (--positions rolling: any length)" if runs.can_roll(retention) else ""
    return f"up to {limit:,} tokens{lifted}"


def _takes_tools(tokenizer: Any) -> bool:
    from ..server.tool_calls import takes_tools  # noqa: PLC0415  (extra)

    try:
        return takes_tools(tokenizer)
    except InputError:  # a template that refuses every chat says so by itself
        return True
