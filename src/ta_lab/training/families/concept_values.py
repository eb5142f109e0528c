"""Values of everyday things: phone numbers, dates, amounts, places; and what a concept is."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from ..values import ALNUM, HEX, LOWER_ALNUM, UPPER_ALNUM, WORDS, characters

Maker = Callable[[random.Random], str]
MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
HOSTS = ("example.com", "example.org", "example.net")


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that has one value: its names, its values, and sentences about it without a name.

    `statements` contain ``{value}``; `questions` ask for it in other words.
    """

    labels: tuple[str, ...]
    make: Maker
    statements: tuple[str, ...]
    questions: tuple[str, ...]


def digits(low: int, high: int) -> Maker:
    """A maker of `low` to `high` digits."""
    return lambda rng: characters(rng, string.digits, rng.randint(low, high))


def tagged(*prefixes: str, alphabet: str = string.digits, low: int = 4, high: int = 6) -> Maker:
    """A maker of a prefix and `low` to `high` characters of `alphabet`."""
    return lambda rng: rng.choice(prefixes) + characters(rng, alphabet, rng.randint(low, high))


def measured(low: float, high: float, *units: str, decimals: int = 0) -> Maker:
    """A maker of a number from `low` to `high` and a unit, a space between them."""
    return lambda rng: f"{rng.uniform(low, high):.{decimals}f} {rng.choice(units)}"


def upper_code(rng: random.Random) -> str:
    """Five to ten characters of A-Z and 0-9."""
    return characters(rng, UPPER_ALNUM, rng.randint(5, 10))


def combination(rng: random.Random) -> str:
    """Three or four two-digit numbers: 12-31-07."""
    return rng.choice("-- ").join(f"{rng.randint(0, 99):02d}" for _ in range(rng.randint(3, 4)))


def phone(rng: random.Random) -> str:
    """A number of the ranges that are kept for fiction."""
    if rng.random() < 0.3:
        return f"+44 20 7946 0{rng.randint(0, 999):03d}"
    area, line = rng.randint(201, 989), rng.randint(100, 199)
    return rng.choice((f"({area}) 555-0{line}", f"{area}-555-0{line}", f"+1 {area} 555 0{line}"))


def date(rng: random.Random) -> str:
    """A day, in one of the usual spellings."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2019, 2031)
    name = MONTHS[month - 1]
    return rng.choice(
        (
            f"{year}-{month:02d}-{day:02d}",
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{name} {day}",
            f"{day:02d}/{month:02d}/{year}",
        )
    )


def clock(rng: random.Random) -> str:
    """A time of day."""
    hour, minute = rng.randint(0, 23), rng.randint(0, 59)
    if rng.random() < 0.6:
        return f"{hour:02d}:{minute:02d}"
    return f"{hour % 12 or 12}:{minute:02d} {'am' if hour < 12 else 'pm'}"


def appointment(rng: random.Random) -> str:
    """A weekday or a date, and a time."""
    day = rng.choice(WEEKDAYS) if rng.random() < 0.5 else date(rng)
    return f"{day} at {clock(rng)}"


def time_window(rng: random.Random) -> str:
    """From one time to another: 08:15-10:45."""
    start = rng.randint(6, 18)
    first = f"{start:02d}:{rng.randint(0, 11) * 5:02d}"
    return f"{first}-{start + rng.randint(1, 5):02d}:{rng.randint(0, 11) * 5:02d}"


def money(rng: random.Random) -> str:
    """An amount with its currency."""
    amount = rng.choice((f"{rng.uniform(3, 9999):,.2f}", f"{rng.randint(20, 90000):,}"))
    return rng.choice((f"${amount}", f"{amount} EUR", f"GBP {amount}", f"{amount} dollars"))


def room(rng: random.Random) -> str:
    """A room, a spot or a desk: B-214."""
    letter, number = rng.choice("ABCDEFGH"), rng.randint(100, 999)
    return rng.choice((f"{letter}{number}", f"{letter}-{number}", f"{number}{letter}", f"{number}"))


def seat(rng: random.Random) -> str:
    """A row and a letter."""
    return f"{rng.randint(1, 58)}{rng.choice('ABCDEFHJK')}"


def passphrase(rng: random.Random) -> str:
    """Two to four words, or a word with digits."""
    if rng.random() < 0.3:
        return rng.choice(WORDS).capitalize() + characters(rng, string.digits + "!#", 4)
    return rng.choice("-- _").join(rng.sample(WORDS, rng.randint(2, 4)))


def network(rng: random.Random) -> str:
    """The name of a wireless network."""
    name, tail = rng.choice(WORDS).capitalize(), rng.choice(("5G", "Guest", "Home", "2G", "Net"))
    number = rng.randint(2, 99)
    return rng.choice((f"{name}-{tail}-{number}", f"{name}_{number}", f"{name}{tail}{number}"))


def email(rng: random.Random) -> str:
    """An address in one of the domains kept for documentation."""
    return f"{rng.choice(WORDS)}.{rng.choice(WORDS)}{rng.randint(1, 99)}@{rng.choice(HOSTS)}"


def url(rng: random.Random) -> str:
    """A web address in one of the domains kept for documentation."""
    start = f"https://{rng.choice(WORDS)}{rng.randint(1, 99)}.{rng.choice(HOSTS)}"
    tail = rng.choice(WORDS), characters(rng, LOWER_ALNUM, 5)
    return rng.choice((start, f"{start}/{tail[0]}", f"{start}/{tail[0]}/{tail[1]}"))


def plate(rng: random.Random) -> str:
    """A licence plate."""
    letters = characters(rng, string.ascii_uppercase, 3)
    digit = characters(rng, string.digits, 4)
    return rng.choice((f"{letters} {digit[:3]}", f"{letters}-{digit}", f"{digit[:2]}-{letters}-7"))


def coordinates(rng: random.Random) -> str:
    """Latitude and longitude."""
    return f"{rng.uniform(-80, 80):.4f}, {rng.uniform(-179, 179):.4f}"


def dose(rng: random.Random) -> str:
    """A quantity of a medicine."""
    amount = rng.choice((2, 5, 7, 10, 15, 20, 25, 40, 75)) * rng.randint(1, 9)
    return f"{amount} {rng.choice(('mg', 'ml', 'mcg'))}"


def private_address(rng: random.Random) -> str:
    """An address of a private network."""
    tail = f"{rng.randint(0, 255)}.{rng.randint(1, 254)}"
    return rng.choice((f"192.168.{tail}", f"10.{rng.randint(0, 255)}.{tail}", f"172.16.{tail}"))


def host(rng: random.Random) -> str:
    """The name of a machine."""
    short = f"{rng.choice(WORDS)}-{rng.randint(1, 99):02d}"
    return short if rng.random() < 0.5 else f"{short}.{rng.choice(HOSTS)}"


def slug(rng: random.Random) -> str:
    """Words and a number, joined: lunar-pepper-42."""
    joint = rng.choice("--_.")
    return joint.join((*rng.sample(WORDS, rng.randint(1, 2)), str(rng.randint(2, 999))))


def branch(rng: random.Random) -> str:
    """A branch of a repository."""
    kind = rng.choice(("release", "hotfix", "feature", "deploy"))
    return f"{kind}/{rng.choice(WORDS)}-{rng.randint(1, 9999)}"


def path(rng: random.Random) -> str:
    """An absolute path."""
    folder = rng.choice(("etc", "var/log", "opt", "srv", "data", "home/ops"))
    end = rng.choice(("log", "conf", "yaml", "json", "toml", "txt"))
    return f"/{folder}/{rng.choice(WORDS)}/{rng.choice(WORDS)}{rng.randint(1, 99)}.{end}"


def version(rng: random.Random) -> str:
    """A version of three numbers."""
    return f"{rng.choice(('', 'v'))}{rng.randint(0, 19)}.{rng.randint(0, 40)}.{rng.randint(0, 99)}"


def hex_id(rng: random.Random) -> str:
    """Seven to sixteen hexadecimal digits."""
    return characters(rng, HEX, rng.choice((7, 8, 12, 16)))


def credential(rng: random.Random) -> str:
    """A prefix and random characters."""
    prefix = rng.choice(("", "sk-", "key_", "tok-", "pat_", "live_"))
    return prefix + characters(rng, ALNUM, rng.randint(8, 16))


def port(rng: random.Random) -> str:
    """A port number."""
    return str(rng.randint(1024, 65535))


EVERYDAY: tuple[Maker, ...] = (
    *(digits(3, 6), combination, phone, date, clock, money, room, passphrase, network, email),
    *(url, plate, coordinates, private_address, host, slug, branch, path, version, hex_id),
    *(credential, port, upper_code, tagged("INV-", "PO-", "TKT-", "REF ", "#"), appointment),
)
