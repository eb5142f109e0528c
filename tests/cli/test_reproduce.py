"""``ta reproduce``: records, resuming, refusals; the smallest real runs."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ta_lab.cli import reproduce
from ta_lab.experiments.catalogue import EXPERIMENTS
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import FULL, READ_MODEL, READ_TEXT, Arm, Block, task_cases
from ta_lab.experiments.running import case_experiment
from transactional_attention.models import load_tokenizer

TOKENS = 200
real_experiment = reproduce.get_experiment


def small_blocks(context):
    make = task_cases(context, "needle", tokens=TOKENS)
    return [Block("needle", make, context.trials or 1, (FULL, Arm("oracle", 24)))]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Experiments of 200 tokens in place of the paper's."""
    known = reproduce.get_experiment
    monkeypatch.setattr(
        reproduce,
        "get_experiment",
        lambda name: case_experiment(name, known(name).place, known(name).summary, small_blocks),
    )


def test_without_a_name_the_experiments_are_listed(ta):
    done = ta("reproduce")
    assert done.status == 0
    assert all(name in done.out for name in EXPERIMENTS)


def test_a_record_has_provenance_and_no_value(recorded):
    done, record = recorded("reproduce", "needle")
    assert record["experiment"] == "needle" and len(record["weights_sha256"]) == 64
    assert {"commit", "seed", "arguments", "versions"} <= set(record["provenance"])
    assert [(row["method"], row["retained"]) for row in record["rows"]] == [
        ("full", 1), ("oracle", 1),
        *((control, 0) for control in (*READ_MODEL, *READ_TEXT)),  # these lose it
    ]  # fmt: skip
    assert "| needle | oracle | 24 | – | " in done.out and "# needle: Table 1" in done.out
    context = Context(lambda: (None, None))
    (case,) = small_blocks(context)[0].make(load_tokenizer("embedded"), 0)
    assert case.answer not in json.dumps(record) + done.out + done.err


def test_a_record_resumes_and_refuses_other_settings(ta, tmp_path):
    path = tmp_path / "n.json"
    ta("reproduce", "needle", "--json", path)
    record = json.loads(path.read_text())
    record["rows"][0]["anchors"] = -1  # a mark: a cell that is run again loses it
    path.write_text(json.dumps(record))
    assert ta("reproduce", "needle", "--json", path).status == 0
    assert json.loads(path.read_text())["rows"] == record["rows"]
    for changed, apart in (
        (("--seed", 1), "seed (0 there, 1 here)"),
        (("--trials", 2), "trials (none there, 2 here)"),
        (("--quick",), "size (default there, quick here)"),
        (("--quick", "--seed", 1), "seed (0 there, 1 here) and size (default there, quick here)"),
    ):
        refused = ta("reproduce", "needle", *changed, "--json", path)
        assert refused.status == 2 and f"n.json was made with another {apart}: " in refused.err
    other = ta("reproduce", "formats", "--json", path)
    assert other.status == 2 and "n.json is no record of formats" in other.err
    assert json.loads(path.read_text())["rows"] == record["rows"]


def test_some_methods_alone_at_some_budgets(ta, tmp_path, monkeypatch):
    path = tmp_path / "n.json"
    some = ("--only", "random", "--budgets", 24, "--json", path)
    assert ta("reproduce", "needle", *some).status == 0
    record = json.loads(path.read_text())
    assert [(row["method"], row["budget"]) for row in record["rows"]] == [("random", 24)]
    assert record["provenance"]["arguments"]["only"] == ["random"]
    whole = ta("reproduce", "needle", "--json", path)
    assert whole.status == 2 and "made with another only" in whole.err
    for wrong, reason in (
        (("--only", "snapkv"), "leave nothing; there are oracle at 24"),
        (("--budgets", "x"), "--budgets: 'x' is no comma-separated list"),
    ):
        refused = ta("reproduce", "needle", *wrong)
        assert refused.status == 2 and reason in refused.err
    monkeypatch.setattr(reproduce, "get_experiment", real_experiment)
    for option, value, name in (("--only", "ta", "latency"), ("--tokens", 99, "answered")):
        deaf = ta("reproduce", name, option, value)
        assert deaf.status == 2 and f"{option} changes nothing of {name}: leave" in deaf.err
    refused = ta("reproduce", "recall", "--only", "snapkv", "--quick")
    assert refused.status == 2 and "--only, --budgets: memory at one of (128,)" in refused.err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"experiment": "formats"}'])
def test_a_file_that_is_no_record_is_not_overwritten(ta, tmp_path, content):
    path = tmp_path / "n.json"
    path.write_text(content)
    done = ta("reproduce", "needle", "--json", path)
    assert done.status == 2 and "no record of needle" in done.err
    assert path.read_text() == content


def record_in(out, name="needle"):
    return json.loads((out / "records" / f"{name}.json").read_text())


def test_a_folder_gets_records_and_a_report(ta, tmp_path):
    out = tmp_path / "report"
    done = ta("reproduce", "needle", "hardmode", "--out", out)
    assert done.status == 0 and str(out / "report.md") in done.out
    page = (out / "report.md").read_text()
    assert "No record yet." in page and "oracle" in page
    assert {path.name for path in out.iterdir()} == {"report.md", "records"}
    first = record_in(out)
    assert "unfinished" not in first
    again = ta("reproduce", "report", "--out", out)
    assert again.status == 0 and (out / "report.md").read_text() == page
    assert ta("reproduce", "needle", "--out", out).status == 0
    assert record_in(out) == first


def test_all_goes_on_without_data_and_says_so(ta, tmp_path, monkeypatch):
    known = reproduce.get_experiment
    names = {"needle": known("needle"), "perplexity": real_experiment("perplexity")}
    monkeypatch.setattr(reproduce, "EXPERIMENTS", tuple(names))
    monkeypatch.setattr(reproduce, "get_experiment", names.__getitem__)
    out = tmp_path / "report"
    done = ta("reproduce", "all", "--out", out)
    assert done.status == 0
    assert "perplexity left out: perplexity needs WikiText-2's test text" in done.err
    assert record_in(out)["rows"] and not record_in(out, "perplexity")["rows"]
    assert "Left out: perplexity needs" in (out / "report.md").read_text()
    elsewhere = tmp_path / "data"
    elsewhere.mkdir()
    done = ta("reproduce", "all", "--out", out, "--data", elsewhere, "--trials", 2)
    assert done.status == 2 and "needle.json was made with another" in done.err
    left = record_in(out, "perplexity")
    assert left["left_out"].startswith("data holds no test.txt")
    assert str(tmp_path) not in json.dumps(left)
    named = ta("reproduce", "perplexity", "--out", out)
    assert named.status == 2 and "needs WikiText-2" in named.err


@pytest.mark.parametrize(
    ("experiment", "arguments"),
    [
        ("needle", ("--model", "nowhere")),
        ("perplexity", ()),  # its data is missing
    ],
)
def test_a_run_that_fails_leaves_no_folder(ta, tmp_path, monkeypatch, experiment, arguments):
    if experiment == "perplexity":
        monkeypatch.setattr(reproduce, "get_experiment", real_experiment)
    out = tmp_path / "new" / "report"
    assert ta("reproduce", experiment, *arguments, "--out", out).status == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told_before_the_run(ta, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(Context, "loaded", property(lambda self: pytest.fail("it was run")))
    for option in ("--out", "--json"):
        path = tmp_path / "file" / "report" / "n.json"
        done = ta("reproduce", "needle", option, path)
        assert done.status == 2 and f"cannot write {path}" in done.err


def test_an_interrupted_run_is_marked_and_goes_on(ta, tmp_path, monkeypatch):
    out = tmp_path / "report"
    plan = case_experiment("needle", "Table 1", "", small_blocks)

    def interrupted(context):
        def save(rows, keep=context.save):
            keep(rows)
            raise KeyboardInterrupt

        context.save = save
        return plan.run(context)

    cut = dataclasses.replace(plan, run=interrupted)
    monkeypatch.setattr(reproduce, "get_experiment", lambda name: cut)
    assert ta("reproduce", "needle", "--trials", 2, "--out", out).status == 130
    assert record_in(out)["unfinished"] and record_in(out)["rows"][0]["contexts"] == 1
    assert ta("reproduce", "report", "--out", out).status == 0
    assert "The run was interrupted" in (out / "report.md").read_text()
    monkeypatch.setattr(reproduce, "get_experiment", lambda name: plan)
    assert ta("reproduce", "needle", "--trials", 2, "--out", out).status == 0
    assert "unfinished" not in record_in(out) and record_in(out)["rows"][0]["contexts"] == 2


def test_several_records_lie_in_a_folder(ta, tmp_path):
    done = ta("reproduce", "needle", "hardmode", "--json", tmp_path / "records")
    assert done.status == 0
    assert {path.name for path in (tmp_path / "records").iterdir()} == {
        "needle.json", "hardmode.json",
    }  # fmt: skip
    assert "# needle: Table 1" in done.out and "# hardmode: Table 11" in done.out


ELSEWHERE = {"latency", "theorems"}  # of which records alone are left


def test_every_experiment_is_run_by_its_script():
    folder = Path(reproduce.__file__).parents[1] / "experiments"
    mains = "".join(path.read_text().partition('__main__":')[2] for path in folder.glob("*.py"))
    names = " ".join(re.findall(r'"([a-z -]+)"', mains)).split()
    assert sorted(names) == sorted({*EXPERIMENTS} - ELSEWHERE)


def test_a_script_runs_what_is_named_of_its_own(tmp_path):
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "ta_lab.experiments.needle"]
    given = ["tokenizers", "--quick", "--json", str(path := tmp_path / "t.json")]
    subprocess.run([*command, *given], check=True, capture_output=True)
    assert json.loads(path.read_text())["experiment"] == "tokenizers"
