"""Fresh random values: codes, hashes, paths, endpoints, numbers and what else gets stated once.

Hosts, addresses and telephone numbers are of the ranges that are reserved for examples.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable

UPPER_ALNUM = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
LOWER_ALNUM = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
WORDS = (
    "falcon river stone amber tiger maple cobalt comet harbor silver lunar delta eagle forest "
    "garnet hazel indigo jasper koala lemon meadow nectar onyx pepper quartz raven saffron topaz "
    "umber velvet willow zephyr anchor basil cedar dune ember fjord grove heron iris juniper kelp "
    "lotus mango nova opal plum quill reef sage thistle ultra violet walnut xenon yarrow zinc "
    "bison crane dolphin ferret gecko hornet ibex jaguar lynx marten otter puffin salmon urchin"
).split()
# RFC 2606, RFC 5737 and the fictional ranges of the telephone authorities.
DOMAINS = ("example.com", "example.org", "example.net", "internal.example", "corp.test", "lab.test")
NETWORKS = ("192.0.2", "198.51.100", "203.0.113")
PREFIXES = ("sk-", "ghp_", "tok_", "AKIA", "key-", "id_", "usr_", "ord_", "req-", "cus_", "xoxb-")
CODES = ("ORD", "INV", "TKT", "REF", "BK", "PO", "SN", "ID", "CASE", "RMA", "TX", "LOT")
FOLDERS = ("etc", "var", "opt", "srv", "home", "data", "usr", "mnt", "tmp", "backup")
SUFFIXES = ("conf", "log", "json", "yaml", "txt", "db", "py", "csv", "toml", "pem")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
Maker = Callable[[random.Random], str]


def characters(rng: random.Random, alphabet: str, length: int) -> str:
    """A string of `length` independent characters of `alphabet`."""
    return "".join(rng.choice(alphabet) for _ in range(length))


def code8(rng: random.Random) -> str:
    """Eight characters of A-Z and 0-9; in a third of them few different ones, so that they repeat.

    A repeated character has two successors: the copies that went wrong were mostly of such codes.
    """
    if rng.random() < 1 / 3:
        return characters(rng, "".join(rng.sample(UPPER_ALNUM, rng.randint(3, 6))), 8)
    return characters(rng, UPPER_ALNUM, 8)


def alphanumeric(rng: random.Random, low: int = 6, high: int = 40) -> str:
    """`low` to `high` characters of one of four alphabets; 12, 16, 24 and 32 are common."""
    usual = [length for length in (8, 12, 16, 24, 32, 40) if low <= length <= high]
    length = rng.choice(usual) if usual and rng.random() < 0.5 else rng.randint(low, high)
    return characters(rng, rng.choice((UPPER_ALNUM, ALNUM, ALNUM, LOWER_ALNUM)), length)


def uuid(rng: random.Random) -> str:
    """Five groups of hexadecimal digits."""
    return "-".join(characters(rng, HEX, length) for length in (8, 4, 4, 4, 12))


def url(rng: random.Random) -> str:
    """An http address on a reserved host."""
    parts = [f"v{rng.randint(1, 9)}", rng.choice(WORDS), characters(rng, LOWER_ALNUM, 6)]
    path = "/".join(rng.sample(parts, rng.randint(1, 3)))
    port = f":{rng.randint(1024, 9999)}" if rng.random() < 0.25 else ""
    return f"http{rng.choice(('', 's', 's'))}://{host(rng)}{port}/{path}"


def host(rng: random.Random) -> str:
    """A host name under a reserved domain."""
    number = f"-{rng.randint(1, 99)}" if rng.random() < 0.4 else ""
    return f"{rng.choice(WORDS)}{number}.{rng.choice(DOMAINS)}"


def path(rng: random.Random) -> str:
    """An absolute file path, sometimes of Windows or of a bucket."""
    stem = f"{rng.choice(WORDS)}_{characters(rng, LOWER_ALNUM, 3)}.{rng.choice(SUFFIXES)}"
    folders = "/".join(rng.choice(WORDS) for _ in range(rng.randint(1, 2)))
    kind = rng.random()
    if kind < 0.1:
        return "C:\\" + folders.replace("/", "\\") + "\\" + stem
    start = f"s3://{rng.choice(WORDS)}-{rng.randint(1, 99)}" if kind < 0.2 else ""
    return f"{start or '/' + rng.choice(FOLDERS)}/{folders}/{stem}"


def email(rng: random.Random) -> str:
    """A mail address under a reserved domain."""
    joint = rng.choice((".", "_", ""))
    return (
        f"{rng.choice(WORDS)}{joint}{rng.choice(WORDS)}{rng.randint(1, 99)}@{rng.choice(DOMAINS)}"
    )


def address(rng: random.Random) -> str:
    """An IPv4 address of a documentation network, often with a port."""
    found = f"{rng.choice(NETWORKS)}.{rng.randint(1, 254)}"
    return found if rng.random() < 0.4 else f"{found}:{rng.randint(1024, 65535)}"


def coordinates(rng: random.Random) -> str:
    """Latitude and longitude in degrees."""
    joint = rng.choice((",", ",", ", "))
    return f"{rng.uniform(-90, 90):.4f}{joint}{rng.uniform(-180, 180):.4f}"


def date(rng: random.Random) -> str:
    """A day, sometimes with a time, in one of five spellings."""
    year, month, day = rng.randint(1990, 2035), rng.randint(1, 12), rng.randint(1, 28)
    time = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return rng.choice(
        (
            f"{year}-{month:02}-{day:02}",
            f"{year}-{month:02}-{day:02} {time}",
            f"{year}-{month:02}-{day:02}T{time}:{rng.randint(0, 59):02}Z",
            f"{day} {MONTHS[month - 1]} {year}",
            f"{day:02}/{month:02}/{year}",
        )
    )


def phone(rng: random.Random) -> str:
    """A telephone number of a range that is never given to anybody."""
    line = f"555-01{rng.randint(0, 99):02}"
    area = rng.randint(201, 989)
    return rng.choice(
        (
            f"{area}-{line}",
            f"+1 {area} {line}",
            f"({area}) {line}",
            f"+44 20 7946 0{rng.randint(100, 999)}",
        )
    )


def money(rng: random.Random) -> str:
    """An amount with its currency."""
    amount = f"{rng.randint(1, 99999):,}.{rng.randint(0, 99):02}"
    sign = rng.choice(("$", "€", "£", "USD ", "EUR "))
    return f"{sign}{amount}" if rng.random() < 0.8 else f"{amount} {sign.strip()}"


def passphrase(rng: random.Random) -> str:
    """Three to five words, joined by spaces or hyphens."""
    return rng.choice((" ", "-", " ")).join(rng.sample(WORDS, rng.randint(3, 5)))


def words(rng: random.Random) -> str:
    """One or two words, mostly with a number."""
    if rng.random() < 0.2:
        return rng.choice(WORDS)
    if rng.random() < 0.6:
        return f"{rng.choice(WORDS)}-{rng.randint(10, 9999)}"
    return f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{rng.randint(10, 99)}"


def digits(rng: random.Random) -> str:
    """A number of four to eight digits, rarely of up to sixteen."""
    return characters(rng, string.digits, rng.randint(4, 8 if rng.random() < 0.85 else 16))


def version(rng: random.Random) -> str:
    """A release number."""
    mark = rng.choice(("v", "", "")) + f"{rng.randint(0, 20)}.{rng.randint(0, 99)}"
    return f"{mark}.{rng.randint(0, 99)}" + rng.choice(("", "", f"-rc{rng.randint(1, 9)}"))


def numbered(rng: random.Random) -> str:
    """A business number with a prefix: ORD-58213, INV-2031-0042."""
    year = f"{rng.randint(2015, 2030)}-" if rng.random() < 0.3 else ""
    return f"{rng.choice(CODES)}-{year}{characters(rng, string.digits, rng.randint(4, 6))}"


def hexadecimal(rng: random.Random) -> str:
    """Seven to forty hexadecimal digits."""
    return characters(rng, HEX, rng.choice((7, 8, 12, 12, 16, 24, 32, 40)))


def _prefixed(rng: random.Random) -> str:
    return rng.choice(PREFIXES) + characters(rng, ALNUM, rng.choice((8, 10, 12, 16, 24)))


def _code(rng: random.Random) -> str:
    return characters(rng, UPPER_ALNUM, rng.randint(5, 12))


KINDS: tuple[tuple[Maker, float], ...] = (
    (code8, 0.22),
    (_code, 0.08),
    (alphanumeric, 0.14),
    (hexadecimal, 0.09),
    (uuid, 0.03),
    (digits, 0.08),
    (url, 0.05),
    (host, 0.02),
    (words, 0.05),
    (passphrase, 0.03),
    (_prefixed, 0.05),
    (numbered, 0.03),
    (path, 0.03),
    (address, 0.025),
    (version, 0.015),
    (coordinates, 0.015),
    (email, 0.02),
    (date, 0.02),
    (phone, 0.02),
    (money, 0.015),
)
_MAKERS = [maker for maker, _ in KINDS]
_SHARES = [share for _, share in KINDS]


def random_value(rng: random.Random) -> str:
    """A fresh value of a random kind; some hold spaces."""
    return rng.choices(_MAKERS, _SHARES)[0](rng)
