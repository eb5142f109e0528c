"""``ta slots prune`` on files of the stock llama-server in the wheel, which goes on from them."""

import contextlib
import json
import struct
import urllib.error
import urllib.request

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import llama_wheel
from gguf_hybrids import write_hybrid
from scenes import byte_tokenizer
from ta_lab.benchmarks import processes
from transactional_attention import Retention, RetentionError, UnsupportedError
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.llama_cpp.saved_slot import prune, read_slot
from transactional_attention.models import load_tokenizer
from transactional_attention.models.loading import gguf_of

WALK = "The weather was fine and we walked along the river until it got dark.\n"
TEXT = f"{WALK * 8}The door code is 730184.\n{WALK * 20}"
QUESTION = "\nQuestion: What is the door code?\nAnswer: The door code is"


@contextlib.contextmanager
def llama_server(model, folder, cells=1024, kind="f16"):
    """Asks it: ``ask(path, body)`` gives its JSON."""
    with processes.llama_server(model, cells, kind=kind, chunk=256, slots=folder) as server:

        def ask(path, body):
            data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
            request = urllib.request.Request(server.address + path, data, kind)
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                return {"error": error.read().decode()}

        yield ask


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
    answers = {}
    with llama_server(model, folder) as ask:
        for name in ("whole", "held", "lost"):
            restored = ask("/slots/0?action=restore", {"filename": name})
            answer = completed(ask, TEXT + QUESTION)
            answers[name] = answer["content"]
            assert answer["timings"]["cache_n"] >= restored["n_restored"] - 1 > 400
        assert "730184" in answers["whole"] and "730184" in answers["held"]
        assert "730184" not in answers["lost"]
        ask("/slots/0?action=restore", {"filename": "held"})
        completed(ask, TEXT + QUESTION)
        ask("/slots/0?action=save", {"filename": "later"})
        done = ta("slots", "prune", folder / "later", "--model", "smollm2", "--budget", 48)
        assert done.status == 0 and "cells cut to 48" in done.out, done.err
        ask("/slots/0?action=restore", {"filename": "later"})
        again = completed(ask, f"{TEXT}{QUESTION} 730184.{QUESTION}")
        assert "730184" in again["content"] and again["timings"]["cache_n"] > 400


def test_a_slot_of_quantised_cells_is_cut_and_gone_on_with(saved, ta, tmp_path):
    """llama.cpp rotates keys and values before it stores them in few bits."""
    with llama_server(saved[1], tmp_path, kind="q8_0") as ask:
        completed(ask, TEXT, 0)
        ask("/slots/0?action=save", {"filename": "whole"})
        prune = ("slots", "prune", tmp_path / "whole", "--model", "smollm2", "--budget", 64)
        done = ta(*prune)
        assert done.status == 0 and "cut to 64" in done.out, done.err
        assert read_slot(tmp_path / "whole").cells.rotated
        ask("/slots/0?action=restore", {"filename": "whole"})
        answer = completed(ask, TEXT + QUESTION)
        assert "730184" in answer["content"] and answer["timings"]["cache_n"] > 400


@pytest.mark.parametrize("family", ["gemma3", "lfm2"])
def test_a_slot_with_layers_that_slide_or_are_recurrent_is_refused(tmp_path, family):
    llama_wheel.skip_without_wheel()
    model = write_hybrid(tmp_path / "tiny.gguf", family)
    with llama_server(str(model), tmp_path) as ask:
        completed(ask, WALK, 0)
        ask("/slots/0?action=save", {"filename": "slot"})
    with pytest.raises(UnsupportedError, match="whose layers all have full attention"):
        read_slot(tmp_path / "slot")


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
    rows = [part.rows[np.isin(slot.cells.places, cut.positions)] for part in slot.cells.parts]
    assert all((a == b.rows).all() for a, b in zip(rows, after.cells.parts, strict=True))
    assert read_slot(saved[0] / "whole").cells.written() == slot.cells.written()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"GGUF" + data[4:], "no saved slot"),
        (lambda data: data[:4] + b"\x03" + data[5:], "version 3; tested is 4"),
        (lambda data: data[:-7], "llama-server"),
        (lambda data: data + b"\0\0\0\0", "after its end"),
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


# a file that somebody else wrote: every number of it is checked before it is used

NUMBERS = st.sampled_from([0, 1, 2, 30, 255, 256, 2**31 - 1, 2**31, 2**32 - 1])
NOTE = "Hm. The door code is 7301.\n"
LAYERS, F16, F32, Q8_0 = 2, 1, 0, 8
STREAMS = 16 + 4 * (3 + len(NOTE))  # where the numbers after the tokens begin, words of 4 bytes
META = STREAMS + 8
FORM = META + 12 * len(NOTE)
KEYS = FORM + 16
PART = 12 + 8 * len(NOTE)  # bytes of the keys of a layer


def small_slot(turned):
    """A slot of a model with two layers of four numbers, as llama-server writes them."""
    ids, cells = byte_tokenizer()(NOTE)["input_ids"], range(len(NOTE))
    words = (-1, 1, len(ids), *ids, 0)
    pieces = [b"qsgg", struct.pack(f"<II{len(words)}i", 4, len(words), *words)]
    pieces += [struct.pack("<II", 1, len(ids)), *(struct.pack("<3i", at, 1, 0) for at in cells)]
    pieces.append(struct.pack("<4I", turned, LAYERS, 0, 0))
    rows = bytes(8 * len(ids))
    pieces += [struct.pack("<iQ", F16, 8) + rows] * LAYERS
    head = struct.pack("<iII", F16, 2, 4) if turned else struct.pack("<iQ", F16, 8)
    return b"".join([*pieces, *[head + rows] * LAYERS])


def pruned(content, path):
    """The slot of such bytes cut to 12 tokens, or the one line that says why not."""
    path.write_bytes(content)
    try:
        return prune(read_slot(path), byte_tokenizer(), Retention(12))[0]
    except RetentionError as error:
        return str(error)


@pytest.mark.parametrize("turned", [0, 1])
@settings(max_examples=100)
@given(data=st.data())
def test_bytes_that_changed_are_refused_or_mean_a_slot(tmp_path_factory, turned, data):
    content = bytearray(small_slot(turned))
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(content) // 4 - 1)) * 4
        if data.draw(st.booleans()):
            content[at : at + 4] = struct.pack("<I", data.draw(NUMBERS))
        else:
            content[at + data.draw(st.integers(0, 3))] ^= 1 << data.draw(st.integers(0, 7))
    after = pruned(bytes(content), tmp_path_factory.getbasetemp() / "slot")
    if isinstance(after, str):
        assert "\n" not in after
    else:
        assert len(after.ids) == len(NOTE) and len(set(after.cells.places)) == 12
        assert {part.rows.shape[0] for part in after.cells.parts} == {12}


@pytest.mark.parametrize(
    ("at", "number", "said"),
    [
        (12 + 4 * 7, -5, "token id"),
        (META + 12, 0, "two cells at one place"),
        (META + 12, 10**6, "other positions"),
        (META, -1, "before the first"),
        (META + 12 + 4, 2, "several"),
        (META + 12 + 8, 1, "several"),
        (FORM + 4, 0, "its form"),
        (FORM + 8, 5, "its form"),
        (FORM + 4, 2**31 - 1, "layout"),
        (KEYS, F32, "type"),
        (KEYS + PART, Q8_0, "type"),
        (KEYS + PART, 99, "type"),
        (KEYS + 4, 0, "type"),
        (KEYS + 8, 2**31 - 1, "cut off"),
        (STREAMS + 4, 2**31 - 1, "cut off"),
    ],
)
@pytest.mark.parametrize("turned", [0, 1])
def test_a_number_that_cannot_be_is_refused_by_name(tmp_path, turned, at, number, said):
    content = bytearray(small_slot(turned))
    assert not isinstance(pruned(bytes(content), tmp_path / "slot"), str)
    struct.pack_into("<i", content, at, number)
    assert said in str(pruned(bytes(content), tmp_path / "slot"))


def test_cells_of_another_sequence_are_refused(tmp_path):
    content = bytearray(small_slot(0))
    for cell in range(len(NOTE)):
        struct.pack_into("<i", content, META + 12 * cell + 8, 256)
    assert "beyond the last" in str(pruned(bytes(content), tmp_path / "slot"))
    for cell in range(len(NOTE)):  # a slot with another number is one
        struct.pack_into("<i", content, META + 12 * cell + 8, 3)
    assert not isinstance(pruned(bytes(content), tmp_path / "slot"), str)
