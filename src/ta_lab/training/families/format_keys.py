"""Keys of technical texts: their names, spellings, and the harmless fields beside them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..facts import random_keys
from ..values import ALNUM, HEX, LOWER_ALNUM, UPPER_ALNUM, characters, code8, random_value

TECHNICAL_KEYS = tuple(
    (
        "db password|db user|db host|db name|api key|api token|api secret|request id|trace id|"
        "span id|session token|session id|order id|customer id|correlation id|client id|"
        "client secret|tenant id|account id|user token|refresh token|access token|csrf token|"
        "auth token|signing key|encryption key|private key|public key|key id|webhook secret|"
        "webhook url|callback url|redirect url|base url|endpoint|broker url|queue name|"
        "bucket name|redis url|redis password|smtp password|smtp host|cache key|license key|"
        "build id|build hash|commit sha|image tag|image digest|container id|pod name|node id|"
        "cluster id|instance id|volume id|subnet id|vpc id|job id|task id|run id|batch id|"
        "transaction id|payment id|invoice id|shipment id|tracking number|serial number|"
        "device id|device token|machine id|install id|deploy token|registry token|npm token|"
        "bot token|chat id|channel id|message id|thread id|event id|etag|nonce|salt|checksum|"
        "fingerprint|thumbprint|state token|one time code|otp|pin|admin password|root password|"
        "service account|project id|org id|team id|workspace id|dataset id|table name|index name|"
        "partition key|sort key|topic|consumer group|schema version|release tag|log path|"
        "data dir|cert path|key file|socket path|mount path|hostname|gateway address|proxy url|"
        "jwt secret|cookie secret|master key|slack token|storage key|connection id|lock id|"
        "idempotency key|upload id|document id|record id|ticket id|case id|policy id|voucher|"
        "activation key|unlock code|reset token|invite code|promo code|gift card|magic value"
    ).split("|")
)
STAGES = (
    "dev prod test staging qa production development canary sandbox ci backup primary replica "
    "local preview demo uat default legacy main secondary europe us asia blue green"
).split()
PEOPLE = "alice bob carol dave erin frank grace heidi ivan judy mallory oscar peggy victor".split()
SERVICES = (
    "billing auth gateway worker scheduler search mailer payments inventory web cache ingest "
    "reports users orders notifications frontend backend metrics storage"
).split()
ACRONYMS = {"id", "api", "db", "url", "otp", "jwt", "vpc", "smtp", "csrf", "pin", "sha", "ssh"}
_SYNONYMS = {
    "database": "db",
    "postgres": "db",
    "mysql": "db",
    "mongo": "db",
    "username": "user",
    "login": "user",
    "hostname": "host",
    "authorization": "auth",
    "repository": "repo",
    "session": "sid",
    "sha": "commit",
}
DECOYS = (
    "timeout=~n~|retries=~d~|enabled=true|debug=false|verbose=true|log level=info|replicas=~d~|"
    "region=eu-west-1|max connections=~n~|pool size=~d~|encoding=utf-8|locale=en_US|"
    "created at=~date~|updated at=~ts~|status=active|status=ok|count=~n~|color=~w~|owner=~w~|"
    "description=~w~ ~w~|theme=dark|page size=~n~|ttl=~n~|cached=false|priority=~d~|mode=~w~|"
    "currency=EUR|total=~n~.50|language=en|ratio=0.~n~|title=~w~ ~w~ ~w~|active=true|port=~p~|"
    "workers=~d~|interval=~n~|format=json|compress=true|environment=~w~|kind=~w~|label=~w~"
).split("|")


@dataclass(frozen=True, slots=True)
class Field:
    """A name and its value as they are written; `bare` values are never quoted."""

    name: str
    value: str
    bare: bool = False


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def spelled(phrase: str, style: str) -> str:
    """A phrase ("db password") as an identifier of a style ("snake", "camel", "header" ...)."""
    words = phrase.replace("'", "").split()
    if style == "camel":
        return words[0] + "".join(_capital(word) for word in words[1:])
    if style == "pascal":
        return "".join(_capital(word) for word in words)
    if style == "env":
        return "_".join(words).upper()
    if style == "header":
        return "-".join(_capital(word) for word in words)
    if style == "xheader":
        return "X-" + "-".join(_capital(word) for word in words)
    if style == "title":
        return " ".join(word.upper() if word in ACRONYMS else _capital(word) for word in words)
    joints = {"snake": "_", "kebab": "-", "dotted": ".", "flat": ""}
    return joints.get(style, " ").join(words)


def _terms(key: str) -> set[str]:
    return {_SYNONYMS.get(word, word) for word in key.lower().split()}


def clashes(key: str, keys: Sequence[str]) -> bool:
    """Whether a question for `key` could mean one of `keys`, or the other way round."""
    mine = _terms(key)
    return any(mine <= _terms(other) or _terms(other) <= mine for other in keys)


def draw_key(rng: random.Random, words: Sequence[str], taken: Sequence[str]) -> str:
    """A key in words, unlike those taken; half are of the technical list."""
    for _ in range(50):
        kind = rng.random()
        if kind < 0.5:
            key = rng.choice(TECHNICAL_KEYS)
        elif kind < 0.65:
            key = f"{rng.choice(words)} {rng.choice(TECHNICAL_KEYS)}"
        else:
            key = random_keys(rng, 1, words, plain=False)[0].split(" for ")[0].lower()
        if not clashes(key, taken):
            return key
    return f"{rng.choice(words)} {rng.choice(words)} {rng.choice(words)} {len(taken)}"


def draw_keys(rng: random.Random, count: int, words: Sequence[str]) -> list[str]:
    """`count` different keys; in a fifth of the draws some differ in one word alone."""
    keys: list[str] = []
    if count > 1 and rng.random() < 0.2:
        base = rng.choice(TECHNICAL_KEYS)
        pool = [name for name in rng.choice((STAGES, SERVICES)) if name not in base.split()]
        owners = rng.sample(pool, min(count, rng.randint(2, 5)))
        keys = [f"{owner} {base}" for owner in owners]
    while len(keys) < count:
        keys.append(draw_key(rng, words, keys))
    rng.shuffle(keys)
    return keys


def unspaced_value(rng: random.Random) -> str:
    """A value of a random kind without what ends it where no quotes stand around it."""
    while True:
        value = random_value(rng)
        if not re.search(r"[\s\"'\\,;|&<>{}]", value):
            return value


def fresh_value(rng: random.Random, simple: bool = False, quoted: bool = False) -> str:
    """A fresh value; a `simple` one has letters and digits only (it stands in a URL).

    A `quoted` one may have spaces and commas.
    """
    kind = rng.random()
    if simple or kind < 0.2:
        alphabet = rng.choice((ALNUM, HEX, LOWER_ALNUM, UPPER_ALNUM))
        return characters(rng, alphabet, rng.choice((6, 8, 10, 12, 12, 16, 20, 24, 32, 40)))
    if kind < 0.3:
        return code8(rng)
    value = random_value(rng) if quoted else unspaced_value(rng)
    return value if '"' not in value and "\n" not in value else code8(rng)


def _slot(rng: random.Random, name: str, words: Sequence[str]) -> str:
    if name == "w":
        return rng.choice(words)
    if name == "W":
        return _capital(rng.choice(words))
    if name == "s":
        return rng.choice(SERVICES)
    if name == "d":
        return str(rng.randint(1, 9))
    if name == "n":
        return str(rng.randint(2, 900))
    if name == "p":
        return str(rng.randint(1000, 9999))
    if name == "ip":
        return ".".join(str(rng.randint(1, 250)) for _ in range(4))
    if name == "host":
        end = rng.choice(("example.com", "internal", "io", "net", "local", "svc"))
        return f"{rng.choice(words)}.{rng.choice(words)}.{end}"
    if name == "lv":
        return rng.choice(("INFO", "WARN", "ERROR", "DEBUG", "info", "error", "warning", "NOTICE"))
    if name == "hex":
        return characters(rng, HEX, rng.choice((6, 7, 8, 12)))
    date = f"202{rng.randint(0, 6)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"
    return {"date": date, "t": clock, "ts": f"{date}{rng.choice('T ')}{clock}"}[name]


def fill(rng: random.Random, template: str, words: Sequence[str]) -> str:
    """Put random content into the slots ``~w~`` (word), ``~n~`` (number), ``~ts~`` (time) ..."""
    return re.sub(
        r"~(w|W|s|d|n|p|ip|host|lv|hex|date|t|ts)~",
        lambda match: _slot(rng, match[1], words),
        template,
    )


def decoy_fields(
    rng: random.Random, count: int, style: str, words: Sequence[str], taken: list[str]
) -> list[Field]:
    """Up to `count` fields that nobody asks for; a third hold values like those asked for.

    Their keys are added to `taken`.
    """
    names, fields = list(taken), []
    for _ in range(count):
        if rng.random() < 1 / 3:
            key, value, bare = draw_key(rng, words, names), fresh_value(rng), False
            taken.append(key)
        else:
            key, _, value = rng.choice(DECOYS).partition("=")
            value = fill(rng, value, words)
            bare = value in ("true", "false") or value.replace(".", "", 1).isdigit()
        if not clashes(key, names):
            names.append(key)
            fields.append(Field(spelled(key, style), value, bare))
    return fields
