"""What a tool call costs whose fields bring segments back, beside the same tokens without a memory.

The words are given, so that both say the same. A call has three arguments that the first turn
states; plain text of as many tokens opens no field."""

from __future__ import annotations

import itertools
import random
from typing import Any

from transactional_attention.config import Memory, Retention
from transactional_attention.errors import InputError

from ..sessions.calls import CallTokens, calls_of
from ..sessions.files import AgentSession, Message
from ..sessions.playing import Forced
from .benchmark import Outcome, Request, Row
from .corpus import filler_tokens
from .engines import engines, reply_arm
from .timing import interleave

FIELDS = ("order_id", "refund_account", "warehouse")
ARMS = {"without": None, "memory": Memory()}
TURN = 256  # tokens of what is said between


def run(request: Request) -> Outcome:
    """Rows a length and K: a call and plain text, without a memory, with one."""
    (tokenizer, make), rows = engines(request), list[Row]()
    for tokens, budget in request.cells():
        retentions = {
            name: Retention(budget, "ta", memory=memory, pinned=("system",))
            for name, memory in ARMS.items()
        }
        served = {name: make(retention) for name, retention in retentions.items()}
        call = _call(request, tokenizer, served["memory"].end_ids, tokens)
        plain = _plain(tokenizer, len(call.reply))
        for what, reply in (
            ("call of three arguments", call.reply.tolist()),
            ("plain text", plain),
        ):
            forced = Forced(reply=reply)
            arms = {
                name: reply_arm(served[name], retentions[name], call.prompt, forced, len(reply))
                for name in served
            }
            about = {"tokens": tokens, "budget": budget, "what": what, "said": len(reply)}
            rows += [{**about, **timed.row()} for timed in interleave(arms, request.rounds)]
    return Outcome(rows)


def _call(request: Request, tokenizer: Any, end_ids: frozenset[int], tokens: int) -> CallTokens:
    """A conversation of ``tokens`` tokens: its last turn is a call of what the first one states."""
    rng = random.Random(f"call/{request.seed}")
    values = {name: f"{rng.randrange(16**8):08X}-{rng.randrange(10**6)}" for name in FIELDS}
    stated = "".join(
        f"The {name.replace('_', ' ')} is {value}.\n" for name, value in values.items()
    )
    filler = filler_tokens(tokenizer, request.filler, request.seed)
    messages: list[Message] = [{"role": "system", "content": "You work for a shop."}]
    messages += _turn("Hello.\n" + stated)
    for _ in range(tokens // TURN):
        messages += _turn(tokenizer.decode(list(itertools.islice(filler, TURN))))
    messages.append({"role": "user", "content": "Make the refund now."})
    made = {"type": "function", "function": {"name": "refund", "arguments": values}}
    messages.append({"role": "assistant", "content": "", "tool_calls": [made]})
    fields = {name: {"type": "string"} for name in FIELDS}
    tool = {"name": "refund", "parameters": {"type": "object", "properties": fields}}
    session = AgentSession("call", messages, [{"type": "function", "function": tool}])
    calls = list(calls_of(session, tokenizer, end_ids))
    if not calls or len(calls[-1].arguments) != len(FIELDS):
        raise InputError("the model's chat template writes no calls of tools: take another --model")
    return calls[-1]


def _turn(text: str) -> list[Message]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]


def _plain(tokenizer: Any, size: int) -> list[int]:
    """Text of ``size`` tokens that opens no field."""
    sentence = "Thank you for waiting while we look into all of this for you. "
    ids = tokenizer(sentence * size, add_special_tokens=False)["input_ids"]
    return [int(token) for token in ids[:size]]
