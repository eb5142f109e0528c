"""Long documents of our own with questions: facts told in prose, and values with a label, in filler
that every Python installation carries. The same seed gives the same documents."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from transactional_attention.errors import InputError

from ..cases.fillers import filler
from ..data import table
from ..generators.statements import fresh

EACH = 5  # facts, and values
TOKENS, SHORT = (8_400, 15_300), (2_100, 3_500)  # within 8,000 to 16,000, and 2,000 to 4,000
CHARACTERS = 4.5  # of this text, a token of Qwen2.5's tokenizer: 4.2 to 4.8
FACT, VALUE = "fact", "value"


class Told(NamedTuple):
    """A statement of a document, and the question about it."""

    kind: str
    stated: str
    asked: str
    answer: str


def document(number: int, seed: int, *, short: bool = False) -> dict[str, Any]:
    """A talk for ``talks.read_talks`` about the document; every answer stands in it once."""
    rng, texts = random.Random(f"document/{number}/{seed}/{short}"), table("tasks/documents")
    statements = [*_facts(rng), *_values(rng)]
    size = int(CHARACTERS * rng.randrange(*(SHORT if short else TOKENS)))
    answers, parts = [one.answer.casefold() for one in statements], list[str]()
    for part in filler("pydoc", 2 * size, rng).split("\n"):
        if len(part) < size and not any(answer in part.casefold() for answer in answers):
            parts.append(part)
            size -= len(part) + 1
    places = sorted(rng.sample(range(len(parts)), len(statements)), reverse=True)
    for place, one in zip(places, rng.sample(statements, len(statements)), strict=True):
        parts.insert(place, one.stated)
    return {
        "id": f"document-{'short-' if short else ''}{seed}-{number}",
        "messages": [
            {"role": "system", "content": texts["system"]},
            {"role": "user", "content": "\n".join([texts["intro"], "", *parts])},
            {"role": "assistant", "content": texts["read"]},
        ],
        "questions": [
            {"kind": o.kind, "question": o.asked, "answer": o.answer, "evidence": [o.stated]}
            for o in statements
        ],
    }


def _facts(rng: random.Random) -> Iterator[Told]:
    texts, words = table("tasks/documents"), set[str]()
    for fact in rng.sample(texts["facts"], EACH):
        word = rng.choice([word for word in texts["words"][fact["words"]] if word not in words])
        words.add(word)
        yield Told(FACT, fact["stated"].format(word=word), fact["asked"], word)


def _values(rng: random.Random) -> Iterator[Told]:
    texts, kinds = table("tasks/recall"), table("tasks/documents")["kinds"]
    for label, kind in rng.sample([one for one in texts["direct"] if one[1] in kinds], EACH):
        value = fresh(rng, kind)
        stated = rng.choice(texts["statements"]).replace("{label}", label)
        asked = rng.choice(texts["questions"]).format(label=label)
        yield Told(VALUE, stated.replace("{value}", value), asked, value)


def write(path: Path, number: int, seed: int, *, short: bool) -> None:
    """A file of ``number`` documents. Raises InputError for one that is there and is another."""
    lines = (json.dumps(document(n, seed, short=short)) for n in range(number))
    text = "".join(f"{line}\n" for line in lines)
    try:
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise InputError(f"{path} is there, and holds other documents: name another file")
        path.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot write {path}: {type(error).__name__}") from None
