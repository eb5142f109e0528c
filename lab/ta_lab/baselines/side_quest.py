"""The end of a turn (SideQuest, 2602.22603): a judge names tool outputs, and they are deleted.

The default judge is the model, asked in a side branch: a copy of one row of the cache that evicts
nothing and is thrown away. The authors published no code; the wording of the request, the reading
of the reply and the veto are ours.
"""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.chat_sources import MARK
from transactional_attention.engines.transformers.cache import RetentionCache
from transactional_attention.engines.transformers.decoder import end_ids, find_decoder
from transactional_attention.engines.transformers.prefill import next_logits
from transactional_attention.errors import InputError, UnsupportedError
from transactional_attention.methods.scorers.positions import Recency

from .tool_outputs import Judge, ToolOutput, Turn, ask_model, delete, held_outputs

REPLY_TOKENS = 48


@dataclass(frozen=True)
class TurnEnd:
    """What the end of a turn did to one row.

    ``deleted``: the outputs that the judge named; ``tokens`` of each went in the layer and kv head
    that held the most, the rest is vetoed or was gone. ``judged``: there was something to judge,
    and a verdict. ``side_tokens``: tokens that side branches fed to the model.
    """

    deleted: tuple[ToolOutput, ...]
    judged: bool
    side_tokens: int


@torch.no_grad()
def end_turn(model: Any, cache: RetentionCache, judge: Judge = ask_model) -> tuple[TurnEnd, ...]:
    """Delete the tool outputs that ``judge`` names, whole but for what is vetoed; one record a row.

    Call it between two turns. Tool outputs are the ranges of source ``tool`` (``ta.encode_chat``).
    What stays of them: whole values that the method sponsors, with their labels; ranges that the
    caller protects; sinks and the newest tokens. All rows are judged before anything is deleted, so
    a judge that fails leaves the cache as it was. Under a budget K deletion makes room: at most K
    tokens are held before and after, and above K the method's own rule goes on deciding (for
    ``sidequest`` recency). A side branch holds a row a second time while it runs. Raises InputError
    when the judge names something that is not on offer, or needs a tokenizer; UnsupportedError for
    compact positions where layers or kv heads keep tokens of their own, and for the model as judge
    of padded rows beside sliding or linear-attention layers; CacheStateError when the cache belongs
    to another model, saw no token, or is broken.
    """
    cache.check_usable(find_decoder(model))
    flow = cache.flow
    tables = list(flow.tables.values())
    if cache.positions.rotary is not None and (len(tables) > 1 or tables[0].heads > 1):
        raise UnsupportedError(  # ranks: layers and kv heads must lose as many tokens
            f"end_turn with positions='compact' needs one set of tokens for all layers and heads, "
            f"{cache.retention.method!r} keeps several: use original positions"
        )
    cache.read_generated()
    ends: list[TurnEnd] = []
    for row, outputs in enumerate(held_outputs(flow)):
        side = SideBranch(model, cache, row)
        turn = Turn(row, outputs, side, flow.sequences[row])
        verdict = judge(turn) if outputs else ()
        named = _checked(verdict, turn) if verdict is not None else ()
        ends.append(TurnEnd(named, bool(outputs) and verdict is not None, side.tokens))
    doomed = [[output.span for output in end.deleted] for end in ends]
    if any(doomed):
        cache.evict(lambda table: delete(flow, table, doomed))
    return tuple(ends)


def _checked(verdict: Iterable[int], turn: Turn) -> tuple[ToolOutput, ...]:
    """The outputs that a verdict names; its content is never shown, it may hold text."""
    offered = {output.number: output for output in turn.outputs}
    named = list(verdict) if isinstance(verdict, Iterable) else [verdict]
    if not all(isinstance(n, Integral) and type(n) is not bool and n in offered for n in named):
        raise InputError(
            f"the judge of row {turn.row} named something that is no tool output on offer: return "
            f"numbers out of {', '.join(map(str, offered))}, or None; nothing was deleted"
        )
    return tuple(offered[number] for number in sorted({int(n) for n in named}))


@dataclass
class SideBranch:
    """Asks the model about one row; ``tokens`` counts what was fed in all."""

    model: Any
    cache: RetentionCache
    row: int
    tokens: int = 0

    @torch.no_grad()
    def __call__(self, request: str) -> str:
        """The greedy reply to ``request``, one line of at most ``REPLY_TOKENS`` tokens. Raises
        InputError without a tokenizer, or when the request has no token."""
        tokenizer, branch = self.cache.tokenizer, branch_of(self.cache, self.row)
        if tokenizer is None:
            raise InputError(
                "the model cannot be asked without its tokenizer: give it to the cache"
            )
        fed = tokenizer(_as_turn(request, tokenizer), add_special_tokens=False)["input_ids"]
        reply, text, ends = list[int](), "", end_ids(self.model, tokenizer)
        while True:
            self.tokens += len(fed)
            token = int(next_logits(self.model, branch, torch.tensor([fed])).argmax())
            if token in ends:
                return text
            reply.append(token)
            text = tokenizer.decode(reply, skip_special_tokens=True)
            if len(reply) == REPLY_TOKENS or "\n" in text.lstrip():
                return text
            fed = [token]


def branch_of(cache: RetentionCache, row: int) -> RetentionCache:
    """A copy of one row of ``cache`` that goes on without a limit; ``cache`` is not touched. Raises
    UnsupportedError for a padded row beside layers that are not managed."""
    if len(cache.managed) < len(cache.layers) and int(cache.flow.lengths[row]) < cache.num_columns:
        raise UnsupportedError(
            "the model cannot be asked about padded rows beside sliding or linear-attention "
            "layers: use one cache a conversation, or another judge"
        )
    whole = Retention(budget=None, method="full", positions=cache.retention.positions)
    flow, branch = copy.copy(cache.flow), cache.fresh(whole, type(cache))
    flow.scorer, flow.allocation, flow.reads_steps = Recency(), None, False
    flow.observes = flow.scorer.observes
    flow.tables = {
        key: replace(table, budget=None, limits=None, selected=[])
        for key, table in flow.tables.items()
    }
    branch.hold(cache, flow)
    for layer in branch.managed:  # what is held in low precision is read once
        layer.keys, layer.values = layer.states()
    branch.take_rows(torch.tensor([row]))
    return branch


def _as_turn(request: str, tokenizer: Any) -> str:
    """The request as a user's next message, from the end of the assistant's turn on.

    The end token of what was generated is not in the cache: ``generate`` does not feed it.
    """
    if not getattr(tokenizer, "chat_template", None):
        return f"\n\n{request}"
    messages = [
        {"role": "user", "content": MARK},
        {"role": "assistant", "content": MARK},
        {"role": "user", "content": request},
    ]
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    return text.rpartition(MARK)[2]
