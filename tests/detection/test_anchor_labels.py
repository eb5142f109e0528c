"""Labelled values: the paper's list, its two sentences, and the formats people write."""

from __future__ import annotations

import pytest

from transactional_attention.detection.detector import MIN_CONFIDENCE
from transactional_attention.detection.registry import DETECTORS
from transactional_attention.detection.scanner import Scanner

PAPER_KEYWORDS = [
    "key",
    "code",
    "password",
    "token",
    "secret",
    "api key",
    "api_key",
    "API-KEY",
    "apiKey",
    "session id",
    "session_id",
    "authorization",
    "bearer",
    "id",
    "pin",
    "passphrase",
    "url",
    "endpoint",
    "host",
    "port",
    "path",
    "username",
    "bearer_token",
    "DB_PASSWORD",
    "clientSecret",
    "the door code for the lab",
]
SEPARATORS = [": ", "=", " = ", " is ", " is: ", " was ", " => ", ":", " was set to "]

FORMATS = [
    ("The secret code is: XK7M9P2Q\n", "XK7M9P2Q"),
    ("secret code: XK7M9P2Q", "XK7M9P2Q"),
    ("The secret code is XK7M9P2Q.", "XK7M9P2Q"),
    ("The secret code is **XK7M9P2Q**.", "XK7M9P2Q"),
    ("Is the door code 'A1B2'? The door code is: 4417!", "4417"),
    ('{"user": 1, "api_key": "sk-abc123def", "n": 2}', "sk-abc123def"),
    ('{"a":1,"api_key":"sk-abc123def"}', "sk-abc123def"),
    ('{\\"api_key\\": \\"sk-abc123def\\"}', "sk-abc123def"),
    ("api_key: 'q9w8e7r6'  # rotate\n", "q9w8e7r6"),
    ("db:\n  password: s3cr3t-pw\n  pool: 5\n", "s3cr3t-pw"),
    ("username: alice\n", "alice"),
    ("API_TOKEN=abcd1234efgh\nDEBUG=1\n", "abcd1234efgh"),
    ('export DB_PASSWORD="p@ss w0rd"\n', "p@ss w0rd"),
    ("[server]\nhost = db-7.internal\nport = 5432\n", "db-7.internal"),
    ("Authorization: Bearer abc.DEF-123456\r\n", "abc.DEF-123456"),
    ("X-Api-Key: 9f8e7d6c\r\n", "9f8e7d6c"),
    ("Set-Cookie: sid=8f7e6d5c4b; Path=/\r\n", "sid=8f7e6d5c4b"),
    ("GET /v1/items?token=abc123XYZ&user=bob HTTP/1.1", "abc123XYZ"),
    ('call_api(key="ZX81QQ77", n=3)', "ZX81QQ77"),
    ("<door_code>8841</door_code>", "8841"),
    ("deploy --api-key K3J4H5 --dry-run", "K3J4H5"),
    ("| door code | QX81Z |", "QX81Z"),
    ("endpoint -> https://a.example/v2/x9y8\n", "https://a.example/v2/x9y8"),
    ('The passphrase is "correct horse battery staple".', "correct horse battery staple"),
    ("The API key is:\n\nsk-live-9911XYZabc\n", "sk-live-9911XYZabc"),
    ("The code for the north door is: QQ17ZZ", "QQ17ZZ"),
    ("coordinates: 48.8566, 2.3522\n", "48.8566, 2.3522"),
    ("database_url=postgres://u:p@db:5432/x?sslmode=off", "postgres://u:p@db:5432/x?sslmode=off"),
    ("my email is bob@acme.org, ok?", "bob@acme.org"),
]

SILENT = [
    "",
    "The secret code is:",
    "The secret code is: ",
    "What is the secret code?",
    "the key is that the code is wrong",
    "code: the body of the function, compiled.",
    "The port is the one that the host listens on.",
    "password: None",
    "api_key = ${API_KEY}",
    "api_key: <your api key>",
    'api_key = "YOUR_API_KEY"',
    "monkey: banana7x",
    "key=lambda pair: pair[0]",
    "key: [",
]


def values(detector: str, text: str) -> list[str]:
    return [text[a.value.start : a.value.end] for a in DETECTORS[detector]().find(text)]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("keyword", PAPER_KEYWORDS)
def test_keywords_with_every_separator(keyword, separator):
    text = f"Some words.\n{keyword}{separator}XK7M9P2Q and more."
    (anchor,) = DETECTORS["regex"]().find(text)
    assert text[anchor.value.start : anchor.value.end] == "XK7M9P2Q"
    label = text[anchor.label.start : anchor.label.end]
    assert label == keyword + separator
    assert anchor.label.end == anchor.value.start


@pytest.mark.parametrize("detector", ["regex", "semantic"])
@pytest.mark.parametrize(("text", "value"), FORMATS)
def test_formats(detector, text, value):
    assert value in values(detector, text)


@pytest.mark.parametrize("detector", ["regex", "semantic", "shapes"])
@pytest.mark.parametrize("text", SILENT)
def test_no_value_no_anchor(detector, text):
    assert values(detector, text) == []


def test_label_covers_the_words_of_the_announcement():
    text = "We met. The door code is: 44XY17."
    (anchor,) = DETECTORS["regex"]().find(text)
    assert text[anchor.label.start : anchor.label.end] == "The door code is: "


def test_a_word_after_code_ranks_below_a_code():
    detector = DETECTORS["regex"]
    needle = "code: XK7M9P2Q"
    word = "code: the body"
    strong = detector().find(needle)[0].confidence
    weak = [a.confidence for a in type(detector())(minimum=0.0).find(word)]
    assert strong > 0.9
    assert all(confidence < 0.3 for confidence in weak)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Remember 4417, please.", "4417"),
        ("He said the locker opens with QX-2231-B.", None),
        ("She told me 88-QX-2231.", "88-QX-2231"),
        ("You can reach me at bob@acme.org.", "bob@acme.org"),
        ("call me at +1 555 010 9999", "+1 555 010 9999"),
        ("Please use port 8443 there.", "8443"),
        ("Where is order #88412?", "88412"),
        ("ticket number 458219 is open", "458219"),
        ("batch: QX-2231-77", "QX-2231-77"),
        ("It was changed to 10.0.0.4 today", "10.0.0.4"),
    ],
)
def test_semantic_adds_verbs_keywords_and_unknown_labels(text, value):
    found = values("semantic", text)
    assert value is None or value in found
    assert value not in values("regex", text) or value is None


def test_semantic_is_a_superset_of_regex():
    for text, _ in FORMATS:
        assert set(values("regex", text)) <= set(values("semantic", text))


def test_english_prose_gives_few_and_weak_anchors():
    topics = pytest.importorskip("pydoc_data.topics").topics
    text = "\n".join(topics.values())
    needle = DETECTORS["regex"]().find("The secret code is: XK7M9P2Q")[0].confidence
    found = Scanner(["semantic", "shapes"]).feed(text, True)
    assert len(found) / (len(text) / 16384) < 2.0
    strong = {text[a.value.start : a.value.end] for a in found if a.confidence >= needle}
    assert strong <= {"37.24N, -115.81W"}  # under the label Coordinates, twice
    assert all(a.confidence >= MIN_CONFIDENCE for a in found)
