"""Sums, telephones, moments, plates and file numbers as countries write them."""

import pytest

from found_values import found
from transactional_attention.detection.chunk_spans import candidates
from transactional_attention.detection.notations import confidence, earlier, is_telephone, written

WRITTEN = [
    ("80 508 ₽", "money"),
    ("14 988 рублей", "money"),
    ("10.444,19 €", "money"),
    ("R$ 1.250,00", "money"),
    ("₹3,45,678", "money"),
    ("人民币92186元", "money"),
    ("92,186円", "money"),
    ("12,400 ريال", "money"),
    ("23 ottobre alle 13:30", "moment"),
    ("10 de octubre a las 11:30", "moment"),
    ("12. Juni 2031 um 17:30 Uhr", "moment"),
    ("19 июня в 15:30", "moment"),
    ("11月7日午前8時", "moment"),
    ("10월 26일 오전 5시 30분", "moment"),
    ("31.12.2031, 16:30", "moment"),
    ("July 4, 2031 at 9:15 am", "moment"),
    ("3 Haziran 2031", "day"),
    ("(11) 93428-4103", "phone"),
    ("06 62 47 84 30", "phone"),
    ("0173/1490396", "phone"),
    ("98517 74809", "phone"),
    ("8 (912) 345-67-89", "phone"),
    ("2047/04/25 18:48", "moment"),
    ("kr 281.841,-", "money"),
    ("Mon, 25 Aug 2037 18:24:07 +0700", "moment"),
    ("23/May/2040:14:48:41 +0000", "logged"),
    ("480.448,398", "quantity"),
    ("115 800,40", "quantity"),
    ("+33 1 99 00 14 07", "phone"),
    ("UU-CS 9049", "plate"),
    ("AB 123 CD", "plate"),
    ("京B·333M7", "plate"),
    ("12가 3456", "plate"),
    ("3 O 123/31", "file"),
]


@pytest.mark.parametrize(("value", "kind"), WRITTEN)
def test_a_notation_is_read_to_its_end(value, kind):
    assert written(value, 0) == (len(value), kind)


@pytest.mark.parametrize("value", [value for value, _ in WRITTEN])
def test_a_notation_is_one_candidate(value):
    text = f"x: {value}, y"
    assert (3, 3 + len(value), True) in candidates(text)


@pytest.mark.parametrize(
    "text", ["2031-04-05 10:11:12 INFO", "1990-1995 2000-2010", "300 000 000 x", "4417 opens"]
)
def test_stamps_ranges_and_plain_numbers_are_no_notation(text):
    assert written(text, 0)[1] != "phone"
    assert written(text, 0)[1] != "money"


def test_a_number_begins_where_its_currency_does():
    assert earlier("pay R$ 1.250,00", 7) == 4
    assert earlier("pay now 1.250,00", 8) == 8


def test_small_sums_are_no_values_by_themselves():
    assert confidence("12 euros", "money") == 0.0
    assert confidence("1.200 euros", "money") > 0.5
    assert not is_telephone("12 34 56")


@pytest.mark.parametrize("address", ["10.42.17.203", "1.2.34.56:8080"])
def test_an_address_is_no_date_with_more_behind_it(address):
    assert written(address, 0)[0] in (0, len(address))
    assert found(f"bastion_host: {address}\n") == [address]
