"""Parts of addresses, tables without outer bars, and values that a console session shows."""

from __future__ import annotations

import pytest
from transactional_attention.detection.roles import label_role
from transactional_attention.detection.structure import Structure

from found_values import anchors_of
from transactional_attention.detection.shapes import Shapes


def values(detector, text):
    return {text[a.value.start : a.value.end]: a for a in detector.find(text)}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("magnet:?dn=album&xt=urn:btih:439c29a81e3e2d2439d8d8697a6a8a69cbeb46dc", "439c29a8"),
        ("ldap://velvet-34.corp.test:389/dc=example", "velvet-34.corp.test"),
        ("https://meet.example.com/j/4662409?pwd=MsCxf0LX", "4662409"),
        ("https://id.example.org/reset?u=desk&k=xh9ZB3aB", "xh9ZB3aB"),
        ("sensor|installed|serial\nhygro|2047-11-24|WAI-IYXJ-5TLX", "WAI-IYXJ-5TLX"),
        ("<Note><![CDATA[amber comet birch]]></Note>", "amber comet birch"),
    ],
)
def test_parts_are_found(text, part):
    assert any(value.startswith(part) for value in values(Structure(), text + "\n"))


def test_a_password_outranks_the_host_beside_it():
    found = values(Structure(), "mysql://root:k9Lx22Qm@203.0.113.9:3306/shop\n")
    assert found["k9Lx22Qm"].confidence > found["203.0.113.9:3306"].confidence


def test_the_head_of_a_label_decides():
    assert label_role("combination of the bike lock") > 0.9
    assert label_role("cat of the house") < 0.9


@pytest.mark.parametrize("value", ["3OB-DJDO-BDJR", "KvxnuVobfunkv6FuFf+Oxw=="])
def test_codes_in_groups_and_padded_ones_have_a_form(value):
    assert value in values(Shapes(), f"It said {value} and nothing else.\n")


@pytest.mark.parametrize("text", ["AES-256-GCM", "UTF-16-LE", "end-to-end", "SHA3-256"])
def test_names_of_standards_have_none(text):
    assert values(Shapes(), f"It said {text} and nothing else.\n") == {}


def test_what_a_console_session_shows_stands_back():
    line = 'token = "k9Lx22QmZr81"\n'
    (told,) = anchors_of(line)
    (shown,) = anchors_of(">>> " + line)
    assert shown.confidence < told.confidence
