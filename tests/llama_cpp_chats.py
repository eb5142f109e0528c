"""A chat that states values early and asks for one of them late, and the answers of a session."""

import numpy as np

from chat_templates import chat_tokenizer
from scenes import VALUES
from transactional_attention import Retention
from transactional_attention.engines.llama_cpp import LlamaCache
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.retention.swap import memory_of

LINES = "".join(f"{label}: {value}\n" for label, value in VALUES.items())
IDLE = "It rained all day.\n"
SYSTEM = {"role": "system", "content": f"Be brief. {'Never guess. ' * 40}"}
CHAT = [
    SYSTEM,
    {"role": "user", "content": f"{LINES}{IDLE * 12}"},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": f"{IDLE * 6}What is the gate code?"},
]


def llama_engine(gguf, template="chatml", parallel=2, checkpoints=2, **retention):
    """What a server of a tiny model runs."""
    given = Retention(**{"budget": 96, **retention})
    sizes = dict(chunk=64, parallel=parallel, checkpoints=checkpoints, cell_type="f32", threads=1)
    return LlamaEngine("tiny", gguf, chat_tokenizer(template), given, **sizes)


def segment_of(flow, word):
    """Tokens of the first segment of a memory that says a word."""
    return next(s.tokens for s in memory_of(flow.sequences[0]).segments if word in s.words.split())


def check_resting(begun, context, tokenizer):
    """A sequence that is put away between its turns goes on as one that never is. ``begun`` gives
    one with the logits of its first prompt, ``context`` another place."""
    logits = []
    for rests in (False, True):
        cache, prompt_logits = begun()
        logits.append([prompt_logits[-1]])
        for text in ("What is the api_key?", "And then?"):
            logits[-1] += [cache.step(token) for token in range(40, 46)]
            if rests:
                held = cache.snapshot()
                cache.close()
                cache = LlamaCache.resumed(context(), held)
            logits[-1].append(cache.read(tokenizer(text).input_ids)[-1])
    np.testing.assert_array_equal(*logits)


def answers(session, tokenizer, messages, count=12):
    """Greedy tokens of one turn."""
    ids = []
    for token in session.steps(chat_prompt(tokenizer, messages), Sampling()):
        if token is not None:
            ids.append(token.id)
        if len(ids) == count:
            break
    session.settle()
    return ids
