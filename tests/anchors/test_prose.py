"""Values that English sentences announce, follow, or correct."""

from __future__ import annotations

import pytest
from transactional_attention.detection.prose import Prose

from transactional_attention.sponsorship.claims import claim_of
from transactional_attention.sponsorship.supersession import superseded

CASES = [
    ("The crate was sealed with 88-QX-41 at noon.", "88-QX-41", "sealed"),
    ("I owe her $450 for the tickets", "$450", "tickets"),
    ("It came to 73 quid with the tip.", "73 quid", "came to"),
    ("My sister lands at 6:45 pm, so hurry.", "6:45 pm", "lands at"),
    ("They extended the lease number until 88-QX-41.", "88-QX-41", "lease"),
    ("The rate was lowered to 12,500.00 USD in May.", "12,500.00 USD", "lowered"),
    ("The door code is 4471.", "4471", "door code"),
    ("The rental car, after an age on hold, was KN43 JRT.", "KN43 JRT", "rental car"),
    ("The bay was moved, without much ado, to fjord_ribbon1859.", "fjord_ribbon1859", "bay"),
    ("It was confirmed by our office as 819'540.113.", "819'540.113", "confirmed"),
    ("Under rental you want XM-OT 6755, exactly so.", "XM-OT 6755", "want"),
    ("You always forget, so put iH!rm_Gcp there.", "iH!rm_Gcp", "put"),
    ("They left the car with the plate UU-CS 9049 there.", "UU-CS 9049", "plate"),
    ("The car with the plate 6268 MVU left early.", "6268 MVU", "plate"),
    ("Ring +33 1 99 00 14 07 twice.", "+33 1 99 00 14 07", "Ring"),
    ("She wrote kr 281.841,- in capitals.", "kr 281.841,-", "wrote"),
    ("The alarm was set by the night crew to 88213.", "88213", "alarm"),
    (
        "The staging database was changed last winter to 192.0.2.61:29491.",
        "192.0.2.61:29491",
        "staging database",
    ),
    ("88-QX-41 (that's the locker, in case you wondered)", "88-QX-41", "locker"),
    ("We have b7.lab.example down as your backup server.", "b7.lab.example", "backup server"),
    ("Our extension is 5531 from May on.", "5531", "extension"),
    ("The north gate combo is 4471, I think.", "4471", "combo"),
    ("the reset link is https://a.example/r/9XkQ2", "https://a.example/r/9XkQ2", "reset link"),
    ("reach her on +44 20 7946 0018 tonight", "+44 20 7946 0018", "reach"),
    ("You can ping me at bob@acme.org.", "bob@acme.org", "ping"),
    ("my new number is 555-010-9921", "555-010-9921", "number"),
    ("Wifi password - hunter2x", "hunter2x", "password"),
    ("Remember that QX-2231 is what we picked.", "QX-2231", "Remember"),
    ("Jot down 88-QX-41 before you go.", "88-QX-41", "Jot down"),
    ("He told me the box opens with 99-31K.", "99-31K", "opens with"),
    ("just type 4471 on the pad and walk in", "4471", "pad"),
    ("it's parked in B12", "B12", "parked"),
    ("use hunter2 for the wifi", "hunter2", "wifi"),
    ("We sit in row 14C, by the window.", "14C", "row"),
    ("XK7 is the door code, ok?", "XK7", "door code"),
    ("4471 opens the gate", "4471", "gate"),
    ("If the siren starts, 7042 makes it stop.", "7042", "makes"),
    ("ask for order ORD-58213 at the desk", "ORD-58213", "order"),
    ("the dump lies under /srv/data/run-7/out", "/srv/data/run-7/out", "under"),
    ("we agreed on 12,500.00 USD for the repair", "12,500.00 USD", "agreed"),
    ("The bisect landed on a3f9c21, so revert it", "a3f9c21", "landed"),
    ("The password is swordfish.", "swordfish", "password"),
    (
        "the passphrase is correct horse battery staple.",
        "correct horse battery staple",
        "passphrase",
    ),
    ('The wifi password for the cabin is "open sesame please"', "open sesame please", "password"),
    (
        "Please remember the vault passcode tundra-heron-marble for me.",
        "tundra-heron-marble",
        "passcode",
    ),
    ("Correction: 4492", "4492", "Correction"),
    ("The flight was changed to BA2490 today.", "BA2490", "changed"),
    ("Sorry, 77-QX-12 it must be.", "77-QX-12", "Sorry"),
    ("Her passport number is X8827113.", "X8827113", "passport number"),
    (
        "The gateway listens on [2001:db8::18]:2007, connect there.",
        "[2001:db8::18]:2007",
        "listens",
    ),
    ("Punch in 4471#, then push.", "4471#", "Punch in"),
    ("Dial 555-0199 and wait.", "555-0199", "Dial"),
    ("Check out commit 9f8e7d6 first.", "9f8e7d6", "commit"),
    ("Locker B-117 holds the spare.", "B-117", "Locker"),
    ("We meet at 48.8566, 2.3522 as always.", "48.8566, 2.3522", "meet at"),
    ("The budget is capped at $48,200.00 this year.", "$48,200.00", "capped"),
    ("Log in as svc_backup7 please.", "svc_backup7", "Log in"),
    ("The licence plate reads QX-71-LK.", "QX-71-LK", "plate"),
    ("Ship it under tracking number 1Z999AA10123456784.", "1Z999AA10123456784", "tracking number"),
]
SILENT = [
    "",
    "The population was 4471 people in 1998, and grew by 12,000 in 2004.",
    "The password is wrong.",
    "Not 4471, please.",
    "It was the 20th of May in the 1920s.",
    "He scored 31 points in 14 games.",
    "They gave this status on 2 September 1952.",
    "The passphrase is not the same as the key.",
    "The code is UTF-8 and the value 3.14159 is printed.",
    "In 1998 she wrote three books.",
    "Use !important and x^y, or Oh!What, but never Yes~No.",
    '"finally" ":" suite]\n   try2_stmt',
]


def values(text: str) -> list[str]:
    return [text[a.value.start : a.value.end] for a in Prose().find(text)]


@pytest.mark.parametrize("frame", ["{}", "It rained all day.\n\n{}\nNothing else happened."])
@pytest.mark.parametrize(("text", "value", "label"), CASES)
def test_announced(text, value, label, frame):
    text = frame.format(text)
    found = [a for a in Prose().find(text) if text[a.value.start : a.value.end] == value]
    assert found, values(text)
    assert label in text[found[0].label.start : found[0].label.end]


@pytest.mark.parametrize("text", SILENT)
def test_nothing_announced(text):
    assert values(text) == []


def said(anchors, text):
    """Claims of anchors whose source is not known."""
    return [(claim_of(anchor, lambda i, j: text[i:j]), "unknown") for anchor in anchors]


@pytest.mark.parametrize(
    "second",
    ["No, make that 4492.", "Correction: 4492.", "It is now 4492.", "The door code is 4492."],
)
def test_a_correction_supersedes_what_it_corrects(second):
    text = f"The door code is 4471. {second}"
    old, new = Prose().find(text)
    assert text[new.value.start : new.value.end] == "4492"
    assert list(superseded(said([old, new], text))) == [0]


@pytest.mark.parametrize(
    "second",
    [
        "The tag, lost in the move to the new one, is QX-4492.",
        "The gate tag was changed last winter to QX-4492.",
    ],
)
def test_what_speaks_of_another_thing_supersedes_nothing(second):
    text = f"The booking number was changed last winter to QX-4471. {second}"
    assert superseded(said(Prose().find(text), text)) == {}


def test_near_identical_labels_keep_their_values():
    text = "The north door code is 4471. The south door code is 4492. The north door code is 4471."
    assert superseded(said(Prose().find(text), text)) == {}
