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
