"""Requests of the smallest sizes, on a random model: what is measured is never asserted."""

from ta_lab.benchmarks.benchmark import Recipe, Request


def request(model, tokenizer, **sizes):
    given = {"tokens": (300,), "budgets": (64,), "methods": ("streaming-llm", "ta"), "chunk": 64}
    return Request(Recipe(lambda: (model, tokenizer)), **{**given, **sizes})


def names(rows):
    return list(dict.fromkeys(row["name"] for row in rows))
