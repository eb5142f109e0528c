"""What looks like a value and is none, and the values that stand beside it."""

from __future__ import annotations

import pytest
from transactional_attention.detection.languages import Languages

from found_values import anchors_of, found
from transactional_attention.detection.forms import classify
from transactional_attention.detection.shapes import Shapes


@pytest.mark.parametrize(
    "text",
    [
        "note\n4F7K-22QX",
        "Merke dir\n88-QX-2231",
        "Passwort\nXk81QQ7",
        "la ficha\n\nQX-7721",
        "Wi-Fi şifresi\nXk81QQ7",
        "Номер заказа\nORD-58213",
    ],
)
def test_a_word_says_nothing_of_the_line_below(text):
    assert Languages().find(f"Antes.\n{text}\nFin.") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Das Passwort lautet\nXk81-QQ7.", "Xk81-QQ7"),
        ("La clave:\n88-QX-2231", "88-QX-2231"),
        ("Le code de la porte est\n4471B.", "4471B"),
        ("Пароль от сети —\nXk81QQ7", "Xk81QQ7"),
        ("暗証番号は\n447182です。", "447182"),
    ],
)
def test_a_sign_or_a_copula_leads_to_the_next_line(text, value):
    anchors = Languages().find(text)
    assert value in [text[a.value.start : a.value.end] for a in anchors]


@pytest.mark.parametrize(
    "text",
    [
        "    at Object.openSync (node:fs:601:3)",
        "    at node:internal/process/task_queues:95:5",
        "    at async render (host:lib/server:210:17)",
        "at load (/srv/app/lib/plan.js:14:9)",
        "  --> src/main.rs:12:5",
        "goroutine 1: cmd/serve.go:66",
        "see tests/unit/test_gate2.py:88",
    ],
)
def test_a_place_in_a_program_is_no_value(text):
    assert found(f"It failed.\n{text}\nTry again.") == []


def test_a_host_with_its_port_is_no_place_in_a_program():
    assert found("host: db-7.internal:5432\nnode: relay-3.internal:9042\n") == [
        "db-7.internal:5432",
        "relay-3.internal:9042",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "User: Nice",
        "User: Thanks!",
        "user: thanks, that works",
        "User: Nice, thanks.",
        "### User: Hello\nAssistant: Hi",
        "Customer: Wonderful. Bye",
        "Human: Why?\nAI: Because.",
        "host: Welcome!",
    ],
)
def test_a_turn_of_a_conversation_is_no_pair(text):
    assert found(f"{text}\n") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("user: deploy\n", "deploy"),
        ("User: alice42\n", "alice42"),
        ("User: 44-QX-19 is on my badge\n", "44-QX-19"),
        ("user: alice, role: admin\n", "alice"),
        ("password: Sunshine!\n", "Sunshine!"),
    ],
)
def test_a_user_is_still_a_value(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        """run = '[{"name": "plan", "args": {}}]'\n""",
        """content: '[{"type": "text", "text": "fine"}]'\n""",
        """tool --body '{"query": "all", "n": 3}'\n""",
        """key = '{items: [1, 2]}'\n""",
        """define('TOKEN', '["a", "b"]');\n""",
    ],
)
def test_a_structure_is_no_value(text):
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "call_9f8e7d6c5b", "type": "function"}',
        '{"role": "tool", "tool_call_id": "D681PevKs", "content": "ok"}',
        '{"id": "D681PevKs", "type": "function", "function": {"name": "plan"}}',
        '{"id": "D681PevKs", "function": {"name": "plan", "arguments": "{}"}}',
        '{"type": "tool_use", "id": "D681PevKs", "name": "plan", "input": {}}',
        '[{"name": "plan", "arguments": {"day": "Monday"}, "id": "D681PevKs"}]',
        '{"tool_use_id": "toolu_01A9xKq7", "content": "ok"}',
        "tool call_7xK2m9 returned nothing",
        'call_id = "fc_8d7f6a5b"',
    ],
)
def test_the_id_of_a_call_is_no_value(text):
    assert found(f"{text}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "D681PevKs", "type": "invoice"}',
        '{"id": "D681PevKs", "function": "porter"}',
        '{"type": "parcel", "id": "D681PevKs"}',
        '{"caller_id": "D681PevKs"}',
    ],
)
def test_other_ids_stay_values(text):
    assert "D681PevKs" in found(f"{text}\n")


STAMPS = [
    "2031-04-02T09:15:44.123Z",
    "20310402T091544Z",
    "02/Apr/2031:09:15:44",
    "2031/04/02-09:15:44.311",
    "02-Apr-2031",
    "09:15:44.311Z",
    "2031-04-02_09:15",
    "1h23m45.6s",
    "350.25ms",
    "12.5MiB/s",
]


@pytest.mark.parametrize("stamp", STAMPS)
def test_a_stamp_of_a_log_is_not_opaque(stamp):
    assert classify(stamp) == ("", 0.0)
    for line in (f"{stamp} INFO started", f"[{stamp}] started", f"INFO {stamp} - started"):
        rules = {a.rule for a in Shapes().find(line)}
        assert rules <= {"shape:time"}


@pytest.mark.parametrize("text", ["[09:15:44] started", "[9:15] started", "[09:15:44.311] ok"])
def test_a_clock_in_brackets_is_no_address(text):
    assert found(text) == []


def test_an_address_in_brackets_is_found():
    assert found("redis at [2001:db8::1f]:6379 and [::1]:80") == ["[2001:db8::1f]:6379", "[::1]:80"]


@pytest.mark.parametrize("value", ["7d3h9QX", "12Mar31QX", "2031QX0402", "XK7M9P2Q", "4471Bx9"])
def test_what_only_begins_like_a_stamp_is_opaque(value):
    assert classify(value)[0] == "opaque"


@pytest.mark.parametrize(
    "text",
    [
        "They settled on {} in the end.",
        "It had been {} all along.",
        "{}",
        "Upgrade from {}, please",
        "(fixed in {})",
        "They run Postgres {} there.",
    ],
)
@pytest.mark.parametrize("version", ["8.6.14", "0.12.3", "2031.4.1"])
def test_a_bare_version(text, version):
    text = text.format(version)
    anchors = [a for a in Shapes().find(text) if a.rule == "shape:version"]
    assert [text[a.value.start : a.value.end] for a in anchors] == [version]


@pytest.mark.parametrize(
    "text",
    [
        "see section 6.2.1 for more",
        "Chapter 6.2.1",
        "§6.2.1 says so",
        "6.2.1. Generator expressions",
        "  6.2.1 Generator expressions",
        "## 6.2.1 Generator expressions",
        "on 24.12.2031 at noon",
        "at 10.0.0.12 again",
        "Fig. 4.2.1 shows it",
        "call 555.010.1234.9",
        "x.6.2.1",
        "about 6.2 percent",
        "requests>=2.31.0",
    ],
)
def test_what_numbers_something_else(text):
    assert [a for a in Shapes().find(text) if a.rule == "shape:version"] == []


def test_a_label_behind_its_value_is_not_a_part_of_it():
    text = "We were told that AB7-22XK-91 opens the vault.\n"
    (anchor,) = anchors_of(text)
    assert text[anchor.value.start : anchor.value.end] == "AB7-22XK-91"
    assert "vault" in text[anchor.label.start : anchor.label.end]
