"""Values stated inside technical formats: configuration, payloads, traces, logs, tables, code.

The parts of a pattern are described in ``data/training/formats.toml`` and ``format_lines.toml``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...data import texts
from ..facts import ACRONYMS, is_clear, spelled
from ..scene import Piece, Question, Scene, another, capital
from .format_keys import TEXTS as KEYS
from .format_keys import Field, clashes, decoy_fields, draw_key, draw_keys, fill, fresh_value

TEXTS, QUESTIONS = texts("training/formats"), texts("training/format_questions")
CHAT = "<|user|>{}<|end|><|assistant|>"
_FRAMES, _SHARES = zip(*QUESTIONS.frames)
Pattern = tuple[str, ...]


def rows(lines: Sequence[str]) -> tuple[Pattern, ...]:
    """Patterns from lines in which a broken bar separates the parts."""
    return tuple(tuple(line.split("¦")) for line in lines)


FLAT, COLUMNS, SECTIONS = rows(TEXTS.flat), rows(TEXTS.columns), rows(TEXTS.sections)
LINES = rows(texts("training/format_lines").lines)
_NAMED = re.compile(r"\{(snake|camel|pascal|kebab|dotted|env|header|title|words)\}")
# A block is written with one mark (a private character) for each value that is asked for.
_MARK, _MARKS = 0xE000, re.compile("[\ue000-\ue0ff]")
BREAK = "\ue100"  # stands where a block may be cut, between two of its fields


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked for: the key in words, its spelling in the text, the source, the owner."""

    phrase: str
    name: str
    source: str
    place: str = ""


@dataclass(slots=True)
class _Draft:
    """What a scene consists of so far; `values` and `subjects` have the same order."""

    words: Sequence[str]
    taken: list[str]
    values: list[str]
    subjects: list[Subject]
    blocks: list[str]

    def mark(
        self, rng: random.Random, subject: Subject, simple: bool = False, quoted: bool = False
    ) -> str:
        """A new value for a subject; the mark that stands for it."""
        self.values.append(another(lambda: fresh_value(rng, simple, quoted), self.values))
        self.subjects.append(subject)
        return chr(_MARK + len(self.values) - 1)

    def decoys(self, rng: random.Random, most: int, style: str) -> list[Field]:
        """Up to `most` fields beside those that are asked for."""
        return decoy_fields(rng, rng.randint(0, most), style, self.words, self.taken)

    def add(self, rng: random.Random, text: str, source: str) -> None:
        """A block between line ends, at times after an introduction or between fences."""
        if rng.random() < 0.2:
            name = source.split("|")[0].split()[0].lower()
            language = name if name in TEXTS.languages and rng.random() < 0.7 else ""
            code = rng.random() < 0.8
            text = text.join((f"```{language}\n", "\n```") if code else ("<pre>\n", "\n</pre>"))
        if rng.random() < 0.3:
            introduction = fill(rng, rng.choice(TEXTS.introductions), self.words)
            text = introduction.replace("{s}", rng.choice(source.split("|"))) + text
        start, end = rng.choice(("\n", "\n", "\n\n")), rng.choice(("\n", "\n", "\n\n", ""))
        self.blocks.append(start + text + end)


def _breakable(joint: str) -> str:
    """A joint with the break in it, before its white space."""
    mark = len(joint.rstrip()) if joint.rstrip() not in ("&", "|", "") else 0
    return joint[:mark] + BREAK + joint[mark:]


def _field(template: str, field: Field) -> str:
    """A field's text: its name and value in a template."""
    quoted = field.value if field.bare else f'"{field.value}"'
    text = template.replace("{n}", field.name).replace("{q}", quoted)
    return text.replace("{v}", field.value)


def _flat_block(
    rng: random.Random, pattern: Pattern, fields: Sequence[Field], words: Sequence[str]
) -> str:
    _, _, opening, each, joint, closing = pattern
    body = _breakable(joint).join(_field(fill(rng, each, words), field) for field in fields)
    return fill(rng, opening, words) + body + fill(rng, closing, words)


def _flat(rng: random.Random, draft: _Draft, keys: Sequence[str], most: int) -> None:
    """A block that states the keys among up to `most` other fields, or in columns."""
    column = rng.randrange(len(COLUMNS)) if len(keys) == 1 and rng.random() < 0.2 else None
    pattern = rng.choice(FLAT)
    pattern = pattern if column is None else COLUMNS[column]
    style, source = rng.choice(pattern[1].split()), pattern[0]
    names = [spelled(key, style) for key in keys]
    quoted = any(form in part for part in pattern for form in ("{q}", '"{v}"', ">{v}<", "| {v} |"))
    fields = [
        Field(name, draft.mark(rng, Subject(key, name, source), quoted=quoted))
        for key, name in zip(keys, names)
    ]
    fields += draft.decoys(rng, most, style)
    rng.shuffle(fields)
    if column is None:
        text = _flat_block(rng, pattern, fields, draft.words)
    else:  # all names, then all values
        _, _, opening, name, joint, rule, value, closing = pattern
        text = fill(rng, opening, draft.words) + joint.join(_field(name, field) for field in fields)
        text += rule + joint.join(_field(value, field) for field in fields) + closing
    draft.add(rng, text, source)


def _section_block(
    rng: random.Random,
    pattern: Pattern,
    sections: Sequence[tuple[str, Sequence[Field]]],
    words: Sequence[str],
) -> str:
    """The text of (owner, fields) pairs; all owners have the same names in the same order."""
    _, _, opening, begin, each, joint, end, between, closing = pattern
    names = joint.join(field.name for field in sections[0][1])
    blocks = []
    for owner, fields in sections:
        owned = [part.replace("{s}", owner).replace("{S}", owner.upper()) for part in (begin, each)]
        body = joint.join(_field(fill(rng, owned[1], words), field) for field in fields)
        blocks.append(fill(rng, owned[0], words) + body + end)
    first = fill(rng, opening, words).replace("{names}", names)
    return first + _breakable(between).join(blocks) + fill(rng, closing, words)


def _sections(rng: random.Random, draft: _Draft, key: str, asked: int) -> None:
    """A block in which several owners have the key; `asked` of them are asked for."""
    pattern = rng.choice(SECTIONS)
    style = rng.choice(pattern[1].split())
    stages, services = KEYS.stages, KEYS.services
    pool = rng.choice((stages, stages, KEYS.people, services, services, draft.words))
    owners = [name for name in dict.fromkeys(pool) if not clashes(name, draft.taken)]
    owners = owners or [f"unit{len(draft.taken)}"]  # a corpus of few words
    owners = rng.sample(owners, min(asked + rng.randint(1, 3), len(owners)))
    name = spelled(key, style)
    other = draw_key(rng, draft.words, draft.taken) if rng.random() < 0.4 else ""
    draft.taken += [other] if other else []
    first = rng.random() < 0.5
    chosen = set(rng.sample(owners, min(asked, len(owners))))
    sections = []
    for owner in owners:
        if owner in chosen:
            value = draft.mark(rng, Subject(key, name, pattern[0], owner))
        else:
            value = fresh_value(rng)
        fields = [Field(name, value)]
        if other:
            fields.insert(0 if first else 1, Field(spelled(other, style), fresh_value(rng)))
        sections.append((owner, fields))
    draft.add(rng, _section_block(rng, pattern, sections, draft.words), pattern[0])


def _line(rng: random.Random, draft: _Draft, key: str) -> None:
    """A line, a stack trace or a command that states one value, which is put in last."""
    for _ in range(20):
        source, phrases, template = rng.choice(LINES)
        phrase = rng.choice(phrases.split("|")) if phrases else key
        others = [taken for taken in draft.taken if taken != key]
        if not phrases or not clashes(phrase, others):
            break
    else:
        _flat(rng, draft, [key], 0)
        return
    draft.taken.append(phrase)
    style = _NAMED.search(template)
    name = spelled(phrase, style[1].replace("header", "xheader")) if style else phrase
    mark = draft.mark(rng, Subject(phrase, name, source), simple=bool(phrases))
    text = fill(rng, template, draft.words)
    text = _NAMED.sub(lambda match: spelled(phrase, match[1]), text)
    draft.add(rng, text.replace("{v!r}", f"'{mark}'").replace("{v}", mark), source)


def _parts(rng: random.Random, block: str) -> list[str]:
    """A block with several marks, cut between two of them; breaks are taken out."""
    marks = [match.start() for match in _MARKS.finditer(block)]
    breaks = [match.start() for match in re.finditer(BREAK, block)]
    bounds = [0]
    for left, right in pairwise(marks):
        bounds.append(rng.choice([place for place in breaks if left < place < right]))
    bounds.append(len(block))
    return [block[start:end].replace(BREAK, "") for start, end in pairwise(bounds)]


def _pieces(rng: random.Random, draft: _Draft) -> tuple[list[Piece], list[int]]:
    """The blocks as pieces with one value each, and the piece of each value."""
    pieces: list[Piece] = []
    places = [0] * len(draft.values)
    for block in draft.blocks:
        for text in _parts(rng, block):
            mark = _MARKS.search(text)
            if mark is None:
                pieces.append(Piece(text))
                continue
            fact = ord(mark[0]) - _MARK
            places[fact] = len(pieces)
            pieces.append(Piece(text[: mark.start()], draft.values[fact], text[mark.end() :]))
    return pieces, places


def _named(rng: random.Random, subject: Subject) -> str:
    """The key as a person names it: in words, or as the text spells it."""
    kind = rng.random()
    if kind < 0.5:
        return subject.phrase
    if kind < 0.6:
        return " ".join(w.upper() if w in ACRONYMS else w for w in subject.phrase.split())
    if kind < 0.66:
        return f"`{subject.name}`"
    return f'"{subject.name}"' if kind < 0.69 else subject.name


def _question(rng: random.Random, subject: Subject, chat: bool) -> str:
    """A question for the subject; its answer is a space and the value."""
    name = _named(rng, subject)
    if subject.place:
        template = rng.choice(QUESTIONS.placed)
    elif "-" in name and "header" in subject.source and rng.random() < 0.4:
        template = rng.choice(QUESTIONS.headers)
    else:
        template = rng.choice(QUESTIONS.plain if rng.random() < 0.6 else QUESTIONS.sourced)
    text = template.format(
        n=name,
        N=capital(name) if " " in name else name,
        s=rng.choice(subject.source.split("|")),
        p=subject.place,
    )
    return (CHAT if chat else rng.choices(_FRAMES, _SHARES)[0]).replace("{}", text)


def _drafted(rng: random.Random, facts: int, words: Sequence[str]) -> _Draft:
    """Blocks that state `facts` values."""
    keys = draw_keys(rng, facts, words)
    draft = _Draft(words, list(keys), [], [], [])
    most = 6 if facts < 4 else 3 if facts < 9 else 1
    together = rng.random()  # the share of values that stand in one block with others
    while len(draft.values) < facts:
        left = facts - len(draft.values)
        size = min(left, rng.randint(2, 6)) if rng.random() < together * 0.8 else 1
        kind = rng.random()
        if kind < 0.2:
            _sections(rng, draft, keys.pop(), min(size, 4))
        elif size == 1 and kind < 0.55:
            _line(rng, draft, keys.pop())
        else:
            _flat(rng, draft, [keys.pop() for _ in range(size)], most)
    if rng.random() < 0.15:
        pattern = rng.choice(FLAT)
        decoys = draft.decoys(rng, 4, rng.choice(pattern[1].split()))
        if decoys:
            draft.blocks.append("\n" + _flat_block(rng, pattern, decoys, words) + "\n")
    rng.shuffle(draft.blocks)
    return draft


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """A scene with `facts` values in technical formats, each asked for once."""
    while True:
        draft = _drafted(rng, facts, words)
        pieces, places = _pieces(rng, draft)
        chat = rng.random() < 0.2
        questions = [
            Question(_question(rng, subject, chat), f" {value}", place)
            for subject, value, place in zip(draft.subjects, draft.values, places)
        ]
        rng.shuffle(questions)
        if is_clear(
            "".join([*(p.text for p in pieces), *(q.text for q in questions)]), draft.values
        ):
            break
    head = "<|user|>" + rng.choice(TEXTS.openings) if chat else ""
    tail = "<|end|>" if chat else ""
    filler = "code" if rng.random() < 0.4 else "prose"
    return Scene(pieces, questions, head, tail, filler)
