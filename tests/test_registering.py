"""Methods and detectors of other packages: registered, used, saved, and named where they lack."""

import sys
import tomllib
from pathlib import Path

import pytest

import transactional_attention as ta
from scenes import TEXTS, encode, lanes
from transactional_attention import laboratory
from transactional_attention.detection.catalogue import build_detectors
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.methods import registry
from transactional_attention.methods.registry import get_method

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.usefixtures("registered")

STRIDED = """
import transactional_attention as ta

class Strided(ta.Scorer):
    def score(self, view):
        return view.positions + view.length * (view.positions % 8 == 0)

def scorer(retention):
    return Strided()

ta.register_method(ta.Method("strided", "every 8th token", "a file", scorer, sinks=0, recent=4))
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A user's file, importable."""
    (tmp_path / "my_strided.py").write_text(STRIDED)
    monkeypatch.syspath_prepend(tmp_path)
    yield "my_strided"
    sys.modules.pop("my_strided", None)


def forget(*names):
    """As if nothing had registered these methods."""
    for known in (registry.METHODS, registry.TWINS, registry.ALL_METHODS, registry._REGISTERED):
        for name in names:
            known.pop(name, None)
            known.pop(f"ta+{name}", None)


def cut_with(model, tokenizer, method):
    cache = RetentionCache(model, tokenizer, ta.Retention(budget=16, method=method))
    ids, _ = encode(tokenizer, TEXTS[0])
    model.generate(ids, past_key_values=cache, max_new_tokens=2, do_sample=False)
    return cache


def test_a_registered_method_decides_what_is_kept(model, tokenizer, package):
    __import__(package)
    kept = lanes(cut_with(model, tokenizer, "strided"))[0]
    length = len(TEXTS[0])
    strides = [p for p in kept if p % 8 == 0 and p < length - 4]
    assert strides and len(kept) == 16
    assert [p for p in kept if p % 8 and p < length - 4 - 8] == []


def test_its_twin_keeps_values_on_top(model, tokenizer, package):
    __import__(package)
    kept = {m: cut_with(model, tokenizer, m).report().kept for m in ("strided", "ta+strided")}
    reasons = {method: {item.reason for item in items} for method, items in kept.items()}
    assert "sponsored" in reasons["ta+strided"] and "sponsored" not in reasons["strided"]


def test_a_saved_cache_names_the_module_of_its_method(model, tokenizer, package, tmp_path):
    __import__(package)
    path = tmp_path / "cache.safetensors"
    for method in ("strided", "ta+strided"):
        cache = cut_with(model, tokenizer, method)
        cache.save(path)
        assert lanes(ta.load_cache(path, model, tokenizer)) == lanes(cache)
    forget("strided")
    with pytest.raises(ta.InputError, match=r"'ta\+strided' is not registered.*my_strided"):
        ta.load_cache(path, model, tokenizer)


def test_methods_of_the_laboratory_are_those_that_it_says_it_brings():
    about = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text())
    points = about["project"]["entry-points"]["transactional_attention.methods"]
    brought = {name for name, module in points.items() if module == "ta_lab.baselines"}
    registered = [n for n in registry.METHODS if registry.registered_by(n) == "ta_lab.baselines"]
    assert brought == set(registered) == laboratory.BASELINES
    names = about["project"]["entry-points"]["transactional_attention.names"]
    assert names.keys() == laboratory.NAMES


def test_without_the_laboratory_its_methods_say_how_to_get_it(monkeypatch, model, tokenizer):
    forget("snapkv", "h2o")
    monkeypatch.setattr(registry, "brought", lambda kind: {})
    for name in ("snapkv", "ta+h2o", "boundary-10+h2o"):
        with pytest.raises(ta.UnknownNameError, match=r"laboratory: pip install \. \./lab"):
            RetentionCache(model, tokenizer, ta.Retention(16, name))
    with pytest.raises(ta.UnknownNameError, match="did you mean"):
        get_method("ta-fast-regexp")


def test_without_the_laboratory_its_saved_caches_name_it(model, tokenizer, tmp_path, monkeypatch):
    cut_with(model, tokenizer, "snapkv").save(tmp_path / "cache")
    forget("snapkv")
    monkeypatch.setattr(registry, "brought", lambda kind: {})
    with pytest.raises(ta.InputError, match=r"'snapkv' is not registered.*ta_lab\.baselines"):
        ta.load_cache(tmp_path / "cache", model, tokenizer)


def test_names_of_the_laboratory_say_how_to_get_it(monkeypatch):
    monkeypatch.setattr(laboratory, "brought", lambda kind: {})
    monkeypatch.delitem(vars(ta), "end_turn", raising=False)
    with pytest.raises(
        ta.UnsupportedError, match="end_turn belongs to the laboratory: pip install"
    ):
        ta.end_turn  # noqa: B018


def test_an_installed_package_is_imported_when_its_method_is_named(package, tmp_path, monkeypatch):
    about = tmp_path / "my_strided-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-strided\nVersion: 1.0\n")
    points = "[transactional_attention.methods]\nstrided = my_strided\n"
    (about / "entry_points.txt").write_text(points)
    registry.brought.cache_clear()
    try:
        assert get_method("ta+strided").twin and get_method("strided").recent == 4
    finally:
        monkeypatch.undo()
        registry.brought.cache_clear()


@pytest.mark.parametrize("name", ["ta", "streaming-llm", "ta+mine", "boundary-10+mine", ""])
def test_names_that_are_taken_are_refused(name):
    with pytest.raises(ta.InputError, match="choose a name of its own"):
        ta.register_method(ta.Method(name, "", "", get_method("h2o").scorer))


def test_only_the_detectors_that_it_names_find_values_for_a_registered_method(tokenizer):
    class Tickets:
        name = "tickets"

        def find(self, text):
            value = ta.Span(start := text.index("TCK"), start + len("TCK-88412"))
            return [ta.Anchor(ta.Span(start, start), value, 0.9, "ticket", True)]

    given = get_method("streaming-llm").scorer
    text = "About TCK-88412, from 10.20.30.40 with ghp_16C7e42F292c6912E7710c838347Ae178B4a. "
    for more in ((), ("shapes",)):
        found_by = Tickets(), *more
        ta.register_method(ta.Method("tickets", "", "", given, found_by, finds_values=True))
        plan = ta.plan(text, tokenizer, ta.Retention(32, "tickets"))
        rules = {value.rule for value in plan.values}
        assert "ticket" in rules and (rules != {"ticket"}) == bool(more)


def test_registering_again_replaces():
    for recent in (3, 5):
        ta.register_method(ta.Method("mine", "", "", get_method("h2o").scorer, recent=recent))
        assert get_method("mine").recent == get_method("ta+mine").recent == recent


def test_a_registered_detector_is_built_by_name():
    class Nothing:
        name = "nothing"

        def find(self, text):
            return []

    ta.register_detector("nothing", Nothing)
    (built,) = build_detectors(["nothing"])
    assert isinstance(built, Nothing)
    with pytest.raises(ta.InputError, match="choose a name of its own"):
        ta.register_detector("values", Nothing)
