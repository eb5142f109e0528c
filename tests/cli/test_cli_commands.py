"""Every command does its smallest real job and keeps its contract."""

import json
import stat

import pytest

from scenes import byte_tokenizer

NEEDLE = ("--context", 700, "--trials", 1, "--depths", "0.5", "--budgets", "24,32")
STATEMENT = "The deploy key is: Q7XK2M9P\n"


def filler(lines: int) -> str:
    return "\n".join(f"The morning was calm and nobody spoke of line {i}." for i in range(lines))


def context_with_value() -> tuple[str, int, int]:
    before = filler(20) + "\n\n"
    text = before + STATEMENT + "\n" + filler(20)
    start = text.index("Q7XK2M9P")
    return text, start, start + 8


@pytest.fixture
def cases_file(tmp_path):
    text, start, end = context_with_value()
    case = {
        "id": "one",
        "family": "key",
        "context": text,
        "question": "\n\nWhat is the deploy key?",
        "answer": "Q7XK2M9P",
        "values": [{"start": start, "end": end, "label": "deploy key"}],
        "budget": 32,
    }
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case) + "\n")
    return path


def test_methods_lists_names_as_json(ta, tmp_path):
    done = ta("methods", "--json", tmp_path / "m.json")
    names = [m["name"] for m in json.loads((tmp_path / "m.json").read_text())["methods"]]
    assert done.status == 0
    assert {"full", "random", "oracle", "streaming-llm", "ta-fast-semantic"} <= set(names)
    assert all(name in done.out for name in names)
    assert done.out.count("boundary-10+NAME") == 1
    assert not any(name.startswith("boundary-10+") for name in names)


def test_needle_rows_keep_the_contract(ta, tmp_path):
    path = tmp_path / "needle.json"
    methods = "full,streaming-llm,oracle,ta-fast-semantic"
    done = ta("needle", "--methods", methods, *NEEDLE, "--json", path)
    record = json.loads(path.read_text())
    assert done.status == 0
    assert {"commit", "versions", "seed", "arguments", "machine"} <= set(record["provenance"])
    assert len(record["rows"]) == 8
    for row in record["rows"]:
        assert {"method", "budget", "protocol", "depth", "trials", "correct", "retained"} <= set(
            row
        )
        assert row["accuracy"] == row["correct"] / row["trials"]
        assert row["ci95"][0] <= row["accuracy"] <= row["ci95"][1]
        if row["method"] != "full":
            assert row["max_live_tokens"] <= row["budget"]
    retained = {row["method"]: row["retained"] for row in record["rows"]}
    assert retained["oracle"] == retained["ta-fast-semantic"] == retained["full"] == 1
    assert retained["streaming-llm"] == 0


def test_eval_retention_needs_no_model(ta, cases_file, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("ta_lab.cli.evaluate.load_model", refuse)
    out = tmp_path / "results.jsonl"
    done = ta("eval", cases_file, "--budget", "case", "--out", out)
    (result,) = [json.loads(line) for line in out.read_text().splitlines()]
    _, start, end = context_with_value()
    assert done.status == 0
    assert result["budget"] == 32
    assert result["kept_tokens"] == 32
    assert any(a <= start and end <= b for a, b in result["kept"])
    assert result["protected_tokens"] >= 5


@pytest.mark.parametrize("method", ["snapkv", "kvzip", "sidequest", "boundary-10+keydiff"])
def test_eval_retention_runs_the_model_where_the_method_needs_it(ta, cases_file, tmp_path, method):
    kept = []
    for name in (method, f"ta+{method}"):
        out = tmp_path / f"{name}.jsonl"
        done = ta("eval", cases_file, "--method", name, "--budget", 48, "--out", out)
        assert done.status == 0, done.err
        (result,) = map(json.loads, out.read_text().splitlines())
        assert "answer" not in result
        kept.append(result["retained"])
    assert kept[1]


def test_a_detector_that_reads_the_model_runs_it(ta, cases_file):
    done = ta("eval", cases_file, "--method", "ta-fast-embedding", "--budget", "values+5")
    assert done.status == 0 and "retention" in done.out


def test_eval_answers_and_guards_the_results(ta, cases_file, tmp_path):
    out = tmp_path / "results.jsonl"
    done = ta("eval", cases_file, "--metric", "answer", "--method", "full", "--out", out)
    (result,) = [json.loads(line) for line in out.read_text().splitlines()]
    assert done.status == 0
    assert isinstance(result["answer"], str)
    assert result["correct"] == (result["answer"].strip() == "Q7XK2M9P")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_generate_streams_from_a_file_and_counts(ta, tmp_path):
    prompt, record = tmp_path / "p.txt", tmp_path / "g.json"
    prompt.write_text(context_with_value()[0])
    done = ta(
        "generate", prompt, "--question", "\n\nWhat is the deploy key?", "--budget", 32,
        "--chunk", 64, "--max-new-tokens", 12, "--report", "--json", record,
    )  # fmt: skip
    figures = json.loads(record.read_text())
    assert done.status == 0
    assert figures["max_live_tokens"] <= 32
    assert figures["peak_live_tokens"] <= 32 + 64
    assert figures["prompt_tokens"] > 300
    assert "sponsored" in done.err


@pytest.mark.parametrize("method", ["kvzip", "ta+structkv"])
@pytest.mark.parametrize("chunk", [(), ("--chunk", 64)])
def test_generate_runs_the_passes_of_a_method(ta, tmp_path, method, chunk):
    prompt, path = tmp_path / "prompt.txt", tmp_path / "figures.json"
    prompt.write_text(context_with_value()[0])
    options = ("--method", method, "--budget", 64, "--max-new-tokens", 4, "--json", path)
    done = ta("generate", prompt, *options, *chunk)
    assert done.status == 0, done.err
    figures = json.loads(path.read_text())
    assert figures["max_live_tokens"] >= 64 and figures["prompt_tokens"] > 400
    assert (figures["max_live_tokens"] == 64) == (method == "ta+structkv")  # kvzip: heads differ


def test_inspect_shows_reasons(ta, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text(context_with_value()[0] + " All was \x1b[2Jquiet.\n")
    done = ta("inspect", text, "--budget", 24, "--json", tmp_path / "i.json")
    report = json.loads((tmp_path / "i.json").read_text())["report"]
    assert done.status == 0
    assert "sponsored" in done.out
    assert "\x1b[2J" not in done.out and "␛[2J" in done.out
    assert report["tokens_kept"] == 24
    assert {"sink", "recent", "sponsored"} <= {item["reason"] for item in report["kept"]}


def test_demo_tells_the_story(ta, tmp_path):
    done = ta("demo", "--json", tmp_path / "d.json")
    rows = {r["method"]: r for r in json.loads((tmp_path / "d.json").read_text())["rows"]}
    assert done.status == 0
    assert rows["streaming-llm"]["correct"] is False
    assert rows["ta"]["live"] <= 16
    assert rows["full"]["stored_bytes"] > 100 * rows["ta"]["stored_bytes"]


def test_the_demo_of_recall_answers_what_is_typed(ta, tmp_path):
    typed = b"door code\nWhat is the tracking number?\nthe gate pass\nhow is the weather?\n\xff\n"
    done = ta("demo", "--recall", "--json", tmp_path / "d.json", stdin=typed)
    assert done.status == 0 and "states 40 values" in " ".join(done.out.split())
    rows = json.loads((tmp_path / "d.json").read_text())["rows"]
    assert [row["right"] for row in rows] == [True, True, True, None, None]
    assert [bool(row["recalled"]) for row in rows] == [True, True, True, False, False]


def test_eval_reads_what_the_model_would_be_asked_and_raw_takes_it_back(ta, tmp_path):
    folder, text = tmp_path / "chat", "The door code is QX81-77."
    tokenizer = byte_tokenizer("{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}")
    tokenizer.save_pretrained(folder)
    value = {"start": text.index("QX"), "end": len(text) - 1}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"id": "c", "context": text, "values": [value]}))
    tokens = {}
    for raw in ([], ["--raw"]):
        out, record = tmp_path / f"{len(raw)}.jsonl", tmp_path / f"{len(raw)}.json"
        done = ta("eval", cases, "--method", "full", "--tokenizer", folder, "--out", out,
                  "--json", record, *raw)  # fmt: skip
        assert done.status == 0, done.err
        result = json.loads(out.read_text())
        assert result["kept"] == [[0, len(text)]] and result["retained"]
        tokens[len(raw)] = result["kept_tokens"]
        arguments = json.loads(record.read_text())["provenance"]["arguments"]
        assert arguments.get("raw", False) is bool(raw)
    assert tokens == {0: len("[user]") + len(text) + 1, 1: len(text)}
