"""A model that reads text for detectors: its states, its costs, weights trained for it alone."""

import threading

import numpy as np
import pytest
import torch

from scenes import TEXTS, encode, kept_positions
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.detection.model_detectors import unbound
from transactional_attention.detection.paper.learned import Probe, paired
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.decoder import find_decoder, layers_of
from transactional_attention.engines.transformers.reading import ModelReader
from transactional_attention.errors import InputError
from transactional_attention.inspection.plan import plan
from transactional_attention.models.embedded import WEIGHTS
from transactional_attention.models.embedded.derived import (
    NAME,
    find_detector,
    fingerprint,
    read_detector,
    vectors,
    write_detector,
)
from transactional_attention.models.tensors import load_tensors

CODE = "a" * 20 + "\nThe door code: Q7X1\nand " + "so on " * 20
LAYER, LAST = 1, 2  # of the tiny model's layers
VALUE = range(CODE.index("Q7X1"), CODE.index("Q7X1") + 4)  # one token a byte


def probe_for(reader, text, last):
    """A probe that tells the token at one place of a line from all others of it."""
    ((tokens, states),) = reader.hidden([text], "test", LAYER)
    states = paired(states)
    wanted = states[list(tokens.ends).index(last)]
    others = np.delete(states, list(tokens.ends).index(last), 0)
    direction = wanted - others.mean(0)
    gap = float(wanted @ direction), float((others @ direction).max())
    slope = 8 / max(gap[0] - gap[1], 1e-3)
    inner = (direction * slope)[:, None].astype(np.float32)
    middle = slope * (gap[0] + gap[1]) / 2
    ones = np.ones(1, np.float32)
    shift = np.array([40.0 - middle], np.float32)
    scale = np.ones(len(direction), np.float32)
    return Probe(inner, shift, ones, -40 * ones, scale, np.array([LAYER]))


@pytest.fixture
def trained(model, tokenizer, tmp_path):
    """The tiny model with a detector in its folder that fires at the colon of ``CODE``."""
    decoder = find_decoder(model)
    decoder.name_or_path = str(tmp_path)
    line = "The door code: Q7X1"
    probe = probe_for(ModelReader(decoder, tokenizer), line, line.index(":") + 1)
    write_detector(tmp_path / NAME, decoder, vars(probe))
    return model


@pytest.mark.parametrize("layer", [1, LAST])
def test_states_are_those_of_a_plain_forward(model, tokenizer, layer):
    reader = ModelReader(find_decoder(model), tokenizer)
    texts = ["short", "rather longer than that", "x"]
    for text, (tokens, states) in zip(texts, reader.hidden(texts, "test", layer), strict=True):
        ids, mask = encode(tokenizer, "\n" + text)
        with torch.no_grad():
            output = model(ids, attention_mask=mask, output_hidden_states=True)
        expected = output.hidden_states[layer][0, 1:].numpy()
        np.testing.assert_allclose(states, expected, atol=1e-5)
        assert [text[a:b] for a, b in zip(tokens.starts, tokens.ends)] == list(text)
    assert reader.costs["test"].tokens == sum(len(text) + 1 for text in texts)
    assert reader.costs["test"].seconds > 0


@pytest.mark.parametrize("method", ["ta-learned", "ta-learnrank"])
@pytest.mark.parametrize("preset", ["default", "paper"])
@pytest.mark.parametrize("chunk", [16, 512])
def test_the_announced_value_is_kept(trained, tokenizer, method, preset, chunk):
    ids, _ = encode(tokenizer, CODE)
    retention = Retention(budget=16, method=method, preset=preset)
    cache = RetentionCache(trained, tokenizer, retention)
    prefill(trained, ids, cache, chunk=chunk, keep_last=False)
    assert set(VALUE) <= set(kept_positions(cache))


def test_learn_rank_shares_the_budget_by_probability(trained, tokenizer):
    ids, _ = encode(tokenizer, CODE)
    budgets = []
    for method in ("ta-learned", "ta-learnrank"):
        cache = RetentionCache(trained, tokenizer, Retention(16, method, "paper"))
        prefill(trained, ids, cache, keep_last=False)
        spans = [s for s in cache.flow.sequences[0].registry.spans if VALUE[0] in _of(s)]
        budgets.append([(s.budget, s.confidence) for s in spans])
    (learned,), (ranked,) = budgets
    assert learned[0] == 15.0
    assert ranked[0] == pytest.approx(15.0 * ranked[1])
    assert 0.3 < ranked[1] < 1.0


def _of(span):
    return range(span.value.start, span.value.end)


def test_one_forward_serves_all_budgets(trained, tokenizer):
    ids, _ = encode(tokenizer, CODE)
    full = RetentionCache(trained, tokenizer, Retention(None, "full"))
    prefill(trained, ids, full, keep_last=False)
    costs = full.flow.shape.reader.costs
    assert costs == {}
    for budget in (16, 24):
        cut = compress(full, Retention(budget, "ta-learned"))
        assert set(VALUE) <= set(kept_positions(cut))
        if budget == 16:
            once = costs["learned"].tokens
        assert costs["learned"].tokens == once >= len(ids[0]) - CODE.count("\n")


def test_a_model_without_a_detector_is_told_the_command(model, tokenizer):
    with pytest.raises(InputError, match=r"missing for this model.*ta train detector"):
        RetentionCache(model, tokenizer, Retention(16, "ta-learned"))


def test_a_detector_of_other_weights_is_refused(trained, tokenizer, tmp_path):
    other = tiny_llama(vocab_size=len(tokenizer))
    with torch.no_grad():
        vectors(other)[0][1].add_(1.0)
    decoder = find_decoder(other)
    decoder.name_or_path = str(tmp_path)
    with pytest.raises(InputError, match=r"another model.*ta train detector --model"):
        find_detector(decoder)


def test_a_damaged_detector_is_refused(trained, tmp_path):
    path = tmp_path / NAME
    data = bytearray(path.read_bytes())
    data[-5] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"damaged.*ta train detector"):
        find_detector(find_decoder(trained))


@pytest.mark.parametrize("method", ["ta-learned", "ta-learnrank", "ta-fast-embedding"])
def test_a_tokenizer_alone_is_refused(tokenizer, method):
    with pytest.raises(InputError, match="--model"):
        plan(TEXTS[0], tokenizer, Retention(16, method))
    assert "--model" in str(unbound("learned"))


def test_embedding_needs_no_training(model, tokenizer):
    ids, _ = encode(tokenizer, CODE)
    cache = RetentionCache(model, tokenizer, Retention(16, "ta-fast-embedding"))
    prefill(model, ids, cache, keep_last=False)
    assert len(kept_positions(cache)) == 16
    assert cache.flow.shape.reader.costs == {}


def test_a_fingerprint_is_of_sizes_and_norms_whatever_the_weights_are_stored_in(tokenizer):
    def of(change=lambda model: None, **options):
        made = tiny_llama(vocab_size=len(tokenizer), **options)
        with torch.no_grad():
            change(made)
        return fingerprint(find_decoder(made))

    def rounded(model):  # what a file of few bits does to matrices, and to nothing else
        for weight in model.parameters():
            if weight.ndim == 2:
                weight.copy_((weight * 8).round() / 8)

    plain = of()
    assert of(lambda model: model.to(torch.bfloat16)) == plain
    assert of(rounded) == plain
    assert of(lambda model: vectors(model)[0][1].add_(0.5)) != plain
    assert of(layers=2) != plain


def test_shipped_detectors_are_small_and_each_of_one_model():
    paths = sorted(WEIGHTS.glob(f"*/{NAME}"))
    assert paths == sorted(WEIGHTS.rglob(NAME))  # a deeper one is neither found nor in the wheel
    models = [load_tensors(path, "weights", "")[1]["model"] for path in paths]
    assert len(set(models)) == len(paths) >= 2
    assert sum(path.stat().st_size for path in paths) < 500_000
    for path, model in zip(paths, models, strict=True):
        assert read_detector(path, model)["inner"].dtype == np.float32


def test_another_threads_forward_is_not_cut_short(model, tokenizer):
    """A forward that runs while a detector reads goes on after the layer where that stops."""
    reader = ModelReader(find_decoder(model), tokenizer)
    ids, _ = encode(tokenizer, "another text")
    with torch.no_grad():
        expected = model(ids).logits
    logits = []

    def beside(*_):
        def run():
            with torch.no_grad():
                logits.append(model(ids).logits)

        if not logits:
            handle.remove()
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()

    handle = layers_of(reader.decoder)[0].register_forward_pre_hook(beside)
    ((_, states),) = reader.hidden(["a text"], "test", LAYER)
    assert len(states) == len("a text")
    torch.testing.assert_close(logits[0], expected)
