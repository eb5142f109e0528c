"""Every command does its smallest real job and keeps its contract."""

import json
import re
import stat

import pytest

from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.cli import demo_text
from transactional_attention.version import __version__

NEEDLE = ("--context", 700, "--trials", 1, "--depths", "0.5", "--budgets", "24,32")
FILLER = "\n".join(f"The morning was calm and nobody spoke of line {i}." for i in range(20))
TEXT = f"{FILLER}\n\nThe deploy key is: Q7XK2M9P\n\n{FILLER}"
START = TEXT.index("Q7XK2M9P")
END = START + len("Q7XK2M9P")


@pytest.fixture
def results(ta, tmp_path):
    """Runs ``ta eval`` on a case; its one result."""

    def run(cases, *options):
        out = tmp_path / "results.jsonl"
        done = ta("eval", cases, *options, "--out", out)
        assert done.status == 0, done.err
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        (result,) = map(json.loads, out.read_text().splitlines())
        return result

    return run


@pytest.fixture
def cases_file(tmp_path):
    case = {
        "id": "one",
        "family": "key",
        "context": TEXT,
        "question": "\n\nWhat is the deploy key?",
        "answer": "Q7XK2M9P",
        "values": [{"start": START, "end": END, "label": "deploy key"}],
        "budget": 32,
    }
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case) + "\n")
    return path


def test_it_says_its_version(ta):
    done = ta("--version")
    assert (done.status, done.out) == (0, f"ta {__version__}\n")


def test_options_of_serve_stand_in_panels_and_generate_has_the_same(ta):
    shown = {command: ta(command, "--help").out for command in ("serve", "generate")}
    panels = {
        command: dict(re.findall(r"^╭─ ([\w. ]+) ─+╮\n(.*?)^╰", text, re.MULTILINE | re.DOTALL))
        for command, text in shown.items()
    }
    named = {
        command: {
            option: panel
            for panel, text in texts.items()
            for option in re.findall(r"^│ (--[\w-]+)", text, re.MULTILINE)
        }
        for command, texts in panels.items()
    }
    serve, generate = named.values()
    assert len(serve) > 30 and [o for o, panel in serve.items() if panel == "Options"] == ["--help"]
    options = serve.keys() & generate.keys()
    assert len(options) > 15 and {o: serve[o] for o in options} == {o: generate[o] for o in options}
    words = " ".join(panels["serve"]["What is kept"].replace("│", "").split())
    assert "By default on for chats from K = 256 on" in words


def test_methods_lists_names_as_json(recorded):
    done, record = recorded("methods")
    names = [m["name"] for m in record["methods"]]
    assert {"full", "random", "oracle", "streaming-llm", "ta-fast-semantic"} <= set(names)
    assert all(name in done.out for name in names)
    assert done.out.count("boundary-10+NAME") == 1
    assert not any(name.startswith("boundary-10+") for name in names)


def test_needle_rows_keep_the_contract(recorded):
    methods = "full,streaming-llm,oracle,ta-fast-semantic"
    _, record = recorded("needle", "--methods", methods, *NEEDLE)
    assert {"commit", "versions", "seed", "arguments", "machine"} <= set(record["provenance"])
    assert len(record["rows"]) == 8
    for row in record["rows"]:
        assert {"method", "budget", "protocol", "depth", "trials", "correct", "retained"} <= {*row}
        assert row["accuracy"] == row["correct"] / row["trials"]
        assert row["ci95"][0] <= row["accuracy"] <= row["ci95"][1]
        if row["method"] != "full":
            assert row["max_live_tokens"] <= row["budget"]
    retained = {row["method"]: row["retained"] for row in record["rows"]}
    assert retained["oracle"] == retained["ta-fast-semantic"] == retained["full"] == 1
    assert retained["streaming-llm"] == 0


def test_eval_retention_needs_no_model(results, cases_file, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("ta_lab.cli.evaluate.load_model", refuse)
    result = results(cases_file, "--budget", "case")
    assert result["budget"] == 32
    assert result["kept_tokens"] == 32
    assert any(a <= START and b >= END for a, b in result["kept"])
    assert result["protected_tokens"] >= 5


@pytest.mark.parametrize("method", ["snapkv", "kvzip", "sidequest", "boundary-10+keydiff"])
def test_eval_retention_runs_the_model_where_the_method_needs_it(results, cases_file, method):
    alone = results(cases_file, "--method", method, "--budget", 48)
    assert "answer" not in alone
    assert results(cases_file, "--method", f"ta+{method}", "--budget", 48)["retained"]


def test_a_detector_that_reads_the_model_runs_it(ta, cases_file):
    done = ta("eval", cases_file, "--method", "ta-fast-embedding", "--budget", "values+5")
    assert done.status == 0 and "retention" in done.out


def test_eval_answers(results, cases_file):
    result = results(cases_file, "--metric", "answer", "--method", "full")
    assert isinstance(result["answer"], str)
    assert result["correct"] == (result["answer"].strip() == "Q7XK2M9P")


def test_generate_streams_from_a_file_and_counts(recorded, prompt):
    done, figures = recorded(
        "generate", prompt, "--question", "\n\nWhat is the deploy key?", "--budget", 32,
        "--chunk", 64, "--max-new-tokens", 12, "--report",
    )  # fmt: skip
    assert figures["max_live_tokens"] <= 32
    assert figures["peak_live_tokens"] <= 32 + 64
    assert figures["prompt_tokens"] > 300
    assert "sponsored" in done.err


@pytest.mark.parametrize("method", ["kvzip", "ta+structkv"])
@pytest.mark.parametrize("chunk", [(), ("--chunk", 64)])
def test_generate_runs_the_passes_of_a_method(recorded, prompt, method, chunk):
    options = ("--method", method, "--budget", 64, "--max-new-tokens", 4)
    _, figures = recorded("generate", prompt, *options, *chunk)
    assert figures["max_live_tokens"] >= 64 and figures["prompt_tokens"] > 400
    assert (figures["max_live_tokens"] == 64) == (method == "ta+structkv")  # kvzip: heads differ


def test_inspect_shows_reasons(recorded, prompt):
    prompt.write_text(TEXT + " All was \x1b[2Jquiet.\n")
    done, record = recorded("inspect", prompt, "--budget", 24)
    report = record["report"]
    assert "sponsored" in done.out
    assert "\x1b[2J" not in done.out and "␛[2J" in done.out
    assert report["tokens_kept"] == 24
    assert {"sink", "recent", "sponsored"} <= {item["reason"] for item in report["kept"]}


def test_demo_tells_the_story(recorded):
    rows = {row["method"]: row for row in recorded("demo")[1]["rows"]}
    assert rows["streaming-llm"]["correct"] is False
    assert rows["ta"]["live"] <= 16
    assert rows["full"]["stored_bytes"] > 100 * rows["ta"]["stored_bytes"]


def test_the_demo_asks_a_chat_model_in_its_format_and_raw_takes_it_back(
    recorded, tmp_path, monkeypatch
):
    monkeypatch.setattr(demo_text, "CONTEXT", 200)
    tokenizer = byte_tokenizer(
        "{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}[assistant]{% endif %}"
    )
    tokenizer.save_pretrained(tmp_path / "chat")
    tiny_llama(vocab_size=len(tokenizer)).save_pretrained(tmp_path / "chat")
    read = {}
    for ledger, raw in (("on-top", []), ("strict", ["--raw"])):
        _, record = recorded("demo", "--model", tmp_path / "chat", *raw)
        assert record["provenance"]["arguments"]["ledger"] == ledger
        read[ledger] = {row["method"]: row["live"] for row in record["rows"]}
    assert read["on-top"]["full"] == read["strict"]["full"] + len("[user]\n")
    assert read["on-top"]["ta"] == 64 and read["strict"]["ta"] == 16


def test_the_demo_of_the_memory_answers_what_is_typed(recorded):
    typed = b"door code\nWhat is the tracking number?\nthe gate pass\nhow is the weather?\n\xff\n"
    done, record = recorded("demo", "--recall", stdin=typed)
    assert "states 40 values" in " ".join(done.out.split())
    rows = record["rows"]
    assert [row["right"] for row in rows] == [True, True, True, None, None]
    assert all(row["recalled"] for row in rows[:3])


def test_eval_reads_what_the_model_would_be_asked_and_raw_takes_it_back(recorded, tmp_path):
    folder, text = tmp_path / "chat", "The door code is QX81-77."
    tokenizer = byte_tokenizer("{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}")
    tokenizer.save_pretrained(folder)
    value = {"start": text.index("QX"), "end": len(text) - 1}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"id": "c", "context": text, "values": [value]}))
    tokens = {}
    for raw in ([], ["--raw"]):
        out = tmp_path / f"{len(raw)}.jsonl"
        given = ("--method", "full", "--tokenizer", folder, "--out", out, *raw)
        _, record = recorded("eval", cases, *given)
        result = json.loads(out.read_text())
        assert result["kept"] == [[0, len(text)]] and result["retained"]
        tokens[len(raw)] = result["kept_tokens"]
        assert record["provenance"]["arguments"].get("raw", False) is bool(raw)
    assert tokens == {0: len("[user]") + len(text) + 1, 1: len(text)}
