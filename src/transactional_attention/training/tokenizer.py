"""The model's own byte-level BPE: 2048 entries, single digits, short pieces of random strings."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator
from pathlib import Path

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    pre_tokenizers,
    processors,
    trainers,
)

from transactional_attention.errors import InputError
from transactional_attention.training.corpus import Corpus, frequent_words
from transactional_attention.training.facts import (
    QUESTIONS,
    random_keys,
    random_statement,
)
from transactional_attention.training.values import code8

BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
BEGIN_ID, END_ID, PAD_ID = 0, 1, 2
VOCABULARY = 2048
MAX_POSITIONS = 8192
# A word with its leading space, one digit, a run of punctuation, white space. A segment that
# starts with one space or newline is encoded the same alone as inside a text.
PIECES = r"'(?i:[sdmt]|ll|ve|re)| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def _training_texts(corpus: Corpus, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    words = frequent_words(corpus.train)
    yield from corpus.train
    for _ in range(9000):
        key = random_keys(rng, 1, words, plain=False)[0]
        statement = random_statement(rng, key, plain=False)
        yield statement.text + rng.choice(QUESTIONS)[0].format(key=key)
    for _ in range(2500):
        yield " ".join(code8(rng) for _ in range(12))
    for _ in range(1000):
        yield "".join(" " + letter for letter in string.ascii_letters)


def train_tokenizer(corpus: Corpus, seed: int) -> Tokenizer:
    """Train the byte-level BPE on the corpus and on made-up facts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[BEGIN, END, PAD],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_training_texts(corpus, seed), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, BEGIN_ID)]
    )
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and a tokenizer_config.json that transformers 4.57 to 5.x read."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "add_prefix_space": False,
        "bos_token": BEGIN,
        "clean_up_tokenization_spaces": False,
        "eos_token": END,
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": MAX_POSITIONS,
        "pad_token": PAD,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    text = json.dumps(config, indent=2) + "\n"
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")


def load_tokenizer(folder: Path) -> Tokenizer:
    """Read tokenizer.json of a folder; raises InputError when it is missing or damaged."""
    path = folder / "tokenizer.json"
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # tokenizers raises bare Exception for a damaged file
        raise InputError(f"{path.name} cannot be read: start the run without --resume") from error


def word_starts(tokenizer: Tokenizer) -> list[bool]:
    """For each token id, whether a text may be cut before it (it begins with a space)."""
    size = tokenizer.get_vocab_size()
    return [(tokenizer.id_to_token(token) or "").startswith("Ġ") for token in range(size)]
