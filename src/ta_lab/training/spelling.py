"""A byte-level BPE that spells a word alike wherever it stands.

"encryption key", "encryption_key", "encryptionKey" and "ENCRYPTION_KEY" are the same pieces in
other cases: merges are learnt from words in small letters and repeated for capitals, and the space
in front of a word comes last. What an ordinary BPE spells in four ways, a large model has seen
often enough; a small one, trained on little text, has not.
"""

from __future__ import annotations

import json
import string
from collections import Counter
from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

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
SPACE, LINE = "Ġ", "Ċ"
# Runs that are one piece: line breaks, indentation, rules.
RUNS = (LINE * 2, SPACE * 2, SPACE * 4, SPACE * 8, *(mark * 2 for mark in "-=.#*+/:`\"'~"), "----")
# What is no word in ASCII letters, and what is no word in others.
NOT_ASCII_WORDS, NOT_OTHER_WORDS = r"[^A-Za-z]+", r"[\x00-\x7F]+|[^\p{L}\p{M}]+"
# Merges learnt from either; pieces that exist with a space in front as well.
ASCII_MERGES, OTHER_MERGES, SPACED = 2000, 1200, 1500
Merge = tuple[str, str]


def train_spelling(texts: Iterable[str], vocabulary: int, special: list[str]) -> Tokenizer:
    """Train a tokenizer of `vocabulary` entries, `special` ones first.

    Random strings are spelled in single letters and pairs of letters. Raises ValueError when the
    entries are too few for the merges.
    """
    lines = list(texts)
    merges = _in_all_cases(_merges(lines, NOT_ASCII_WORDS, ASCII_MERGES))
    merges += _merges(lines, NOT_OTHER_WORDS, OTHER_MERGES)
    merges += _runs()
    merges += _letter_pairs()
    merges = list(dict.fromkeys(merges))
    room = vocabulary - len(special) - 256 - len({a + b for a, b in merges})
    if room < 0:
        raise ValueError(f"{vocabulary} entries are too few by {-room}")
    tokenizer = _assemble(merges, special)
    merges += _spaced(tokenizer, lines, min(room, SPACED))
    return _assemble(merges, special)


def _merges(lines: list[str], between: str, count: int) -> list[Merge]:
    """The first `count` merges of words in small letters; `between` matches what is no word."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(between), "removed"),
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
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


def _runs() -> list[Merge]:
    return [(run[: len(run) // 2], run[len(run) // 2 :]) for run in RUNS]


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
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
