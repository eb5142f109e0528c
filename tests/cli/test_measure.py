"""``ta train evaluate``, ``perplexity`` and ``dormancy``: the smallest real run of each."""

import json
import shutil

import pytest

from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention.models import load_tokenizer
from transactional_attention.models.embedded import folder

SMALL = ("train", "evaluate", "--rows", "similar", "--tokens", 256, "--trials", 1)


def test_a_record_holds_cells_with_provenance_and_no_value(ta, tmp_path):
    path = tmp_path / "c.json"
    done = ta(*SMALL, "--json", path)
    assert done.status == 0
    record = json.loads(path.read_text())
    (row,) = record["rows"]
    names = {"task", "variant", "tokens", "filler", "trials", "correct", "accuracy", "ci95"}
    assert names | {"method", "budget", "ledger"} <= set(row)
    assert {"commit", "seed", "arguments"} <= set(record["provenance"])
    assert len(record["weights_sha256"]) == 64
    (case,) = make("similar", load_tokenizer("embedded"), Setting(256, 0.1))
    assert case.answer not in path.read_text() + done.out + done.err


def test_a_record_resumes_and_refuses_other_settings(ta, tmp_path):
    path = tmp_path / "c.json"
    ta(*SMALL, "--json", path)
    record = json.loads(path.read_text())
    record["rows"][0]["correct"] = -1  # a mark: a cell that is run again loses it
    path.write_text(json.dumps(record))
    arguments = ("train", "evaluate", "--rows", "similar,corrections", "--tokens", 256)
    assert ta(*arguments, "--trials", 1, "--json", path).status == 0
    rows = json.loads(path.read_text())["rows"]
    assert [row["task"] for row in rows] == ["similar", "corrections"]
    assert rows[0]["correct"] == -1
    for changed in (("--seed", 1), ("--trials", 3)):
        refused = ta(*SMALL, *changed, "--json", path)
        assert refused.status == 2
        assert "c.json was made with another" in refused.err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"provenance": {}}'])
def test_a_file_that_is_no_record_is_not_overwritten(ta, tmp_path, content):
    path = tmp_path / "c.json"
    path.write_text(content)
    done = ta(*SMALL, "--json", path)
    assert done.status == 2 and "no record" in done.err
    assert path.read_text() == content


def test_ceilings_are_stated_in_a_card_and_checked(ta, tmp_path):
    model = tmp_path / "model"
    shutil.copytree(folder(), model)
    needle = ("train", "evaluate", "--rows", "needle", "--tokens", 256, "--trials", 1)
    stated = ta(*needle, "--model", model, "--card", model / "card.json")
    assert stated.status == 0
    card = json.loads((model / "card.json").read_text())
    assert card["sha256"] == json.loads((folder() / "card.json").read_text())["sha256"]
    assert ta(*needle, "--model", model, "--check").status == 0
    (lost,) = (row for row in card["ceilings"]["rows"] if row["method"] == "streaming-llm")
    lost |= {"trials": 100, "correct": 100}  # a window cannot answer what it has evicted
    (model / "card.json").write_text(json.dumps(card))
    short = ta(*needle, "--model", model, "--check")
    assert short.status == 1
    assert "below 90%" in short.err


def test_perplexity_and_dormancy_write_rows(ta, tmp_path):
    (tmp_path / "t.txt").write_text(" A man @-@ made lake , near a town . \n" * 20)
    out = tmp_path / "p.json"
    done = ta("train", "perplexity", tmp_path / "t.txt", tmp_path / "t.txt", "--window", 64,
              "--limit", 2, "--json", out)  # fmt: skip
    assert done.status == 0
    assert {"model", "unigram", "five_gram"} <= set(json.loads(out.read_text())["rows"][0])
    out = tmp_path / "d.json"
    assert ta("train", "dormancy", "--tokens", 256, "--trials", 1, "--json", out).status == 0
    assert {"before", "after", "chance"} <= set(json.loads(out.read_text())["rows"][0])
