"""Perplexity: exact on models whose answer is known; n-grams sum to one."""

import lzma
import math

import pytest
import torch

from ta_lab.cases.metrics import NGram
from ta_lab.experiments.perplexity import detokenise, load_text, model_nats, perplexity, windows
from transactional_attention import InputError


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("history", [[], [1], [3, 1, 2, 0], [4, 4, 4, 4]])
def test_probabilities_sum_to_one(order, history):
    model = NGram([0, 1, 2, 3, 1, 2, 0, 1, 2, 3], order, 5)
    nats = [model.nats([*history, token], len(history)) for token in range(5)]
    assert sum(math.exp(-value) for value in nats) == pytest.approx(1)


def test_a_unigram_by_hand():
    model = NGram([0, 0, 1], 1, 4)  # T = 2, N = 3: (2 + 2/4) / 5
    assert math.exp(-model.nats([9, 0])) == pytest.approx(0.5)
    assert math.exp(-model.nats([9, 2])) == pytest.approx(0.1)


def test_a_longer_history_predicts_better():
    text = [0, 1, 2, 3, 4] * 20
    assert NGram(text, 5, 5).nats(text) < 0.2 * NGram(text, 1, 5).nats(text)


def test_detokenised_text_reads_as_it_was_written():
    line = " He said \" a well @-@ known 1 @,@ 000 man \" ( Smith 's ) , and did n't <unk> . "
    assert detokenise(line) == ("He said \"a well-known 1,000 man\" (Smith's), and didn't <unk>.")


def test_windows_hold_every_token_once(tokenizer):
    ids = tokenizer("some words " * 20, add_special_tokens=False)["input_ids"]
    begin = 0 if tokenizer.bos_token_id is None else 1
    found = windows(tokenizer, "some words " * 20, 16)
    assert [token for window in found for token in window[begin:]] == ids[: sum(map(len, found))]


def test_nats_are_those_of_the_logits(model):
    found = [[1, 5, 9, 4], [2, 7]]
    with torch.inference_mode():
        expected = 0.0
        for window in found:
            logs = model(torch.tensor([window])).logits[0].log_softmax(-1)
            expected -= sum(float(logs[i, window[i + 1]]) for i in range(len(window) - 1))
    assert model_nats(model, found) == pytest.approx(expected, rel=1e-4)


def test_one_row_has_all_figures(model, tokenizer):
    row = perplexity(model, tokenizer, "a b c d e\n" * 9, "a b c d e\n" * 9, window=16, limit=3)
    assert row["windows"] == 3
    for name in ("model", "unigram", "five_gram"):
        figures = row[name]
        assert figures["token_perplexity"] == pytest.approx(math.exp(figures["nats_per_token"]))
    assert row["five_gram"]["nats_per_token"] < row["unigram"]["nats_per_token"]


def test_texts_and_their_faults(tmp_path, model, tokenizer):
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(b"one two"))
    (tmp_path / "b.txt.xz").write_bytes(b"one two")
    assert load_text(tmp_path / "a.txt.xz") == "one two"
    with pytest.raises(InputError, match=r"b\.txt\.xz is no valid xz"):
        load_text(tmp_path / "b.txt.xz")
    with pytest.raises(InputError, match=r"cannot read .*none"):
        load_text(tmp_path / "none")
    with pytest.raises(InputError, match="needs text"):
        perplexity(model, tokenizer, "", "a")
    with pytest.raises(InputError, match="two tokens"):
        perplexity(model, tokenizer, "a", "a", window=1)
