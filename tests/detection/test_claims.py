"""What anchors say: labels as words, wordings, corrections; who is believed; what is permitted."""

from __future__ import annotations

import pytest

from found_values import claims_of, superseded
from transactional_attention.config import Retention
from transactional_attention.detection.label_words import content_words
from transactional_attention.detection.permits import permitted
from transactional_attention.errors import InputError
from transactional_attention.sponsorship.floods import APART, FLOOD, INSIDE, Repetition
from transactional_attention.sponsorship.trust import TRUST, likelihood, value_rank


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("The door code is ", "door code"),
        ("apiKey = ", "api key"),
        ("X-Request-Id: ", "x request id"),
        ("DEPLOY_SECRET_EU1=", "deploy secret eu 1"),
        ("What is the door code", "door code"),
    ],
)
def test_labels_and_questions_become_the_same_words(label, words):
    assert content_words(label) == words


def test_a_claim_keeps_no_text_of_its_value():
    ((value,), ((claim, _),)) = claims_of("The door code is QX81-77K2.\n")
    assert value == "QX81-77K2"
    assert claim.words == "door code"
    assert claim.states
    assert "QX81" not in repr(claim)


@pytest.mark.parametrize(
    "second",
    [
        "Correction: the door code is 4492.",
        "Correction. Door code: 4492",
        "No wait, the door code is 4492.",
        "Scratch that, the door code is 4492 after all.",
    ],
)
def test_a_correction_releases_what_it_names(second):
    values, claims = claims_of(f"The door code is 4471.\nNothing else happened.\n{second}\n")
    assert values == ["4471", "4492"]
    assert superseded(claims) == {0: True}


def test_a_label_said_again_puts_the_earlier_value_back_and_keeps_it():
    _, claims = claims_of("The door code is 4471.\nThe weather was fine.\nThe door code is 4492.\n")
    assert superseded(claims) == {0: False}


def test_a_correction_without_a_label_means_what_it_mentions():
    values, claims = claims_of(
        "The server is at 198.51.100.76:5101 for now.\nThe printer is at 198.51.100.9:5101.\n"
        "Correction: the server has moved, use 203.0.113.99:5272.\n"
    )
    assert len(values) == 3
    assert superseded(claims) == {0: False}


def test_records_of_a_list_and_labels_that_differ_replace_nothing():
    for text in (
        "id: QX-2231\nname: a\nid: QX-2232\nname: b\n",
        "The north door code is QX-4471. The south door code is QX-4492.\n",
    ):
        values, claims = claims_of(text)
        assert len(values) == 2
        assert superseded(claims) == {}


@pytest.mark.parametrize("other", ["assistant", "tool"])
def test_a_less_trusted_source_replaces_nothing(other):
    _, claims = claims_of("The door code is 4471.\nCorrection: the door code is 4492.\n")
    (first, _), (second, _) = claims
    assert superseded([(first, "user"), (second, other)]) == {}
    assert superseded([(first, other), (second, "user")]) == {0: True}


def test_a_wording_becomes_a_flood_by_its_count():
    counts = Repetition()
    gaps = [counts.note(7, 100 * i) for i in range(FLOOD - 1)]
    assert {counts.factor(7, 100 * i, gap) for i, gap in enumerate(gaps)} == {1.0}
    counts.note(7, 100 * FLOOD)
    assert counts.factor(7, 0, 100) == APART
    assert counts.factor(7, 300, 100) == INSIDE
    assert counts.factor(7, 9_000, 8_000) == APART
    assert counts.factor(8, 300, 100) == 1.0


def test_a_claim_that_is_read_again_counts_once():
    counts = Repetition()
    for _ in range(3 * FLOOD):
        counts.note(7, 100)
    assert counts.factor(7, 100, 0) == 1.0


def test_wordings_are_forgotten_before_they_fill_memory():
    counts = Repetition()
    for template in range(10_000):
        counts.note(template, template)
    assert len(counts._wordings) <= 4096


def test_one_template_with_fresh_values_is_one_wording():
    _, claims = claims_of("".join(f"alert {i}: token = Zx{i}81Qw7{i}Lm\n" for i in range(5)))
    assert len({claim.template for claim, _ in claims}) == 1
    assert len({claim.value for claim, _ in claims}) == 5


def test_the_order_is_currency_source_likelihood_and_what_was_asked_for():
    def rank(source="user", confidence=0.9, **others):
        return value_rank(source, "prose:label", confidence, 0.8, 10, **others)

    assert rank() > rank(confidence=0.6) > rank("assistant") > rank("tool", 1.0)
    assert rank("tool") > rank(current=False)
    assert rank(asked=True) > rank()
    assert rank(confidence=0.6) > rank(factor=APART) > rank(factor=INSIDE) > rank("assistant")
    assert TRUST["system"] == TRUST["user"] > TRUST["assistant"] >= TRUST["unknown"] > TRUST["tool"]


def test_likelihood_is_the_scorers_and_that_of_the_papers_rules_rises_with_opacity():
    assert likelihood("structure:pair", 0.7, 0.1) == 0.7
    for rule in ("regex:symbol", "semantic:verb"):
        numbers = [likelihood(rule, c, o) for c, o in ((0.5, 0.1), (0.7, 0.1), (0.7, 0.9))]
        assert numbers == sorted(numbers)
        assert 0 < numbers[0] < numbers[-1] < 1


@pytest.mark.parametrize(
    ("allow", "deny", "kept"),
    [
        ((), (), True),
        (("api key",), (), True),
        (("API_KEY",), (), True),
        (("api*",), (), True),
        (("key",), (), True),
        (("door code",), (), False),
        (("prose:*",), (), True),
        (("shape:*",), (), False),
        ((), ("api key",), False),
        (("api key",), ("prose:label",), False),
        ((), ("ke",), True),
    ],
)
def test_lists_name_labels_by_their_words_and_rules(allow, deny, kept):
    assert permitted("Our new apiKey is ", "prose:label", allow, deny) == kept


def test_a_label_that_is_none_is_permitted_by_rule_alone():
    assert permitted("", "shape:uuid", ("shape:uuid",), ())
    assert not permitted("", "shape:uuid", ("api key",), ())


@pytest.mark.parametrize("entries", [("",), ("the",), (" - ",), "api key", (7,)])
def test_lists_that_say_nothing_are_refused(entries):
    with pytest.raises(InputError, match="deny"):
        Retention(deny=entries)
