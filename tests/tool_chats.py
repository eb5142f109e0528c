"""What tests of end_turn share: a chat with tool outputs, and all that a cache holds."""

import pytest
import torch

import transactional_attention as ta
from scenes import Conversation, byte_tokenizer, encode
from teacher_forced import tiny_llama
from transactional_attention.engines.transformers.precision import parts

HEADER = "{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}</s>{% endfor %}"
TEMPLATE = HEADER + "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
WRAPPED = (  # as Qwen: outputs of one call stand in one turn, without a special token between them
    "{% for m in messages %}{% if m.role == 'tool' %}"
    "{% if messages[loop.index0 - 1].role != 'tool' %}<s>user{% endif %}\n<out>\n{{ m.content }}"
    "\n</out>{% if loop.last or messages[loop.index0 + 1].role != 'tool' %}</s>{% endif %}"
    "{% else %}<s>{{ m.role }}\n{{ m.content }}</s>{% endif %}{% endfor %}"
)
VALUE = "QX7K"
CHAT = [
    {"role": "user", "content": "Look."},
    {"role": "tool", "content": f"Rain. api_key: {VALUE} is set. Then sun."},
    {"role": "assistant", "content": "I see."},
    {"role": "tool", "content": "A list of birds of no use."},
    {"role": "tool", "content": "A list of trees and bushes."},
    {"role": "assistant", "content": "Well."},
    {"role": "user", "content": "Go on."},
]
PLAIN = [m for m in CHAT if m["role"] != "tool"]
SETTINGS = {
    "unlimited-twin": dict(budget=None, method="ta+sidequest"),
    "bounded-twin": dict(budget=112, method="ta+sidequest"),
    "paper": dict(budget=112, method="ta+sidequest", preset="paper"),
    "on-top": dict(budget=112, method="ta+sidequest", ledger="on-top"),
    "compact": dict(budget=112, method="ta+sidequest", positions="compact"),
    "layers": dict(budget=(144, 112, 64), method="ta+sidequest"),
    "split": dict(budget=112, method="ta+ada-kv"),
    "low": dict(budget=112, method="ta+arkv"),
    "columns": dict(budget=112, method="h2o"),
}


settings = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


def everything(turn):
    """A judge that names every output."""
    return [output.number for output in turn.outputs]


def start(chats=(CHAT,), model=None, tokenizer=None, **options):
    """A conversation over chats, left-padded, with its first turn done."""
    tokenizer = tokenizer or byte_tokenizer(TEMPLATE)
    model = model or tiny_llama(factor=2.0, vocab_size=len(tokenizer))  # less noise in fp32
    texts = [tokenizer.apply_chat_template(c, tokenize=False) for c in chats]
    sources = [ta.encode_chat(c, tokenizer, add_generation_prompt=False)[1][0] for c in chats]
    ids, mask = encode(tokenizer, *texts)
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(**options), sources=sources)
    talk = Conversation(model, cache, ids, mask)
    talk.turn()
    return talk


def everything_held(cache):
    """All that a cache stores and knows, copied."""
    cache.read_generated()
    flow = cache.flow
    arrays = [
        getattr(table, name).copy()
        for table in flow.tables.values()
        for name in ("positions", "ids", "frequency", "voucher", "anchor", "hold", "recent")
    ]
    tensors = [t.clone() for la in cache.layers for k in (la.keys, la.values) for t in parts(k)]
    measured = [la.measured.clone() for la in cache.managed if la.measured is not None]
    texts = [(s.text.text, s.num_tokens, s.num_generated) for s in flow.sequences]
    registries = [s.registry for s in flow.sequences]
    vouchers = [(r.spans[:], r.vouchers(arrays[0][0]).tolist()) for r in registries]
    rows = (texts, vouchers, [s.counts.tolist() for s in flow.sequences])
    plain = (rows, flow.lengths.tolist(), vars(cache.ledger).copy(), cache.num_columns)
    observed = [table.observed for table in flow.tables.values()]
    return plain, arrays, tensors, measured, observed, len(cache.trace)


def same(first, second):
    plain, arrays, tensors, measured, observed, steps = first
    assert plain == second[0] and steps == second[5]
    for a, b in zip(arrays, second[1], strict=True):
        assert (a == b).all()
    for a, b in zip(tensors + measured, second[2] + second[3], strict=True):
        assert torch.equal(a, b)
    for a, b in zip(observed, second[4], strict=True):
        assert (a is b is None) or (a == b).all()


def value_of(cache, row=0):
    sequence = cache.flow.sequences[row]
    at = sequence.text.text.index(VALUE)
    tokens = sequence.text.tokens_for(ta.Span(at, at + len(VALUE)))
    return set(range(tokens.start, tokens.end))


def tokens_of(outputs):
    return {p for o in outputs for p in range(o.span.start, o.span.end)}
