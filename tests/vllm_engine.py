"""vLLM in this process on tiny models, and what its answers must equal."""

import os
from contextlib import contextmanager
from importlib.util import find_spec

import pytest
import torch

from scenes import byte_tokenizer
from ta_lab.benchmarks import vllm_arm
from teacher_forced import tiny_llama
from transactional_attention.engines.vllm.arguments import Defaults
from transactional_attention.engines.vllm.blocks import BlockBudget, BlockFlow

REASON = "needs vLLM: run .ci/vllm"
SIZE, CHUNK = 32, 64
SETTINGS = {
    **vllm_arm.SETTINGS,
    "TA_VLLM": f'{{"chunk": {CHUNK}}}',
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "TORCHDYNAMO_DISABLE": "1",  # code that counts log probabilities takes minutes to compile
}
ENDED = []
FILLER = "Rain fell on the hills and the river rose a little more every hour. "
VALUE = "The door code is 7301. "
ENGINE = {
    "dtype": "float32",
    "enforce_eager": True,
    "block_size": SIZE,
    "max_num_seqs": 8,
    "seed": 0,
}


def skip_without_vllm():
    if find_spec("vllm.engine") is None:  # this folder alone is no engine
        pytest.skip(REASON)


def set_environment(**changed):
    """Before vLLM is imported; its processes inherit it."""
    os.environ.update({**SETTINGS, **changed})


def save_tiny(folder, **options):
    """A random Llama over bytes as a folder; the model and its tokenizer."""
    tokenizer = byte_tokenizer(
        "{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}</s>{% endfor %}"
        "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
    )
    sizes = dict(vocab_size=320, head_dim=32, layers=2, max_position_embeddings=8192)
    model = tiny_llama(**{**sizes, **options})
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model, tokenizer


@contextmanager
def running(folder, **options):
    """An engine, one after another in a process."""
    from vllm import LLM  # noqa: PLC0415  (optional)

    engine = LLM(str(folder), **{**ENGINE, **options})
    ENDED.append(engine)  # one that is collected takes the groups of the next with it
    yield engine
    engine.llm_engine.engine_core.shutdown()


def scheduler_of(engine):
    """The scheduler, where it runs in this process."""
    return engine.llm_engine.engine_core.engine_core.scheduler


def in_use(engine):
    """Blocks of the pool that a request holds."""
    pool = scheduler_of(engine).kv_cache_manager.block_pool
    return pool.num_gpu_blocks - 1 - pool.get_num_free_blocks()


def sampling(max_tokens=12, **extra):
    """Greedy, with log probabilities; names in ``extra`` without ``ta_``."""
    from vllm import SamplingParams  # noqa: PLC0415  (optional)

    asked = {f"ta_{name}": value for name, value in extra.items()}
    return SamplingParams(
        max_tokens=max_tokens, temperature=0, ignore_eos=True, logprobs=1, extra_args=asked
    )


def prompt(tokenizer, length, at=300, salt=""):
    """Ids of a text with one value; ``salt`` tells texts apart."""
    text = salt + FILLER * (length // len(FILLER) + 1)
    return tokenizer((text[:at] + VALUE + text[at:])[:length])["input_ids"]


def answers(engine, prompts, asked):
    """A result for each prompt; ``asked``: parameters, or names for ``sampling``."""
    given = [{"prompt_token_ids": ids} for ids in prompts]
    params = [item if hasattr(item, "extra_args") else sampling(**item) for item in asked]
    return engine.generate(given, params, use_tqdm=False)


def visible(ids, prompt, asked, tokenizer, size=SIZE, chunk=CHUNK):
    """Which tokens each query sees [query, key], and the flow: its decisions over these ids."""
    seen = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    retention = Defaults(asked, chunk).retention({})
    if retention is None:
        return seen, None
    flow, gone, done = BlockFlow(BlockBudget(retention, size, chunk), tokenizer), [], 0
    while done < len(ids):
        gone += flow.advance(ids, done, prompt)
        for block in gone:
            seen[done:, block * size : (block + 1) * size] = False
        done = flow.budget.border(done, prompt)
    return seen, flow


def reference(model, tokenizer, ids, answer, asked, **sizes):
    """Log probabilities [token, vocab] of an answer by transformers, the same blocks hidden."""
    whole = [*ids, *answer[:-1]]
    seen, _ = visible(whole, len(ids), asked, tokenizer, **sizes)
    with torch.no_grad():
        logits = model(
            torch.tensor([whole]), attention_mask=seen[None, None], logits_to_keep=len(answer)
        ).logits[0]
    return logits.log_softmax(-1)


def check(model, tokenizer, ids, output, asked, within=2e-4, greedy=True, **sizes):
    """A completion of vLLM against ``reference``: each token's log probability, and the arg max."""
    answer = list(output.token_ids)
    expected = reference(model, tokenizer, ids, answer, asked, **sizes)
    log_probabilities = torch.tensor(
        [step[t].logprob for t, step in zip(answer, output.logprobs, strict=True)]
    )
    assert (expected[torch.arange(len(answer)), answer] - log_probabilities).abs().max() < within
    if greedy:
        assert expected.argmax(1).tolist() == answer
