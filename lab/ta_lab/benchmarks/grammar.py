"""What it costs that an answer must follow a schema: its steps beside those that may say anything.

A step is a forward and the choice of the likeliest token. The schema is compiled before, and asks
for more than the tokens that are timed."""

from __future__ import annotations

import itertools

from transactional_attention.config import Retention
from transactional_attention.engines.grammar import compiled
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.server.schema import Schema

from .benchmark import Outcome, Request, Row
from .corpus import filler_tokens
from .engines import engines, reply_arm
from .structured import SAID, SYSTEM, Note
from .timing import interleave

SIZE = 32  # tokens of an answer


def run(request: Request) -> Outcome:
    """Rows a length and K: a reply without a grammar, with one."""
    (tokenizer, make), rows = engines(request), list[Row]()
    schema = Schema(Note.model_json_schema(), exact=True)
    for tokens, budget in request.cells():
        retention = Retention(budget, request.methods[0], pinned=("system",))
        engine = make(retention)
        samplings = {
            "any token": Sampling(),
            "schema of ten fields": Sampling(
                grammar=compiled(tokenizer, engine.end_ids, f"start: {schema.lark()}")
            ),
        }
        filler = itertools.islice(filler_tokens(tokenizer, request.filler, request.seed), tokens)
        text = {"role": "user", "content": tokenizer.decode(list(filler))}
        prompt = chat_prompt(tokenizer, [SYSTEM, text, SAID])
        arms = {
            name: reply_arm(engine, retention, prompt, sampling, SIZE)
            for name, sampling in samplings.items()
        }
        about = {"tokens": tokens, "budget": budget, "said": SIZE}
        rows += [{**about, **timed.row()} for timed in interleave(arms, request.rounds)]
    return Outcome(rows)
