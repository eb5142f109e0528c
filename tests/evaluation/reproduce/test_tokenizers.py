"""``tokenizers``: its table of kinds."""

from transactional_attention.evaluation.reproduce.tokenizers import kinds_table


def test_kinds_have_a_line_each_and_none_before_they_are_counted():
    rows = [{"part": "kinds", "tokenizer": "one", "tokens": {"uuid": [20, 22, 25]}}]
    assert kinds_table(rows).splitlines()[-1] == "| uuid | 22 [20, 25] |"
    assert kinds_table([]).splitlines() == ["| kind of value |", "|---|"]  # interrupted before
