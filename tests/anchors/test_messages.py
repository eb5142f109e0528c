"""What the message of an error names is a value; the names of the program's parts are none."""

import pytest

from found_values import anchors_of

NAMED = [
    ('psycopg2.OperationalError: FATAL:  authentication failed for user "ingest_rw"', "ingest_rw"),
    ("TypeError: Cannot read properties of undefined (reading 'shard_7f')", "shard_7f"),
    ("** (RuntimeError) no handler for job job-5521x", "job-5521x"),
    ('RuntimeError: worker "quiet-heron" lost its lease', "quiet-heron"),
    ("java.lang.IllegalStateException: tenant blue-77 was not found", "blue-77"),
    ("fatal: remote branch hot-fix-77 not found", "hot-fix-77"),
]
NOTHING = [
    "AttributeError: 'NoneType' object has no attribute 'get_text'",
    "ImportError: cannot import name 'foo_bar' from 'my_pkg.sub'",
    "TypeError: f() got an unexpected keyword argument 'max_len'",
    "LookupError: unknown encoding: latin-1",
    "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0",
    "error: use of undeclared identifier 'my_var'",
    "An error: the long-term plan did not work.",
    "Raises ValueError: if the mode is 'read-only' or so.",
    "A KeyError - when the key is missing - is raised.",
]


def values(text):
    found = anchors_of(f"{text}\n")
    return [text[a.value.start : a.value.end] for a in found]


@pytest.mark.parametrize(("message", "value"), NAMED)
def test_what_a_message_names_is_found(message, value):
    assert value in values(message)


@pytest.mark.parametrize("message", NOTHING)
def test_parts_of_a_program_are_no_values(message):
    assert not values(message)
