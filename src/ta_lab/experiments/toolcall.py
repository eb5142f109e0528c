"""Table 2: a credential is shared early and fills the slot of a function call, K=32."""

from __future__ import annotations

from transactional_attention.errors import InputError

from ..cases.conversation import asks_in_chat
from ..generators import toolcall
from .experiment import Context, Experiment, Record, Row
from .plan import FULL, Block, arms, as_printed, cell_of, contexts, task_cases, with_controls
from .rendering import render
from .running import cost_of, empty_row, run_blocks

FAST = ("ta-fast-semantic", "ta-fast-regex")


def blocks(context: Context) -> list[Block]:
    """Credentials of 12 and 32 characters; in a full run a model that is asked in plain text
    is also asked in its tokenizer's chat form."""
    return _runnable(context, _chat(context))


def run(context: Context) -> Record:
    """Rows of the blocks, and refused ones of a chat form that the tokenizer does not have."""
    chat = _chat(context)
    rows = run_blocks(context, with_controls(context, _runnable(context, chat)))["rows"]
    known, refused = {cell_of(row) for row in rows}, _refused(context, chat)
    return {"rows": [*rows, *(row for row in refused if cell_of(row) not in known)]}


def _runnable(context: Context, chat: list[tuple[Block, str]]) -> list[Block]:
    plain = [_block(context, variant, ("overall",)) for variant in toolcall.VARIANTS]
    return [*plain, *(block for block, reason in chat if not reason)]


def _chat(context: Context) -> list[tuple[Block, str]]:
    """Blocks of the chat form, each with the reason why its cases cannot be made, if any."""
    if context.size != "full" or asks_in_chat(context.loaded[1]):
        return []  # a model that is asked in its chat form has no other
    found = []
    for block in (_block(context, variant) for variant in toolcall.CHAT_VARIANTS):
        try:
            block.make(context.loaded[1], 0)
        except InputError as error:
            found.append((block, str(error)))
        else:
            found.append((block, ""))
    return found


def _refused(context: Context, chat: list[tuple[Block, str]]) -> list[Row]:
    return [
        {**empty_row(context, block, arm), "refused": reason}
        for block, reason in chat
        if reason
        for arm in block.arms
    ]


def _block(context: Context, variant: str, groups: tuple[str, ...] = ()) -> Block:
    budgets = context.pick((32,), (32,), (32, 64))
    chosen = (
        FULL,
        *arms(("oracle", "tova", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST[:1], budgets, sponsored=False),
        *arms(("ta",), budgets),
        *arms(("tova", *FAST, "ta"), budgets, ledger="on-top"),
    )
    make = task_cases(context, "toolcall", variant)
    return Block(title(variant), make, contexts(context, 2, 10, 100), chosen, groups=groups)


def title(variant: str) -> str:
    """A variant of the task in words."""
    length, _, form = variant.partition("-")
    return f"{length} characters" + (", chat form" if form else "")


EXPERIMENT = Experiment(
    "toolcall", "Table 2", "a shared credential fills a call, several turns later", run, render,
    lambda context: cost_of(with_controls(context, blocks(context))), blocks,
)  # fmt: skip
