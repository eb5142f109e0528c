"""What engine tests share: a tokenizer of bytes, prompts with values, and whole conversations."""

import itertools
from dataclasses import dataclass, field
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import DynamicCache, PreTrainedTokenizerFast

from low_precision import watch
from teacher_forced import reference_logits
from transactional_attention import Retention, RetentionCache, prefill

EXACT = 4e-5  # fp32 logits of tiny models; in float64 the same scenes differ by rounding alone
PAD, BEGIN, END = 0, 1, 2
TEXTS = (
    "Notes of the day. The door code is 7301, and the plants were watered twice. Lunch was late.",
    "It rained. The api_key: QX7K and nothing else happened all day.",
    "Hm. The secret code is ZP41.",
)
VALUE = range(TEXTS[0].index("7301"), TEXTS[0].index("7301") + 4)  # of the first text
VALUES = {
    "door code": "7301",
    "api key": "QX7K88",
    "wifi password": "hunter7712",
    "gate code": "5519",
    "locker code": "8830",
    "van key": "VN-2291",
    "landlord phone": "555-0187",
}


def template(name):
    """A chat template of ``templates/``; a line break after a block is not shown."""
    return (Path(__file__).parent / "templates" / f"{name}.jinja").read_text()


def byte_tokenizer(chat_template=None):
    """A fast tokenizer with one token a byte, so that spans are easy to count."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<pad>", "<s>", "</s>"]
    vocabulary = {piece: i for i, piece in enumerate([*special, *alphabet])}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([AddedToken(piece, special=True) for piece in special])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
    )
    tokenizer.chat_template = chat_template
    return tokenizer


def encode(tokenizer, *texts):
    """Ids and mask of one or several texts, left-padded."""
    inputs = tokenizer(list(texts), return_tensors="pt", padding=True)
    return inputs["input_ids"], inputs["attention_mask"]


def more_tokens(mask, count):
    """The mask with ``count`` real columns after it."""
    return torch.cat([mask, torch.ones(len(mask), count, dtype=mask.dtype)], 1)


@dataclass
class Conversation:
    """Turns on one cache: feed, generate, append a question, again. Keeps every logit."""

    model: object
    cache: RetentionCache
    ids: torch.Tensor
    mask: torch.Tensor
    logits: list = field(default_factory=list)
    columns: list = field(default_factory=list)

    def __post_init__(self):
        self.cache.trace = []
        watch(self.cache)

    def turn(self, *, chunk=None, new_tokens=6, **options):
        """Feed what is new, in chunks or at once, and generate greedily."""
        if chunk is not None:
            prefill(self.model, self.ids, self.cache, chunk=chunk, attention_mask=self.mask)
        output = self.model.generate(
            self.ids,
            attention_mask=self.mask,
            past_key_values=self.cache,
            max_new_tokens=new_tokens,
            return_dict_in_generate=True,
            output_logits=True,
            **{"do_sample": False, **options},
        )
        first = self.ids.shape[1] - 1
        self.logits += output.logits
        self.columns += range(first, first + len(output.logits))
        copies = len(output.sequences) // len(self.mask)  # num_return_sequences
        grown = output.sequences.shape[1] - self.mask.shape[1]
        self.mask = more_tokens(self.mask.repeat_interleave(copies, 0), grown)
        self.ids = output.sequences
        return output

    def ask(self, question):
        """Append the next turn's tokens [row, column]."""
        self.ids = torch.cat([self.ids, question], 1)
        self.mask = more_tokens(self.mask, question.shape[1])

    def error(self):
        """Largest difference from the teacher-forced forward that hides what was evicted."""
        seen = slice(0, self.cache.num_columns)
        expected = reference_logits(self.model, self.cache, self.ids[:, seen], self.mask[:, seen])
        logits = torch.stack(self.logits, 1)
        return (expected[:, self.columns] - logits).abs().max().item()


def half(*factors):
    """Half of all combinations of levels; of all factors but one, every combination is there."""
    numbered = itertools.product(*(enumerate(levels) for levels in factors))
    return [tuple(level for _, level in row) for row in numbered if sum(i for i, _ in row) % 2 == 0]


def slots(cache):
    """Slots of the key tensor of every managed layer."""
    return [0 if layer.keys is None else layer.keys.shape[-2] for layer in cache.managed]


def kept_positions(cache, row=0, layer=0, head=0):
    """Positions that a row of a layer holds, in order; of one kv head where heads differ."""
    table = cache.flow.table_of(layer)
    lane = row * table.heads + min(head, table.heads - 1)
    return sorted(int(p) for p in table.positions[lane] if p >= 0)


def lanes(cache, row=0):
    """What every layer and kv head holds of a row."""
    return [kept_positions(cache, row, i, h) for i in range(len(cache.managed)) for h in range(2)]


def talk_of(model, tokenizer, rows=1, **options):
    """A conversation over the first ``rows`` texts; ``options``: of the retention."""
    ids, mask = encode(tokenizer, *TEXTS[:rows])
    return Conversation(model, RetentionCache(model, tokenizer, Retention(**options)), ids, mask)


def prefilled(model, tokenizer, texts=TEXTS[:1], observe=None, **options):
    """A cache that has read texts in one forward; without a budget it holds all of them."""
    ids, mask = encode(tokenizer, *texts)
    extra = {} if observe is None else {"observe": observe}
    retention = Retention(**(options or {"budget": None, "method": "full"}))
    cache = RetentionCache(model, tokenizer, retention, **extra)
    return prefill(model, ids, cache, chunk=4096, attention_mask=mask, keep_last=False)


def generated(model, tokenizer, cache=None, texts=TEXTS[:1], **options):
    """What plain generate() says, greedily unless told otherwise."""
    ids, mask = encode(tokenizer, *texts)
    settings = {"max_new_tokens": 8, "do_sample": False, **options}
    if cache is not None:
        settings["past_key_values"] = cache
    return model.generate(input_ids=ids, attention_mask=mask, **settings)


def native_logits(model, ids, mask, new_tokens=6):
    """Logits of greedy generate() with the cache of transformers, [row, token, vocab]."""
    output = model.generate(
        ids,
        attention_mask=mask,
        past_key_values=DynamicCache(config=model.config.get_text_config(decoder=True)),
        max_new_tokens=new_tokens,
        do_sample=False,
        return_dict_in_generate=True,
        output_logits=True,
    )
    return torch.stack(output.logits, 1)
