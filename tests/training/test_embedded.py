import shutil
from pathlib import Path

import pytest
import torch

from ta_lab.cases.runner import CaseRunner
from ta_lab.generators.needle import needle_case
from transactional_attention import Retention, RetentionCache
from transactional_attention.errors import InputError, UnknownNameError
from transactional_attention.models import embedded
from transactional_attention.models.embedded import (
    SHIPPED,
    derived,
    folder,
    load_embedded,
    read_card,
)

NAMES = sorted(SHIPPED.values())
LARGEST = {"main": 16_000_000, "wide": 8_000_000}  # bytes of weights


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(folder("main"), tmp_path / "weights" / "main")
    monkeypatch.setattr(embedded, "WEIGHTS", tmp_path / "weights")
    return tmp_path / "weights" / "main"


def test_what_ships_has_a_name_on_the_command_line():
    paths = [p for place in embedded.places() for p in place.glob("*/model.safetensors")]
    assert sorted(path.parent.name for path in paths) == NAMES


def test_without_the_laboratory_its_model_and_gates_say_how_to_get_them(monkeypatch):
    for module in (embedded, derived):
        monkeypatch.setattr(module, "brought", lambda kind: {})
    remedy = "pip install . ./lab in a clone of the repository"
    with pytest.raises(InputError, match=f"'wide' belongs to the laboratory: {remedy}"):
        load_embedded("wide")
    with pytest.raises(InputError, match=rf"{remedy}; .*ta train gates --model embedded"):
        RetentionCache(*load_embedded(), Retention(16, "trim-kv"))


@pytest.mark.parametrize("name", NAMES)
def test_the_model_loads_offline(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model, tokenizer = load_embedded(name, dtype=torch.bfloat16, device="cpu")
    assert model.dtype is torch.bfloat16
    assert not model.training
    assert model.config._attn_implementation == "sdpa"
    ids = tokenizer("a").input_ids
    assert ids[0] == tokenizer.bos_token_id == 0
    assert (tokenizer.eos_token_id, tokenizer.pad_token_id) == (1, 2)


@pytest.mark.parametrize("name", NAMES)
def test_the_card_matches_the_weights(name: str):
    embedded.check_weights(folder(name))
    assert (folder(name) / "model.safetensors").stat().st_size <= LARGEST[name]
    parameters = read_card(folder(name))["parameters"]
    assert parameters == sum(w.numel() for w in load_embedded(name)[0].parameters())


def test_damaged_weights_are_refused(copy: Path):
    path = copy / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged.*reinstall"):
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


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_model_answers_from_what_is_kept(name: str):
    model, tokenizer = load_embedded(name)
    case = needle_case(tokenizer, context=600, depth=0.5, seed=0, filler_name="anchor-free")
    runner = CaseRunner(model, tokenizer, case, "hidden")
    assert runner.run(Retention(24)).correct
    assert not runner.run(Retention(24, "streaming-llm")).correct
