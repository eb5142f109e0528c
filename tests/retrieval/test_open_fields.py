"""Text that opens a field, as it is generated."""

import pytest

from transactional_attention.retrieval.open_fields import OpenFieldReader


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"name": "pay", "arguments": {"api_key": "', "api_key"),
        ('{"port":', "port"),
        ("deploy --ticket", "ticket"),
        ("deploy --ticket ", "ticket"),
        ("Authorization: Bearer ", "Authorization Bearer"),
        ("db.host=", "db.host"),
        ("Sure. The door password is", "the door password"),
        ("Das Passwort lautet ", "das passwort"),
        ("パスワードは", "パスワード"),
        ("so we went there and", None),
        ("a well-known island", None),
        ("", None),
    ],
)
def test_a_text_that_opens_a_field_gives_its_label(text, label):
    whole, pieces = OpenFieldReader(), OpenFieldReader()
    assert whole.feed(text) == label
    for char in text:
        last = pieces.feed(char)
    assert not text or last == label
