"""A value that takes another back replaces it, however that is said."""

from __future__ import annotations

import pytest

from found_values import claims_of, superseded
from transactional_attention.detection.scanner import Scanner
from transactional_attention.sponsorship.claims import claim_of

# What was said, what takes it back, the new value.
SAID = [
    ("The alarm code is 5512.", "Typo above: the alarm code should read 5521.", "5521"),
    ("Rendezvous: 2031-04-05 07:30", "Erratum: for the rendezvous read 2031-04-06 08:10.", "08:10"),
    (
        "Rendezvous: 2031-04-05T07:30:00Z",
        "Erratum: for the rendezvous read 6 May 2031, 08:10.",
        "6",
    ),
    ("Ship it to locker 554I944CX please.", "Oops, I meant locker YQH953!", "YQH953"),
    ("Call Mara at 415-555-0110.", "I gave you a wrong number; hers is 415-555-0167.", "0167"),
    ("The seed is 771239.", "Apologies, wrong seed. Right one: 771293.", "771293"),
    ("La clave es 55120.", "Quise decir 55210.", "55210"),
    ("Der Code lautet 90231.", "Korrektur: der Code lautet 90321.", "90321"),
]


@pytest.mark.parametrize(("old", "new", "value"), SAID)
def test_the_old_value_is_replaced(old, new, value):
    values, claims = claims_of(f"{old}\n\nThe boats leave before the light.\n\n{new}\n")
    assert values[-1].startswith(value) or values[-1].endswith(value)
    assert list(superseded(claims)) == [0]


FAR = " We talked about the garden for a while, and the roses were late again." * 12
# What was said, what takes it back, and the places of what no longer holds.
FAR_BACK = [
    ("The door code is 48213. Anna's PIN is 7741.", "No, make that 59324.", [0]),
    ("The door code is 48213. The alarm code is 77412.", "No, make that 59324.", [1]),
    ("My flight is LH4471. The seat is 14C.", "Correction: LH4417.", [0]),
    ("The invoice is INV-2201. The order is ORD-8812.", "Sorry, make that INV-2210.", [0]),
    ("The host is 10.2.3.4. The door code is 48213.", "Wait, that should be 10.2.3.9.", [0]),
    ("The backup is at /srv/a/x7.tar. The PIN is 7741.", "Oops, I meant /srv/b/x9.tar.", [0]),
    ("Use the key AB-4471-X for the gate. The seat is 14C.", "Wait, make that AB-9921-Q.", [0]),
]


@pytest.mark.parametrize("between", [" The garden is large.", FAR], ids=["near", "far"])
@pytest.mark.parametrize(("old", "new", "gone"), FAR_BACK)
def test_a_correction_reaches_back_to_the_last_value_that_looks_like_it(old, new, gone, between):
    _, claims = claims_of(f"{old}{between}\n\n{new}\n")
    assert list(superseded(claims)) == gone


def test_a_less_trusted_source_corrects_nothing_far_back():
    _, claims = claims_of(f"The door code is 48213.{FAR}\n\nNo, make that 59324.\n")
    (old, _), (new, _) = claims
    assert not superseded([(old, "user"), (new, "tool")])
    assert list(superseded([(old, "tool"), (new, "user")])) == [0]


@pytest.mark.parametrize(
    "text",
    [
        "The door code is 4471.\nThe gate code is 4492.\n",
        "parcel 7712044 is heavy, parcel 53807425 is light\n",
        "Ward 3 intercom is 71397 while ward 8 intercom is 96982.\n",
        # The mistake is another one's: the correction names what it corrects.
        "The door code is 4471.\nOops, the gate code is 4492.\n",
        "The staging URL is https://a.example.com and the docs have moved to https://b.example.com.",
        "The primary database is db-prod-03.internal. The replica moved to db-repl-07.internal.",
        "Backups are written to /mnt/backup/a1. The logs were moved to /var/log/acme/b2.",
        "Send it to billing@northwind.io. The newsletter address was renamed to news@northwind.io.",
        # "my badge" is not "my bad"
        "My badge number is 55-0213. The door code is 4471-882.",
    ],
)
def test_values_that_stand_side_by_side_stay(text):
    values, claims = claims_of(text)
    assert len(values) == 2
    assert superseded(claims) == {}


def test_rows_of_a_table_take_nothing_back():
    rows = [("09:12", "deploy-QX7R41"), ("09:47", "rollback"), ("10:05", "deploy-TB2M90")]
    table = "Time | Event\n--- | ---\n" + "".join(f"{a} | {b}\n" for a, b in rows)
    anchors = Scanner(["values"]).feed(table, final=True)
    times = [a for a in anchors if table[a.value.start : a.value.end] in dict(rows)]
    assert len(times) == 3
    assert not superseded([(claim_of(a, lambda i, j: table[i:j]), "unknown") for a in times])


def test_every_statement_of_what_is_corrected_is_taken_back():
    text = "The door code is 48213.\nAgain: the door code is 48213.\nNo, make that 59324.\n"
    values, claims = claims_of(text)
    assert values == ["48213", "48213", "59324"]
    assert list(superseded(claims)) == [0, 1]
