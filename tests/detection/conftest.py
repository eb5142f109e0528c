"""Texts that hold something of everything: cases, settings, and pieces in random order."""

from __future__ import annotations

import random

import pytest

from ta_lab.benchmarks.detection import configuration
from ta_lab.collection import collection

SIGNS = [*"=:\"'`|,;<>{}()[]-/@#. \n", "://", " is ", "password is ", "login: ", " use ", " la "]
PIECES = [*SIGNS, *"İ é は １２ key code A1B2C3 4417 true it's".split(), "Bearer "]


@pytest.fixture(scope="package")
def texts() -> list[str]:
    rng = random.Random(5)
    cases = [case.context[:3000] for case in collection("development")[::40]]
    soup = ["".join(rng.choices(PIECES, k=rng.randrange(20, 300))) for _ in range(60)]
    return [*cases, *soup, *(configuration(3000, seed) for seed in range(6))]
