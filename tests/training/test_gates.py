from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from gate_files import write_gates
from scenes import byte_tokenizer
from ta_lab.training import gates
from ta_lab.training.corpus import Corpus, write_corpus
from ta_lab.training.curriculum import Shape, Stage
from ta_lab.training.gates import GateDocuments
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.gating import use_gates
from transactional_attention.errors import InputError
from transactional_attention.methods import gates as files
from transactional_attention.models.embedded import load_embedded
from transactional_attention.models.embedded.derived import weights_sha256

SHORT = Shape(96, 2, (1, 2), (1, 2), {"plain": 1.0}, copies=0.0, pruned=0.0, gaps=0.0)
OPTIONS = {"steps": 4, "memory": 4, "report": lambda line: None}


@pytest.fixture(scope="module")
def paragraphs(lines: list[str]) -> Corpus:
    many = [f"{line} {number}" for number, line in enumerate(lines * 8)]
    return Corpus({"prose": many})


@pytest.fixture
def corpus(paragraphs: Corpus, tmp_path: Path) -> Path:
    write_corpus(paragraphs, tmp_path / "corpus.txt")
    return tmp_path / "corpus.txt"


@pytest.fixture
def short(monkeypatch) -> None:
    monkeypatch.setattr(gates, "SHAPES", (SHORT,))
    monkeypatch.setattr(gates, "SHARES", (1.0,))


def embedded():
    return load_embedded()


def trainer_of(paragraphs: Corpus, steps: int = 12, seed: int = 0) -> gates.GateTrainer:
    model, tokenizer = embedded()
    documents = GateDocuments(tokenizer, paragraphs, seed)
    stage = Stage("gates", steps, 1.0, 0.5, (SHORT,))
    return gates.GateTrainer(model, documents, stage, seed, memory=8)


def test_a_few_steps_forget_and_leave_the_model_as_it_was(paragraphs: Corpus):
    trainer = trainer_of(paragraphs)
    before = weights_sha256(trainer.decoder)
    with gates.frozen(trainer.model):
        figures = [trainer.train_step() for _ in range(12)]
    sums = [f["divergence"] + f["capacity"] for f in figures]
    assert figures[0]["divergence"] < 1e-3
    assert sum(sums[-3:]) < 0.9 * sum(sums[:3])
    assert weights_sha256(trainer.decoder) == before
    assert all(weight.requires_grad for weight in trainer.model.parameters())


def test_every_gate_gets_a_gradient_from_what_is_said_later(paragraphs: Corpus):
    trainer = trainer_of(paragraphs)
    for gate in trainer.gates.values():
        torch.nn.init.constant_(gate.down.bias, 2.0)
    with gates.frozen(trainer.model):
        divergence, _, _ = trainer.losses(trainer.documents.sample(SHORT, 0))
        divergence.backward()
    for gate in trainer.gates.values():
        assert all(weight.grad.abs().max() > 0 for weight in gate.parameters())


@pytest.mark.usefixtures("short")
def test_a_run_writes_gates_of_the_model(corpus: Path, tmp_path: Path):
    model, tokenizer = embedded()
    out, previous = tmp_path / "new" / "gates.safetensors", model.config._attn_implementation
    assert gates.train_gates(model, tokenizer, out, corpus=corpus, **OPTIONS) == out
    assert model.config._attn_implementation == previous
    made = files.read_metadata(out)
    assert (made["steps"], made["memory"]) == ("4", "4")
    use_gates(model, out)
    RetentionCache(model, tokenizer, Retention(16, "trim-kv"))


def test_a_tokenizer_of_another_model_is_served(paragraphs: Corpus):
    tokenizer = byte_tokenizer()
    documents = GateDocuments(tokenizer, paragraphs, seed=0)
    assert not documents.native
    sample = documents.sample(SHORT, 3)
    text = tokenizer.decode(sample.ids[0])
    assert sample.ids.shape[1] == SHORT.length
    assert text == documents.maker.tokenizer.decode(
        documents.maker.tokenizer.encode(text, add_special_tokens=False).ids
    )
    assert sample.places.max() == SHORT.length - 2
    assert sample.targets.tolist() == sample.ids[0, sample.places + 1].tolist()


# files


@pytest.fixture
def written(tmp_path: Path, tokenizer):
    model = tiny_llama(vocab_size=len(byte_tokenizer()))
    return model, write_gates(model, tmp_path / "gates.safetensors")


def test_gates_in_the_folder_of_a_model_are_found(written, tmp_path: Path):
    model, path = written
    model.config.name_or_path = str(tmp_path)
    cache = RetentionCache(model, byte_tokenizer(), Retention(16, "trim-kv"))
    decoder = find_decoder(model)
    found = decoder._retention_gates
    loaded = files.read_gates(path, weights_sha256(decoder))
    assert found.keys() == loaded.keys() == {0, 1, 2}
    assert all(torch.equal(found[i].down, loaded[i].down) for i in found)
    assert cache.managed


def test_a_model_without_gates_says_how_to_train_them():
    model = tiny_llama(vocab_size=211)
    with pytest.raises(InputError, match=r"ta train gates --model MODEL --out gates.safetensors"):
        RetentionCache(model, byte_tokenizer(), Retention(16, "trim-kv"))


def test_weights_are_the_same_in_any_type_and_others_are_refused(written, tmp_path: Path):
    model, path = written
    model.to(torch.bfloat16)
    use_gates(model, path)
    model.model.layers[1].mlp.up_proj.weight.data[0, 0] += 1
    with pytest.raises(InputError, match=r"gates of other weights .*ta train gates"):
        use_gates(model, path)
    model.config.name_or_path = str(tmp_path)
    del find_decoder(model)._retention_gates
    with pytest.raises(InputError, match="gates of other weights"):
        RetentionCache(model, byte_tokenizer(), Retention(16, "trim-kv"))


def test_missing_damaged_and_other_files_are_told_apart(written, tmp_path: Path):
    model, path = written
    whole = path.read_bytes()
    with pytest.raises(InputError, match="missing or damaged"):
        use_gates(model, tmp_path / "none.safetensors")
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="missing or damaged"):
        use_gates(model, path)
    save_file({"x": torch.zeros(1)}, path)
    with pytest.raises(InputError, match="holds no retention gates"):
        use_gates(model, path)
    weights = weights_sha256(find_decoder(model))
    save_file({"layers.0.up": torch.zeros(1)}, path, files.metadata_of(weights))
    with pytest.raises(InputError, match="is damaged"):
        use_gates(model, path)
