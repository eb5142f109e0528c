from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from transactional_attention.embedded import card, folder, load_embedded, loading
from transactional_attention.errors import InputError, UnknownNameError


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(folder("main"), tmp_path / "weights" / "main")
    monkeypatch.setattr(loading, "WEIGHTS", tmp_path / "weights")
    return tmp_path / "weights" / "main"


def test_the_model_loads_offline(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model, tokenizer = load_embedded(dtype=torch.bfloat16, device="cpu")
    assert model.dtype is torch.bfloat16
    assert not model.training
    assert model.config._attn_implementation == "sdpa"
    ids = tokenizer("a").input_ids
    assert ids[0] == tokenizer.bos_token_id == 0
    assert (tokenizer.eos_token_id, tokenizer.pad_token_id) == (1, 2)


def test_both_names_of_theta_are_written():
    config = json.loads((folder("main") / "config.json").read_text(encoding="utf-8"))
    assert config["rope_theta"] == config["rope_parameters"]["rope_theta"] == 500_000.0


def test_the_card_matches_the_weights():
    loading.check_weights(folder("main"))
    assert card()["parameters"] == sum(w.numel() for w in load_embedded()[0].parameters())


def test_damaged_weights_are_refused(copy: Path):
    path = copy / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged.*ta train model"):
        load_embedded()


def test_missing_files_and_bad_cards_are_refused(copy: Path):
    (copy / "card.json").write_text("{}")
    with pytest.raises(InputError, match="sha256"):
        load_embedded()
    (copy / "card.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        load_embedded()
    (copy / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"lacks model\.safetensors"):
        load_embedded()


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="main"):
        load_embedded("mian")
