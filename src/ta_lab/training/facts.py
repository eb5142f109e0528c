"""Keys, statements and questions: the sentences that announce a value and ask for it.

The key "secret code", on which the model is measured, is in none of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .scene import Piece, Question, Scene
from .values import code8, random_value

HELD_OUT_KEY = "secret code"
KEYS = tuple(
    key.strip()
    for key in (
        "api key|password|session id|endpoint|token|port|access token|pin code|passphrase|"
        "account number|license key|database url|admin password|magic number|activation code|"
        "user id|order number|tracking number|room number|vault combination|backup key|"
        "wifi password|serial number|security code|reference number|device id|build id|"
        "commit hash|encryption key|host name|username|region code|ticket id|invoice number|"
        "flight number|locker code|door code|client id|client secret|request id|trace id|"
        "ssh key|signing key|webhook url|server address|bucket name|project id|tenant id|"
        "auth token|bearer token|master key|recovery code|verification code|discount code|"
        "coupon code|membership id|badge number|employee id|patient id|case number|"
        "special magic number|secret key|secret word|private key|service account|deploy key|"
        "cluster name|version string|checksum|hash|gate code|safe combination|launch code|"
        "confirmation code|booking reference|proxy port|redis port|database password|"
        "root password|user name|phone number|zip code|config path|log file|coordinates"
    ).split("|")
)
ENTITIES = tuple(
    (
        "Redis|Postgres|Kafka|Alice|Bob|the staging server|the production cluster|the gateway|"
        "the billing service|Paris|London|Tokyo|the mail server|node 3|team blue|Carol|"
        "the build machine|Vault|GitHub|project Orion|the backup host|Berlin"
    ).split("|")
)
HEAD_NOUNS = ("code", "key", "id", "number", "password", "token", "url", "port", "name", "value")
PLAIN = (
    "The {key} is: {value}",
    "The {key} is: {value}",
    "The {key} is: {value}.",
    "The {key} is {value}.",
    "The {key} is {value}",
    "{Key}: {value}",
    "{key}: {value}",
)
PROSE = (
    *PLAIN,
    "Remember that the {key} is {value}.",
    "My {key} is {value}.",
    "Note that the {key} is: {value}.",
    "The {key} was set to {value}.",
    "Please remember this: the {key} is {value}.",
    "One of the facts is that the {key} is: {value}.",
    "{key} = {value}",
    'The {key} is "{value}".',
    "She told me that the {key} is {value}.",
    "IMPORTANT: the {key} is {value}",
)
TECHNICAL = (
    "{snake}={value}",
    "{snake}: {value}",
    '"{snake}": "{value}"',
    '{{"{snake}": "{value}"}}',
    "X-{header}: {value}",
    "{env}={value}",
    'export {env}="{value}"',
    'call_api({snake}="{value}")',
    "<{snake}>{value}</{snake}>",
    "--{dashed}={value}",
    "| {key} | {value} |",
    "set {snake} = '{value}'",
    "{snake}={value};",
    "- {key}: {value}",
)
SPEAKERS = ("User: ", "Assistant: ", "System: ", "Tool: ", "[INFO] ", "- ", "> ", "# ")
QUESTIONS = (
    ("\n\nWhat is the {key}?", 10.0),
    ("\n\nQuestion: What is the {key}?\nAnswer:", 2.0),
    ("\nQ: What is the {key}?\nA:", 1.0),
    ("\n\nWhat was the {key}?", 1.5),
    ("\n\nTell me the {key}.", 1.0),
    ("\n\nRepeat the {key}:", 1.0),
    ("\n\nWhat is the {key}? The {key} is:", 1.5),
    ("\n\nWhat is the value of the {key}?", 1.5),
    ("\n\nUser: What is the {key}?\nAssistant:", 1.0),
    ("\n\nPlease give the {key}:", 1.0),
    ("\n\nWhat is the {key} mentioned in the text above?", 1.5),
    ("\n\nThe {key} is:", 1.5),
)
_QUESTION_TEXTS = [text for text, _ in QUESTIONS]
_QUESTION_SHARES = [share for _, share in QUESTIONS]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence that states a value: `before` + `value` + `after`."""

    key: str
    before: str
    value: str
    after: str

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.value + self.after


def is_held_out(key: str) -> bool:
    """Whether a key contains the one that evaluation uses."""
    return HELD_OUT_KEY in key.lower()


def _draw_key(rng: random.Random, words: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.5:
        key = rng.choice(KEYS)
    elif kind < 0.75:
        key = " ".join(rng.choice(words) for _ in range(rng.choice((1, 2, 2, 3))))
    else:
        key = f"{rng.choice(words)} {rng.choice(HEAD_NOUNS)}"
    return f"{key} for {rng.choice(ENTITIES)}" if rng.random() < 0.12 else key


def random_keys(rng: random.Random, count: int, words: Sequence[str], plain: bool) -> list[str]:
    """`count` different keys, never the held-out one.

    `words` are lower-case words for invented keys; `plain` takes keys of the fixed list only.
    A quarter of the draws are families that differ in their owner alone ("token for Alice").
    """
    if plain and count <= len(KEYS):
        return rng.sample(KEYS, count)
    keys: list[str] = []
    if not plain and count > 1 and rng.random() < 0.25:
        base = rng.choice(KEYS)
        owners = rng.sample(ENTITIES, min(count, rng.randint(2, 4)))
        keys = [f"{base} for {owner}" for owner in owners]
    while len(keys) < count:
        key = _draw_key(rng, words)
        if key not in keys and not is_held_out(key):
            keys.append(key)
    rng.shuffle(keys)
    return keys


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def random_statement(rng: random.Random, key: str, plain: bool) -> Statement:
    """A sentence that states a fresh value for `key`; `plain` prefers codes in plain sentences."""
    if plain:
        template = rng.choice(PLAIN)
        value = code8(rng) if rng.random() < 0.8 else random_value(rng)
    else:
        prose = " for " in key or rng.random() < 0.6
        template = rng.choice(PROSE if prose else TECHNICAL)
        value = random_value(rng)
    before, after = template.split("{value}")
    snake = key.replace(" ", "_")
    names = {
        "key": key,
        "Key": _capital(key),
        "snake": snake,
        "env": snake.upper(),
        "header": "-".join(_capital(word) for word in key.split()),
        "dashed": key.replace(" ", "-"),
    }
    speaker = rng.choice(SPEAKERS) if not plain and rng.random() < 0.12 else ""
    return Statement(key, speaker + before.format(**names), value, after.format(**names))


def random_question(rng: random.Random, key: str, plain: bool) -> str:
    """A question for `key`; the answer to it is a space and the value."""
    if plain and rng.random() < 0.7:
        return _QUESTION_TEXTS[0].format(key=key)
    return rng.choices(_QUESTION_TEXTS, _QUESTION_SHARES)[0].format(key=key)


def _scene(rng: random.Random, facts: int, words: Sequence[str], plain: bool) -> Scene:
    keys = random_keys(rng, facts, words, plain)
    statements = [random_statement(rng, key, plain) for key in keys]
    pieces = [Piece(found.before, found.value, found.after) for found in statements]
    questions = [
        Question(random_question(rng, key, plain), " " + piece.value, index)
        for index, (key, piece) in enumerate(zip(keys, pieces))
    ]
    return Scene(pieces, questions)


def plain_scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Fixed keys in plain sentences, mostly with codes of eight characters."""
    return _scene(rng, facts, words, plain=True)


def labelled_scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Invented keys, owners, technical one-liners, values of all kinds."""
    return _scene(rng, facts, words, plain=False)
