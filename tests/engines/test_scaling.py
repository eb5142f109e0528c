"""A model in parts and large batches: the same tokens kept, the same logits, or a clear refusal."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import PreTrainedModel

import transactional_attention as ta
from saved_caches import Player
from scenes import EXACT, encode, kept_positions
from teacher_forced import tiny_llama
from tensor_parallel import READERS, SCENES, converse
from transactional_attention import Retention, RetentionCache, UnsupportedError
from transactional_attention.engines.transformers.decoder import device_of
from transactional_attention.engines.transformers.reading import ModelReader

TESTS = Path(__file__).parents[1]


# tensor parallel: two processes, one kv head in each


@pytest.fixture(scope="module")
def parallel(tmp_path_factory, tokenizer):
    """What each of two processes found, and the same conversations in this one."""
    if not hasattr(PreTrainedModel, "maybe_distribute_model"):
        pytest.skip("this transformers shares heads out with accelerate only")
    folder = tmp_path_factory.mktemp("parallel")
    model = tiny_llama(vocab_size=len(tokenizer))
    model.save_pretrained(folder / "model")
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    paths = [str(TESTS.parent / "src"), str(TESTS), *filter(None, [os.getenv("PYTHONPATH")])]
    done = subprocess.run(
        [*launch, str(TESTS / "tensor_parallel.py"), str(folder)],
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = [torch.load(folder / f"{rank}.pt") for rank in range(2)]
    return ranks, {name: converse(model, tokenizer, scene) for name, scene in SCENES.items()}


@pytest.mark.parametrize("scene", SCENES)
def test_processes_that_share_heads_keep_what_one_process_keeps(parallel, scene):
    ranks, alone = parallel
    for rank in ranks:
        mine, whole = rank[scene], alone[scene]
        assert mine["kept"] == whole["kept"]
        near = 2e-3 if scene == "int8" else EXACT  # a tie may round to the other neighbour
        torch.testing.assert_close(mine["logits"], whole["logits"], rtol=0, atol=near)
        assert (mine["heads"], whole["heads"]) == ([1, 1, 1], [2, 2, 2])
    assert sum(rank[scene]["bytes"] for rank in ranks) == alone[scene]["bytes"]


def test_what_needs_all_heads_is_refused_in_every_process(parallel):
    for rank in parallel[0]:
        assert len(rank["readers"]) == len(READERS)
        for message in rank["readers"]:
            assert "with tensor parallel a process sees its own heads alone" in message
        assert "detector are missing for this model" in rank["learned"]  # known by its norms
        for message in rank["files"]:
            assert "such a cache can be neither saved nor loaded" in message


# layers on several devices


@pytest.mark.parametrize("place", ["cuda:0", torch.device("cuda", 0)])
def test_offloaded_weights_are_used_where_their_hooks_bring_them(place):
    module = torch.nn.Sequential(torch.nn.Linear(2, 2, device="meta"))
    module._hf_hook = SimpleNamespace()  # several hooks in one know no device
    module[0]._hf_hook = SimpleNamespace(execution_device=place)
    assert device_of(module) == torch.device("cuda", 0)


@pytest.fixture
def offloaded(tokenizer):
    """A model whose embeddings are on no device, and used where a hook says, as by accelerate."""
    model = tiny_llama(vocab_size=len(tokenizer))
    embed = model.get_input_embeddings()
    weight = embed.weight.detach()
    embed.weight = torch.nn.Parameter(weight.to("meta"), requires_grad=False)
    embed._hf_hook = SimpleNamespace(execution_device="cpu")
    embed.forward = lambda ids: torch.nn.functional.embedding(ids, weight)
    assert model.device.type == "meta"
    return model


@pytest.mark.parametrize("streamed", [False, True])
def test_ids_go_where_offloaded_embeddings_are_used(offloaded, tokenizer, streamed):
    text = "It rained all day. The door code is 7301, and the plants were watered."
    ids = encode(tokenizer, text)[0]
    plain = tiny_llama(vocab_size=len(tokenizer))

    caches = []
    for model in (offloaded, plain):
        cache = RetentionCache(model, tokenizer, Retention(12))
        prompt = ta.TokenStream(tokenizer, [text]) if streamed else ids
        ta.prefill(model, prompt, cache, chunk=5)
        inputs = ta.inputs_after(cache, prompt if streamed else ids[0, -1:])
        assert {value.device.type for value in inputs.values()} == {"cpu"}
        caches.append(cache)
    assert kept_positions(caches[0]) == kept_positions(caches[1])
    assert torch.equal(caches[0].managed[0].keys, caches[1].managed[0].keys)


def test_a_detector_reads_with_offloaded_embeddings(offloaded, tokenizer):
    """The states and embeddings are those of the model with its weights at hand."""
    plain, text = tiny_llama(vocab_size=len(tokenizer)), "The door code is 7301."
    subject, expected = (ModelReader(model.model, tokenizer) for model in (offloaded, plain))
    for ask in (
        lambda reader: reader.hidden([text], "learned", 1)[0][1],
        lambda reader: reader.embeddings(reader.tokens(text).ids),
    ):
        np.testing.assert_array_equal(ask(subject), ask(expected))


def test_a_model_with_offloaded_weights_saves_no_cache(model, tokenizer, tmp_path):
    cache = RetentionCache(model, tokenizer, Retention(24))
    with torch.no_grad():
        model(encode(tokenizer, "The door code is 7301.")[0], past_key_values=cache)
    down = model.model.layers[1].mlp.down_proj
    down.weight = torch.nn.Parameter(down.weight.to("meta"))
    with pytest.raises(UnsupportedError, match=r"layers.1.mlp.down_proj.weight is offloaded"):
        cache.save(tmp_path / "c")
    assert not list(tmp_path.iterdir())


# batches


def test_rows_of_a_batch_of_64_are_conversations_of_their_own(model, tokenizer):
    words = "It rained all day and the plants were watered twice. "
    texts = [
        f"{words[: 3 * (row % 16)]}The door code is {7301 + 37 * row}, and then {words[row % 9 :]}"
        for row in range(64)
    ]
    ids, mask = encode(tokenizer, *texts)
    assert len(set(mask.sum(1).tolist())) > 10

    def play(ids, mask):
        player = Player(model, RetentionCache(model, tokenizer, Retention(24)), len(ids))
        player.feed(ids, mask, end=ids.shape[1])
        for token in (50, 51, 52):
            tokens = torch.full((len(ids), 1), token)
            player.feed(tokens, torch.ones_like(tokens))
        return player

    batch = play(ids, mask)
    logits = torch.stack(batch.logits, 1)
    for row in range(0, 64, 3):
        real = mask[row].bool()
        alone = play(ids[row : row + 1, real], mask[row : row + 1, real])
        assert kept_positions(batch.cache, row) == kept_positions(alone.cache)
        expected = torch.stack(alone.logits, 1)[0]
        torch.testing.assert_close(logits[row], expected, rtol=0, atol=EXACT)
    assert [tuple(layer.keys.shape) for layer in batch.cache.managed] == [(64, 2, 24, 16)] * 3
