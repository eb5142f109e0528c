"""Kinds of value: fresh for every case, on reserved domains, addresses and telephone numbers."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

from ..generators.values import MIXED, UPPER, characters
from .encoded_values import ENCODED
from .idiom_values import IDIOM
from .local_values import LOCAL

HEX = "0123456789abcdef"
NETWORKS = ("192.0.2", "198.51.100", "203.0.113")
DOMAINS = ("example.com", "example.org", "example.net", "corp.test", "shop.test", "lab.example")
PREFIXES = (
    "sk_live_", "sk-proj-", "ghp_", "glpat-", "xoxb-", "hf_", "AKIA", "npm_", "whsec_", "pk_test_",
    "dop_v1_", "SG.", "rk-", "shpat_", "lin_api_",
)  # fmt: skip
WORDS = (
    "amber anvil birch canyon cobalt comet copper dapple falcon fennel garnet glacier hazel heron "
    "indigo ivory jasper kelp lantern lilac maple marble nutmeg ocean onyx otter pebble plum quill "
    "raven rowan saffron sorrel spruce tulip tundra umber velvet walnut willow zinnia puzzle harbor"
).split()
PLACES = ("srv", "var/lib", "home/ines", "opt", "mnt/archive", "data", "Users/omar", "etc")
NAMES = ("Ines", "Tomas", "Priya", "Omar", "Yuki", "Marta", "Kofi", "Elif", "Jonas", "Noor")
CITIES = ("Gdansk", "Porto", "Bergen", "Leeds", "Kyoto", "Lima", "Tartu", "Accra", "Busan", "Graz")
MONTHS = "January February March April May June July August September October November".split()

Make = Callable[[random.Random], str]


def _coded(rng: random.Random, length: int, alphabet: str = MIXED) -> str:
    """Characters of which one at least is a digit and one a letter."""
    while True:
        made = characters(rng, length, alphabet)
        if any(c.isdigit() for c in made) and any(c.isalpha() for c in made):
            return made


def _jwt(rng: random.Random) -> str:
    head = {"alg": rng.choice(("HS256", "RS256")), "typ": "JWT"}
    body = {"sub": characters(rng, 6, string.digits), "exp": rng.randrange(2_000_000_000, 2**31)}
    parts = (json.dumps(part, separators=(",", ":")).encode() for part in (head, body))
    signed = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{signed}.{characters(rng, 27, MIXED + '-_')}"


def _url(rng: random.Random) -> str:
    host = f"{rng.choice(WORDS)}.{rng.choice(DOMAINS)}"
    tail = rng.choice(
        (f"/{rng.choice(WORDS)}/{_coded(rng, 8).lower()}", f"/v2/{rng.choice(WORDS)}")
    )
    port = f":{rng.randrange(3000, 9999)}" if rng.random() < 0.3 else ""
    return f"{rng.choice(('https', 'https', 'http', 'wss'))}://{host}{port}{tail}"


def _email(rng: random.Random) -> str:
    local = rng.choice((rng.choice(WORDS), f"{rng.choice(NAMES).lower()}.{rng.choice(WORDS)}"))
    return f"{local}{rng.choice(('', '+ops', str(rng.randrange(10, 99))))}@{rng.choice(DOMAINS)}"


def _address(rng: random.Random) -> str:
    if rng.random() < 0.2:
        return f"[2001:db8::{rng.randrange(4096, 65535):x}:{rng.randrange(1, 99):x}]:{_port(rng)}"
    return f"{_ip(rng)}:{_port(rng)}"


def _ip(rng: random.Random) -> str:
    return f"{rng.choice(NETWORKS)}.{rng.randrange(1, 255)}"


def _port(rng: random.Random) -> str:
    return str(rng.randrange(1024, 65536))


def _coordinates(rng: random.Random) -> str:
    places = rng.randrange(4, 7)
    latitude, longitude = rng.uniform(-80, 80), rng.uniform(-170, 170)
    if rng.random() < 0.25:
        north, east = "N" if latitude > 0 else "S", "E" if longitude > 0 else "W"
        return f"{abs(latitude):.4f}° {north}, {abs(longitude):.4f}° {east}"
    return f"{latitude:.{places}f}, {longitude:.{places}f}"


def _phone(rng: random.Random) -> str:
    last = f"01{rng.randrange(100):02}"
    area = rng.randrange(201, 989)
    forms = (f"+1 {area} 555 {last}", f"({area}) 555-{last}", f"+1-{area}-555-{last}")
    return rng.choice((*forms, f"{area}-555-{last}"))


def _date(rng: random.Random) -> str:
    return f"20{rng.randrange(27, 49)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"


def _time(rng: random.Random) -> str:
    clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}"
    day, month = rng.randrange(1, 29), rng.choice(MONTHS)
    forms = (f"{_date(rng)}T{clock}:{rng.randrange(60):02}Z", f"{_date(rng)} {clock}")
    return rng.choice((*forms, f"{day} {month} 20{rng.randrange(27, 49)}, {clock}"))


def _version(rng: random.Random) -> str:
    numbers = ".".join(str(rng.randrange(1, 30)) for _ in range(3))
    ends = ("", f"-rc.{rng.randrange(1, 9)}", f"+build.{rng.randrange(100, 999)}", "-beta2")
    return f"{rng.choice(('', 'v'))}{numbers}{rng.choice(ends)}"


def _iban(rng: random.Random) -> str:
    groups = [characters(rng, 4, string.digits) for _ in range(4)]
    joint = rng.choice((" ", ""))
    return joint.join((f"XX{rng.randrange(10, 99)}", characters(rng, 4, UPPER), *groups))


def _money(rng: random.Random) -> str:
    amount = f"{rng.randrange(1200, 98000):,}.{rng.randrange(100):02}"
    return rng.choice((f"USD {amount}", f"€{amount}", f"{amount} CHF", f"${amount}"))


def _path(rng: random.Random) -> str:
    name = f"{rng.choice(WORDS)}-{rng.randrange(100, 999)}"
    if rng.random() < 0.2:
        return f"D:\\{rng.choice(WORDS)}\\{name}.{rng.choice(('xlsx', 'bak', 'pem'))}"
    ending = rng.choice(("", ".pem", ".tar.gz", ".yaml", ".sqlite"))
    return f"/{rng.choice(PLACES)}/{rng.choice(WORDS)}/{name}{ending}"


def _password(rng: random.Random) -> str:
    """Letters, digits and signs that no format of the templates gives a meaning."""
    made = list(_coded(rng, rng.randrange(9, 15)))
    for at in rng.sample(range(1, len(made) - 1), 2):
        made[at] = rng.choice("!_-+.~*")
    return "".join(made)


def _serial(rng: random.Random) -> str:
    forms = (
        f"{characters(rng, 2, string.ascii_uppercase)}-{characters(rng, 5, string.digits)}",
        f"{characters(rng, 3)}-{characters(rng, 4)}-{characters(rng, 4)}",
        f"{rng.choice(('INV', 'ORD', 'TKT', 'SN', 'PO'))}-20{rng.randrange(27, 49)}-"
        f"{characters(rng, 4, string.digits)}",
        f"{characters(rng, 1, string.ascii_uppercase)}{characters(rng, 7, string.digits)}",
    )
    return rng.choice(forms)


KINDS: dict[str, Make] = {
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "hex": lambda rng: _coded(rng, rng.choice((12, 16, 32, 40, 64)), HEX),
    "commit": lambda rng: _coded(rng, rng.choice((7, 9, 40)), HEX),
    "token": lambda rng: rng.choice(PREFIXES) + _coded(rng, rng.randrange(16, 37)),
    "jwt": _jwt,
    "base64": lambda rng: base64.b64encode(rng.randbytes(rng.choice((16, 20, 31)))).decode(),
    "url": _url,
    "email": _email,
    "address": _address,
    "coordinates": _coordinates,
    "phone": _phone,
    "time": _time,
    "version": _version,
    "iban": _iban,
    "money": _money,
    "path": _path,
    "id": lambda rng: _coded(rng, rng.randrange(6, 41)),
    "code": lambda rng: _coded(rng, rng.randrange(6, 11), UPPER),
    "serial": _serial,
    "digits": lambda rng: characters(rng, rng.randrange(6, 17), string.digits),
    "pin": lambda rng: characters(rng, rng.randrange(4, 7), string.digits),
    "phrase": lambda rng: "-".join(rng.sample(WORDS, rng.randrange(3, 5))),
    "words": lambda rng: " ".join(rng.sample(WORDS, rng.randrange(3, 6))),
    "password": _password,
    "host": lambda rng: f"{rng.choice(WORDS)}-{rng.randrange(2, 60)}.{rng.choice(DOMAINS)}",
    "mac": lambda rng: ":".join(characters(rng, 2, HEX) for _ in range(6)),
}
"""Kinds that are values."""

COMMON: dict[str, Make] = {
    "int": lambda rng: str(rng.randrange(2, 90)),
    "port": _port,
    "ip": _ip,
    "date": _date,
    "clock": lambda rng: f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}",
    "name": lambda rng: rng.choice(NAMES),
    "city": lambda rng: rng.choice(CITIES),
    "word": lambda rng: rng.choice(WORDS),
}
"""What surrounds them: nobody would ask for it."""

MAKERS: dict[str, Make] = {**KINDS, **LOCAL, **IDIOM, **ENCODED, **COMMON}
GROUPS: dict[str, str] = {
    "opaque": "id/token/hex/uuid/password/base64",
    "secret": "token/id/password/phrase",
    "record": "uuid/id/code/serial/digits",
}


def make_value(rng: random.Random, kinds: str) -> tuple[str, str]:
    """One of ``a/b/c``, names of ``MAKERS`` or ``GROUPS``: the kind and its value."""
    names = "/".join(GROUPS.get(name, name) for name in kinds.split("/")).split("/")
    kind = rng.choice(names)
    return kind, MAKERS[kind](rng)
