"""Drafts: statements and questions of a scene before they become plain text or a chat.

A concept is a thing whose value a text gives without saying "label: value".
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...data import table, texts
from ...values.forms import Draw
from ...values.vocabulary import code8, vocabulary
from ..facts import KEYS, is_held_out, random_keys
from ..scene import Piece, capital, filled
from ..values import random_value

PROSE, LABELS = texts("training/prose"), texts("training/labels")
CORRECTED = texts("training/corrections")
QUESTIONS = PROSE.questions
TOPICS = ("home", "travel", "money", "office", "ops", "build")
EVERYDAY: tuple[str, ...] = table("values/everyday")["everyday"]
"""Forms of values that come up anywhere."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that has one value: its names, its form, and sentences about it without a name.

    `statements` contain ``{value}``; `questions` ask for it in other words."""

    labels: tuple[str, ...]
    value: str
    statements: tuple[str, ...]
    questions: tuple[str, ...]


CONCEPTS = tuple(
    Concept(**concept)
    for topic in TOPICS
    for concept in table(f"training/concepts/{topic}")["concepts"]
)


def everyday(form: str) -> Draw:
    """What draws values of a form of everyday things."""
    return vocabulary("everyday").maker(form)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as a sentence; `label` is set when a sentence may be completed with it instead."""

    text: str
    piece: int
    label: str = ""


@dataclass(slots=True)
class Draft:
    """Statements in their order and the questions in the order in which they are asked."""

    pieces: list[Piece] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def fresh(self, rng: random.Random, make: Draw) -> str:
        """A value that the draft does not contain yet."""
        while (value := make(rng)) in self.used:
            pass
        self.used.add(value)
        return value

    def add(self, piece: Piece) -> int:
        """Append a statement and return its index."""
        self.pieces.append(piece)
        return len(self.pieces) - 1

    def asking(self, rng: random.Random, asks: list[Ask]) -> Draft:
        """With all questions, seldom only some of them, in any order."""
        count = len(asks) if rng.random() < 0.85 else rng.randint(1, len(asks))
        self.asks = rng.sample(asks, count)
        return self


def any_value(rng: random.Random) -> str:
    """A value of any kind, everyday ones included."""
    kind = rng.random()
    if kind < 0.2:
        return code8(rng)
    return random_value(rng) if kind < 0.7 else everyday(rng.choice(EVERYDAY))(rng)


def determined(rng: random.Random, template: str, key: str, share: float) -> str:
    """The template with another article, or none before a name's genitive ("Alice's token")."""
    if key[:1].isupper() and key.split()[0].endswith("'s"):
        return template.replace("the {key}", "{key}").replace("The {key}", "{Key}")
    if not share or rng.random() >= share or " of " in key or "{entity}" in template:
        return template
    article = rng.choice(("my", "our", "my", "our", "your", "their", "this"))
    return template.replace("the {key}", f"{article} {{key}}").replace(
        "The {key}", f"{capital(article)} {{key}}"
    )


def fill(rng: random.Random, template: str, key: str, value: str, **names: str) -> Piece:
    """A statement from a template with {key}, {Key}, {value} and other names."""
    names = {"key": key, "Key": capital(key), **names}
    return filled(determined(rng, template, key, 0.15), value, **names)


def state(rng: random.Random, key: str, value: str, template: str = "") -> Piece:
    """A sentence that states a labelled value, from any template unless one is given."""
    template = template or rng.choice(PROSE.statements)
    if rng.random() < 0.25 and template.startswith("The {key}"):
        template = rng.choice(PROSE.openers) + "t" + template[1:]
    if rng.random() < 0.15 and template.endswith("."):
        template += rng.choice(PROSE.closers)
    style = rng.random()
    if style < 0.03:
        key = key.upper()
    elif style < 0.06:
        key = key.title()
    return fill(rng, template, key, value)


def ask(rng: random.Random, key: str, piece: int, templates: Sequence[str] = QUESTIONS) -> Ask:
    """A question for a label."""
    template = rng.choice(templates) if rng.random() < 0.85 else "What is the {key}?"
    if templates is not QUESTIONS:
        template = rng.choice(templates)
    text = determined(rng, template, key, 0.08).format(key=key, Key=capital(key))
    if rng.random() < 0.05:
        text = text.rstrip("?.")
        text = text[:1].lower() + text[1:]
    return Ask(text, piece, key if templates is QUESTIONS else "")


def some_keys(rng: random.Random, count: int, words: Sequence[str]) -> list[str]:
    """Different labels: known ones, everyday ones, invented ones."""
    if count <= 20 and rng.random() < 0.3:
        return [rng.choice(concept.labels) for concept in rng.sample(CONCEPTS, count)]
    return random_keys(rng, count, words, plain=rng.random() < 0.25)


def _stated(
    rng: random.Random,
    entries: Sequence[tuple[str, bool]],
    common: str,
    idle: float,
    make: Draw = any_value,
) -> Draft:
    """(label, whether it is asked for) one after the other; a share of `idle` sentences between."""
    draft, asks = Draft(), []
    for key, asked in entries:
        index = draft.add(state(rng, key, draft.fresh(rng, make), common))
        if asked:
            asks.append(ask(rng, key, index))
        if rng.random() < idle:
            draft.add(Piece(rng.choice(PROSE.idle)))
    return draft.asking(rng, asks)


def plain(rng: random.Random, facts: int, words: Sequence[str]) -> Draft:
    """Labelled statements, one after the other."""
    common = rng.choice(PROSE.statements) if rng.random() < 0.2 else ""
    return _stated(rng, [(key, True) for key in some_keys(rng, facts, words)], common, 0.04)


def _near_keys(rng: random.Random, count: int, words: Sequence[str]) -> list[str]:
    """Labels that share their noun, their owner, or one of each."""
    kind = rng.random()
    nouns = rng.sample((*LABELS.nouns, *KEYS, *words[:40]), 6)
    axis = rng.choice(LABELS.axes)
    owners, form = axis["owners"], rng.choice(axis["forms"])
    if kind < 0.55:
        nouns = nouns[:1]
    elif kind < 0.75:
        owners = owners[: rng.randint(1, 2)]
    pairs = [(noun, owner) for noun in nouns for owner in owners]
    rng.shuffle(pairs)
    keys = [form.format(n=noun, x=owner) for noun, owner in pairs]
    if rng.random() < 0.2:
        keys.insert(0, nouns[0])
    unique = [key for key in dict.fromkeys(keys) if not is_held_out(key)]
    return unique[:count] or ["spare key"]


def confusers(rng: random.Random, facts: int, words: Sequence[str]) -> Draft:
    """Labels that differ in a word, some of them stated and never asked for."""
    keys = _near_keys(rng, min(facts, 10), words)
    common = rng.choice(PROSE.statements) if rng.random() < 0.5 else ""
    make = rng.choice((any_value, any_value, code8, everyday(rng.choice(EVERYDAY))))
    known = " ".join(keys).lower()
    extra = random_keys(rng, rng.randint(0, 2), words, plain=False) if facts < 20 else []
    entries = [(key, True) for key in keys]
    entries += [(key, False) for key in extra if key.lower() not in known]
    rng.shuffle(entries)
    return _stated(rng, entries, common, 0.1, make)


def _correct(rng: random.Random, draft: Draft, key: str, last: int) -> int:
    """Add a correction of the statement `last`; a keyless one only right behind it."""
    old, value = draft.pieces[last].value, draft.fresh(rng, any_value)
    kind = rng.random()
    if kind < 0.2 and last == len(draft.pieces) - 1:
        templates = CORRECTED.keyless
    else:
        templates = CORRECTED.with_old if kind < 0.3 else CORRECTED.corrections
    return draft.add(fill(rng, rng.choice(templates), key, value, old=old))


def _state_and_correct(
    rng: random.Random, draft: Draft, keys: list[str], changing: set[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """State all keys and correct some, later or at once: index of the first and last statement."""
    first, last = dict[str, int](), dict[str, int]()
    todo = list(keys)
    while todo:
        key = todo.pop(0)
        if key in last:
            last[key] = _correct(rng, draft, key, last[key])
            continue
        value = draft.fresh(rng, any_value)
        if key in changing and (len(keys) == 1 or rng.random() < 0.1) and rng.random() < 0.4:
            template, old = rng.choice(CORRECTED.at_once), draft.fresh(rng, any_value)
            first[key] = last[key] = draft.add(fill(rng, template, key, value, old=old))
            continue
        first[key] = last[key] = draft.add(state(rng, key, value))
        if key in changing:
            for _ in range(1 if rng.random() < 0.9 else 2):
                todo.insert(0 if rng.random() < 0.3 else rng.randint(0, len(todo)), key)
    return first, last


def corrections(rng: random.Random, facts: int, words: Sequence[str]) -> Draft:
    """Statements, some of which are corrected later; most questions are for what holds now."""
    draft = Draft()
    changed = max(1, min(facts // 2, rng.choice((1, 1, 2, 3, facts))))
    count = max(changed, facts - changed)
    near = rng.random() < 0.3
    keys = _near_keys(rng, count, words) if near else some_keys(rng, count, words)
    changing = set(rng.sample(keys, min(changed, len(keys))))
    first, last = _state_and_correct(rng, draft, keys, changing)
    asks = []
    for key in keys:
        if first[key] != last[key] and rng.random() < 0.08:
            asks.append(ask(rng, key, first[key], CORRECTED.original))
        else:
            now = rng.random() < (0.45 if key in changing else 0.08)
            asks.append(ask(rng, key, last[key], CORRECTED.current if now else QUESTIONS))
    return draft.asking(rng, asks)


def _concept(rng: random.Random, draft: Draft, concept: Concept) -> Ask:
    """State a concept's value and ask for it, one of both at least without its name."""
    value = draft.fresh(rng, everyday(concept.value))
    loose = rng.random() < 0.65
    if loose:
        before, after = rng.choice(concept.statements).split("{value}")
        index = draft.add(Piece(before, value, after))
    else:
        index = draft.add(state(rng, rng.choice(concept.labels), value))
    if rng.random() < (0.6 if loose else 0.85):
        return Ask(rng.choice(concept.questions), index)
    return ask(rng, rng.choice(concept.labels), index)


def unstructured(rng: random.Random, facts: int, words: Sequence[str]) -> Draft:
    """Values of everyday things, told without "label: value" or asked for in other words."""
    draft = Draft()
    concepts = rng.sample(CONCEPTS, facts)
    return draft.asking(rng, [_concept(rng, draft, concept) for concept in concepts])


def _paragraph(
    rng: random.Random, draft: Draft, entity: str, attributes: Sequence[tuple[str, str]]
) -> Ask:
    """One piece that gives all attributes of an entity; one of them is the piece's value."""
    target = rng.randrange(len(attributes))
    item = rng.choice(LABELS.in_list)
    introduction = rng.choice(LABELS.introductions)
    before, after = introduction.format(entity=entity, Entity=capital(entity)), ""
    for place, (key, form) in enumerate(attributes):
        value = draft.fresh(rng, everyday(form))
        part = fill(rng, item if rng.random() < 0.7 else rng.choice(LABELS.in_list), key, value)
        if place == target:
            before, wanted, after = before + part.before, value, part.after
        elif place < target:
            before += part.text
        else:
            after += part.text
    after = after[:-1] + "." if after.endswith((",", ";")) else after
    index = draft.add(Piece(before, wanted, after))
    return ask(rng, f"{attributes[target][0]} of {entity}", index)


def multi(rng: random.Random, facts: int, words: Sequence[str]) -> Draft:
    """Several values of one entity or two: in one paragraph, of which one is asked, or spread."""
    draft = Draft()
    thing = rng.choice(LABELS.entities)
    names, attributes = thing["names"], [*thing["values"].items()]
    entities = rng.sample(names, min(len(names), max(1, round(facts / 5))))
    together = rng.random() < 0.35
    pieces: list[tuple[str, str, str]] = []
    asks = []
    for entity in entities:
        count = min(len(attributes), max(3, min(6, facts // len(entities))))
        chosen = rng.sample(attributes, count)
        if together:
            asks.append(_paragraph(rng, draft, entity, chosen))
        else:
            pieces += [(entity, key, form) for key, form in chosen[: max(1, facts)]]
    if rng.random() < 0.5:
        rng.shuffle(pieces)
    for entity, key, form in pieces:
        template, value = rng.choice(LABELS.about), draft.fresh(rng, everyday(form))
        names_of = {"entity": entity, "Entity": capital(entity)}
        index = draft.add(fill(rng, template, key, value, **names_of))
        asks.append(ask(rng, f"{key} of {entity}", index))
    return draft.asking(rng, asks)
