"""The canary of labels: no file, plan, report or page says a part of a value, found or not.

The text that a page shows is the user's own: there only what was found is masked.
"""

import json
import re
import tomllib
from pathlib import Path

import pytest

import transactional_attention as ta
from scenes import encode
from transactional_attention.detection.opacity import unreadable
from transactional_attention.engines import cache_file
from transactional_attention.inspection.held import held_tokens
from transactional_attention.inspection.page import page_data
from transactional_attention.inspection.plan import plan, read
from transactional_attention.inspection.report import build_report
from transactional_attention.retention.forgetting import forget_text
from transactional_attention.retention.saving.flow import export_flow

FILE = Path(__file__).with_name("awkward_texts.toml")
TEXTS = tomllib.loads(FILE.read_text(encoding="utf-8"))["texts"]
BEFORE, AFTER = "Some words come first.\n", "And more words follow here.\n"
HASH = re.compile(r"#?\b[0-9a-f]{16,}\b")
PART = 4  # characters
BUDGET = 24


@pytest.fixture(params=TEXTS, ids=[case["text"][:24].strip() for case in TEXTS])
def case(request):
    """(text, values)."""
    return BEFORE + request.param["text"] + AFTER, request.param["values"]


def bare(text):
    return re.sub(r"[\W_]", "", text).lower()


def strings(data):
    """All text of plain data, keys too, without hashes, which say nothing."""
    if isinstance(data, str):
        return [HASH.sub("", data)]
    items = data.items() if isinstance(data, dict) else data
    return [s for part in items for s in strings(part)] if hasattr(items, "__iter__") else []


def told(data, values):
    """Texts of plain data with ``PART`` characters of a value in a row, whatever parts them."""
    whole = [bare(value) for value in values]
    parts = {text[i : i + PART] for text in whole for i in range(len(text) - PART + 1)}
    return [text for text in strings(data) if any(part in bare(text) for part in parts)]


def cut(text, tokenizer, **options):
    flow = read(text, tokenizer, ta.Retention(BUDGET, **options), shape=None)
    for table in flow.tables.values():
        flow.cut(table)
    return flow


def record_of(flow):
    return json.loads(json.dumps(export_flow(flow)[0]))


def found_in(flow, values):
    text = flow.sequences[0].text.text
    return [
        v for v in values if any(v in text[s.start : s.end] for s in flow.sequences[0].scan.stated)
    ]


@pytest.mark.parametrize("text", ["4111 1111 exp", "a qx7k b", "x 7 k 9 9 z p", "4.1.1.1"])
def test_the_canary_sees_a_value_whatever_parts_it(text):
    values = ["4111-1111-1111-1111", "QX7K.99ZP"]
    assert told({"labels": [[0, 9, text]], "words": {text: 1.0}}, values) == [text, text]
    assert told({"salt": "4111" * 8, "labels": [[4, 11, "card exp 12"]]}, values) == []


def test_most_of_the_values_are_found(tokenizer):
    texts = [(BEFORE + case["text"] + AFTER, case["values"]) for case in TEXTS]
    count = sum(len(found_in(cut(text, tokenizer), values)) for text, values in texts)
    assert len(TEXTS) >= 49 and count >= 0.8 * sum(len(values) for _, values in texts)


@pytest.mark.parametrize("method", ["ta", "ta-fast-regex", "random-spans"])
def test_nothing_shown_or_saved_says_a_part_of_a_value(case, tokenizer, method):
    text, values = case
    flow = cut(text, tokenizer, method=method)
    report = build_report(flow, 0, reveal=False)
    shown = {
        "record": record_of(flow),
        "report": report.to_dict(),
        "held": held_tokens(flow, reveal=False)["values"],
        "repr": [repr(entry.claim) for entry in flow.sequences[0].registry.state().entries],
    }
    assert [name for name, data in shown.items() if told(data, values)] == []


def test_no_plan_or_page_says_a_part_of_a_value(case, tokenizer):
    text, values = case
    made, flow = plan(text, tokenizer, BUDGET), read(text, tokenizer, ta.Retention(BUDGET))
    page = page_data(flow, text, reveal=False)
    shown = {
        "plan": made.to_dict(),
        "hints": [item.reason for item in made.ranges()],
        "names": [span["name"] for span in page["spans"]],
    }
    assert [name for name, data in shown.items() if told(data, values)] == []
    pieces = "".join(page["pieces"])
    assert not any(value in pieces for value in found_in(flow, values))


def test_no_file_of_a_cache_says_a_part_of_a_value_and_none_saved_again(
    case, model, tokenizer, tmp_path
):
    text, values = case
    retention = ta.Retention(BUDGET, memory=True)
    cache = ta.RetentionCache(model, tokenizer, retention)
    ta.prefill(model, encode(tokenizer, text)[0], cache)
    for name in ("first", "again"):
        cache.save(tmp_path / name)
        _, record = cache_file.read(tmp_path / name)
        content = (tmp_path / name).read_bytes()
        assert told(record, values) == []
        assert not any(v.encode() in content for v in values if len(v) > PART)
        cache = ta.load_cache(tmp_path / name, model, tokenizer)


def test_no_text_that_is_forgotten_says_a_part_of_a_value(case, tokenizer):
    text, values = case
    flow = cut(text + AFTER * 40, tokenizer)
    forget_text(flow, keep=0)
    assert not flow.sequences[0].whole
    assert told(record_of(flow), values) == []


def test_labels_are_still_shown(tokenizer):
    """What is hidden is hidden for a reason: words of labels stay."""
    text = f"{BEFORE}card 4111-1111-1111-1111 exp 12/29 cvv 8123\nDB_PASSWORD_2=x9Kq7Vw3\n"
    flow = cut(text + AFTER, tokenizer)
    report, record = str(build_report(flow, 0, reveal=False)), json.dumps(record_of(flow))
    for shown in (report, record, str(plan(text, tokenizer, BUDGET).to_dict())):
        assert "cvv" in shown and "DB_PASSWORD_2" in shown


@pytest.mark.parametrize(
    ("text", "hides"),
    [
        ("The api key of server eu-2 is", []),
        ("DB_PASSWORD_2=", []),
        ('{"user": {"api_token":', []),
        ("clé de la porte", []),
        ("TOKEN_x8Kq2Vt9Lp=", ["TOKEN_x8Kq2Vt9Lp="]),
        ("- Wz83-Kq19: pin", ["Wz83-Kq19:"]),
        ("4485-7719-3320-8841,12/31 and pin", ["4485-7719-3320-8841,12/31"]),
        ("MIIEvQIBADANBgkqhkiG9w0B", ["MIIEvQIBADANBgkqhkiG9w0B"]),
    ],
)
def test_words_that_no_one_can_read_are_hidden_and_no_others(text, hides):
    assert [text[span.start : span.end] for span in unreadable(text)] == hides
