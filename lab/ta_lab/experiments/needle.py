"""The needle: a credential stated once in filler and asked for at the end.

By method and K (Table 1), under the tokenizers of other models (Table 3) and how many tokens it is
under each (section 4.6), with and without sponsorship of other methods (Figure 5), and where most
of the cache is evicted (section 2). The models of Table 3 that are not at hand are tokenizers
alone (``--tokenizers``): what is kept is counted, and nothing answers."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any

from transactional_attention.models.embedded import SHIPPED, load_embedded
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Span

from ..collection.values import KINDS, VOCABULARY
from ..markdown import NONE, markdown
from .beside import the_rest
from .experiment import Context, Record, Row, main, part_of
from .paper import figures
from .plan import CONTROLS, Block, arms, as_printed, beside_ta, block_of
from .running import Job, run_parts

BASELINES = ("tova", "h2o", "snapkv", "streaming-llm", "pyramidkv", "dynamickv")
FAST = ("ta-fast-regex", "ta-fast-semantic")
WIDE = (16, 32, 64, 128, 256, 512, 1024, 2048)


def needle(context: Context) -> list[Block]:
    """Question hidden and shown, strict and on top, baselines with sinks and the tail as well."""
    contexts, quick = context.number(5, 20, 50), context.size == "quick"
    budgets = context.pick((16, 64), WIDE[:5], WIDE)
    others, more = context.pick((), (16, 64), WIDE), context.pick((), (), WIDE)
    printed, baselines = FAST[quick:], ("tova", "streaming-llm") if quick else BASELINES
    methods = (*BASELINES, *FAST, "ta")
    hidden = (
        *arms(() if quick else CONTROLS, budgets),
        *arms(baselines, budgets),
        *as_printed(printed, budgets),
        *as_printed(printed, budgets, sponsored=False),
        *arms(("ta",), budgets),
        *arms(methods, others, ledger="on-top"),
        *arms(BASELINES, others, tail=True),
        *arms(FAST, more, ledger="on-top", preset="paper"),
    )
    visible = (
        *arms(BASELINES, others),
        *as_printed(FAST, others),
        *as_printed(FAST, others, sponsored=False),
        *arms(("ta",), others),
        *arms(BASELINES, others, tail=True),
        *arms(methods, more, ledger="on-top"),
    )
    blocks = [block_of(context, "needle", contexts, hidden)]
    return blocks if quick else [
        *blocks, block_of(context, "needle", contexts, visible, protocol="visible")
    ]  # fmt: skip


FAMILIES = {
    "llama-3": "llama3",
    "mistral-7b-v0.3": "mistral_v3",
    "mistral-7b-instruct-v0.3": "mistral_v3",
}
"""What the name of a model begins with, to the name that the paper's figures are found by."""


def models(context: Context) -> list[Block]:
    """The model at hand, its shipped siblings, and the tokenizers of the run without a model."""
    budgets, contexts = (16, 24), context.number(5, 20, 50)
    text = (
        *arms(("oracle", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST[1:], budgets, sponsored=False),
        *arms(("ta",), budgets),
    )
    all_arms = (*text, *arms(("tova", "ta-full"), budgets))
    known = (name for start, name in FAMILIES.items() if context.model.lower().startswith(start))
    kept = partial(block_of, context, "needle", context.number(5, 50, 200), text, answered=False)
    return [
        block_of(context, "needle", contexts, all_arms, name=next(known, context.model)),
        *(
            block_of(context, "needle", contexts, all_arms, name=n, model=n)
            for n in context.siblings
        ),
        *(kept(name=name, tokenizer=name) for name in context.tokenizers),
    ]


def composition(context: Context) -> list[Block]:
    """Every method beside its twin; in a full run three that the paper does not run."""
    more = ("chunkkv", "keydiff", "expected-attention")
    twins = context.pick(("tova", "streaming-llm"), BASELINES, (*BASELINES, *more))
    budgets = context.pick((16,), (16, 64), WIDE[:5])
    chosen = arms((*twins, *(f"ta+{name}" for name in twins), "ta"), budgets)
    return [block_of(context, "needle", context.number(5, 10, 50), chosen)]


def cliff(context: Context) -> list[Block]:
    """K is what is left of the tokens when 50 to 99.6% of them are evicted."""
    all_budgets = (2048, 1638, 1229, 1024, 819, 614, 410, 307, 205, 123, 82, 41, 16)
    budgets = context.pick((256, 102, 20), (2048, 1024, 410, 205, 82, 41, 16), all_budgets)
    methods = (*CONTROLS, "streaming-llm", "tova", "h2o", "snapkv")
    others = context.pick(("tova", "streaming-llm"), methods, methods)
    chosen = beside_ta(others, FAST[1:], budgets)
    contexts, tokens = context.number(1, 6, 50), context.pick(1024, 4096, 4096)
    return [block_of(context, "needle", contexts, chosen, tokens=tokens)]


VALUE = "XK7M9P2Q"  # the paper's own
STATED = "The value is: {}\n"
SENTENCE = "The secret code is: {}\n"  # the paper's


def token_tables(record: Record) -> str:
    """Tokens of the credential beside the paper's count, then of every kind of value."""
    known = {f.match["tokenizer"]: f for f in figures("tokenizers", "tokens of the credential")}
    rows = part_of(record, "credential")
    lines = [
        (name := row["tokenizer"], known[name].shown if name in known else NONE, row["tokens"])
        for row in rows
    ]
    credential = markdown(("tokenizer", "tokens of the credential, the paper", "ours"), lines)
    return "\n\n".join([credential, kinds_table(record), the_rest("tokenizers", set())])


def kinds_table(record: Record) -> str:
    """A line a kind of value, a column a tokenizer: median tokens, least and most in brackets."""
    rows = part_of(record, "kinds")
    sizes = {row["tokenizer"]: row["tokens"] for row in rows}
    kinds: Row = next(iter(sizes.values()), {})
    lines = [[kind, *(_sizes(sizes[name][kind]) for name in sizes)] for kind in kinds]
    return markdown(("kind of value", *sizes), lines)


def _sizes(counted: Sequence[float]) -> str:
    least, median, most = counted
    return f"{median:g} [{least:g}, {most:g}]"


def tokenizers(context: Context) -> Record:
    """``credential``: tokens of the paper's value in its own sentence; ``kinds``: of values of
    every kind."""
    siblings = {name: partial(_tokenizer, name) for name in context.siblings}
    loaded = {context.model: lambda: context.loaded[1], **siblings, **context.tokenizers}
    asked = {"samples": context.pick(5, 50, 200), "seed": context.seed}
    jobs = [
        Job({"part": "kinds", "tokenizer": name, **asked}, partial(_kinds, load, **asked))
        for name, load in loaded.items()
    ]
    jobs += [
        Job({"part": "credential", "tokenizer": name}, partial(_credential, load))
        for name, load in loaded.items()
    ]
    return {"rows": run_parts(context, jobs)}


def _tokenizer(name: str) -> Any:
    return load_embedded(SHIPPED[name])[1]


def _credential(load: Any) -> Row:
    tokenizer = load()
    return {"tokens": tokens_of(TokenText(tokenizer), tokenizer, VALUE, SENTENCE)}


def _kinds(load: Any, samples: int, seed: int) -> Row:
    """Least, median and most tokens of ``samples`` values of every kind."""
    tokenizer, counts = load(), {}
    blank = TokenText(tokenizer)
    for kind in KINDS:
        rng = random.Random(f"tokenizers/{kind}/{seed}")  # the same values for every tokenizer
        values = (VOCABULARY.value(kind, rng) for _ in range(samples))
        sizes = sorted(tokens_of(blank, tokenizer, value) for value in values)
        counts[kind] = [sizes[0], statistics.median(sizes), sizes[-1]]
    return {"tokens": counts}


def tokens_of(blank: TokenText, tokenizer: Any, value: str, stated: str = STATED) -> int:
    """Tokens that hold a character of a value that is stated in a sentence of its own."""
    text = stated.format(value)
    token_text = blank.copy()
    token_text.append(list(tokenizer(text, add_special_tokens=False)["input_ids"]))
    token_text.settle()
    start = token_text.text.index(value)
    return len(token_text.tokens_for(Span(start, start + len(value))))


if __name__ == "__main__":
    main("needle", "models", "tokenizers", "composition", "cliff")
