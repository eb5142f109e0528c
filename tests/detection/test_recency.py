"""Of two values that may be of one thing the newer one stands first; neither is given up."""

from __future__ import annotations

import pytest

from found_values import anchors_of
from transactional_attention.sponsorship.claims import claim_of
from transactional_attention.sponsorship.supersession import newer_first
from transactional_attention.sponsorship.trust import value_rank
from transactional_attention.types import SponsoredSpan


def ranked(text, sources=(), flooded=()):
    """Values of a text, the first to be kept first."""
    anchors = anchors_of(text)
    claims = [claim_of(anchor, lambda i, j: text[i:j]) for anchor in anchors]
    all_sources = [*sources, *["unknown"] * (len(claims) - len(sources))]
    spans = [
        SponsoredSpan(
            a.label,
            a.value,
            a.value.start,
            0.0,
            a.confidence,
            a.rule,
            source,
            value_rank(
                source, a.rule, a.confidence, claim.opacity, claim.place, states=claim.states
            ),
        )
        for a, claim, source in zip(anchors, claims, all_sources, strict=True)
    ]
    forms = {(c.form, s) for c, s in zip(claims, all_sources, strict=True)} if flooded else set()
    ranked_spans = newer_first(spans, list(zip(claims, all_sources, strict=True)), forms)
    best = sorted(ranked_spans, key=lambda span: span.rank, reverse=True)
    return [text[span.value.start : span.value.end] for span in best]


OLD, NEW = "XK7M-9P2Q-4T8W", "R3VD-8H6N-1Z5B"


@pytest.mark.parametrize(
    "text",
    [
        f"The project code is {OLD}.\nOmar pointed at the project code; he has {NEW}.",
        f"The promo code is {OLD}.\nThat promo code ran out. There's {NEW} for you.",
        f"The booking code is {OLD}.\nThe hotel rang and has the booking code wrong; it is {NEW}.",
    ],
)
def test_a_value_without_a_name_that_follows_one_of_its_form_stands_first(text):
    assert ranked(text)[:2] == [NEW, OLD]


def test_a_record_of_a_stated_name_stands_first_unless_its_form_is_a_lists():
    text = f"The project code is {OLD}.\nIt rained.\nProject code: {NEW}\n"
    assert ranked(text) == [NEW, OLD]
    assert ranked(text + "Voucher: Q9WE-7R5T-2Y8U\n")[0] == OLD
    assert ranked(text.replace("Project code:", "Voucher:"))[0] == OLD


def test_who_is_less_trusted_does_not_come_first():
    text = f"The project code is {OLD}.\nOmar pointed at the project code; he has {NEW}."
    assert ranked(text, sources=("user", "tool"))[0] == OLD


def test_a_value_of_another_name_stays_where_it_is():
    text = (
        f"The project code is {OLD}.\nThe licence key reads {NEW}.\nThe voucher is Q9WE-7R5T-2Y8U."
    )
    assert set(ranked(text)) == {OLD, NEW, "Q9WE-7R5T-2Y8U"}


def test_a_copy_of_a_mirror_stands_before_it():
    old, new = "https://old.example.com/k/Xk7Mp92Q", "https://new.example.org/k/R3vDh86N"
    values = ranked(f"Our mirror: {old}\nThe mirror died; there is a copy on {new} now.")
    assert values.index(new) < values.index(old)
