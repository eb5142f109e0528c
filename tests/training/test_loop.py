import errno
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from ta_lab.training import checkpoint, loop
from ta_lab.training.batches import make_batch
from ta_lab.training.corpus import Corpus
from ta_lab.training.curriculum import Recipe, Shape, Stage
from ta_lab.training.documents import DocumentMaker
from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder, load_embedded

PLAIN = {"plain": 1.0}
SMALL, LONGER = (Shape(length, 2, (1, 2), (1, 2), PLAIN, pruned=0.5) for length in (64, 96))
TINY = (Stage("a", 1, 1.0, 0.5, (SMALL,)), Stage("b", 1, 0.5, 0.0, (LONGER, SMALL), (1, 1)))


def test_a_resumed_run_gives_the_same_next_loss(maker: DocumentMaker, tmp_path: Path):
    straight = loop.Trainer(maker, TINY, 4, layers=1)
    straight.train_step()
    checkpoint.save_checkpoint(tmp_path, straight.state())
    resumed = loop.Trainer(maker, TINY, 4, layers=1)
    resumed.restore(checkpoint.load_checkpoint(tmp_path))
    assert straight.train_step() == resumed.train_step()
    with pytest.raises(InputError, match="complete"):
        resumed.train_step()


def test_a_checkpoint_of_another_run_is_refused(maker: DocumentMaker):
    state = loop.Trainer(maker, TINY, 1, layers=1).state()
    with pytest.raises(InputError, match="seed"):
        loop.Trainer(maker, TINY, 2, layers=1).restore(state)
    with pytest.raises(InputError, match="2 steps, not 1"):
        loop.Trainer(maker, TINY[:1], 1, layers=1).restore(state)
    with pytest.raises(InputError, match="another size"):
        loop.Trainer(maker, TINY, 1, layers=2).restore(state)


def test_a_run_stops_resumes_and_exports(monkeypatch, tmp_path: Path, lines: list[str]):
    rng = random.Random(0)
    many = [f"{line} {rng.random()}" for line in lines * 8]
    corpus = Corpus({"prose": many, "code": ["x = 1"], "es": ["Hola."]})
    monkeypatch.setattr(loop, "build_corpus", lambda seed, languages: corpus)
    monkeypatch.setitem(loop.RECIPES, "main", Recipe(TINY, layers=1))
    said: list[str] = []
    options = {"seed": 3, "report": said.append}
    out = tmp_path / "run"
    assert loop.train_model(out, minutes=0.0, **options) is None
    with pytest.raises(InputError, match="--resume"):
        loop.train_model(out, **options)
    model = loop.train_model(out, resume=True, **options)
    assert model == out / "model"
    assert {path.name for path in out.joinpath("model").iterdir()} >= {
        "card.json",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    }
    assert said[-1].startswith("step 2 ")


def test_a_run_goes_on_from_the_weights_that_ship_and_gives_them_back(maker, tmp_path: Path):
    model, _ = load_embedded()
    trainer = loop.Trainer(maker, TINY, 0, layers=model.config.num_hidden_layers)
    trainer.start_from(folder("main"))
    batch = make_batch(maker, SMALL, 0, 0)
    rows = trainer.network.model(batch.ids[:1]).last_hidden_state
    theirs = model(batch.ids[:1]).logits.float()
    torch.testing.assert_close(trainer.network.lm_head(rows), theirs, atol=0.2, rtol=0.1)
    path = loop.export_model(trainer.network, tmp_path / "model", {"recipe": "main"})
    ours, known = (load_file(at / "model.safetensors") for at in (path, folder("main")))
    assert ours.keys() == known.keys() and all(torch.equal(ours[n], known[n]) for n in known)
    with pytest.raises(InputError, match="do not fit"):
        loop.Trainer(maker, TINY, 0, layers=2).start_from(folder("main"))


def test_what_a_row_may_not_see_changes_nothing_of_it(maker: DocumentMaker):
    trainer = loop.Trainer(maker, TINY, 0, layers=1)
    batch = make_batch(maker, SMALL, 0, 0)
    batch.visible[:, 40:, 5:20] = False
    changed = batch.ids.clone()
    changed[:, 5:20] = 9
    rows = torch.zeros_like(batch.selected)
    rows[:, 40:] = True
    seen = [trainer.logits(replace(batch, ids=ids, selected=rows)) for ids in (batch.ids, changed)]
    torch.testing.assert_close(*seen)


def test_a_device_that_is_not_there_is_named():
    with pytest.raises(InputError, match="'nonsense' is not there"):
        loop.check_device("nonsense")
    loop.check_device("cpu")


def test_missing_and_damaged_checkpoints_are_told_apart(tmp_path: Path):
    with pytest.raises(InputError, match="to resume"):
        checkpoint.load_checkpoint(tmp_path)
    (tmp_path / checkpoint.LAST).write_bytes(b"PK not a checkpoint")
    with pytest.raises(InputError, match="damaged"):
        checkpoint.load_checkpoint(tmp_path)
    torch.save({"step": 1}, tmp_path / checkpoint.LAST)
    with pytest.raises(InputError, match="no checkpoint of this training"):
        checkpoint.load_checkpoint(tmp_path)


def test_a_full_disk_leaves_the_last_checkpoint(tmp_path: Path, monkeypatch):
    path = tmp_path / "last.pt"
    path.write_text("old")

    def fail(*names: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="no space left"):
        checkpoint.save_checkpoint(tmp_path, {"step": 1})
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["last.pt"]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(InputError, match=r"cannot write .*gates\.safetensors"):
        checkpoint.write(tmp_path / "taken" / "gates.safetensors", b"")
