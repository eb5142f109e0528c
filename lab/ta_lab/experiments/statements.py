"""Values that are stated in other ways than the needle's sentence, or beside others like them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..cases.cases import Case
from ..collection.floods import COUNTS, FLOODS, crossed, num_statements
from .experiment import Context, main
from .needle import FAST
from .plan import FULL, Block, arms, as_printed, beside_ta, block_of, changed


def toolcall(context: Context) -> list[Block]:
    """Credentials of 12 and of 32 characters."""
    budgets = context.pick((32,), (32,), (32, 64))
    chosen = (
        *arms(("oracle", "tova", "streaming-llm"), budgets),
        *as_printed(reversed(FAST), budgets),
        *as_printed(FAST[1:], budgets, sponsored=False),
        *arms(("ta",), budgets),
        *arms(("tova", *reversed(FAST), "ta"), budgets, ledger="on-top"),
    )
    return [
        block_of(context, "toolcall", context.number(2, 10, 100), chosen, variant=size,
                 name=f"{size} characters", groups=("overall",))
        for size in ("12", "32")
    ]  # fmt: skip


def confusers(context: Context) -> list[Block]:
    """The paper names no K, so every one is run."""
    budgets = context.pick((32,), (16, 64, 256), (16, 32, 64, 128, 256))
    variants = ("ta-learnrank", *FAST, "ta-learned", "ta-full", "ta-full-weighted")
    chosen = (
        *arms(("oracle", "tova"), budgets),
        *as_printed(variants[:4], budgets),
        *as_printed(variants[4:], budgets),
        *arms(("ta",), budgets),
    )
    numbers = context.pick(("5",), ("1", "5", "10"), ("1", "2", "4", "5", "8", "10"))
    contexts = context.number(3, 10, 200)
    return [
        block_of(context, "confusers", contexts, chosen, variant=n, name=f"{n} confusers")
        for n in numbers
    ]


LANGUAGES = ("non-English", "all languages")


def variants(context: Context) -> list[Block]:
    """The paper names Spanish, Japanese and Korean; the others are this project's choice. Its
    confusers are the experiment of that name, its memory is ``scaling``."""
    budgets, contexts = context.pick((32,), (32,), (16, 32, 64)), context.number(1, 5, 100)
    chosen = beside_ta(
        ("oracle", "tova"), (*FAST, "ta-fast-embedding", "ta-full"), budgets
    )  # fmt: skip
    stated = partial(block_of, context, "languages", contexts, chosen)
    return [
        block_of(context, "needle", contexts, chosen, name="en", groups=LANGUAGES[1:]),
        *(stated(variant=name, groups=LANGUAGES) for name in ("es", "ja", "ko")),
        *(
            stated(variant=name, groups=(*LANGUAGES, "other languages"))
            for name in ("fr", "de", "zh", "ru")
        ),
    ]


def multislot(context: Context) -> list[Block]:
    """The paper's TA is Regex with an allowlist (its variant table)."""
    budgets, contexts = context.pick((96,), (96,), (64, 96, 128)), context.number(2, 10, 200)
    chosen = beside_ta(("oracle", "tova", "h2o"), FAST[:1], budgets, allow=True)
    return [
        block_of(context, "multislot", contexts, chosen, variant=n, name=f"{n} values", slots=True,
                 questions=int(n))
        for n in ("3", "4")
    ]  # fmt: skip


FORMATS = ("tool-calls", "http-headers", "stack-traces", "ini", "json", "yaml", "env")


def formats(context: Context) -> list[Block]:
    """A block a format."""
    budgets, contexts = context.pick((32,), (32,), (32, 64)), context.number(1, 10, 100)
    chosen = beside_ta(("oracle", "tova"), ("ta-learned", FAST[0]), budgets)
    stated = partial(block_of, context, "formats", contexts, chosen, groups=("all formats",))
    return [stated(variant=name) for name in FORMATS]


def hardmode(context: Context) -> list[Block]:
    """The paper's TA is Learned (its variant table)."""
    chosen = beside_ta(("oracle", "h2o", "streaming-llm"), ("ta-learned", FAST[1]), (64,))
    contexts, groups = context.number(2, 20, 200), ("overall",)
    return [
        block_of(context, "similar", contexts, chosen, groups=groups),
        block_of(context, "paraphrased", contexts, chosen, groups=groups),
        block_of(
            context, "needle", contexts, chosen, name="early", depths=(0.1,), groups=groups
        ),
    ]  # fmt: skip


def unstructured(context: Context) -> list[Block]:
    """The paper names neither K nor the variant, so every one is run."""
    budgets, quick = context.pick((32,), (16, 64), (16, 32, 64, 128)), context.size == "quick"
    printed = FAST if quick else (*FAST, "ta-learned", "ta-fast-embedding")
    chosen = beside_ta(("oracle", "tova", "streaming-llm"), printed, budgets)
    contexts, tokens = context.number(2, 10, 200), context.pick(1024, 4096, 4096)
    tasks = ("unstructured",) if quick else ("unstructured", "paraphrased")
    return [block_of(context, task, contexts, chosen, tokens=tokens) for task in tasks]


OURS = ("oracle", "streaming-llm", "ta")


def answered(context: Context) -> list[Block]:
    """Values of eight characters, as no longer one fits at K = 16; all arms of a context are cut
    from one prefill."""
    plain = arms(OURS, (16, 32, 64, 256), ledger="on-top")
    few = (32, 64)
    chosen = (
        *plain,
        *changed("held", few, ledger="on-top"),
        *changed("sinks", few, ledger="on-top"),
    )
    contexts, tokens = context.number(1, 12, 50), context.pick(1024, 4096, 4096)
    stated = partial(block_of, context, contexts=contexts, arms=chosen, tokens=tokens)
    blocks = [
        stated("needle"),
        stated("formats", variant="json-short", name="json"),
        stated("formats", variant="env-short", name="env"),
        stated("unstructured", variant="-short", name="prose"),
    ]
    short = block_of(
        context, "needle", contexts, plain, name="needle in 1,024 tokens", tokens=1024
    )  # fmt: skip
    return blocks if context.size == "quick" else [*blocks, short]


def alike(context: Context) -> list[Block]:
    """On top of K = 160."""
    contexts, tokens = context.number(1, 16, 50), context.pick(1024, 2048, 2048)
    chosen = arms(OURS, (160,), ledger="on-top")
    return [
        block_of(context, "alike", contexts, chosen, name="8 alike", tokens=tokens, questions=8)
    ]


def corrections(context: Context) -> list[Block]:
    """On top of K."""
    contexts, tokens = context.number(1, 10, 50), context.pick(1024, 4096, 4096)
    chosen = arms(OURS, (16, 32, 64), ledger="on-top")
    return [block_of(context, "corrections", contexts, chosen, tokens=tokens)]


def abuse(context: Context) -> list[Block]:
    """No flood and floods of 20 to 500 fakes, with and without the sources of the turns.

    What is kept is counted, and no model answers: the longest floods exceed the positions of small
    models. An allowlist permits the label that a method reads in the text."""
    budgets = context.pick((64,), (64,), (16, 32, 64, 128))
    chosen = (
        *arms(("oracle", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST, budgets, allow=True),
        *arms(("ta",), budgets),
        *arms(("ta",), budgets, allow=True),
    )
    cycle_size = 2 * num_statements()
    contexts = context.number(2, cycle_size, 4 * cycle_size)
    counts = context.pick((20, 500), COUNTS, COUNTS)
    blocks = []
    for sourced in (False, True):
        known = ", sources known" if sourced else ""
        floods = [("none", counts[0])]
        floods += [
            (k, n) for k in context.pick(FLOODS[2:3], FLOODS[1:], FLOODS[1:]) for n in counts
        ]
        for kind, number in floods:
            name = "0 fakes" if kind == "none" else f"{number} {kind}"
            groups = () if kind == "none" else (f"all floods{known}",)
            make = partial(flooded, context.seed, kind, number, sourced, (*FAST, "ta"))
            blocks.append(
                Block(f"{name}{known}", make, contexts, (FULL, *chosen), groups=groups,
                      answered=False)
            )  # fmt: skip
    return blocks


def flooded(
    seed: int, kind: str, count: int, sourced: bool, methods: Sequence[str], _: Any, trial: int
) -> list[Case]:
    """The case of a trial, ``methods`` with what an allowlist permits them."""
    return [crossed(kind, count, trial, seed, sourced=sourced, methods=methods)]


if __name__ == "__main__":
    main(*"toolcall confusers variants multislot formats hardmode abuse unstructured".split(),
         "answered", "alike", "corrections")  # fmt: skip
