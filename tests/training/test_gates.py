import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from gate_files import write_gates
from scenes import byte_tokenizer
from ta_lab.baselines import gates as files
from ta_lab.baselines.gates import use_gates
from ta_lab.data import packed
from ta_lab.training import gates
from ta_lab.training.gates import GateDocuments
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.errors import InputError
from transactional_attention.models.embedded import load_embedded
from transactional_attention.models.embedded.derived import weights_sha256

OPTIONS = {"steps": 4, "memory": 4, "report": lambda line: None}


@pytest.fixture(autouse=True)
def short(monkeypatch) -> None:
    """The shortest documents that do not only repeat themselves."""
    documents = [text for text in packed("frozen/documents") if "?" in text[2]]
    documents.sort(key=lambda text: len((text[1] + text[2]).encode()))
    monkeypatch.setattr(gates, "packed", lambda name: documents[:8])


def trainer_of(steps: int = 12, seed: int = 0) -> gates.GateTrainer:
    model, tokenizer = load_embedded()
    return gates.GateTrainer(model, GateDocuments(tokenizer, seed), steps, seed, memory=8)


def test_a_few_steps_forget_and_leave_the_model_as_it_was():
    trainer = trainer_of()
    before = weights_sha256(trainer.decoder)
    with gates.frozen(trainer.model):
        figures = [trainer.train_step() for _ in range(12)]
    sums = [f["divergence"] + f["capacity"] for f in figures]
    assert figures[0]["divergence"] < 1e-3
    assert sum(sums[-3:]) < 0.9 * sum(sums[:3])
    assert weights_sha256(trainer.decoder) == before
    assert all(weight.requires_grad for weight in trainer.model.parameters())


def test_every_gate_gets_a_gradient_from_what_is_said_later():
    trainer = trainer_of()
    for gate in trainer.gates.values():
        torch.nn.init.constant_(gate.down.bias, 2.0)
    with gates.frozen(trainer.model):
        divergence, _, _ = trainer.losses(trainer.documents.sample(0))
        divergence.backward()
    for gate in trainer.gates.values():
        assert all(weight.grad.abs().max() > 0 for weight in gate.parameters())


def test_a_run_writes_gates_of_the_model(tmp_path: Path):
    model, tokenizer = load_embedded()
    out, previous = tmp_path / "new" / "gates.safetensors", model.config._attn_implementation
    assert gates.train_gates(model, tokenizer, out, **OPTIONS) == out
    assert model.config._attn_implementation == previous
    made = files.read_metadata(out)
    assert (made["steps"], made["memory"]) == ("4", "4")
    use_gates(model, out)
    RetentionCache(model, tokenizer, Retention(16, "trim-kv"))


@pytest.mark.parametrize("tokenizer", [byte_tokenizer, lambda: load_embedded()[1]])
def test_a_document_is_text_of_any_tokenizer_whose_answers_have_a_loss(tokenizer):
    tokenizer = tokenizer()
    documents = GateDocuments(tokenizer, seed=0)
    documents.texts = [(4096, *texts) for _, *texts in documents.texts]  # none is cut
    for step in range(10):
        _, *texts = documents.texts[step % 8]
        if not documents.native:
            texts = [re.sub(r"<\|\w+\|>", "", text) for text in texts]
        sample = documents.sample(step)
        ids, length = sample.ids[0], sample.ids.shape[1]
        answered = len(tokenizer.encode(texts[1], add_special_tokens=False))
        assert tokenizer.decode(ids[1:]) == "".join(texts)
        assert sample.places[-answered:].tolist() == [*range(length - answered - 1, length - 1)]
        assert answered < len(sample.places) < length - 1
        assert sample.targets.tolist() == ids[sample.places + 1].tolist()


def test_a_document_is_cut_at_its_beginning():
    documents = GateDocuments(byte_tokenizer(), seed=0)
    _, before, after = documents.texts[0]
    whole = documents.sample(0)
    documents.texts[0] = (len(after), before, after)
    assert torch.equal(documents.sample(0).ids, whole.ids[:, -len(after) :])


# files


@pytest.fixture
def written(tmp_path: Path):
    model = tiny_llama(vocab_size=len(byte_tokenizer()))
    return model, write_gates(model, tmp_path / "gates.safetensors")


def test_gates_in_the_folder_of_a_model_are_found(written, tmp_path: Path):
    model, path = written
    model.config.name_or_path = str(tmp_path)
    cache = RetentionCache(model, byte_tokenizer(), Retention(16, "trim-kv"))
    decoder = find_decoder(model)
    decoder_gates = decoder._retention_gates
    loaded = files.read_gates(path, weights_sha256(decoder))
    assert decoder_gates.keys() == loaded.keys() == {0, 1, 2}
    assert all(torch.equal(decoder_gates[i].down, loaded[i].down) for i in decoder_gates)
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
