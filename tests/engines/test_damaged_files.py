"""Whatever a saved file holds, with a checksum that fits: a clear error, or a cache that works."""

import json
import warnings

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import transactional_attention as ta
from damage import damaged, places, replaced, write_text
from saved_caches import Player, cache_of, play, steps
from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.config import Memory
from transactional_attention.engines.transformers import tensor_file
from transactional_attention.engines.transformers.saving import SavedCache
from transactional_attention.errors import DamagedError
from transactional_attention.retention.saving.flow import SavedFlow
from transactional_attention.retention.saving.records import read

SETTINGS = {
    "columns": dict(method="ta+h2o"),
    "low": dict(method="ta", storage="int8"),
    "compact": dict(method="expected-attention", positions="compact"),
    "heads": dict(method="ta+ada-kv"),
    "memory": dict(method="ta", budget=64, memory=Memory(share=0.5)),
}


class Saved:
    """A conversation of a setting in a file, its tensors and its record."""

    def __init__(self, folder, options):
        self.tokenizer = byte_tokenizer()
        self.model = tiny_llama(vocab_size=len(self.tokenizer))
        self.budget = options.get("budget", 24)
        cache = cache_of(self.model, self.tokenizer, **{"budget": 24, **options})
        chunk = None if "heads" in options else 40
        self.player = play(Player(self.model, cache), steps(self.tokenizer, chunk=chunk)[:-1])
        self.path = folder / "c"
        cache.save(self.path)
        self.tensors, self.record = tensor_file.read(self.path)

    def opened(self, **given):
        """The cache of the file as it is now, after another forward and a report."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of another release
            cache = ta.load_cache(self.path, self.model, self.tokenizer, **given)
        player = self.player.gone_on(cache)
        player.feed(torch.full((3, 2), 7), torch.ones((3, 2), dtype=torch.long))
        player.say()
        return str(cache.report(0))

    def outcome(self, **given):
        """What it says, or the one line that says why not."""
        try:
            return self.opened(**given)
        except ta.RetentionError as error:
            line = str(error)
        assert "\n" not in line
        return line


@pytest.fixture(scope="module", params=SETTINGS)
def saved(request, tmp_path_factory):
    return Saved(tmp_path_factory.mktemp("saved"), SETTINGS[request.param])


@settings(max_examples=40)
@given(data=st.data())
def test_any_change_is_an_error_or_a_cache_that_works(saved, data):
    tensor_file.write(saved.path, *data.draw(damaged(saved.tensors, saved.record)))
    saved.outcome(**(saved.player.given() if data.draw(st.booleans()) else {}))


@pytest.mark.parametrize("text", ["null", "7", "[]", "no JSON", "[" * 100_000, '{"a":' * 100_000])
def test_a_record_that_is_none_is_named(saved, text):
    write_text(saved.path, saved.tensors, text)
    with pytest.raises(DamagedError, match="its record is none"):
        ta.load_cache(saved.path, saved.model, saved.tokenizer)


def test_every_field_of_every_record_is_compared_with_its_type(saved):
    """In turn each becomes what no field may be; it is the place that is named, not the value."""
    retention = {
        name: field for name, field in saved.record["retention"].items() if name != "module"
    }
    for record, kind in (
        (saved.record, SavedCache),
        (saved.record["flow"], SavedFlow),
        (retention, ta.Retention),
    ):
        read(kind, record)
        for place in places(record):
            if kind is SavedCache and place[0] in ("model", "tokenizer", "retention", "flow"):
                continue  # compared with the model's, or a record of its own
            with pytest.raises(ValueError, match=str(place[0])) as caught:
                read(kind, replaced(record, place, {"none": "ZX81"}))
            assert "ZX81" not in str(caught.value)


def test_the_file_itself_still_opens(saved):
    tensor_file.write(saved.path, saved.tensors, json.loads(json.dumps(saved.record)))
    for known in (saved.player.given(), {}):
        assert f"{saved.budget} of" in saved.opened(**known)
