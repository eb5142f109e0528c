"""``ta generate --save``, ``--load`` and ``--storage``: a prompt today, a question tomorrow."""

import stat

CANARY = "Zx81Qw77Lm"
TEXT = "Some words come first.\nThe access token is: " + CANARY + "\nAnd more words follow here.\n"
QUESTION = "\nWhat is the access token?\n"


def test_a_saved_cache_answers_what_is_asked_later(recorded, prompt, tmp_path):
    path, flags = tmp_path / "cache.safetensors", ("--max-new-tokens", 4)
    _, record = recorded("generate", prompt, "--budget", 32, "--save", path, *flags)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert CANARY.encode() not in path.read_bytes()
    asked = ("generate", "-", "--load", path, *flags, "--report")
    report, later = recorded(*asked, stdin=QUESTION.encode())
    assert CANARY not in report.err
    assert later["prompt_tokens"] > record["prompt_tokens"] + record["generated_tokens"]
    assert later["max_live_tokens"] == 32
    assert later["provenance"]["arguments"]["budget"] == 32
    assert "access token" in report.err and "sponsored" in report.err


def test_what_the_file_says_is_not_said_again(ta, tmp_path):
    path = tmp_path / "cache.safetensors"
    done = ta("generate", "-", "--budget", 32, "--save", path, "--max-new-tokens", 2, stdin=b"A")
    assert done.status == 0
    for flags in (("--budget", 64), ("--method", "snapkv"), ("--positions", "compact"),
                  ("--storage", "fp8"), ("--protect-role", "system"),
                  ("--memory",)):  # fmt: skip
        refused = ta("generate", "-", "--load", path, *flags, stdin=b"B")
        assert refused.status == 2 and "leave it out" in refused.err and flags[0] in refused.err
    shown = ta("generate", "-", "--load", path, "--report", "--reveal", stdin=b"B")
    assert shown.status == 2 and "not saved" in shown.err
    path.write_bytes(path.read_bytes()[:-1])
    refused = ta("generate", "-", "--load", path, stdin=b"B")
    assert refused.status == 2 and "no saved cache" in refused.err
    assert len(refused.err.strip().splitlines()) == 1


def test_less_is_stored_for_as_many_tokens(recorded, tmp_path):
    runs, text = {}, TEXT + "And more words follow here. " * 20
    for storage in ((), ("--storage", "int8")):
        path = tmp_path / "cache"
        flags = ("--budget", 96, "--max-new-tokens", 2, "--save", path)
        _, figures = recorded("generate", "-", *flags, *storage, stdin=text.encode())
        runs[bool(storage)] = figures, path.stat().st_size
    (plain, whole), (low, saved) = runs[False], runs[True]
    assert low["stored_bytes"] < 0.6 * plain["stored_bytes"] and saved < whole
    assert low["max_live_tokens"] == plain["max_live_tokens"] == 96
    assert low["provenance"]["arguments"]["storage"] == "int8"
