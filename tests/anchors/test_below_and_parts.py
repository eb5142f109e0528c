"""Values below their label, and parts that stand in for a longer value."""
# ruff: noqa: E501 - lines of text as they stand in a file

import pytest

from found_values import anchors_of


def found(text: str) -> dict[str, str]:
    anchors = anchors_of(text)
    return {text[a.value.start : a.value.end]: a.rule for a in anchors}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Your one-time code:\n\n  828692\n", "828692"),
        ("Room code\nKX7Q2P\n", "KX7Q2P"),
        ("<p>your code:</p>\n<h1>9340</h1>", "9340"),
        ("passphrase: >-\n  heron-ivory-nutmeg\nretries: 2\n", "heron-ivory-nutmeg"),
        ("uses: acme/tool@d2cb4c70b95209307c800a50e697db559fdacc8d\n", "d2cb4c70b95209307c800a50e697db559fdacc8d"),
        ("traceparent: 00-7469b2f10595d031e3b8a22de0eef418-b7ad6b7169203331-01", "7469b2f10595d031e3b8a22de0eef418"),
        ("Join: https://call.example.com/w?pwd=5PQ51L5K&from=mail", "5PQ51L5K"),
        ("sqlite:////srv/amber/rowan-559.db", "/srv/amber/rowan-559.db"),
        ("お振込先：XX54L46S8011535581779867（手数料）", "XX54L46S8011535581779867"),
        ("견적은 40,735.72 CHF로 나왔어요.", "40,735.72 CHF"),
        ("Wir zahlen 1.234,56 € im Monat.", "1.234,56 €"),
        ("会议推迟到2 June 2028, 07:55。", "2 June 2028, 07:55"),
        ("अस्थायी पासवर्ड: Sx9AGNS2Gs\n", "Sx9AGNS2Gs"),
    ],
)  # fmt: skip
def test_a_value_is_found(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text", ["<ul>\n  <li>Home</li>\n  <li>About us</li>\n</ul>", "TOKEN=$(cat key)\n"]
)
def test_no_value(text):
    assert found(text) == {}


@pytest.mark.parametrize(
    "above",
    [
        "token: bluefishery",
        "secret: kfj39dk20d",
        "password = bluewhale",
        "api key kfj39dk20d",
        "pin: 44ab:",
    ],
)
def test_a_line_that_states_a_value_is_no_label(above):
    text = f"{above}\nkk93dl02ll\n"
    labels = [
        text[a.label.start : a.label.end]
        for a in anchors_of(text)
        if text[a.value.start : a.value.end] == "kk93dl02ll"
    ]
    assert labels
    assert not any(above.split()[-1] in label for label in labels)


def test_a_sign_before_a_continued_line_states_no_value():
    assert found("api.secret = \\\n    Fo7b8rYKt9Q7jOmuj5ZHlKD\n") == {
        "Fo7b8rYKt9Q7jOmuj5ZHlKD": "structure:below"
    }
