"""The text of ``ta demo``: values in Python's own reference; and what an answer to it is worth."""

import random
import string
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pydoc_data.topics import topics
from typing import Any, NamedTuple

DATA = tomllib.loads(files(__package__).joinpath("demo.toml").read_text(encoding="utf-8"))
CONTEXT, DEPTH = 4096, 0.4
LENGTH, MORE = 8, 8  # characters of a value; tokens of an answer beyond it


class Verdict(NamedTuple):
    """What an answer is: the value alone, the value in quotes or with a full stop, or about it."""

    correct: bool
    wrapped: bool
    contains: bool


def judge(answer: str, value: str) -> Verdict:
    """An answer beside the value that was asked for."""
    text = answer.strip()
    return Verdict(text == value, text.strip("`'\"“”‘’.") == value, value in text)


def drawn(rng: random.Random) -> str:
    """A value that nobody has."""
    return "".join(rng.choices(string.ascii_uppercase + string.digits, k=LENGTH))


def write(tokenizer: Any, labels: Sequence[str], rng: random.Random) -> tuple[str, dict[str, str]]:
    """A text of about ``CONTEXT`` tokens, and the values by label that it states all over it, the
    first of n at a depth of ``DEPTH`` / n."""
    values = {label: drawn(rng) for label in labels}
    stated = [DATA["statement"].format(label=label, value=v) for label, v in values.items()]
    reference = "\n\n".join(topics[name] for name in sorted(topics))
    source = [" ".join(part.split()) for part in reference.split("\n\n")]
    parts: list[str] = []
    room = CONTEXT - token_count(tokenizer, "\n\n".join(stated))
    while room > 0:
        parts.append(rng.choice(source))
        room -= token_count(tokenizer, parts[-1] + "\n")
    text = "\n".join(parts)
    for place in reversed(range(len(stated))):  # from the end, so that earlier places stay
        cut = text.find(" ", int(len(text) * (place + DEPTH) / len(stated)))
        text = f"{text[:cut]}\n\n{stated[place]}\n\n{text[cut + 1 :]}"
    return text, values


def token_count(tokenizer: Any, text: str) -> int:
    """Tokens of a text, without special ones around it."""
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
