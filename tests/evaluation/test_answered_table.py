"""What is answered by what is held: the table of a record and its forms taken together."""

from ta_lab.report.tables import caption, table_of


def row(block, method, budget, correct, contains, trials=4):
    return {"block": block, "method": method, "budget": budget, "correct": correct} | {
        "contains": contains,
        "trials": trials,
        "commits": ["0123456789"],
    }


RECORD = {
    "experiment": "answered",
    "provenance": {
        "model": "a.gguf",
        "dtype": "bfloat16",
        "seed": 3,
        "arguments": {"filler": "pydoc"},
        "versions": {"transformers": "5.24.0"},
    },
    "rows": [
        row("needle", "full", None, 4, 4),
        row("needle", "ta", 32, 3, 4),
        row("needle: values alone", "ta", 32, 0, 2),
        row("json", "full", None, 2, 2),
        row("json", "ta", 32, 2, 2),
        row("8 alike", "ta", 160, 6, 6, trials=8),
    ],
}


def test_a_line_tells_the_form_and_what_is_held():
    lines = table_of(RECORD).split("\n")
    assert lines[0] == "| form | held | K=32 | K=160 |"
    assert "| needle | full cache | 4 of 4 [51, 100] | 4 of 4 [51, 100] |" in lines
    assert "| needle | `ta`, values alone | 0 of 4 [0, 49], 2 contain it |  |" in lines
    assert "| 8 alike | `ta` |  | 6 of 8 [41, 93] |" in lines
    assert caption(RECORD).startswith("a.gguf in bfloat16, question hidden")


def test_forms_of_one_value_are_taken_together():
    lines = table_of(RECORD, "pooled").split("\n")
    assert lines[0] == "| held | K=32 |"
    assert lines[2:] == [
        "| full cache | 6 of 8 [41, 93] |",
        "| ta | 5 of 8 [31, 86], 6 contain it |",
        "| values alone | 0 of 4 [0, 49], 2 contain it |",
    ]
