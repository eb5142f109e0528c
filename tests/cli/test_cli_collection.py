"""``ta collection``: what it writes and what it refuses."""

import json

import pytest

from ta_lab.cases.cases import read_cases


@pytest.fixture
def written(ta, tmp_path):
    path = tmp_path / "all.jsonl"
    done = ta("collection", "make", "development", path)
    assert (done.status, done.err) == (0, "")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:240:60], lines[-1]]) + "\n")
    return path


def test_a_written_split_is_scored(ta, recorded, written):
    methods = ("--methods", "oracle,ta-fast-regex")
    done, record = recorded("collection", "score", written, *methods)
    assert done.out.startswith("| | n | oracle | ta-fast-regex | ta-fast-regex, paper |")
    assert record["provenance"]["arguments"]["budget"] == "values+5"
    assert {row["trials"] for row in record["rows"] if row["group"] == "all but floods"} == {4}
    stated = [case.answer for case in read_cases(written) if case.answer]
    assert not [value for value in stated if value in done.out + json.dumps(record)]
    done = ta("eval", written, "--method", "oracle", "--budget", "values+5")
    assert done.status == 0 and "100.0" in done.out


def test_detectors_are_counted_alone_and_left_out(recorded, written):
    done, record = recorded("collection", "detectors", written)
    assert done.out.startswith("| family | values | ta | semantic | regex |")
    counts = {row["detector"]: row["families"] for row in record["rows"]}
    whole = {family: counted[1] for family, counted in counts["ta"].items()}
    assert sum(whole.values()) > 0
    assert set(counts) == {"ta", "semantic", "regex"}
    stated = [case.answer for case in read_cases(written) if case.answer]
    assert not [value for value in stated if value in done.out + json.dumps(record)]


def test_detectors_that_read_a_model_are_counted_with_it(recorded, written):
    done, record = recorded("collection", "detectors", written, "--model", "embedded")
    assert not done.err.strip()
    head = done.out.splitlines()[0]
    assert head.endswith("| regex | embedding | learned | learnrank |")
    counts = {row["detector"]: row["families"] for row in record["rows"]}
    assert record["provenance"]["model"] == "embedded"
    assert sum(counted[2] for counted in counts["learnrank"].values()) >= sum(
        counted[2] for counted in counts["learned"].values()
    )
    few = ("--model", "embedded-wide", "--each", 1)
    done, record = recorded("collection", "detectors", written, *few)
    assert "learned: the weights of the learned detector are" in done.err
    rows = {row["detector"]: row for row in record["rows"]}
    assert record["provenance"]["arguments"]["each"] == 1
    assert "not_available" in rows["learned"] and "families" in rows["embedding"]


def test_a_method_that_reads_a_model_is_scored_with_it(ta, written, tmp_path):
    method = ("--methods", "ta-fast-embedding", "--presets", "default")
    done = ta("collection", "score", written, *method)
    assert done.status == 0 and done.out.startswith("| | n | ta-fast-embedding |")
    done = ta("collection", "score", written, *method, "--tokenizer", tmp_path)
    assert done.status == 2 and "--model" in done.err
