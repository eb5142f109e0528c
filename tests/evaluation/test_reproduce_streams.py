"""Perplexity under eviction, as ``ta reproduce perplexity`` measures it."""

import itertools
import lzma
import math

import pytest
import torch
import torch.nn.functional as F

from chat_templates import chat_tokenizer
from ta_lab.cases.wikitext import detokenise, load_text, stream_offsets
from ta_lab.experiments import perplexity
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.perplexity import (
    CONTROLS,
    METHODS,
    make_streams,
    opening,
    stream_nats,
    summary,
)
from transactional_attention import InputError, Retention
from transactional_attention.cli.prompts import asking

EXACT = 2e-4  # nats


def _ids(rows, columns):
    return torch.randint(3, 250, (rows, columns), generator=torch.Generator().manual_seed(4))


def _plain(model, ids):
    """Nats from one forward over everything."""
    logits = model(ids).logits
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")


@torch.no_grad()
def test_the_full_cache_gives_the_models_own_nats(model, tokenizer):
    ids = _ids(3, 20)
    plain = _plain(model, ids)
    nats, live = stream_nats(model, tokenizer, ids, Retention(None, "full"))
    torch.testing.assert_close(nats, plain, atol=EXACT, rtol=0)
    assert live == 19


@pytest.mark.parametrize("method", sorted({name for name, *_ in (*METHODS, *CONTROLS)}))
@torch.no_grad()
def test_a_cache_that_is_never_full_evicts_nothing_and_a_full_one_holds_k(model, tokenizer, method):
    ids = _ids(2, 24)
    plain = _plain(model, ids)
    wide, _ = stream_nats(model, tokenizer, ids, Retention(64, method))
    torch.testing.assert_close(wide, plain, atol=EXACT, rtol=0)
    narrow, live = stream_nats(model, tokenizer, ids, Retention(8, method))
    assert live == 8
    torch.testing.assert_close(narrow[:, :8], plain[:, :8], atol=EXACT, rtol=0)
    assert (narrow[:, 9:] - plain[:, 9:]).abs().max() > EXACT


@torch.no_grad()
def test_a_stream_does_not_depend_on_its_batch(model, tokenizer):
    ids = _ids(3, 20)
    together, _ = stream_nats(model, tokenizer, ids, Retention(8, "h2o"))
    alone, _ = stream_nats(model, tokenizer, ids[1:2], Retention(8, "h2o"))
    torch.testing.assert_close(together[1:2], alone, atol=EXACT, rtol=0)


def test_offsets_never_overlap_and_follow_the_seed(tokenizer):
    offsets = stream_offsets(1000, 8, 100, 3)
    assert offsets == stream_offsets(1000, 8, 100, 3) != stream_offsets(1000, 8, 100, 4)
    assert all(b - a >= 100 for a, b in itertools.pairwise(offsets))
    assert offsets[-1] + 100 <= 1000
    streams = make_streams([7], list(range(1000)), offsets, 100)
    assert streams.shape == (8, 101) and set(streams[:, 0].tolist()) == {7}
    assert streams[0, -100:].tolist() == list(range(offsets[0], offsets[0] + 100))
    with pytest.raises(InputError, match="too few for 11 streams"):
        stream_offsets(1000, 11, 100, 0)


def test_a_chat_model_reads_the_text_as_a_users_turn(model, tokenizer, tmp_path, monkeypatch):
    assert opening(tokenizer) == [tokenizer.bos_token_id]
    chat = chat_tokenizer("chatml")
    assert chat.decode(opening(chat)) == "<|im_start|>user\n"
    assert opening(asking((None, chat_tokenizer("chatml")), raw=True)[1]) != opening(chat)
    monkeypatch.setattr(perplexity, "LENGTHS", (20,) * 3)
    (tmp_path / "test.txt").write_text("a line of words , and another one .\n" * 60)
    record = perplexity.run(Context(lambda: (model, chat), size="quick", data=tmp_path))
    assert {row["opening"] for row in record["rows"]} == {len(opening(chat))}
    assert {row["tokens"] for row in record["rows"]} == {2 * 20}  # what opens a turn is not counted
    assert "after the 17 that open a user's turn" in perplexity.tables(record)


def test_a_summary_by_hand():
    nats = torch.tensor([[1.0, 3.0], [2.0, 2.0], [0.0, 1.0]])
    row = summary(nats, 1)
    assert row["perplexity"] == pytest.approx(math.exp(1.5))
    assert row["late_perplexity"] == pytest.approx(math.exp(2.0))
    assert row["ci95"][0] < row["perplexity"] < row["ci95"][1]
    assert summary(nats[:1], 1)["ci95"] is None
    assert summary(nats, 2)["late_perplexity"] is None


def test_an_experiment_is_resumed_and_rendered(model, tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(perplexity, "LENGTHS", (20,) * 3)
    (tmp_path / "test.txt").write_text("a line of words , and another one .\n" * 60)
    saved = []
    context = Context(lambda: (model, tokenizer), size="quick", data=tmp_path, save=saved.append)
    record = perplexity.run(context)
    assert len(record["offsets"]) == 2
    assert len(record["rows"]) == len(saved) == 1 + 2 * len(perplexity.METHODS)
    again: list = []
    rows = [dict(row) for row in record["rows"][:-1]]
    resumed = Context(
        lambda: (model, tokenizer), size="quick", data=tmp_path, rows=rows, save=again.append
    )
    assert perplexity.run(resumed)["rows"] == record["rows"]
    assert len(again) == 1
    shown = perplexity.tables(record)
    assert "· 30.4" in shown and "| ta-fast-semantic, as printed |" in shown
    assert "| ta, 2 sinks |" in shown


def test_detokenised_text_reads_as_it_was_written():
    line = " He said \" a well @-@ known 1 @,@ 000 man \" ( Smith 's ) , and did n't <unk> . "
    assert detokenise(line) == ("He said \"a well-known 1,000 man\" (Smith's), and didn't <unk>.")


def test_texts_and_their_faults(tmp_path):
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(b"one two"))
    (tmp_path / "b.txt.xz").write_bytes(b"one two")
    assert load_text(tmp_path / "a.txt.xz") == "one two"
    with pytest.raises(InputError, match=r"b\.txt\.xz is no valid xz"):
        load_text(tmp_path / "b.txt.xz")
    with pytest.raises(InputError, match=r"cannot read .*none"):
        load_text(tmp_path / "none")


def test_missing_text_is_named(tmp_path):
    with pytest.raises(InputError, match="--data FILE"):
        perplexity.text_file(None)
    with pytest.raises(InputError, match=r"holds no test\.txt.*--data FILE"):
        perplexity.text_file(tmp_path)
    with pytest.raises(InputError, match=r"nowhere does not exist: .*--data FILE"):
        perplexity.text_file(tmp_path / "nowhere")
