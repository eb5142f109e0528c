import random

from ta_lab.training import facts, values
from ta_lab.values.vocabulary import code8


def test_the_evaluation_key_is_never_drawn():
    rng = random.Random(0)
    words = ["secret", "code"]
    keys = [key for _ in range(300) for key in facts.random_keys(rng, 2, words, plain=False)]
    keys += [key for _ in range(20) for key in facts.random_keys(rng, 6, words, plain=True)]
    assert not [key for key in keys if "secret code" in key]
    assert not [key for key in facts.KEYS if facts.is_held_out(key)]


def test_keys_of_a_document_differ():
    rng = random.Random(1)
    for plain in (True, False):
        keys = facts.random_keys(rng, 12, ["river", "stone"], plain)
        assert len(set(keys)) == 12


def test_statements_hold_their_value_once():
    rng = random.Random(2)
    for _ in range(300):
        statement = facts.random_statement(rng, "door code", plain=rng.random() < 0.3)
        assert statement.text == statement.before + statement.value + statement.after
        assert "{" not in statement.before.replace('{"', "")


def test_values_are_fresh_and_of_one_line():
    rng = random.Random(3)
    drawn = [values.random_value(rng) for _ in range(500)]
    assert all(value and value.strip() == value and "\n" not in value for value in drawn)
    assert len(set(drawn)) > 480
    assert all(len(code8(rng)) == 8 for _ in range(20))
