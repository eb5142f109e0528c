"""Conversations on a model whose heads two processes share; run by torchrun (``test_scaling.py``).

    torchrun --standalone --nproc-per-node 2 tests/tensor_parallel.py FOLDER

``FOLDER/model`` holds the model; every process writes what it found to ``FOLDER/RANK.pt``.
"""

import sys
from pathlib import Path

import torch
from transformers import LlamaForCausalLM

from scenes import TEXTS, byte_tokenizer, encode, kept_positions, more_tokens
from transactional_attention import Retention, RetentionCache, RetentionError, load_cache, prefill

SCENES = {
    "one prompt": dict(budget=24),
    "compact": dict(budget=24, positions="compact"),
    "on top": dict(budget=24, ledger="on-top"),
    "budgets by layer": dict(budget=(24, 40, 24), method="ta-fast-semantic"),
    "int8": dict(budget=24, storage="int8"),
    "sliding": dict(budget=24, method="streaming-llm"),
    "embeddings": dict(budget=24, method="ta-fast-embedding"),
}
READERS = ["h2o", "snapkv", "ta+knorm"]
LEARNED = "ta-learned"
QUESTION = "; pin: 4417. What is it?"


def converse(model, tokenizer, options, rows=3):
    """Two turns of a padded batch in chunks: logits, what is kept, and what this process holds."""
    cache = RetentionCache(model, tokenizer, Retention(**options))
    ids, mask = encode(tokenizer, *TEXTS[:rows])
    logits = []
    for _ in range(2):
        prefill(model, ids, cache, chunk=20, attention_mask=mask)
        output = model.generate(
            ids,
            attention_mask=mask,
            past_key_values=cache,
            max_new_tokens=5,
            do_sample=False,
            output_logits=True,
            return_dict_in_generate=True,
        )
        logits += output.logits
        question = tokenizer(QUESTION, return_tensors="pt")["input_ids"].expand(rows, -1)
        ids = torch.cat([output.sequences, question], 1)
        mask = more_tokens(mask, ids.shape[1] - mask.shape[1])
    return {
        "logits": torch.stack(logits),
        "kept": [[kept_positions(cache, row, layer) for row in range(rows)] for layer in range(3)],
        "heads": [layer.keys.shape[1] for layer in cache.managed],
        "bytes": cache.stored_bytes(),
    }


def refused(action):
    """The message that an unsupported action is refused with; empty when it is not."""
    try:
        action()
    except RetentionError as error:
        return str(error)
    return ""


def split(folder):
    """The model with its heads shared out, as ``from_pretrained(tp_plan="auto")`` does it.

    That asks for accelerate, which nothing here needs.
    """
    from transformers.distributed import DistributedConfig  # noqa: PLC0415  (5.x only)

    model = LlamaForCausalLM.from_pretrained(folder)
    config, _, mesh = model.prepare_distribute_model(DistributedConfig(tp_size=2, tp_plan="auto"))
    return model.maybe_distribute_model(model, config, mesh).eval()


def main(folder):
    """Play all scenes in this process and write what came of them."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo")
    model, tokenizer = split(folder / "model"), byte_tokenizer()
    outcomes = {name: converse(model, tokenizer, options) for name, options in SCENES.items()}
    cache = RetentionCache(model, tokenizer, Retention(24))
    prefill(model, encode(tokenizer, TEXTS[0])[0], cache)
    outcomes["files"] = [
        refused(lambda: cache.save(folder / "cache")),
        refused(lambda: load_cache(folder / "cache", model, tokenizer)),
    ]
    outcomes["readers"] = [
        refused(lambda name=name: RetentionCache(model, tokenizer, Retention(24, name)))
        for name in READERS
    ]
    outcomes["learned"] = refused(lambda: RetentionCache(model, tokenizer, Retention(24, LEARNED)))
    torch.save(outcomes, folder / f"{torch.distributed.get_rank()}.pt")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
