"""Rules left out: what speaks, what is kept without it, and that all is as before afterwards."""

import copy

import pytest

from chat_templates import READ, chat_tokenizer
from ta_lab.cases.cases import Case, Value
from ta_lab.collection.leaving_out import NOTHING, CaseUnit, SessionUnit, left_to_do, of_rules
from ta_lab.collection.rules import RULES, left_out, listening
from ta_lab.collection.scoring import readings, score
from ta_lab.sessions.files import AgentSession
from transactional_attention.detection.scanner import Scanner

BY_NAME = {rule.name: rule for rule in RULES}
WORDS = "Nothing of note was said for a while, and then they all went home again.\n"


def valued(text, value, family="prose"):
    start = text.rindex(value)
    return Case(value, text, values=(Value(start, start + len(value)),), family=family, lang="en")


TABLE = "host,token\nalpha,QX81-77K2-PP03\nbeta,ZR55-12LM-8842\n"
CORRECTED = f"The door code is 59324. {WORDS * 2}No, make that 61187.\n{WORDS}"
CASES = [
    valued(f"{WORDS * 3}{TABLE}{WORDS * 3}", "ZR55-12LM-8842"),
    valued(CORRECTED, "61187"),
    Case("free", WORDS * 4, family="value-free", lang="en"),
]


def found(text):
    return Scanner(["values"]).feed(text, final=True)


def test_every_rule_is_named_once_and_put_back():
    assert len(BY_NAME) == len(RULES)
    stand = [getattr(owner, rule.attribute) for rule in RULES for owner in rule.owners]
    for rule in RULES:
        assert rule.part_of in {"", *BY_NAME}
        with left_out(rule):
            without = getattr(rule.owners[0], rule.attribute)
        assert without is not getattr(rule.owners[0], rule.attribute)
    with listening(RULES):
        pass
    after = [getattr(owner, rule.attribute) for rule in RULES for owner in rule.owners]
    assert all(one is other for one, other in zip(after, stand, strict=True))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tables: cells", TABLE),
        ("markup: elements", "<token>QX81-77K2-PP03</token>"),
        ("pairs: pairs", "token: QX81-77K2-PP03\n"),
        ("commands: flags", "deploy --token QX81-77K2-PP03\n"),
        ("sql: VALUES", "INSERT INTO t (id, token) VALUES (7, 'QX81-77K2-PP03');"),
        ("blocks: |", "token: |\n  QX81-77K2-PP03-88A1\n  ZR55-12LM-8842-77B2\nnext: 1\n"),
    ],
)
def test_a_rule_that_speaks_is_heard_and_can_be_left_out(name, text):
    whole = found(text)
    with listening(RULES) as spoke:
        assert found(text) == whole
    assert name in spoke
    with left_out(BY_NAME[name]):
        assert found(text) != whole
    with listening(RULES) as spoke:
        found(WORDS)
    assert name not in spoke
    assert found(text) == whole


@pytest.fixture(scope="module")
def record(tokenizer):
    units = [CaseUnit(tokenizer, "test", case) for case in CASES]
    made = {"units": 0, "rows": []}
    assert list(left_to_do(units, made)) == units
    return made


def test_what_is_kept_with_all_rules_is_what_the_collection_scores(tokenizer, record):
    seen = score(tokenizer, CASES, readings(("ta",), ("default",)), "values+5")
    kept = sum(one.retained for one in seen if one.case.critical)
    (whole,) = [row for row in record["rows"] if row["left_out"] == NOTHING]
    assert (whole["kept"], whole["values"]) == (kept, 2)
    assert whole["tokens_without_values"] > 0


def test_a_rule_counts_what_only_it_keeps(tokenizer, record):
    rows = {row["left_out"]: row for row in record["rows"]}
    assert rows.keys() == {NOTHING, *BY_NAME}
    row = rows["corrections: all"]
    with left_out(BY_NAME["corrections: all"]):
        seen = score(tokenizer, CASES[1:2], readings(("ta",), ("default",)), "values+5")
    assert row["spoke_in"] == 1
    assert row["kept_by_it_alone"] == 1 - seen[0].retained
    assert rows["commands: flags"]["spoke_in"] == 0
    assert rows["commands: flags"]["kept"] == rows[NOTHING]["kept"]
    assert f"| {NOTHING} |" not in of_rules(record["rows"])


def test_a_stopped_run_goes_on(tokenizer, record):
    units = [CaseUnit(tokenizer, "test", case) for case in CASES]
    made = {"units": 0, "rows": []}
    next(left_to_do(units, made))
    saved = copy.deepcopy(made)
    assert saved["units"] == 1
    list(left_to_do(units, saved))
    assert saved == record


def test_sessions_are_decided_with_and_without_a_memory():
    tokenizer = chat_tokenizer("tools")
    call = {"type": "function", "function": {"name": "close", "arguments": {"ticket": "TK-58213"}}}
    messages = [
        {"role": "user", "content": f"The ticket is TK-58213. {WORDS * 12}"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    unit = SessionUnit(tokenizer, AgentSession("s", messages, [READ]), [64])
    made = {"units": 0, "rows": []}
    list(left_to_do([unit], made))
    whole = [row for row in made["rows"] if row["left_out"] == NOTHING]
    assert [row["set"] for row in whole] == ["sessions, K=64", "sessions, memory, K=64"]
    assert [row["values"] for row in whole] == [1, 1]
    assert "| sessions | sessions, memory |" in of_rules(made["rows"])
