import errno
import random
from pathlib import Path

import pytest
import torch

from ta_lab.training import checkpoint, loop
from ta_lab.training.corpus import Corpus
from ta_lab.training.curriculum import Shape, Stage, locate, total_steps
from ta_lab.training.documents import DocumentMaker
from transactional_attention.errors import InputError

PLAIN = {"plain": 1.0}
SMALL, LONGER = (Shape(length, 2, (1, 2), (1, 2), PLAIN, pruned=0.5) for length in (64, 96))
TINY = (Stage("a", 2, 1.0, 0.5, (SMALL,)), Stage("b", 2, 0.5, 0.0, (LONGER, SMALL), (1, 1)))


def test_stages_follow_each_other():
    assert total_steps(TINY) == 4
    places = [locate(TINY, step) for step in range(5)]
    assert [place and (place[0].name, place[1]) for place in places] == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("b", 1),
        None,
    ]
    assert TINY[0].rate(1) == 0.75


def test_a_resumed_run_gives_the_same_next_loss(maker: DocumentMaker, tmp_path: Path):
    straight = loop.Trainer(maker, TINY, seed=4)
    for _ in range(2):
        straight.train_step()
    checkpoint.save_checkpoint(tmp_path, straight.state())
    resumed = loop.Trainer(maker, TINY, seed=4)
    resumed.restore(checkpoint.load_checkpoint(tmp_path))
    for _ in range(2):
        assert straight.train_step() == resumed.train_step()
    with pytest.raises(InputError, match="complete"):
        resumed.train_step()


def test_a_checkpoint_of_another_run_is_refused(maker: DocumentMaker):
    state = loop.Trainer(maker, TINY, seed=1).state()
    with pytest.raises(InputError, match="seed"):
        loop.Trainer(maker, TINY, seed=2).restore(state)
    with pytest.raises(InputError, match="4 steps, not 2"):
        loop.Trainer(maker, TINY[:1], seed=1).restore(state)


def test_a_run_stops_resumes_and_exports(monkeypatch, tmp_path: Path, lines: list[str]):
    rng = random.Random(0)
    many = [f"{line} {rng.random()}" for line in lines * 8]
    corpus = Corpus({"prose": many[:-600], "code": ["x = 1"], "es": ["Hola."]}, many[-600:])
    monkeypatch.setattr(loop, "build_corpus", lambda seed, languages: corpus)
    said: list[str] = []
    options = {"seed": 3, "stages": TINY, "report": said.append}
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
    assert said[-1].startswith("step 4 ")


@pytest.mark.parametrize("resume", [False, True])
def test_new_embeddings_without_a_body_are_refused(tmp_path: Path, resume: bool):
    with pytest.raises(InputError, match=r"wide .*--init"):
        loop.train_model(tmp_path / "run", resume, recipe="wide")
    assert not (tmp_path / "run").exists()


def test_two_processes_give_the_weights_of_one(monkeypatch, tmp_path: Path, lines: list[str]):
    many = [f"{line} {number}" for number, line in enumerate(lines * 8)]
    corpus = Corpus({"prose": many[:-600]}, many[-600:])
    monkeypatch.setattr(loop, "build_corpus", lambda seed, languages: corpus)
    weights = []
    for processes in (1, 2):
        out = tmp_path / str(processes)
        loop.train_model(out, processes=processes, stages=TINY, report=lambda line: None)
        weights.append(checkpoint.load_checkpoint(out)["network"])
    for name, weight in weights[0].items():
        torch.testing.assert_close(weights[1][name], weight, rtol=1e-4, atol=1e-5)
    with pytest.raises(InputError, match="between 1 and 2"):
        loop.train_model(tmp_path / "3", processes=3, stages=TINY)


def test_missing_and_damaged_checkpoints_are_told_apart(tmp_path: Path):
    with pytest.raises(InputError, match="to resume"):
        checkpoint.load_checkpoint(tmp_path)
    (tmp_path / checkpoint.LAST).write_bytes(b"PK not a checkpoint")
    with pytest.raises(InputError, match="damaged"):
        checkpoint.load_checkpoint(tmp_path)
    torch.save({"step": 1}, tmp_path / checkpoint.LAST)
    with pytest.raises(InputError, match="no checkpoint of this training"):
        checkpoint.load_checkpoint(tmp_path)


def test_a_full_disk_leaves_the_last_checkpoint(tmp_path: Path):
    path = tmp_path / "last.pt"
    path.write_text("old")

    def fail(temporary: Path) -> None:
        temporary.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(InputError, match="no space left"):
        checkpoint.write_atomically(path, fail)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["last.pt"]
