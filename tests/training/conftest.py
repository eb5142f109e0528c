import random

import pytest
import torch
from tokenizers import Tokenizer

from ta_lab.training.documents import DocumentMaker, Filler, load_tokenizer

WORDS = ["river", "stone", "harbour", "window", "letter", "paper", "secret", "code", "garden"]
FILLER_WORDS = [word for word in WORDS if word != "secret"]  # no run trains on the needle's label


def sentence(rng: random.Random) -> str:
    return "The " + " ".join(rng.choice(FILLER_WORDS) for _ in range(rng.randint(10, 40))) + "."


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def lines() -> list[str]:
    rng = random.Random(5)
    return [sentence(rng) for _ in range(200)]


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return load_tokenizer()


@pytest.fixture(scope="session")
def maker(tokenizer: Tokenizer, lines: list[str]) -> DocumentMaker:
    return DocumentMaker(tokenizer, Filler(tokenizer, {"prose": lines}), WORDS)
