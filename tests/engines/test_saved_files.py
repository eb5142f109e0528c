"""The file of a saved cache: what is in it and what is not, and what is refused."""

import errno
import json
import os
import pickle
import stat
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

import transactional_attention as ta
from saved_caches import Player, cache_of, play, steps
from scenes import byte_tokenizer, encode
from teacher_forced import tiny_llama
from tiny_families import build
from transactional_attention.engines import cache_file
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.fingerprint import FACTS, check_same, model_facts

VALUES = ("Zx81Qw77Lm", "QX7Kw99ZBt", "90417733815", "K81-44-TQxx", "L92-55-UVyy", "ZP41Wn63Ra")
SECRETS = (
    "Notes of the day. The door code is Zx81Qw77Lm, and the plants were watered twice. Lunch.",
    "It rained. The api_key: QX7Kw99ZBt and nothing else happened.\nuser,token\nann,K81-44-TQxx\n"
    "bob,L92-55-UVyy",
    "Hm. The secret code is 90417733815.",
)
QUESTIONS = (
    "-7; pin: ZP41Wn63Ra. What is the api key?",
    " The door code is 90417733815 now.",
    "So?",
)
FILLER = "and then it went on and on as it had done all day long with nothing new at all. "


@pytest.fixture(scope="module")
def player(tokenizer):
    """A conversation to its end, in a method that uses all parts of a file."""
    model = tiny_llama(vocab_size=len(tokenizer))
    cache = cache_of(model, tokenizer, budget=24, method="ta+h2o")
    return play(Player(model, cache), steps(tokenizer, chunk=40))


@pytest.fixture(scope="module")
def saved(player, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "cache.safetensors"
    player.cache.save(path)
    return path


def rewritten(saved, path, **changes):
    """The file with parts of its record replaced, and a checksum that fits."""
    tensors, record = cache_file.read(saved)
    cache_file.write(path, tensors, record | changes)
    return path


# what is in a file


@pytest.mark.parametrize("method", ["ta", "ta+h2o"])
@pytest.mark.parametrize("stop", [1, 2, 4, 6, 9])
def test_no_value_is_in_the_file_as_text_or_ids(model, tokenizer, tmp_path, method, stop):
    cache = cache_of(model, tokenizer, budget=24, method=method)
    cache.set_sources([[ta.SourceRange(ta.Span(0, 20), "user")], [], []])
    todo = steps(tokenizer, chunk=40, texts=SECRETS, questions=QUESTIONS)
    play(Player(model, cache), todo[:stop])
    cache.save(tmp_path / "c")
    content = (tmp_path / "c").read_bytes()
    for value in VALUES:
        ids = encode(tokenizer, value)[0][0].numpy()
        plain = json.dumps(ids.tolist())[1:-1]
        for form in (value, value.lower(), plain, plain.replace(" ", "")):
            assert form.encode() not in content
        for kind in (np.int64, np.int32, np.int16, np.uint8):
            assert ids.astype(kind).tobytes() not in content
    for word in ("plants", "watered", "Lunch", "happened", "nothing"):
        assert word.encode() not in content
    if stop > 1:
        assert b"door code" in content  # a label is no secret


def test_only_its_owner_can_read_it_and_nothing_else_is_left(player, tmp_path):
    path = tmp_path / "c"
    path.write_text("older")
    path.chmod(0o644)
    player.cache.save(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_its_size_is_that_of_what_is_held(model, tokenizer, tmp_path):
    sizes = []
    for times in (10, 40):
        ids, _ = encode(tokenizer, "The door code is 7301. " + FILLER * times)
        cache = cache_of(model, tokenizer, budget=64)
        ta.prefill(model, ids, cache, chunk=512, keep_last=False)
        cache.save(tmp_path / "c")
        sizes.append((tmp_path / "c").stat().st_size)
        held = cache.stored_bytes()
        full = held * ids.shape[1] / 64
        assert held < sizes[-1] < held + 12_000 and sizes[-1] < full / 5
    assert abs(sizes[1] - sizes[0]) < 200


# files that earlier versions wrote: tests/engines/former, named by the day before which the code
# that wrote them was changed


FORMER = Path(__file__).with_name("former")
SAID = "The door code is 7301, and the plants were watered. What is it?"


def even_model(tokenizer):
    """A small model whose weights are the same in every version of torch and transformers."""
    shape = dict(hidden_size=16, intermediate_size=16, num_attention_heads=2, num_key_value_heads=1)
    model = tiny_llama(layers=1, vocab_size=len(tokenizer), **shape)
    for weight in model.parameters():
        weight.data = (torch.arange(weight.numel()) % 7 / 8 - 0.375).reshape(weight.shape)
    return model


@pytest.mark.parametrize("with_text", [True, False])
@pytest.mark.parametrize(
    ("name", "storage"),
    [
        ("2026-11-28", None),  # without ``stated``, ``open``, ``secrets``, ``prompts``, ``memory``
        ("2026-11-30", "int8"),  # with what waited one by one, if only as none of it
    ],
)
def test_a_file_of_an_earlier_version_goes_on_as_a_new_one(tokenizer, name, storage, with_text):
    model, (ids, mask) = even_model(tokenizer), encode(tokenizer, SAID)
    caches = [cache_of(model, tokenizer, budget=24, storage=storage)]
    with torch.no_grad():
        model(ids, attention_mask=mask, past_key_values=caches[0])
    given = dict(input_ids=ids, attention_mask=mask) if with_text else {}
    with pytest.warns(UserWarning, match=r"saved by release 0\.1\.0\.dev0"):
        caches.append(ta.load_cache(FORMER / f"{name}.safetensors", model, tokenizer, **given))
    table, other = (cache.flow.table for cache in caches)
    for array in ("positions", "held", "quantised"):
        assert (getattr(table, array) == getattr(other, array)).all(), array
    assert table.held.any() and table.quantised.any() == bool(storage)
    sequences = [cache.flow.sequences[0] for cache in caches]
    stated = [{*sequence.scan.stated, *sequence.scan.open} for sequence in sequences]
    assert stated[0] == stated[1] or not with_text
    more, wide = encode(tokenizer, " The door code is 9912 now.")
    for cache in caches:
        players = Player(model, cache, 1)
        players.ids, players.mask = ids, mask
        players.feed(more, wide, ids.shape[1] + more.shape[1])
    values = [[span.value for span in sequence.registry.spans] for sequence in sequences]
    assert values[0] == values[1] and len(values[0]) == 2


def test_a_file_with_values_that_waited_one_by_one_is_refused_by_name(tokenizer):
    words = r"waited one by one, which a memory has replaced.*read the conversation again"
    with pytest.raises(ta.InputError, match=words):
        ta.load_cache(FORMER / "2026-11-30-recall.safetensors", even_model(tokenizer), tokenizer)


# what is refused


def outcome(path):
    """The record of a file, or the error that it meets."""
    try:
        return cache_file.read(path)[1]
    except ta.InputError as error:
        return str(error)


def test_no_byte_can_change_unnoticed(saved, tmp_path):
    content, path = saved.read_bytes(), tmp_path / "c"
    whole, size = outcome(saved), len(content)
    generator = np.random.default_rng(0)
    header = 8 + int.from_bytes(content[:8], "little")
    inside, after = generator.integers(8, header, 60), generator.integers(header, size, 60)
    for place in (*range(8), *inside, *after):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(generator.integers(8))
        path.write_bytes(damaged)
        reading = outcome(path)
        if content[place] == ord(" ") and reading == whole:
            continue  # white space after the header means nothing
        assert isinstance(reading, str) and str(path) in reading and "\n" not in reading


def test_a_file_that_is_cut_off_is_refused(model, tokenizer, saved, tmp_path):
    content, path = saved.read_bytes(), tmp_path / "c"
    for size in (0, 1, 7, 8, 9, 1000, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(ta.InputError, match="no saved cache"):
            ta.load_cache(path, model, tokenizer)
    path.write_bytes(content + b"\0")
    with pytest.raises(ta.InputError, match="no saved cache"):
        ta.load_cache(path, model, tokenizer)


class Trap:
    def __reduce__(self):
        return os.mkdir, ("trapped",)


def test_other_files_are_refused_and_never_unpickled(model, tokenizer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other, text, pickled, torched = (tmp_path / name for name in "abcd")
    save_file({"keys": torch.zeros(2)}, other)
    text.write_text("once upon a time")
    pickled.write_bytes(pickle.dumps(Trap()))
    torch.save({"keys": Trap()}, torched)
    for path in (other, text, pickled, torched):
        with pytest.raises(ta.InputError, match="no saved cache"):
            ta.load_cache(path, model, tokenizer)
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(ta.InputError, match="there is no saved cache"):
            ta.load_cache(path, model, tokenizer)
    assert not (tmp_path / "trapped").exists()


def test_another_format_is_refused_and_another_release_is_named(
    model, tokenizer, saved, tmp_path, monkeypatch
):
    with pytest.warns(UserWarning, match=r"saved by release 0\.0\.9"):
        ta.load_cache(rewritten(saved, tmp_path / "c", package="0.0.9"), model, tokenizer)
    tensors, record = cache_file.read(saved)
    with monkeypatch.context() as patch:
        patch.setattr(cache_file, "VERSION", 2)
        cache_file.write(tmp_path / "newer", tensors, record)
    with pytest.raises(ta.InputError, match="version 2 of the format, this release reads 1"):
        ta.load_cache(tmp_path / "newer", model, tokenizer)


AS_GOOD = (("observe", "{}"), ("ledger", "{}"))  # as what was there
SENSELESS = [
    (part, instead)
    for part in ("flow", "layers", "retention", "observe", "columns", "ledger", "rows")
    for instead in ("null", "[]", "{}", '{"rows": [{}]}')
    if (part, instead) not in AS_GOOD
]


@pytest.mark.parametrize(("part", "instead"), SENSELESS)
def test_a_record_that_makes_no_sense_is_refused(
    model, tokenizer, player, saved, tmp_path, part, instead
):
    path = rewritten(saved, tmp_path / "c", **{part: json.loads(instead)})
    with pytest.raises(ta.InputError, match="damaged"):
        ta.load_cache(path, model, tokenizer, **player.given())


def test_another_model_or_tokenizer_is_refused(model, tokenizer, saved):
    size = len(tokenizer)
    cases = {
        "dtype": tiny_llama(vocab_size=size).to(torch.bfloat16),
        "num_hidden_layers": tiny_llama(layers=2, vocab_size=size),
        "num_key_value_heads": tiny_llama(vocab_size=size, num_key_value_heads=4),
        "rope": tiny_llama(vocab_size=size, rope_theta=5000.0),
        "other weights": tiny_llama(vocab_size=size, factor=2.0),
    }
    for name, other in cases.items():
        with pytest.raises(ta.CacheStateError, match=name):
            ta.load_cache(saved, other, tokenizer)
    with pytest.raises(ta.InputError, match="give load_cache\\(\\) the tokenizer"):
        ta.load_cache(saved, model)
    bigger = byte_tokenizer()
    bigger.add_tokens(["door"])
    with pytest.raises(ta.InputError, match="another tokenizer"):
        ta.load_cache(saved, model, bigger)


def test_ids_that_the_cache_has_not_seen_are_refused(model, tokenizer, player, saved):
    ids, mask = player.ids, player.mask
    other = ids.clone()
    other[1, -9] += 1
    for given, how, what in (
        (other, mask, "are not those"),
        (ids, None, "are not those"),  # padding counts as tokens
        (ids[:, :-1], mask, "must be"),
        (ids[0], mask, "must be"),
        (ids, mask[:2], "does not fit"),
        (ids[:2], mask[:2], "2 rows"),
    ):
        with pytest.raises(ta.InputError, match=what) as caught:
            ta.load_cache(saved, model, tokenizer, input_ids=given, attention_mask=how)
        assert not any(value in str(caught.value) for value in VALUES)
    wider = torch.cat([ids, ids[:, :3]], 1)
    ta.load_cache(saved, model, tokenizer, input_ids=wider, attention_mask=mask)


# what goes wrong while saving


def test_a_full_disk_or_an_interrupt_leaves_the_older_file(player, saved, tmp_path, monkeypatch):
    path, older = tmp_path / "c", saved.read_bytes()
    path.write_bytes(older)

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def interrupted(source, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ta.InputError, match="No space left on device; what was there"):
            player.cache.save(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            player.cache.save(path)
    assert path.read_bytes() == older and list(tmp_path.iterdir()) == [path]
    for missing in (tmp_path / "no" / "c", path / "c", tmp_path):
        with pytest.raises(ta.InputError, match="cannot save to"):
            player.cache.save(missing)
    assert list(tmp_path.iterdir()) == [path]


def test_a_cache_that_cannot_go_on_is_not_saved(tokenizer, tmp_path):
    model = tiny_llama(vocab_size=len(tokenizer))
    cache = cache_of(model, tokenizer, budget=24)
    with pytest.raises(ta.CacheStateError, match="has not seen a token"):
        cache.save(tmp_path / "c")
    model.model.layers[1].self_attn.k_proj.weight.data[:] = torch.nan
    with pytest.raises(ta.NumericsError):
        play(Player(model, cache), steps(tokenizer, chunk=None)[:1])
    with pytest.raises(ta.CacheStateError, match="cannot go on"):
        cache.save(tmp_path / "c")
    assert not any(tmp_path.iterdir())


# what is compared of a model: what it does, not how its configuration words it


OLDER = {
    "llama": dict(rope_theta=10_000.0, rope_scaling=None),
    "phi": dict(rope_theta=10_000.0, rope_scaling=None, partial_rotary_factor=0.5),
    "gemma3": dict(rope_theta=1e6, rope_local_base_freq=10_000.0, rope_scaling=None),
    "yarn": dict(rope_theta=10_000.0, rope_scaling={"rope_type": "yarn", "factor": 4.0}),
}  # how transformers 4.57 words the rotation of tiny models


@pytest.mark.parametrize("name", OLDER)
def test_a_model_is_the_same_however_its_configuration_words_the_rotation(name):
    scaling = {"rope_type": "yarn", "factor": 4.0}
    model = build("llama", rope_scaling=scaling) if name == "yarn" else build(name)
    decoder = find_decoder(model)
    facts, config = model_facts(decoder), decoder.config
    plain = {field: getattr(config, field, None) for field in (*FACTS, "max_position_embeddings")}
    if name != "gemma3":
        plain |= {"head_dim": None, "layer_types": None}
    decoder.config = SimpleNamespace(**plain, **OLDER[name])
    check_same(facts, model_facts(decoder), "file")


@pytest.mark.parametrize(("change", "same"), [(1 + 1e-6, True), (1 + 1e-4, False)])
def test_frequencies_are_compared_to_their_last_digits(model, change, same):
    facts, other = (model_facts(find_decoder(model)) for _ in range(2))
    other["rope"]["full"]["frequencies"][0][-1] *= change
    if same:
        check_same(facts, other, "file")
        return
    with pytest.raises(ta.CacheStateError, match="other frequencies"):
        check_same(facts, other, "file")
