"""Tables of what a model can do, from records alone: ceilings, perplexity, dormancy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ceilings_table import ceilings_table

Record = dict[str, Any]
EMBEDDED = "embedded"
READERS = {"model": "the model", "unigram": "unigram", "five_gram": "5-gram"}


def model_kind(record: Record) -> str:
    """Which of ``TABLES`` a record has, or nothing: a needle says when its question comes."""
    if not record["rows"] or "protocol" in record["provenance"]["arguments"]:
        return ""
    row = record["rows"][0]
    return "perplexity" if "five_gram" in row else "dormancy" if "layer" in row else "ceilings"


def model_table(record: Record) -> str:
    """The table of a record of ``ta train evaluate``, ``perplexity`` or ``dormancy``."""
    return TABLES[model_kind(record)](record)


def named(origin: Record) -> str:
    """The model of a record where it is not the one that pages speak of."""
    name = origin.get("model", EMBEDDED)
    return "" if name == EMBEDDED else f"{name}, "


def model_caption(record: Record) -> str:
    """What a record is of and where it comes from, in one line."""
    origin = record["provenance"]
    dirty = ", modified" if origin["dirty"] else ""
    seed = "" if origin["seed"] is None else f"seed {origin['seed']}, "
    return (
        f"{named(origin)}{CAPTIONS[model_kind(record)](record, origin['arguments'])}, {seed}"
        f"commit {str(origin['commit'])[:7]}{dirty}, transformers "
        f"{origin['versions']['transformers']}"
    )


def _ceilings(record: Record) -> str:
    """With the causes of what is short where the record is of the shipped weights."""
    return ceilings_table(record, causes=record["provenance"]["model"] == EMBEDDED)


def _perplexity(record: Record) -> str:
    """A line each for the model and the n-grams, over the same tokens."""
    (row,) = record["rows"]
    lines = ["| | nats a token | a token | bits a character | a word |", "|---" * 5 + "|"]
    for key, name in READERS.items():
        found = row[key]
        figures = (
            f"{found['nats_per_token']:.3f}",
            f"{found['token_perplexity']:,.1f}",
            f"{found['bits_per_character']:.3f}",
            f"{found['word_perplexity']:,.0f}",
        )
        lines.append(f"| {name} | " + " | ".join(figures) + " |")
    return "\n".join(lines)


def _dormancy(record: Record) -> str:
    """A line a layer: median rank of the value's tokens, best and worst behind it."""
    head = "| layer | before the question | after it | of | by chance |"
    lines = [head, "|---" * 5 + "|"]
    for row in record["rows"]:
        ranks = " | ".join(_ranks(row[key]) for key in ("before", "after"))
        rest = f"{row['positions']:,.0f} | {row['chance']:,.0f}"
        lines.append(f"| {row['layer'] + 1} | {ranks} | {rest} |")
    return "\n".join(lines)


def _ranks(found: dict[str, float]) -> str:
    return f"{found['median']:,.0f} [{found['best']:,}, {found['worst']:,}]"


def _about_ceilings(record: Record, arguments: dict[str, Any]) -> str:
    return f"{arguments['trials']} questions a cell or a few more, {arguments['filler']} filler"


def _about_perplexity(record: Record, arguments: dict[str, Any]) -> str:
    (row,) = record["rows"]
    return (
        f"{arguments['text']}, {row['windows']:,} windows of {row['window']:,} tokens, n-grams "
        f"counted on {arguments['baseline']}"
    )


def _about_dormancy(record: Record, arguments: dict[str, Any]) -> str:
    return (
        f"{arguments['trials']} needles in {arguments['tokens']:,} tokens, "
        f"{arguments['filler']} filler"
    )


TABLES: dict[str, Callable[[Record], str]] = {
    "ceilings": _ceilings,
    "perplexity": _perplexity,
    "dormancy": _dormancy,
}
CAPTIONS: dict[str, Callable[[Record, dict[str, Any]], str]] = {
    "ceilings": _about_ceilings,
    "perplexity": _about_perplexity,
    "dormancy": _about_dormancy,
}
