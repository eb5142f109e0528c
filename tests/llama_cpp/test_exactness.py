"""llama.cpp under retention beside transformers on the same weights, and beside itself."""

import numpy as np
import pytest

import transactional_attention as ta
from both_engines import CHUNK, Both
from ta_lab.cases.encoding import encode_case
from ta_lab.generators import TASKS, make
from ta_lab.generators.placing import Setting
from transactional_attention.engines.llama_cpp import Context, LlamaCache
from transactional_attention.engines.llama_cpp.context import Tokens
from transactional_attention.gguf.bindings import library

HIDDEN = 1e-4  # the same library, cells elsewhere
CASES = [
    (task, variant, seed)
    for task, known in TASKS.items()
    for variant in known.variants[:: max(1, len(known.variants) // 2)]
    if not variant.endswith("-chat")  # bytes have no template
    for seed in (0, 1)
]


def encoded_case(tokenizer, task, variant, seed, tokens=1100):
    setting = Setting(tokens, 0.2 + 0.5 * seed, seed, "anchor-free", variant)
    return encode_case(tokenizer, make(task, tokenizer, setting)[0])


@pytest.mark.parametrize("positions", ["original", "compact"])
@pytest.mark.parametrize(("task", "variant", "seed"), CASES)
def test_keep_sets_and_logits_are_those_of_transformers(
    pair, tokenizer, task, variant, seed, positions
):
    case = encoded_case(tokenizer, task, variant, seed)
    engines = Both(
        pair, tokenizer, ta.Retention(128 + 64 * seed, positions=positions), case.sources
    )
    engines.read(case.ids)
    engines.read(case.question)
    engines.say(4)
    assert engines.ours.num_tokens == len(case.ids) + len(case.question) + 4


@pytest.mark.parametrize(
    "options",
    [
        dict(method="ta", ledger="on-top"),
        dict(method="ta", preset="paper"),
        dict(method="ta", detect_in_generated=True),
        dict(method="ta", sponsorship=ta.Sponsorship(fade_per="step", step_decay=0.5)),
        dict(method="streaming-llm", positions="compact"),
        dict(method="ta-fast-semantic"),
        dict(method="ta-fast-regex", positions="compact"),
        dict(method="random", seed=3),
        dict(method="streaming-whitelist"),
        dict(method="full", budget=None),
        dict(method="ta", deny=("*:*",)),
    ],
    ids=str,
)
def test_settings_and_methods_agree_over_two_turns(pair, tokenizer, options):
    case = encoded_case(tokenizer, "formats", TASKS["formats"].variants[0], 1, tokens=700)
    engines = Both(pair, tokenizer, ta.Retention(**{"budget": 48, **options}), case.sources, 1024)
    engines.read(case.ids)
    engines.say(6)
    engines.read(tokenizer("\nThe gate code is GX-2213-B. " + 8 * "It rained. ")["input_ids"])
    engines.read(case.question)
    engines.say(3)


def test_what_llama_cpp_cannot_go_on_after_is_refused_and_compact_positions_serve_it(
    pair, tokenizer
):
    """Eight values fill the budget: the newest token gives way, which leaves a gap before the next.

    transformers does just that; llama.cpp wants the newest position there.
    """
    case = encoded_case(tokenizer, "alike", "", 0)
    engines = Both(pair, tokenizer, ta.Retention(64), case.sources)
    engines.read(case.ids)
    with pytest.raises(ta.UnsupportedError, match="--positions compact"):
        engines.say(1)
    with pytest.raises(ta.CacheStateError, match="newest token"):
        engines.ours.read([40])
    engines = Both(pair, tokenizer, ta.Retention(64, positions="compact"), case.sources)
    engines.read(case.ids)
    engines.say(4)


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_small_context_outlasts_a_long_text(gguf, tokenizer, positions):
    """9,000 tokens through 256 cells: more than the model's 4,096 positions with compact ones."""
    count = 9000 if positions == "compact" else 4000
    ids = np.random.default_rng(0).integers(3, 259, count)
    context = Context(gguf, 64 + 192, chunk=192, threads=1)
    cache = LlamaCache(context, tokenizer, ta.Retention(64, positions=positions))
    logits = cache.read(ids)
    assert len(list(zip(range(20), cache.generate(logits, 20)))) == 20 or cache.num_tokens > count
    assert context.cells == 256 and cache.most_between == 64 and cache.most_within == 256
    if positions == "original":
        with pytest.raises(ta.PositionsError, match="4096 positions"):
            cache.read(ids[:192])


def test_removed_cells_are_as_hidden_ones(gguf, tokenizer):
    """The same library with nothing removed: each chunk is a sequence that holds what was kept."""
    case = encoded_case(tokenizer, "needle", "", 0, tokens=1600)
    options = dict(chunk=CHUNK, cell_type="f32", threads=1)
    cache = LlamaCache(Context(gguf, 256, **options), tokenizer, 64)
    parts = [case.ids[i : i + CHUNK] for i in range(0, len(case.ids), CHUNK)]
    hidden = Context(gguf, 2048, sequences=len(parts) + 1, shared=True, **options)
    calls, start = library().calls, 0
    for number, part in enumerate(parts):
        (expected,) = hidden.forward([Tokens(number, part, start)])
        last = number == len(parts) - 1
        logits = cache.feed(np.array(part), final=last, wanted=1)
        np.testing.assert_allclose(logits, expected, atol=HIDDEN, rtol=0)
        start += len(part)
        for position in cache.positions.tolist():
            calls.llama_memory_seq_cp(hidden._memory, number, number + 1, position, position + 1)
    assert cache.positions.tolist() != list(range(len(case.ids) - 64, len(case.ids)))
