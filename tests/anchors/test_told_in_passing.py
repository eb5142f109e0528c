"""What somebody says in passing: logins, words for a door, hidden places, people, sums, houses."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

LOGIN = "I made a login for the demo. User demo.ottavia, password Pear-Wagon-Bright. Have a look.\n"
TOLD = [
    (LOGIN, "demo.ottavia"),
    (LOGIN, "Pear-Wagon-Bright"),
    ("Log in with username harbour_guest and password teal8Kettle.\n", "harbour_guest"),
    ("login kioskadm / pass Gr0ve!42\n", "kioskadm"),
    ("kiosk -> login kiosk_two / Maple.Tin.48 -> no updates\n", "Maple.Tin.48"),
    ("The freezer alarm has been set to -61.5 °C by us.\n", "-61.5 °C"),
    ("The passcode is 731 942# and the room is open.\n", "731 942#"),
    ("The password for the tablet is Walnut!Ferry with a capital W.\n", "Walnut!Ferry"),
    ("When he asks, just say velvet turnip and he'll let you down.\n", "velvet turnip"),
    (
        "If they doubt you, murmur otters never dance on sundays and they will wave you through.\n",
        "otters never dance on sundays",
    ),
    ("You enter when you hear what a cold grey harbour, not before.\n", "what a cold grey harbour"),
    ("Type plugh-otter where it blinks and the lab wakes.\n", "plugh-otter"),
    (
        "I hid the spare key under the cracked birdbath by the gate, as always.\n",
        "the cracked birdbath by the gate",
    ),
    ("It was Gideon Achterberg who signed for the crates.\n", "Gideon Achterberg"),
    ("The woman who can unlock the archive is Petra Solheim, ask her.\n", "Petra Solheim"),
    ("Printer jammed → ring Mirjam (she knows it)\n", "Mirjam"),
    ("We wrote Mr Pell. This should have read Ludmila Ferrante.\n", "Ludmila Ferrante"),
    (
        "We shook hands on nine hundred and forty quid for the boat.\n",
        "nine hundred and forty quid",
    ),
    ("The guest wifi goes by HeronNest-attic and needs no code.\n", "HeronNest-attic"),
    ("She can't have anything with sulfasalazine in it.\n", "sulfasalazine"),
    ("He is badly allergic to amoxicillin.\n", "amoxicillin"),
    ("Please set your radios to 446.01875 MHz before leaving.\n", "446.01875 MHz"),
    ("At the gate you say the barley is late and the guard lets you pass.\n", "the barley is late"),
    ("Tell the man at the bar copper moths and he'll show you the stairs.\n", "copper moths"),
    ("Key phrase for the vault (slowly): seven otters under Turin.\n", "seven otters under Turin"),
    ("Correction: the name should be Marguerite Obuya.\n", "Marguerite Obuya"),
    ("He'll take forty-five quid for the bike.\n", "forty-five quid"),
    ("The cash is taped behind the loose tile in the pantry.\n", "the loose tile in the pantry"),
    ("Turn the knob until it shows 92.6, and listen.\n", "92.6"),
]
WHOLE = [
    ("Track it under RR 482 991 307 CH please.\n", "RR 482 991 307 CH"),
    ("Track it under XB 7714 2093 KT please.\n", "XB 7714 2093 KT"),
    ("He is in bed D-Bay 12, all well.\n", "D-Bay 12"),
    ("The safe answers to R14 L62 R09 now.\n", "R14 L62 R09"),
    ("I'm staying at 14 Alderney Rise, Flat 2 until May.\n", "14 Alderney Rise, Flat 2"),
    ("They have moved: Unit 9, Brewery Yard, BS1 6QH.\n", "Unit 9, Brewery Yard, BS1 6QH"),
    ("You want the green gate on 5a Weaver's Wynd.\n", "5a Weaver's Wynd"),
    (
        "Post it to Flat 3, 22 Elmtree Gardens, Leeds LS6 2AB.\n",
        "Flat 3, 22 Elmtree Gardens, Leeds LS6 2AB",
    ),
    (
        "<password>{xoJs8PINZVm3Z7zZ6p6vGGi4Cvjfxa4skLQxb4Fp}</password>\n",
        "{xoJs8PINZVm3Z7zZ6p6vGGi4Cvjfxa4skLQxb4Fp}",
    ),
]
NONE = [
    "The user name, password and e-mail are required. Each user has a login and a password.\n",
    "The user id, password hash and salt are stored.\n",
    "Just say yes and they will leave. She would say sorry and he would go.\n",
    "When you hear the bell, leave. Tell him the truth and he will listen.\n",
    "It was John Lennon who wrote the song. The man who invented it was Thomas Edison.\n",
    "He left the key under the mat. The cat sat under the old table by the window.\n",
    "They paid two hundred dollars for the tickets; it weighs two hundred pounds.\n",
    "You say a prayer and the priest will bless you. You say that and they will laugh.\n",
    "On Friday at noon the army attacked the city.\n",
    "The station goes by the river. You can type return and wait.\n",
    "He drove 12 Green Vale runs and they climbed 3 Blue Rock peaks.\n",
]


@pytest.mark.parametrize(("text", "value"), TOLD + WHOLE)
def test_it_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NONE)
def test_what_a_story_says_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), TOLD + WHOLE)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


PIECES = [
    "user a, ",
    "say a b ",
    "hid it under the a ",
    "the woman who can a ",
    "one hundred ",
    "Unit 1, ",
    "it was Aa Bb ",
    "RR 123 ",
    "wifi goes by Aa ",
    "password is a!",
    "ring A",
]


@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
