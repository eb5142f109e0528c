import random

import pytest
import torch

WORDS = ["river", "stone", "harbour", "window", "letter", "paper", "code", "garden"]


def sentence(rng: random.Random) -> str:
    return "The " + " ".join(rng.choice(WORDS) for _ in range(rng.randint(10, 40))) + "."


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def lines() -> list[str]:
    rng = random.Random(5)
    return [sentence(rng) for _ in range(200)]
