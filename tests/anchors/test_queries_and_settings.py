"""Values in the queries of URLs, in settings, and in lines of logs around them."""

from __future__ import annotations

import pytest
from transactional_attention.detection.ensemble import likelihood

from found_values import anchors_of
from transactional_attention.detection.opacity import surprise


def likely(text: str) -> dict[str, float]:
    """Every value that is found, with how likely it is one."""
    found: dict[str, float] = {}
    for anchor in anchors_of(text):
        value = text[anchor.value.start : anchor.value.end]
        found[value] = likelihood(anchor.rule, anchor.confidence, surprise(value))
    return found


def test_a_label_before_an_address_takes_it_whole():
    address = "https://hooks.test/in?space=216fddfe-f076-47a0-a979-8caf17cdcea5&c=alerts"
    found = likely(f"Webhook registered: {address} (active)\n")
    assert address in found and "216fddfe-f076-47a0-a979-8caf17cdcea5" in found
    assert not [value for value in found if value.endswith("=")]


def test_a_parameter_inside_a_parameter_stands_in_for_it():
    found = likely(
        "https://a.test/?url=https%3A%2F%2Fb.test%2Fopen%3Fdoc%3DsmK1QkrrbBOpixq&data=0\n"
    )
    assert "smK1QkrrbBOpixq" in found


def test_a_parameter_ends_where_the_place_on_the_page_begins():
    found = likely("The invite: https://meet.test/j/88219?pwd=aFh3Zk9LQT09#success\n")
    assert "aFh3Zk9LQT09" in found and "aFh3Zk9LQT09#success" not in found
    assert "aFh3Zk9LQT09#7" in likely("pwd=aFh3Zk9LQT09#7\n")


def test_an_address_in_a_setting_has_all_its_parameters():
    address = "jdbc:mysql://db.test:5531/till?currentSchema=sales&ssl=true"
    assert address in likely(f"hibernate.connection.url={address}\nhibernate.show_sql=false\n")


@pytest.mark.parametrize(
    "text",
    ["log4j.appender.R2.File=plain\n", "log4j.rootLogger = INFO, out\n", "log4j.rootLogger=INFO\n"],
)
def test_the_name_of_a_setting_is_no_value(text):
    assert not [value for value in likely(text) if value.startswith("log4j")]


def test_base64_keeps_its_padding():
    assert "Zm9vYmFyYmF6cXV4MTIzNA==" in likely("take Zm9vYmFyYmF6cXV4MTIzNA== with you\n")


def test_an_index_is_no_label_of_its_own():
    assert likely("feed.key[0]=ABX82JJ\n")["ABX82JJ"] > 0.9


@pytest.mark.parametrize(
    ("text", "less", "more"),
    [
        ("#db.pass=Old81-QX77\ndb.pass=New33-PL20\n", "Old81-QX77", "New33-PL20"),
        ("server.port=8080\nkiosk.port=7713\n", "8080", "7713"),
        ("Expires=1925000000\nOrder=4471902866\n", "1925000000", "4471902866"),
        (
            '198.51.100.23 - ines [02/Jun/2031:17:40:02 +0200] "POST /pay?intent=BEl4L0xF3j89'
            ' HTTP/2.0" 303 0\n',
            "198.51.100.23",
            "BEl4L0xF3j89",
        ),
    ],
)
def test_what_everybody_knows_stands_back(text, less, more):
    found = likely(text)
    assert found.get(less, 0.0) < found[more]


def test_a_stamp_and_a_process_name_no_value():
    found = likely('Mar 03 08:15:29 gate haproxy[411]: 192.0.2.18:51122 "GET /b" 200\n')
    assert found.keys() <= {"192.0.2.18:51122"}


def test_the_default_of_a_placeholder_is_labelled_by_it():
    assert likely("mail.password=${MAIL_PASSWORD:vidx+5M+sQ}\n")["vidx+5M+sQ"] > 0.75


@pytest.mark.parametrize(
    "text",
    [
        "The road, paid for with $30,000 in bonds, cost £1.42 million in the end.",
        "They had £31.50 and no luggage.",
        "On March 3, 1831 at 9:15 he spoke to the crowd.",
        "Her great-great-aunt played in a rock-country-blues band.",
        'The "quiet blue window seat" is where she wrote.',
        "Tyres of 205/55 fit, and 7.62x51 does not.",
        "The first suite (BWV 1007, in G) is the best known.",
        "Directive 95/46/EC was repealed.",
        "Date: 4 May 1471. Place: Tewkesbury.",
    ],
)
def test_prose_counts_and_states_nothing(text):
    assert likely(f"{text}\n") == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Transfer $30,417.25 before noon.", "$30,417.25"),
        ("It opens with amber-lantern-cobalt, said twice.", "amber-lantern-cobalt"),
        ("Call on March 3, 2031 at 9:15 sharp.", "March 3, 2031 at 9:15"),
    ],
)
def test_what_is_exact_stays_a_value(text, value):
    assert value in likely(f"{text}\n")
