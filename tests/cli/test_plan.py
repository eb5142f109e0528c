"""``ta plan``: exit status, JSON, and no value text unless it was asked for."""

import json

import pytest

VALUES = ("Zx81Qw77Lm", "K4410-ZZ9-PLM")
TEXT = (
    f"Some words come first.\nThe access token is: {VALUES[0]}\n"
    f"And the door code is: {VALUES[1]}. Later, {VALUES[0]} was used again.\n"
)


def test_a_budget_that_keeps_all_values(recorded, prompt):
    done, record = recorded("plan", prompt, "--budget", 128)
    planned = record["plan"]
    assert planned["guaranteed"]
    spans = {TEXT[slice(*value["characters"])] for value in planned["values"]}
    assert set(VALUES) <= spans
    for value in planned["values"]:
        assert {"label", "rule", "source", "tokens", "status", "least"} <= set(value)
    assert f"K* = {planned['minimum_budget']}" in done.out


def test_a_value_at_risk_is_exit_status_1(ta, recorded, prompt):
    _, record = recorded("plan", prompt, "--budget", 12, status=1)
    least = record["plan"]["minimum_budget"]
    assert not record["plan"]["guaranteed"]
    assert ta("plan", prompt, "--budget", least).status == 0
    assert ta("plan", prompt, "--budget", least - 1).status == 1


def test_k_without_guesses_keeps_what_is_likely_a_value(recorded, tmp_path):
    days = "".join(f"On day {day} it rained, {1000 + day} drops.\n" for day in range(40))
    file = tmp_path / "days.txt"
    file.write_text(TEXT + days)
    done, record = recorded("plan", file, "--budget", 16, status=1)
    planned = record["plan"]
    enough = planned["likely_budget"]
    assert 1 < enough < planned["minimum_budget"]
    assert f"K* = {planned['minimum_budget']}, without guesses {enough}" in done.out
    values = recorded("plan", file, "--budget", enough, status=1)[1]["plan"]["values"]
    assert all(v["status"] == "guaranteed" for v in values if v["confidence"] >= 0.5)


def test_rows_of_a_flood_are_guesses_whatever_their_detector_says(recorded, tmp_path):
    rows = "".join(f"door code: K{37 * row + 4119}-{row}Z\n" for row in range(40))
    (file := tmp_path / "rows.txt").write_text(TEXT + rows)
    planned = recorded("plan", file, "--budget", 16, status=1)[1]["plan"]
    alike = [v for v in planned["values"] if v["confidence"] >= 0.5 and v["label"] == "door code:"]
    assert len(alike) == 40
    assert planned["likely_budget"] < min(v["least"] for v in alike[1:] if v["least"])


def test_what_is_given_up_is_listed_and_no_failure(recorded, prompt):
    done, record = recorded("plan", prompt, "--budget", 128, "--deny", "door code")
    assert "2 given up" in done.out
    given_up = record["plan"]["given_up"]
    why = {value["why"] for value in given_up if value["status"] == "given up"}
    assert why == {"denied by its label: 'door code'", "said elsewhere, too"}
    assert all(reason in done.out for reason in why)
    assert not [v for v in VALUES if v in done.out]


@pytest.mark.parametrize("name", ["trtllm", "vllm", "dynamo", "json"])
def test_every_export_is_json_and_shows_no_value(ta, prompt, name):
    done = ta("plan", prompt, "--budget", 128, "--export", name)
    assert done.status == 0
    assert json.loads(done.out)
    assert not [v for v in VALUES if v in done.out]


LOG = "".join(
    f"line {number} session_id=s{number:05d}QX host=node-{number}.example.com\n"
    for number in range(60)
)
CHAT = {
    "messages": [
        {"role": "system", "content": f"You know it. The access token is: {VALUES[0]}"},
        {"role": "user", "content": f"The door code is: {VALUES[1]}. Go on."},
    ],
    "tools": [{"type": "function", "function": {"name": "open", "parameters": {}}}],
}


def test_many_values_are_groups_and_what_is_at_risk_comes_first(ta, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    short, whole = (ta("plan", path, "--budget", 256, *more) for more in ((), ("--all",)))
    assert short.status == whole.status == 1
    assert len(short.out.splitlines()) < 12 < 60 < len(whole.out.splitlines())
    assert "--all shows every value" in short.out and "'session_id=" in short.out
    words = [line.split()[0] for line in whole.out.splitlines() if line.startswith("  at risk")]
    states = [line[2:16].strip() for line in whole.out.splitlines() if "characters [" in line]
    assert words and states == sorted(states, key=["at risk", "does not fit", "guaranteed"].index)
    counts = [
        line for line in short.out.splitlines() if line.startswith("  ") and " first [" in line
    ]
    lost = [int(line.split()[0]) for line in counts if "at risk" in line]
    assert lost == sorted(lost, reverse=True)


def test_a_chat_is_planned_with_what_is_pinned_beside_k(recorded, tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    done, record = recorded("plan", "--messages", path, "--budget", 64)
    planned = record["plan"]
    assert planned["pinned"] > 10 and f"K=64 and {planned['pinned']} pinned" in done.out
    assert {value["source"] for value in planned["values"]} == {"system", "user"}
    assert not [value for value in planned["values"] if value["rule"] == "caller"]
    bare, record = recorded("plan", "--messages", path, "--budget", 64, "--pin", "none")
    assert record["plan"]["pinned"] == 0 and "pinned" not in bare.out
    assert record["plan"]["minimum_budget"] > planned["minimum_budget"]
    assert not [v for v in VALUES if v in done.out + bare.out]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            {"content": f"The door code is: {'•' * 8}."},
            "ask the server with ?reveal=true",
        ),
        ({}, "message 2 has no content"),
        ({"content": None}, "message 2 has no content"),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", ["plan", "inspect"])
def test_messages_in_which_nothing_can_be_found_are_refused(ta, tmp_path, command, message, said):
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([CHAT["messages"][0], {"role": "user", **message}]))
    done = ta(command, "--messages", path, "--budget", 64)
    assert done.status == 2 and said in done.err and done.err.count("\n") == 1 and not done.out


def test_a_label_that_is_not_held_is_named(recorded, prompt):
    _, record = recorded("plan", prompt, "--budget", 64)
    done, record = recorded("plan", prompt, "--budget", record["plan"]["minimum_budget"])
    bare = [v for v in record["plan"]["values"] if v["kept"] and v["label"] and not v["labelled"]]
    assert bare and f"{len(bare)} are kept without the label" in done.out
    assert done.out.count("its label is not held") == len(bare)


def test_a_memory_tells_what_it_holds_and_what_waits(recorded, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    done, record = recorded("plan", path, "--budget", 256, "--memory")
    planned = record["plan"]
    assert {value["status"] for value in planned["values"]} == {"held", "waits"}
    assert sum(planned["held"].values()) == 256 and planned["waiting"] > 0
    assert "nothing is promised" in done.out and "guaranteed" not in done.out


def test_a_long_text_is_inspected_in_few_lines(recorded, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("".join(f"order id: ORD-{n:05d}\n" for n in range(300)))
    done, record = recorded("inspect", path, "--budget", 2000)
    rows, lines = len(record["report"]["kept"]), done.out.count("\n  [")
    assert rows > 100 and lines <= 80 and "more lines: --json FILE" in done.out
    assert "counted by the tokenizer of" in done.out
