"""The model's own byte-level BPE: single digits, short pieces of random strings, chat roles."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tokenizers import Tokenizer, processors

from transactional_attention.errors import InputError

from ..values.alphabets import MIXED, characters
from .corpus import Corpus
from .facts import QUESTIONS, random_keys, random_statement
from .families import FAMILIES
from .spelling import train_spelling

BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
BEGIN_ID, END_ID, PAD_ID = 0, 1, 2
ROLES = ("system", "user", "assistant", "tool")
FIRST_TEXT_ID = 3 + len(ROLES)
VOCABULARY = 8192
MAX_POSITIONS = 8192
CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% if tools %}{{ '<|system|>Functions:' }}"
    "{% for tool in tools %}{{ '\n' + (tool.function if tool.function else tool) | tojson }}"
    "{% endfor %}{{ eos_token }}{% endif %}"
    "{% for message in messages %}"
    "{{ '<|' + message.role + '|>' }}"
    "{% if message.role == 'assistant' %}{{ ' ' }}{% endif %}"
    "{% if message.content %}{{ message.content | trim }}{% endif %}"
    "{% for call in message.tool_calls or [] %}"
    "{{ (call.function if call.function else call) | tojson }}{% endfor %}"
    "{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
# Characters of each kind that the tokenizer learns from; what is scarcer is repeated.
CHARACTERS_LEARNT = {"prose": 2_500_000, "code": 1_000_000}
LANGUAGE_CHARACTERS = 90_000
SCENES_LEARNT = 400


def _training_texts(corpus: Corpus, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    for kind, lines in corpus.train.items():
        yield from share(lines, CHARACTERS_LEARNT.get(kind, LANGUAGE_CHARACTERS))
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


def share(lines: list[str], wanted: int) -> Iterator[str]:
    """`wanted` characters of the lines, from the start again when they are too few."""
    taken = 0
    while taken < wanted:
        for line in lines:
            yield line
            taken += len(line) + 1
            if taken >= wanted:
                return


def train_tokenizer(corpus: Corpus, seed: int) -> Tokenizer:
    """Train the byte-level BPE on the corpus and on made-up facts and questions."""
    special = [BEGIN, END, PAD, *(f"<|{role}|>" for role in ROLES)]
    tokenizer = train_spelling(_training_texts(corpus, seed), VOCABULARY, special)
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
        "asked_in_plain_text": True,
        "bos_token": BEGIN,
        "chat_template": CHAT_TEMPLATE,
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
    """For each token id, whether a text may be cut before it.

    It begins with a space or a line break, or with the first byte of a Chinese, Japanese or Korean
    character, between which there are no spaces.
    """
    size = tokenizer.get_vocab_size()
    starts = ("Ġ", "Ċ", "▁", "\n", *(chr(lead) for lead in range(0xE3, 0xEE)))
    return [(tokenizer.id_to_token(token) or "").startswith(starts) for token in range(size)]
