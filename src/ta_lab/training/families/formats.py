"""Values stated inside technical formats: configuration, payloads, traces, logs, tables, code."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..facts import is_held_out
from ..scene import Piece, Question, Scene
from .format_blocks import BREAK, COLUMNS, FLAT, TEXTS, column_block, flat_block
from .format_keys import TEXTS as KEYS
from .format_keys import (
    Field,
    clashes,
    decoy_fields,
    draw_key,
    draw_keys,
    fill,
    fresh_value,
    spelled,
)
from .format_lines import LINES, line_name, line_text
from .format_questions import Subject, question_text
from .format_sections import SECTIONS, section_block

# A block is written with one mark (a private character) for each value that is asked for.
_MARK = 0xE000
_MARKS = re.compile("[\ue000-\ue0ff]")


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
        value = fresh_value(rng, simple, quoted)
        while any(value in other or other in value for other in self.values):
            value = fresh_value(rng, simple, quoted)
        self.values.append(value)
        self.subjects.append(subject)
        return chr(_MARK + len(self.values) - 1)

    def decoys(self, rng: random.Random, most: int, style: str) -> list[Field]:
        """Up to `most` fields beside those that are asked for."""
        return decoy_fields(rng, rng.randint(0, most), style, self.words, self.taken)


def _flat(rng: random.Random, draft: _Draft, keys: Sequence[str], most: int) -> None:
    """A block that states the keys among up to `most` other fields."""
    column = rng.randrange(len(COLUMNS)) if len(keys) == 1 and rng.random() < 0.2 else None
    pattern = rng.choice(FLAT)
    row = pattern if column is None else COLUMNS[column]
    style = rng.choice(row[1].split())
    source = row[0]
    names = [spelled(key, style) for key in keys]
    quoted = any(form in part for part in row for form in ("{q}", '"{v}"', ">{v}<", "| {v} |"))
    fields = [
        Field(name, draft.mark(rng, Subject(key, name, source), quoted=quoted))
        for key, name in zip(keys, names)
    ]
    fields += draft.decoys(rng, most, style)
    rng.shuffle(fields)
    if column is None:
        text = flat_block(rng, pattern, fields, draft.words)
    else:
        text = column_block(rng, column, fields, draft.words)
    draft.blocks.append(_dressed(rng, text, source, draft.words))


def _sections(rng: random.Random, draft: _Draft, key: str, asked: int) -> None:
    """A block in which several owners have the key; `asked` of them are asked for."""
    pattern = rng.choice(SECTIONS)
    style = rng.choice(pattern[1].split())
    stages, services = KEYS.stages, KEYS.services
    pool = rng.choice((stages, stages, KEYS.people, services, services, draft.words))
    owners = [name for name in dict.fromkeys(pool) if not clashes(name, draft.taken)]
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
    text = section_block(rng, pattern, sections, draft.words)
    draft.blocks.append(_dressed(rng, text, pattern[0], draft.words))


def _line(rng: random.Random, draft: _Draft, key: str) -> None:
    """A line, a stack trace or a command that states one value."""
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
    subject = Subject(phrase, line_name(template, phrase), source)
    mark = draft.mark(rng, subject, simple=bool(phrases))
    text = line_text(rng, template, phrase, mark, draft.words)
    draft.blocks.append(_dressed(rng, text, source, draft.words))


def _dressed(rng: random.Random, text: str, source: str, words: Sequence[str]) -> str:
    """A block between line ends, at times after an introduction or between fences."""
    if rng.random() < 0.2:
        name = source.split("|")[0].split()[0].lower()
        language = name if name in TEXTS.languages and rng.random() < 0.7 else ""
        fences = (f"```{language}\n", "\n```") if rng.random() < 0.8 else ("<pre>\n", "\n</pre>")
        text = text.join(fences)
    if rng.random() < 0.3:
        introduction = fill(rng, rng.choice(TEXTS.introductions), words)
        text = introduction.replace("{s}", rng.choice(source.split("|"))) + text
    start, end = rng.choice(("\n", "\n", "\n\n")), rng.choice(("\n", "\n", "\n\n", ""))
    return start + text + end


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
            draft.blocks.append("\n" + flat_block(rng, pattern, decoys, words) + "\n")
    rng.shuffle(draft.blocks)
    return draft


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """A scene with `facts` values in technical formats, each asked for once."""
    while True:
        draft = _drafted(rng, facts, words)
        pieces, places = _pieces(rng, draft)
        chat = rng.random() < 0.2
        questions = [
            Question(question_text(rng, subject, chat), f" {value}", place)
            for subject, value, place in zip(draft.subjects, draft.values, places)
        ]
        rng.shuffle(questions)
        said = "".join([*(part.text for part in pieces), *(part.text for part in questions)])
        single = all(said.count(value) == 1 for value in draft.values)
        if single and not is_held_out(re.sub(r"[\W_]+", " ", said)):
            break
    head = "<|user|>" + rng.choice(TEXTS.openings) if chat else ""
    tail = "<|end|>" if chat else ""
    filler = "code" if rng.random() < 0.4 else "prose"
    return Scene(pieces, questions, head, tail, filler, "formats")
