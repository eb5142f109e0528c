"""``ta slots prune`` on files of the stock llama-server in the wheel, which goes on from them."""

import contextlib
import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import llama_wheel
from transactional_attention import Retention
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.llama_cpp.slots import prune, read_slot
from transactional_attention.models import load_tokenizer
from transactional_attention.models.loading import gguf_of

WALK = "The weather was fine and we walked along the river until it got dark.\n"
TEXT = f"{WALK * 8}The door code is 730184.\n{WALK * 20}"
QUESTION = "\nQuestion: What is the door code?\nAnswer: The door code is"


@contextlib.contextmanager
def llama_server(model, folder, cells=1024):
    """Asks it: ``ask(path, body)`` gives its JSON."""
    script = str(Path(__file__).parents[1] / "llama_server.py")
    command = [sys.executable, script, str(model), str(folder), str(cells)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            address = next(line[3:].strip() for line in process.stdout if line.startswith("at "))

            def ask(path, body):
                data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
                request = urllib.request.Request(address + path, data, kind)
                try:
                    with urllib.request.urlopen(request, timeout=120) as answer:
                        return json.load(answer)
                except urllib.error.HTTPError as error:
                    return {"error": error.read().decode()}

            yield ask
        finally:
            process.kill()


def completed(ask, prompt, count=12):
    given = {"prompt": prompt, "n_predict": count, "temperature": 0, "id_slot": 0}
    return ask("/completion", {**given, "cache_prompt": True})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder with the slot of a text of SmolLM2, and its model's file."""
    llama_wheel.skip_without_wheel()
    llama_wheel.skip_without_smollm2()
    folder, model = tmp_path_factory.mktemp("slots"), gguf_of("smollm2")
    with llama_server(model, folder) as ask:
        completed(ask, TEXT, 0)
        ask("/slots/0?action=save", {"filename": "whole"})
    return folder, model


def test_the_server_goes_on_from_a_pruned_slot(saved, ta):
    folder, model = saved
    for name, method in (("held", "ta"), ("lost", "streaming-llm")):
        done = ta(
            *("slots", "prune", folder / "whole", "--model", "smollm2", "--budget", 64),
            *("--method", method, "--out", folder / name, "--report"),
        )
        assert done.status == 0 and "cut to 64" in done.out and "730184" not in done.out + done.err
    assert (folder / "held").stat().st_size < 0.15 * (folder / "whole").stat().st_size
    assert (folder / "held").stat().st_mode & 0o777 == 0o600
    said = {}
    with llama_server(model, folder) as ask:
        for name in ("whole", "held", "lost"):
            restored = ask("/slots/0?action=restore", {"filename": name})
            answer = completed(ask, TEXT + QUESTION)
            said[name] = answer["content"]
            assert answer["timings"]["cache_n"] >= restored["n_restored"] - 1 > 400
        assert "730184" in said["whole"] and "730184" in said["held"]
        assert "730184" not in said["lost"]
        ask("/slots/0?action=restore", {"filename": "held"})
        completed(ask, TEXT + QUESTION)
        ask("/slots/0?action=save", {"filename": "later"})
        done = ta("slots", "prune", folder / "later", "--model", "smollm2", "--budget", 48)
        assert done.status == 0 and "cells cut to 48" in done.out, done.err
        ask("/slots/0?action=restore", {"filename": "later"})
        again = completed(ask, f"{TEXT}{QUESTION} 730184.{QUESTION}")
        assert "730184" in again["content"] and again["timings"]["cache_n"] > 400


def test_what_is_kept_is_what_the_engine_keeps(saved):
    """The same tokens in the same cells, so the same words."""
    slot, tokenizer = read_slot(saved[0] / "whole"), load_tokenizer("smollm2")
    assert slot.ids.tolist() == tokenizer(TEXT).input_ids
    after, _ = prune(slot, tokenizer, Retention(64))
    context = Context(GgufModel("smollm2"), 1024, sequences=2, chunk=1024, threads=1)
    whole = LlamaCache(context, tokenizer, Retention(None, "full"))
    whole.read(slot.ids)
    cut = whole.cut(Retention(64))
    assert cut.positions.tolist() == np.sort(after.cells.places).tolist()
    both = [part.rows[np.isin(slot.cells.places, cut.positions)] for part in slot.cells.parts]
    assert all((a == b.rows).all() for a, b in zip(both, after.cells.parts, strict=True))
    assert read_slot(saved[0] / "whole").cells.written() == slot.cells.written()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"GGUF" + data[4:], "no saved slot"),
        (lambda data: data[:4] + b"\x03" + data[5:], "version 3; tested is 4"),
        (lambda data: data[:-7], "llama-server"),
        (lambda data: data + b"\0\0\0\0", "behind its end"),
        (lambda data: data[:12] + b"\x07\0\0\0" + data[16:], "no list of tokens"),
    ],
)
def test_other_files_are_refused(saved, ta, tmp_path, change, said):
    path = tmp_path / "slot"
    path.write_bytes(change((saved[0] / "whole").read_bytes()))
    before = path.read_bytes()
    done = ta("slots", "prune", path, "--model", "smollm2", "--budget", 64)
    assert done.status == 2 and said in done.err and path.read_bytes() == before


def test_a_budget_or_method_that_the_server_cannot_go_on_with_is_refused(saved, ta):
    base = ("slots", "prune", saved[0] / "whole", "--model", "smollm2")
    assert "h2o" in ta(*base, "--method", "h2o").err
    assert "vocabulary" not in ta(*base[:-1], "embedded", "--budget", 64).out
    assert ta(*base[:-1], "embedded", "--budget", 64).status == 2
