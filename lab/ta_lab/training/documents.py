"""Training documents: filler as token ids with facts in it, questions and answers at its end."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from tokenizers import Tokenizer

from transactional_attention.models.embedded import folder

from .families import FAMILIES
from .scene import Piece, Question, Scene
from .values import alphanumeric_pieces, brief_value, random_value, spelled_value, with_values

PROSE = "prose"
BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
BEGIN_ID, END_ID, PAD_ID = 0, 1, 2
FIRST_TEXT_ID = 7  # behind these and the marks of four roles


def load_tokenizer() -> Tokenizer:
    """The tokenizer of the model that ships."""
    return Tokenizer.from_file(str(folder() / "tokenizer.json"))


def word_starts(tokenizer: Tokenizer) -> list[bool]:
    """For each token id, whether a text may be cut before it.

    It begins with a space or a line break, or with the first byte of a Chinese, Japanese or Korean
    character, between which there are no spaces."""
    size = tokenizer.get_vocab_size()
    starts = ("Ġ", "Ċ", "▁", "\n", *(chr(lead) for lead in range(0xE3, 0xEE)))
    return [(tokenizer.id_to_token(token) or "").startswith(starts) for token in range(size)]


Pool = tuple[list[np.ndarray], list[np.ndarray]]
"""Paragraphs of one kind as token ids, each as it is after a space, and after a newline."""


class Filler:
    """Paragraphs as token ids, to be drawn to an exact length; by kind: prose, code, languages."""

    def __init__(self, tokenizer: Tokenizer, paragraphs: dict[str, list[str]]) -> None:
        """Encode every paragraph twice: after a space and after a newline."""
        self.pools = {
            kind: (self._encode(tokenizer, " ", lines), self._encode(tokenizer, "\n", lines))
            for kind, lines in paragraphs.items()
        }
        self.starts_word = np.array(word_starts(tokenizer))

    @staticmethod
    def _encode(tokenizer: Tokenizer, before: str, lines: list[str]) -> list[np.ndarray]:
        lines = [before + line for line in lines]
        encodings = tokenizer.encode_batch(lines, add_special_tokens=False)
        return [np.array(encoding.ids, dtype=np.int16) for encoding in encodings]

    def draw(self, rng: random.Random, length: int, kind: str = PROSE) -> np.ndarray:
        """About `length` tokens of filler (never more): paragraphs, or a few sentences repeated.

        A kind that this machine has no text of is prose. The last word is left out when it would
        be cut."""
        if length < 8:
            return np.zeros(0, dtype=np.int16)
        pool = self.pools.get(kind, self.pools[PROSE])
        source = pool[kind == "code" or rng.random() < 0.4]
        repeated = self._sentences(rng, pool) if rng.random() < 0.12 else []
        pieces, total = list[np.ndarray](), 0
        while total <= length:
            more = repeated or [rng.choice(source)]
            pieces += more
            total += sum(map(len, more))
        ids = np.concatenate(pieces)
        end = length
        while end > 0 and not self.starts_word[ids[end]]:
            end -= 1
        return ids[:end]

    def _sentences(self, rng: random.Random, pool: Pool) -> list[np.ndarray]:
        """One to four short pieces that start with a space, to be repeated."""
        pieces = []
        for _ in range(rng.randint(1, 4)):
            ids = rng.choice(pool[0])
            pieces.append(ids[: self.cut_after(ids, rng.randint(6, 40))])
        return pieces

    def cut_after(self, ids: np.ndarray, index: int) -> int:
        """The first place at or after `index` where a word starts, or the end."""
        while index < len(ids) and not self.starts_word[ids[index]]:
            index += 1
        return min(index, len(ids))


# Loss weights: the first token of a value is where retrieval happens.
FIRST_WEIGHT, VALUE_WEIGHT, END_WEIGHT, PROSE_WEIGHT = 3.0, 1.0, 2.0, 0.1
COPY_WEIGHT = 0.5
NO_FILLER = "none"
# The family of a document into which no single fact of another family fits.
SHORTEST = "pairs"
# White space before and after a statement; one of several lines stands in a paragraph of its own.
AROUND = ((" ", ""), (" ", ""), ("\n", ""), ("\n\n", "\n\n"))
AROUND_LINES = (("\n", "\n"), ("\n\n", "\n\n"))


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer, in tokens: question, answer (end token included), fact."""

    question: int
    answer: int
    end: int
    fact: int


@dataclass(slots=True)
class Document:
    """One sequence: ids, loss weight of each id as a target, and where the facts are.

    `facts` holds the half-open token range of each value; the context is `ids[:context]`."""

    ids: list[int]
    weights: list[float]
    context: int
    facts: list[tuple[int, int]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)


Covered = tuple[list[int], tuple[int, int]]
"""A text as token ids, and the half-open token range of a value in it (may be empty)."""


@dataclass(frozen=True, slots=True)
class EncodedTurn:
    """A question and its answer as token ids; `first`: where the value begins in the answer."""

    question: list[int]
    answer: list[int]
    first: int
    fact: int


class DocumentMaker:
    """Makes documents of at most a given number of tokens."""

    def __init__(self, tokenizer: Tokenizer, filler: Filler, words: list[str]) -> None:
        """`words` are used for invented keys."""
        self.tokenizer = tokenizer
        self.filler = filler
        self.words = words
        self.pieces = alphanumeric_pieces(tokenizer)

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def retrieval(
        self,
        rng: random.Random,
        length: int,
        family: str,
        facts: int,
        questions: int,
        *,
        values: str = "",
        bare: bool = False,
    ) -> Document:
        """A document of a family with about `facts` values and up to `questions` questions.

        Both are fewer when they do not fit into `length` tokens. `values`: "brief" makes them
        short, "spelled" puts long pieces into them. `bare` leaves the filler out."""
        makers: dict[str, Callable[[], str]] = {
            "brief": partial(brief_value, rng),
            "spelled": partial(spelled_value, rng, self.pieces),
        }
        make = makers.get(values)
        while True:
            scene = FAMILIES[family](rng, facts, self.words)
            scene = with_values(scene, make) if make else scene
            pieces = [self._piece(rng, piece) for piece in scene.pieces]
            asked = rng.sample(scene.questions, min(len(scene.questions), questions))
            turns = [self._turn(question, scene) for question in asked]
            ends = [self._ids(scene.head), self._ids(scene.tail)]
            used = 1 + sum(map(len, ends)) + sum(len(ids) for ids, _ in pieces)
            used += sum(len(turn.question) + len(turn.answer) + 1 for turn in turns)
            if used <= length:
                break
            family = SHORTEST if facts == 1 else family
            facts = max(1, min(facts - 1, int(0.95 * facts * length / used)))
            questions = min(questions, facts)
        filler = NO_FILLER if bare else scene.filler
        document = self._context(rng, filler, pieces, ends, length - used)
        for turn in turns:
            _append_turn(document, turn)
        return document

    def _piece(self, rng: random.Random, piece: Piece) -> Covered:
        """A statement between white space (but for roles), and the token range of its value."""
        before, after = rng.choice(AROUND)
        if "\n" in piece.text:
            before, after = rng.choice(AROUND_LINES)
        if piece.before.startswith("<|"):
            before = ""
        if piece.text.endswith("|>"):
            after = ""
        text = before + piece.text + after
        start = len(before) + len(piece.before)
        return self._covering(text, start, start + len(piece.value))

    def _covering(self, text: str, start: int, end: int) -> Covered:
        """Token ids of a text, and the tokens that hold one of the characters [start, end)."""
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        covered = [
            index
            for index, (first, last) in enumerate(encoding.offsets)
            if last > start and first < end
        ]
        return encoding.ids, (covered[0], covered[-1] + 1) if covered else (0, 0)

    def _turn(self, question: Question, scene: Scene) -> EncodedTurn:
        value = scene.pieces[question.piece].value
        start = question.answer.index(value)
        answer, (first, _) = self._covering(question.answer, start, start + len(value))
        return EncodedTurn(self._ids(question.text), answer, first, question.piece)

    def _context(
        self,
        rng: random.Random,
        kind: str,
        pieces: list[Covered],
        ends: list[list[int]],
        room: int,
    ) -> Document:
        """Put the statements at random word starts of `room` tokens of filler."""
        room = 0 if kind == NO_FILLER else room
        filler = self.filler.draw(rng, room, kind)
        draws = sorted(rng.randint(0, len(filler)) for _ in pieces)
        cuts = [self.filler.cut_after(filler, draw) for draw in draws]
        ids, facts, last = [BEGIN_ID, *ends[0]], [], 0
        for (stated, (start, end)), cut in zip(pieces, cuts):
            ids += filler[last:cut].tolist()
            facts.append((len(ids) + start, len(ids) + end))
            ids += stated
            last = cut
        ids += [*filler[last:].tolist(), *ends[1]]
        return Document(ids, [0.0] + [PROSE_WEIGHT] * (len(ids) - 1), len(ids), facts)

    def copying(self, rng: random.Random, length: int) -> Document:
        """A sequence that repeats a part of itself after an end token: induction, nothing else.

        Half of them are random entries of the vocabulary: what is seldom seen is copied wrongly."""
        count = length // 2 - 4
        kind = rng.random()
        if kind < 0.25:
            ids = self._ids(" ".join(random_value(rng) for _ in range(count // 4 + 1)))
        elif kind < 0.75:
            size = self.tokenizer.get_vocab_size()
            ids = [rng.randrange(FIRST_TEXT_ID, size) for _ in range(count)]
        else:
            ids = self.filler.draw(rng, count).tolist()
        ids = [BEGIN_ID, *ids[:count]]
        start = rng.randint(1, len(ids) // 3)
        weights = [0.0] + [PROSE_WEIGHT] * (len(ids) - 1) + [0.0]
        weights += [COPY_WEIGHT] * (len(ids) - start)
        return Document([*ids, END_ID, *ids[start:]], weights, len(ids))


def _append_turn(document: Document, turn: EncodedTurn) -> None:
    """Add a question, its answer and the end token to a document."""
    begin = len(document.ids)
    answer = begin + len(turn.question)
    document.ids += [*turn.question, *turn.answer, END_ID]
    document.weights += [PROSE_WEIGHT] * len(turn.question)
    document.weights += [VALUE_WEIGHT] * len(turn.answer) + [END_WEIGHT]
    document.weights[answer + turn.first] = FIRST_WEIGHT
    document.turns.append(Turn(begin, answer, len(document.ids), turn.fact))
