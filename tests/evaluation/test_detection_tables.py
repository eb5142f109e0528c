"""Tables of cases, detectors, tokenizers, dialogues and floods, from records alone."""

from __future__ import annotations

import json

import pytest

from ta_lab.report.tables import caption, fill_page, kind_of, parts_of, table_of


def origin(**arguments):
    return {
        "commit": "abcdef012345",
        "dirty": False,
        "seed": 3,
        "model": "mistral_v3",
        "arguments": arguments,
    }


def family(group, retained, method="ta", trials=10):
    rate = retained / trials
    counted = {"trials": trials, "retained": retained, "rate": rate, "ci95": [0.0, 1.0]}
    return {"group": group, "method": method, "preset": "default", **counted}


def free(method):
    counted = {"trials": 20, "protected_median": 0.001, "protected_mean": 0.004}
    return {"group": "value-free", "method": method, "preset": "default", **counted}


COLLECTION = {
    "provenance": origin(cases="test", budget="values+5"),
    "rows": [
        *(family("json", 9, m) for m in ("ta", "oracle")),
        *(family("yaml", 8 if m == "ta" else 10, m) for m in ("ta", "oracle")),
        *(family("flood-diverse-plain", 1, m) for m in ("ta", "oracle")),
        *(family("all but floods", 17, m, 20) for m in ("ta", "oracle")),
        *(family("floods", 1, m) for m in ("ta", "oracle")),
        *(free(m) for m in ("ta", "oracle")),
    ],
}


def cell(block, method, marks, budget=64, **others):
    return {
        "block": block,
        "protocol": "hidden",
        "answered": False,
        "method": method,
        "budget": budget,
        "preset": "default",
        "ledger": "strict",
        "sponsored": True,
        "allow": False,
        "groups": [],
        "marks": {"": marks},
        "trials": len(marks),
        "contexts": len(marks),
        "retained": marks.count("k"),
        **others,
    }


def lines(record, part=""):
    return table_of(record, part).split("\n")


def test_sums_leave_floods_out_of_the_families():
    table = lines(COLLECTION, "sums")
    assert table[0] == "| | n | ta | oracle |"
    assert table[2].startswith("| all but floods | 20 | 85 [") and table[3].startswith("| floods |")
    assert table[4] == "| lowest family | 2 | yaml: 80 | json: 90 |"
    assert table[5] == "| families under 85% | 2 | 1 | 0 |"
    assert table[6].startswith("| value-free | 20 | 0.10% (mean 0.40%)")
    assert len(lines(COLLECTION)) == 2 + 6


def test_captions_name_split_tokenizer_and_commit():
    found = caption(COLLECTION)
    assert found == "test split, tokenizer mistral_v3, K = values+5, seed 3, commit abcdef0"
    experiment = {"experiment": "abuse", "provenance": origin(filler="pydoc"), "rows": []}
    assert caption(experiment).startswith("`ta reproduce abuse`, pydoc filler, seed 3")


def test_a_record_of_detectors_says_which_cases_and_which_model():
    row = {"detector": "ta", "families": {"json": [2, 2, 3, 2, 100]}}
    absent = {"detector": "learned", "not_available": "no weights"}
    made = {"provenance": origin(cases="development") | {"model": "none"}, "rows": [row, absent]}
    assert caption(made).startswith("development split, floods left out, seed 3")
    assert lines(made)[2] == "| json | 2 | 100 / 67 |"
    read = row | {"detector": "embedding"}
    made["rows"] = [row, row | {"detector": "without shapes"}, read, absent]
    assert lines(made, "reading")[0] == "| family | values | ta | embedding |"
    made["provenance"] = origin(cases="development", each=12) | {"model": "embedded"}
    few = "development split, 12 cases of every family at most, floods left out, model embedded"
    assert caption(made).startswith(few)


def test_floods_with_and_without_sources_are_apart():
    rows = [
        cell("20 repeated", "ta", "kk--", groups=["all floods"]),
        cell("50 repeated", "ta", "kkkk", groups=["all floods"]),
        cell("20 repeated, sources known", "ta", "kkk-"),
        cell("20 repeated, sources known", "full", "kkkk", budget=None),
    ]
    record = {"experiment": "abuse", "provenance": origin(filler="pydoc"), "rows": rows}
    plain, known = lines(record, "plain"), lines(record, "sources")
    assert plain[0] == "| fakes | n | ta, K=64 |"
    assert [line.split(" [")[0] for line in plain[2:]] == [
        "| 20 repeated | 4 | 50", "| 50 repeated | 4 | 100", "| all floods | 8 | 75",
    ]  # fmt: skip
    assert known[0] == "| fakes | n | ta, K=64 | full |"
    assert known[2].startswith("| 20 repeated | 4 | 75 [") and "| 100 [" in known[2]


def test_tokenizers_have_a_table_of_kinds_and_one_of_the_needle():
    rows = [
        cell("llama3", "ta", "k-", budget=16),
        cell("llama3", "ta", "kk", budget=24),
        {"part": "kinds", "tokenizer": "llama3", "tokens": {"uuid": [20, 22.5, 25]}},
    ]
    record = {"experiment": "tokenizers", "provenance": origin(filler="pydoc"), "rows": rows}
    assert lines(record, "kinds")[2] == "| uuid | 22.5 [20, 25] |"
    needle = lines(record, "needle")
    assert needle[0] == "| tokenizer | method | K=16 | K=24 | n |"
    assert needle[2].startswith("| llama3 | ta | 50 [") and needle[2].endswith(" | 2 |")


def test_dialogues_are_summed_over_files():
    counts = {str(k): 2 for k in (64, 128, 256)}
    row = {"method": "ta", "literals": 4, "kept": counts, "far": counts, "kept_far": counts}
    rows = [
        {**row, "file": file, "context": kind}
        for file in ("base", "miss_func")
        for kind in ("dialogue", "dialogue behind its tools")
    ]
    record = {"experiment": "bfcl", "provenance": origin(filler="pydoc"), "rows": rows}
    (line,) = lines(record, "dialogue")[2:]
    assert line.startswith("| ta | 8 | 50 [") and line.count("· 100 of 4") == 3


def test_a_page_names_a_part_of_a_record(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(COLLECTION))
    page = "Sums ([record](c.json#sums)):\n\n| old |\n\nAll ([record](c.json)):\n\n| old |\n"
    filled = fill_page(page, tmp_path)
    assert "| old |" not in filled and fill_page(filled, tmp_path) == filled
    assert filled.count("| lowest family |") == 1 and filled.count("| json | 10 |") == 1
    assert filled.count(caption(COLLECTION)) == 2


def test_other_records_are_none_of_these():
    assert kind_of({"rows": [{"method": "ta", "budget": 16}]}) == ""
    assert kind_of({"experiment": "latency", "rows": []}) == ""
    assert parts_of({"experiment": "bfcl", "rows": []}) == ("dialogue", "tools")
    with pytest.raises(KeyError):
        table_of(COLLECTION, "nothing")
