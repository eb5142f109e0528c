"""Several sequences, saved ones, cut ones; what is refused, by name."""

import itertools
from functools import partial

import hypothesis
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import transactional_attention as ta
from damage import damaged
from gguf_files import write_gguf
from llama_cpp_chats import check_resting
from transactional_attention.engines import cache_file
from transactional_attention.engines.llama_cpp import (
    Context,
    GgufModel,
    LlamaCache,
    check_served,
    decode,
    load_cache,
    num_cells,
)
from transactional_attention.engines.llama_cpp.saving import pooled
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.transformers import tensor_file
from transactional_attention.gguf import bindings
from transactional_attention.methods.registry import ALL_METHODS
from transactional_attention.text.token_stream import TokenStream

FILLER = "We walked along the river until it got dark. " * 12
TEXTS = (
    f"Notes. The door code is 730184.\n{FILLER}",
    f"{FILLER}The api_key: QX7K9-ZP41.\n{FILLER}",
    f"It rained.\n{FILLER}\nThe tracking number is ZK48-QX7.\n",
)
SAME = 1e-5  # the same cells, elsewhere in the memory, are added up in another order


def context(gguf, cells=256, **options):
    return Context(gguf, cells, **{"chunk": 128, "cell_type": "f32", "threads": 1, **options})


def reader(gguf, tokenizer, text, place=None, **options):
    cache = LlamaCache(place or context(gguf), tokenizer, ta.Retention(**{"budget": 64, **options}))
    return cache, cache.read(tokenizer(text).input_ids)


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_sequences_of_a_context_do_not_see_each_other(gguf, tokenizer, positions):
    together = context(gguf, sequences=3)
    alone, beside = ([], [])
    for text in TEXTS:
        alone.append(reader(gguf, tokenizer, text, positions=positions))
        beside.append(reader(gguf, tokenizer, text, together, positions=positions))
    for token in (50, 60, 70):
        expected = [cache.step(token) for cache, _ in alone]
        logits = decode([cache for cache, _ in beside], [token] * 3)
        np.testing.assert_allclose(logits, expected, atol=SAME, rtol=0)
    with pytest.raises(ta.InputError, match="in use"):
        LlamaCache(together, tokenizer, 64)
    beside[1][0].close()
    again = LlamaCache(together, tokenizer, 64)
    np.testing.assert_allclose(
        again.read(tokenizer(TEXTS[0]).input_ids),
        reader(gguf, tokenizer, TEXTS[0])[1], atol=SAME, rtol=0,
    )  # fmt: skip
    with pytest.raises(ta.InputError, match="one context"):
        decode([again, alone[0][0]], [1, 1])


@pytest.mark.parametrize("cell_type", ["f32", "f16"])
@pytest.mark.parametrize("steps", [0, 5])
@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_saved_sequence_goes_on(gguf, tokenizer, tmp_path, positions, steps, cell_type):
    path, place = tmp_path / "s", context(gguf, cell_type=cell_type)
    cache, _ = reader(gguf, tokenizer, TEXTS[1], place, positions=positions)
    tokens = list(range(40, 40 + steps))
    for token in tokens:
        cache.step(token)
    cache.save(path)
    assert path.stat().st_mode & 0o777 == 0o600 and b"QX7K9" not in path.read_bytes()
    ids = [*tokenizer(TEXTS[1]).input_ids, *tokens]
    question = tokenizer("What is the api_key?").input_ids
    with_ids = load_cache(path, context(gguf, cell_type=cell_type), tokenizer, input_ids=ids)
    without = load_cache(path, context(gguf, cell_type=cell_type), tokenizer)
    for token in (33, 34):
        expected = cache.step(token)
        for other in (with_ids, without):
            np.testing.assert_array_equal(other.step(token), expected)
    np.testing.assert_array_equal(with_ids.read(question), cache.read(question))
    for token in (35, 36):
        np.testing.assert_array_equal(with_ids.step(token), cache.step(token))
    assert with_ids.positions.tolist() == cache.positions.tolist()
    assert str(with_ids.report()) == str(cache.report()) and "sponsored" in str(cache.report())


@pytest.mark.parametrize("ledger", ["strict", "on-top"])
@pytest.mark.parametrize("positions", ["original", "compact"])
def test_one_that_rests_between_its_turns_goes_on_as_one_that_never_does(
    gguf, tokenizer, positions, ledger
):
    begun = partial(reader, gguf, tokenizer, TEXTS[1], positions=positions, ledger=ledger)
    check_resting(begun, partial(context, gguf), tokenizer)


@pytest.fixture(scope="module")
def damageable(gguf, tokenizer, tmp_path_factory):
    """A saved sequence and a saved session of a server: what opens each again, and its file."""
    folder = tmp_path_factory.mktemp("damaged")
    cache, _ = reader(gguf, tokenizer, TEXTS[1])
    cache.step(40)
    cache.save(folder / "sequence")
    engine = LlamaEngine("tiny", gguf, tokenizer, ta.Retention(64), parallel=1, cell_type="f32")
    session = engine.session(ta.Retention(64))
    session.cache = cache
    session.files.save(
        folder, [pooled(cache.snapshot(), cache.context)], session.ids, {"engine": "llama.cpp"}
    )
    (saved,) = folder.glob("*.session")
    return {
        "sequence": (lambda path: load_cache(path, context(gguf), tokenizer), folder / "sequence"),
        "session": (lambda path: resumed(engine.load(path)), saved),
    }


def resumed(session):
    return LlamaCache.resumed(context(session.engine.model), session.rest)


@pytest.mark.parametrize("kind", ["sequence", "session"])
@settings(max_examples=80)
@hypothesis.given(data=st.data())
def test_any_change_of_a_saved_file_is_an_error_or_a_sequence_that_works(
    damageable, tokenizer, kind, data
):
    opened, path = damageable[kind]
    changed = path.with_name("changed")
    tensor_file.write(changed, *data.draw(damaged(*tensor_file.read(path))))
    try:
        cache = opened(changed)
        cache.step(33)
        cache.read(tokenizer("What is it?").input_ids)
    except ta.RetentionError as error:
        line = str(error)
    else:
        line = str(cache.report())[:9]
    assert "\n" not in line


def test_a_saved_sequence_is_of_one_model_file_type_and_engine(gguf, tokenizer, tmp_path, model):
    path = tmp_path / "s"
    reader(gguf, tokenizer, TEXTS[0])[0].save(path)
    with pytest.raises(ta.CacheStateError, match="cell_type"):
        load_cache(path, context(gguf, cell_type="f16"), tokenizer)
    write_gguf(tmp_path / "other.gguf", general__name="another")
    with pytest.raises(ta.CacheStateError, match="sha256"):
        load_cache(path, context(GgufModel(str(tmp_path / "other.gguf"))), tokenizer)
    tensors, record = cache_file.read(path)
    record["model"]["build"] = "2026.9.1"
    cache_file.write(tmp_path / "older", tensors, record)
    with pytest.raises(ta.CacheStateError, match=r"another build \(2026\.9\.1\)"):
        load_cache(tmp_path / "older", context(gguf), tokenizer)
    with pytest.raises(ta.InputError, match=r"llama\.cpp"):
        ta.load_cache(path, model, tokenizer)
    with pytest.raises(ta.InputError, match="not those"):
        load_cache(path, context(gguf), tokenizer, input_ids=[1, 2, 3])
    theirs = ta.RetentionCache(model, tokenizer, 64)
    model(tokenizer(TEXTS[0], return_tensors="pt").input_ids, past_key_values=theirs)
    theirs.save(path)
    with pytest.raises(ta.InputError, match=r"llama\.cpp: give --engine transformers"):
        load_cache(path, context(gguf), tokenizer)
    damaged = bytearray(path.read_bytes())
    damaged[-9] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ta.InputError, match="damaged"):
        load_cache(path, context(gguf), tokenizer)


@pytest.mark.parametrize("options", [{}, {"positions": "compact"}, {"budget": 24}])
def test_a_whole_sequence_is_cut_as_one_that_was_read_at_once(gguf, tokenizer, options):
    compact = "positions" in options
    shared = context(gguf, 1536, sequences=2, shared=not compact)
    whole, _ = reader(gguf, tokenizer, TEXTS[1], shared, method="full", budget=None)
    kept = whole.positions.tolist()
    retention = ta.Retention(**{"budget": 64, **options})
    apart = LlamaCache(context(gguf, 1280, chunk=1280), tokenizer, retention)
    apart.read(tokenizer(TEXTS[1]).input_ids)
    for _ in range(2):  # the first gives its sequence back
        cut = whole.cut(retention)
        assert cut.positions.tolist() == apart.positions.tolist()
        question, held = tokenizer("What is it?").input_ids, cut.snapshot()
        logits = cut.read(question)
        cut.close()
        other = LlamaCache.resumed(context(gguf, 1536, sequences=2, shared=not compact), held)
        np.testing.assert_allclose(other.read(question), logits, atol=SAME, rtol=0)
    np.testing.assert_allclose(logits, apart.read(question), atol=1e-3, rtol=0)
    assert whole.positions.tolist() == kept
    with pytest.raises(ta.InputError, match="without a budget"):
        apart.cut(retention)
    if not compact:
        with pytest.raises(ta.InputError, match="one position for both"):
            whole.cut(ta.Retention(64, positions="compact"))


def test_a_stream_is_read_as_its_text(gguf, tokenizer):
    ids = tokenizer(TEXTS[1]).input_ids
    stream = TokenStream(tokenizer, (TEXTS[1][i : i + 7] for i in range(0, len(TEXTS[1]), 7)))
    streamed = LlamaCache(context(gguf), tokenizer, 64)
    logits = streamed.read(stream)
    whole, expected = reader(gguf, tokenizer, TEXTS[1])
    np.testing.assert_array_equal(logits, expected)
    assert streamed.positions.tolist() == whole.positions.tolist()
    assert streamed.num_tokens == len(ids) and not stream.rest


REFUSED = [name for name, method in ALL_METHODS.items() if method.runs_model or method.reads_model]


@pytest.mark.parametrize("name", REFUSED)
def test_methods_that_read_more_than_text_are_refused_by_name(name):
    with pytest.raises(ta.UnsupportedError, match=f"'{name.replace('+', '.')}'.*transformers"):
        check_served(ta.Retention(64, name))


@pytest.mark.parametrize("name", sorted(set(ALL_METHODS) - set(REFUSED)))
def test_all_others_are_served(gguf, tokenizer, name):
    budget = None if ALL_METHODS[name].unlimited else 64
    cache, _ = reader(gguf, tokenizer, TEXTS[0], context(gguf, 1024), budget=budget, method=name)
    cache.step(40)
    assert cache.most_between <= (64 if budget else 2000)


def test_budgets_of_layers_and_lower_precision_are_refused():
    for options in (dict(budget=(32, 64)), dict(storage="int8")):
        with pytest.raises(ta.UnsupportedError, match="cell"):
            check_served(ta.Retention(**options))
    check_served(ta.Retention(recall=True))


def test_a_budget_for_each_layer_that_is_the_same_for_all_is_one(gguf):
    each, one = (num_cells(gguf, ta.Retention(k), 1000, 128, 10) for k in ((64, 64), 64))
    assert each == one


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (dict(architecture="gemma2"), "cannot load"),
        (dict(architecture="nonsense"), "'nonsense'.*does not know it: use --engine transformers"),
    ],
)
def test_a_file_that_llama_cpp_does_not_run_is_refused_with_its_words(tmp_path, fields, said):
    write_gguf(tmp_path / "m.gguf", **fields)
    with pytest.raises(ta.InputError, match=said):
        GgufModel(str(tmp_path / "m.gguf"))


def test_bad_input_names_itself(gguf, tokenizer, tmp_path):
    (tmp_path / "no.gguf").write_bytes(b"nothing")
    for given, message in (("embedded", "is none"), (str(tmp_path / "no.gguf"), "no GGUF")):
        with pytest.raises(ta.InputError, match=message):
            GgufModel(given)
    cache = LlamaCache(context(gguf), tokenizer, 64)
    for ids, message in (([], "empty"), ([5, 999], "vocabulary of 260"), ([-1], "vocabulary")):
        with pytest.raises(ta.InputError, match=message):
            cache.read(ids)
    with pytest.raises(ta.InputError, match="chunk"):
        cache.read([5], chunk=0)
    with pytest.raises(ta.InputError, match="cell_type"):
        context(gguf, cell_type="f8")
    for wrong in ({"cells": 0}, {"threads": 0}):
        with pytest.raises(ta.InputError, match="at least 1"):
            context(gguf, **wrong)
    cache.read([5, 6])  # nothing of all that harmed it
    full = LlamaCache(context(gguf), tokenizer, ta.Retention(None, "full"))
    with pytest.raises(ta.CacheStateError, match="256 cells"):
        full.read([5] * 300)


def test_another_build_is_refused_by_its_version(monkeypatch):
    with pytest.raises(ta.UnsupportedError, match=r"2026\.9\.1 .*==2026\.10\.11549"):
        bindings.check_build("2026.9.1")
    moved = bindings.DEFAULTS | {"context": bindings.DEFAULTS["context"] | {"n_samplers": 7}}
    monkeypatch.setattr(bindings, "DEFAULTS", moved)
    library = bindings.library()
    with pytest.raises(ta.UnsupportedError, match="n_samplers"):
        bindings._check_layout(library.ffi, library.calls)


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_an_answer_ends_where_no_token_can_give_way_to_the_next(gguf, tokenizer, positions):
    protected = (ta.ProtectedRange(ta.Span(1, 15)),)
    retention = ta.Retention(16, protected=protected, positions=positions)
    engine = LlamaEngine("tiny", gguf, tokenizer, retention, parallel=1, cell_type="f32")
    ids = np.array(tokenizer(TEXTS[1])["input_ids"], np.int64)
    steps = engine.session(retention).steps(Prompt(ids, [], len(ids) - 1), Sampling())
    said = list(itertools.islice((token for token in steps if token is not None), 8))
    assert len(said) == (8 if positions == "compact" else 1)
