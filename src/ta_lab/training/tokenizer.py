"""Tokenizers: a byte-level BPE that spells a word alike wherever it stands, and a wide one.

"encryption key", "encryption_key", "encryptionKey" and "ENCRYPTION_KEY" are the same pieces in
other cases: merges are learnt from words in small letters and repeated for capitals, and the space
in front of a word comes last. What an ordinary BPE spells in four ways, a large model has seen
often enough; a small one, trained on little text, has not. That of `embedded-wide` spells as
SentencePiece models do: more, smaller pieces, what the vocabulary lacks in bytes.
"""

from __future__ import annotations

import json
import random
import shutil
import string
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import cycle, product
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder as shipped

from ..values.alphabets import MIXED, characters
from .corpus import Corpus
from .facts import QUESTIONS, random_keys, random_statement
from .families import FAMILIES

BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
BEGIN_ID, END_ID, PAD_ID = 0, 1, 2
ROLES = ("system", "user", "assistant", "tool")
SPECIAL = [BEGIN, END, PAD, *(f"<|{role}|>" for role in ROLES)]
FIRST_TEXT_ID = len(SPECIAL)
VOCABULARY, WIDE_VOCABULARY = 8192, 3072
MAX_POSITIONS = 8192
CONFIG = "tokenizer_config.json"
# Characters of each kind that the tokenizer learns from; what is scarcer is repeated.
CHARACTERS_LEARNT = {"prose": 2_500_000, "code": 1_000_000}
LANGUAGE_CHARACTERS = 90_000
SCENES_LEARNT = 400
# A space belongs to the word after it, but never to a random string, a number or a mark: those
# are spelled alike after a space, a quote and a line break. A mark is alone or repeats itself.
PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)(?!\p{L})"
    r"| ?\p{Lu}?\p{Ll}+(?![\p{L}\p{N}])"
    r"| ?[\p{Lo}\p{Lm}\p{M}]+"
    r"|\p{Lu}?\p{Ll}+"
    r"|\p{Lu}+(?!\p{Ll})"
    r"|\p{N}"
    r"|([^\s\p{L}\p{M}\p{N}])\1*"
    r"|\s+(?!\S)|\s+"
)
SPACE, LINE, WIDE_SPACE = "Ġ", "Ċ", "▁"
# Runs that are one piece: line breaks, indentation, rules.
RUNS = (LINE * 2, SPACE * 2, SPACE * 4, SPACE * 8, *(mark * 2 for mark in "-=.#*+/:`\"'~"), "----")
# What is no word in ASCII letters, and what is no word in others.
NOT_ASCII_WORDS, NOT_OTHER_WORDS = r"[^A-Za-z]+", r"[\x00-\x7F]+|[^\p{L}\p{M}]+"
# Merges learnt from either; pieces that exist with a space in front as well.
ASCII_MERGES, OTHER_MERGES, SPACED = 2000, 1200, 1500
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
# Of the wide one: a word with the mark of its space, one digit, one mark, a line break.
WIDE_PIECES = r"▁?\p{L}[\p{L}\p{M}]*|\p{N}|\n|▁|[^\s\p{L}\p{M}\p{N}▁]"
# So many different characters of the other scripts become pieces; the rest are spelled in bytes.
ALPHABET = 400
Merge = tuple[str, str]


def _training_texts(corpus: Corpus, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    yield from _corpus_texts(corpus)
    for _ in range(9000):
        key = random_keys(rng, 1, corpus.words, plain=False)[0]
        statement = random_statement(rng, key, plain=False)
        yield statement.text + rng.choice(QUESTIONS).format(key=key)
    for family, _ in product(FAMILIES, range(SCENES_LEARNT)):
        scene = FAMILIES[family](rng, 5, corpus.words)
        yield scene.head + scene.tail
        yield from (piece.before + " " + piece.after for piece in scene.pieces)
        yield from (question.text for question in scene.questions)
    for _ in range(9000):
        yield " ".join(characters(rng, 8) for _ in range(12))
    for _ in range(4000):
        yield " ".join(characters(rng, 12, MIXED) for _ in range(8))
    for _ in range(1000):
        yield "".join(" " + letter for letter in string.ascii_letters)


def _corpus_texts(corpus: Corpus) -> Iterator[str]:
    """So many characters of every kind of text, from its start again when it is too short."""
    for kind, lines in corpus.train.items():
        wanted = CHARACTERS_LEARNT.get(kind, LANGUAGE_CHARACTERS)
        for line in cycle(lines):
            yield line
            wanted -= len(line) + 1
            if wanted <= 0:
                break


def train_tokenizer(corpus: Corpus, seed: int) -> Tokenizer:
    """Train the byte-level BPE on the corpus and on made-up facts and questions."""
    return _beginning(train_spelling(_training_texts(corpus, seed), VOCABULARY, SPECIAL))


def _beginning(tokenizer: Tokenizer) -> Tokenizer:
    """With the first special token in front of every text."""
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, BEGIN_ID)]
    )
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and the tokenizer_config.json of the models that ship, which has the
    chat template."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    shutil.copyfile(shipped() / CONFIG, folder / CONFIG)


def load_tokenizer(folder: Path) -> Tokenizer:
    """Read tokenizer.json of a folder; raises InputError when it is missing or damaged."""
    path = folder / "tokenizer.json"
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises bare Exception for a damaged file
        raise InputError(f"{path.name} cannot be read: start the run without --resume") from error


def word_starts(tokenizer: Tokenizer) -> list[bool]:
    """For each token id, whether a text may be cut before it.

    It begins with a space or a line break, or with the first byte of a Chinese, Japanese or Korean
    character, between which there are no spaces."""
    size = tokenizer.get_vocab_size()
    starts = ("Ġ", "Ċ", "▁", "\n", *(chr(lead) for lead in range(0xE3, 0xEE)))
    return [(tokenizer.id_to_token(token) or "").startswith(starts) for token in range(size)]


def train_spelling(texts: Iterable[str], vocabulary: int, special: list[str]) -> Tokenizer:
    """Train a tokenizer of `vocabulary` entries, `special` ones first.

    Random strings are spelled in single letters and pairs of letters. Raises ValueError when the
    entries are too few for the merges."""
    lines = list(texts)
    merges = _in_all_cases(_merges(lines, NOT_ASCII_WORDS, ASCII_MERGES))
    merges += _merges(lines, NOT_OTHER_WORDS, OTHER_MERGES)
    merges += [(run[: len(run) // 2], run[len(run) // 2 :]) for run in RUNS]
    merges += _letter_pairs()
    merges = list(dict.fromkeys(merges))
    room = vocabulary - len(special) - 256 - len({a + b for a, b in merges})
    if room < 0:
        raise ValueError(f"{vocabulary} entries are too few by {-room}")
    tokenizer = _assemble(merges, special)
    merges += _spaced(tokenizer, lines, min(room, SPACED))
    return _assemble(merges, special)


def _bytes_of_pieces() -> list[pre_tokenizers.PreTokenizer]:
    return [
        pre_tokenizers.Split(Regex(PIECES), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]


def _merges(lines: list[str], between: str, count: int) -> list[Merge]:
    """The first `count` merges of words in small letters; `between` matches what is no word."""
    tokenizer = Tokenizer(models.BPE())
    words = pre_tokenizers.Split(Regex(between), "removed")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([words, *_bytes_of_pieces()])
    trainer = trainers.BpeTrainer(
        vocab_size=256 + count,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((line.lower() for line in lines), trainer)
    return [(left, right) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]


def _in_all_cases(merges: list[Merge]) -> list[Merge]:
    """Each merge of ASCII letters also with a first capital and in capitals, at the same rank."""
    found: list[Merge] = []
    for left, right in merges:
        found.append((left, right))
        if (left + right).isascii():
            found.append((left.capitalize(), right))
            found.append((left.upper(), right.upper()))
    return found


def _letter_pairs() -> list[Merge]:
    """All pairs of letters, of which random strings are made, after the merges of words."""
    letters = string.ascii_lowercase
    pairs = [(left, right) for left in letters for right in letters]
    return [*pairs, *((left.upper(), right.upper()) for left, right in pairs)]


def _spaced(tokenizer: Tokenizer, lines: list[str], count: int) -> list[Merge]:
    """The space with each of the `count` pieces that follow it most often."""
    follow: Counter[str] = Counter()
    for encoding in tokenizer.encode_batch(lines, add_special_tokens=False):
        tokens = encoding.tokens
        words = encoding.word_ids
        for index in range(1, len(tokens)):
            if tokens[index - 1] == SPACE and words[index - 1] == words[index]:
                follow[tokens[index]] += 1
    return [(SPACE, piece) for piece, _ in follow.most_common(count)]


def _assemble(merges: list[Merge], special: list[str]) -> Tokenizer:
    entries = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    entries += [left + right for left, right in merges]
    ids = {entry: index for index, entry in enumerate(dict.fromkeys(entries))}
    tokenizer = Tokenizer(models.BPE(vocab=ids, merges=merges))
    tokenizer.add_special_tokens(special)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(_bytes_of_pieces())
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def train_wide_tokenizer(corpus: Corpus) -> Tokenizer:
    """Train the BPE with byte fallback on the corpus; random strings are not among its texts."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=WIDE_SPACE, prepend_scheme="never", split=False),
            pre_tokenizers.Split(Regex(WIDE_PIECES), "isolated"),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(WIDE_SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=WIDE_VOCABULARY,
        special_tokens=[*SPECIAL, *BYTES],
        limit_alphabet=ALPHABET,
        initial_alphabet=[chr(code) for code in range(33, 127)] + [WIDE_SPACE, "\n"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(_corpus_texts(corpus), trainer)
    # The trainer takes the bytes as special tokens, which decoding would leave out.
    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [t for t in state["added_tokens"] if t["content"] not in BYTES]
    return _beginning(Tokenizer.from_str(json.dumps(state)))
