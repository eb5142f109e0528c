"""Kinds of value as places and programs write them: money, numbers, telephones, moments, names.

Telephones lie in ranges that are reserved for fiction; cards, accounts and plates are nobody's.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

from ..generators.values import MIXED, UPPER, WORDS, characters
from .native_values import NATIVE, grouped, indian

HEX, DIGITS = "0123456789abcdef", string.digits
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _amount(rng: random.Random) -> str:
    whole, cents = rng.randrange(1200, 890_000), f"{rng.randrange(100):02}"
    forms = (
        f"{grouped(whole, ' ')},{cents} zł", f"CHF {grouped(whole, chr(39))}.{cents}",
        f"kr {grouped(whole, '.')},-", f"£{whole:,}.{cents}", f"₹{indian(whole * 10)}",
        f"¥{whole * 100:,}", f"{grouped(whole, '.')},{cents} €", f"US${whole:,}.{cents}",
    )  # fmt: skip
    return rng.choice(forms)


def _quantity(rng: random.Random) -> str:
    whole, part = rng.randrange(10_000, 900_000), rng.randrange(1, 1000)
    forms = (f"{grouped(whole, '.')},{part:03}", f"{grouped(whole, ' ')},{part % 100:02}")
    return rng.choice((*forms, f"{grouped(whole, chr(39))}.{part:03}", f"{whole:,}.{part:03}"))


def _telephone(rng: random.Random) -> str:
    two, three = f"{rng.randrange(100):02}", f"{rng.randrange(1000):03}"
    forms = (
        f"+44 7700 900{three}", f"020 7946 0{three}", f"01632 960{three}",
        f"+33 1 99 00 {two} {three[:2]}", f"06 39 98 {two} {three[:2]}", f"+49 30 23125 {three}",
        f"(030) 23125-{three}", f"+61 491 570 {three}", f"+46 31 3900 6{two}",
    )  # fmt: skip
    return rng.choice(forms)


def _moment(rng: random.Random) -> str:
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(2027, 2049)
    hour, minute = rng.randrange(1, 13), f"{rng.randrange(60):02}"
    name = MONTHS[month - 1]
    forms = (
        f"{day:02}.{month:02}.{year}, {hour + 11}:{minute}",
        f"{month}/{day}/{year} {hour}:{minute} {rng.choice(('AM', 'PM'))}",
        f"{rng.choice(DAYS)}, {day:02} {name} {year} {hour + 11}:{minute}:07 +0{hour % 9}00",
        f"{day:02}/{name}/{year}:{hour + 11}:{minute}:41 +0000",
        f"{year}{month:02}{day:02}T{hour + 11}{minute}00Z",
        f"{year}/{month:02}/{day:02} {hour + 11}:{minute}",
    )
    return rng.choice(forms)


def _filing(rng: random.Random) -> str:
    """Numbers of files and papers, with slashes, dots or spaces inside."""
    number, year = characters(rng, 4, DIGITS), rng.randrange(2027, 2049)
    letters = characters(rng, 2, string.ascii_uppercase)
    return rng.choice(
        (
            f"{letters}/{year}/0{number}",
            f"{number}/{year % 100}-{letters[0]}",
            f"{letters}.{number}.{characters(rng, 3, DIGITS)}",
            f"{number} {characters(rng, 4, DIGITS)} {characters(rng, 2, DIGITS)}",
            f"{year}-{letters}-{number}/{rng.randrange(2, 9)}",
        )
    )


def _ipv6(rng: random.Random) -> str:
    return "2001:db8:" + ":".join(f"{rng.randrange(4096, 65536):x}" for _ in range(6))


def _cidr(rng: random.Random) -> str:
    network = rng.choice(("192.0.2", "198.51.100", "203.0.113"))
    return f"{network}.{16 * rng.randrange(1, 16)}/{rng.randrange(28, 31)}"


def _fingerprint(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return f"SHA256:{base64.b64encode(rng.randbytes(32)).decode().rstrip('=')}"
    return ":".join(characters(rng, 2, HEX).upper() for _ in range(20))


def _arn(rng: random.Random) -> str:
    account, word = characters(rng, 12, DIGITS), rng.choice(WORDS)
    return f"arn:aws:iam::{account}:{rng.choice(('role', 'user', 'key'))}/{word}-{account[3:7]}"


def _urn(rng: random.Random) -> str:
    number, word = characters(rng, 7, DIGITS), rng.choice(WORDS)
    secret = f"{rng.choice(WORDS)}/versions/{rng.randrange(2, 40)}"
    forms = (
        f"projects/{word}-{number}/secrets/{secret}",
        f"urn:{word}:{characters(rng, 4, UPPER)}:{number}",
    )
    return rng.choice(forms)


def _username(rng: random.Random) -> str:
    one, other = rng.sample(WORDS, 2)
    joint, number = rng.choice("._-"), rng.randrange(11, 9999)
    return rng.choice((f"{one}{joint}{other}{number}", f"{one}{number}", f"@{one}_{other}{number}"))


def _plate(rng: random.Random) -> str:
    a, b = characters(rng, 2, string.ascii_uppercase), characters(rng, 3, string.ascii_uppercase)
    number = characters(rng, 4, DIGITS)
    return rng.choice((f"{a}{number[:2]} {b}", f"{a}-{b[:2]} {number}", f"{number} {b}"))


LOCAL: dict[str, Callable[[random.Random], str]] = {
    "amount": _amount,
    "quantity": _quantity,
    "telephone": _telephone,
    "moment": _moment,
    "filing": _filing,
    "ipv6": _ipv6,
    "cidr": _cidr,
    "fingerprint": _fingerprint,
    "digest": lambda rng: f"sha256:{characters(rng, 64, HEX)}",
    "ulid": lambda rng: f"01{characters(rng, 24, CROCKFORD)}",
    "nanoid": lambda rng: f"{characters(rng, 10, MIXED)}{rng.choice('_-')}{characters(rng, 10)}",
    "card": lambda rng: " ".join(f"9{characters(rng, 3, DIGITS)}" for _ in range(4)),
    "arn": _arn,
    "urn": _urn,
    "username": _username,
    "plate": _plate,
    **NATIVE,
}
"""More kinds that are values."""
