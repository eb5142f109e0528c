"""What tests of saved caches share: a conversation in single forwards, stopped and gone on with."""

from dataclasses import replace

import torch

from scenes import encode
from transactional_attention import Retention, RetentionCache, load_cache
from transactional_attention.engines.transformers.precision import parts

STORY = (
    "Notes of the day. The door code is 7301, and the plants were watered twice. Lunch was late.",
    "It rained. The api_key: QX7K and nothing else happened.\nuser,token\nann,K81-44\nbob,L92-55",
    "Hm. The secret code is ZP41.",
)
QUESTION = ("; pin: 4417. What is the api key?", " The door code is 9912 now.", "9 or 12? Say: no.")


class Player:
    """Feeds a batch to a model forward by forward; ``logits``: the last column's, of each."""

    def __init__(self, model, cache, rows=3):
        self.model, self.cache, self.logits = model, cache, []
        self.ids = torch.zeros((rows, 0), dtype=torch.long)
        self.mask = torch.zeros((rows, 0), dtype=torch.long)

    def gone_on(self, cache):
        """Another player at the same point, with another cache."""
        other = Player(self.model, cache, len(self.ids))
        other.ids, other.mask, other.logits = self.ids, self.mask, self.logits[:]
        return other

    def feed(self, ids, mask, end=0):
        """New columns; those before ``end`` (in all) are prompt."""
        self.ids, self.mask = torch.cat([self.ids, ids], 1), torch.cat([self.mask, mask], 1)
        positions = (self.mask.cumsum(-1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        if end:
            self.cache.expect_prompt(end)
        with torch.no_grad():
            output = self.model(
                ids, attention_mask=self.mask, position_ids=positions, past_key_values=self.cache
            )
        self.logits.append(output.logits[:, -1])

    def say(self):
        """One greedy token a row."""
        ids = self.logits[-1].argmax(-1, keepdim=True)
        self.feed(ids, torch.ones_like(ids))

    def given(self):
        """What it was fed, as ``load_cache`` takes it."""
        return dict(input_ids=self.ids, attention_mask=self.mask)

    def saved_and_loaded(self, path, *, text=True):
        """Another player at the same point, with the cache as a file has it."""
        self.cache.save(path)
        given = self.given() if text else {}
        return self.gone_on(load_cache(path, self.model, self.cache.tokenizer, **given))


def steps(tokenizer, *, chunk, said=2, texts=STORY, questions=QUESTION):
    """Forwards of a conversation: a prompt in chunks, tokens said, a question, tokens said."""
    prompt, mask = encode(tokenizer, *texts)
    ids, wide = encode(tokenizer, *questions)
    end, size = prompt.shape[1], chunk or prompt.shape[1]
    todo = [
        lambda p, a=at: p.feed(prompt[:, a : a + size], mask[:, a : a + size], end)
        for at in range(0, end, size)
    ]
    todo += [Player.say] * said
    todo.append(lambda p: p.feed(ids, wide, end + said + ids.shape[1]))
    return [*todo, *[Player.say] * said]


def cache_of(model, tokenizer, **options):
    return RetentionCache(model, tokenizer, Retention(**options))


def play(player, todo):
    for step in todo:
        step(player)
    return player


def check_going_on(model, tokenizer, path, borders, *, chunk=40, **options):
    """At every border: saved, loaded and gone on with, it is what it is without."""
    todo = steps(tokenizer, chunk=chunk)
    whole = play(Player(model, cache_of(model, tokenizer, **options)), todo)
    player, at = Player(model, cache_of(model, tokenizer, **options)), 0
    for border in [b if b >= 0 else len(todo) + b for b in borders]:
        play(player, todo[at:border])
        at = border
        loaded = player.saved_and_loaded(path)
        same_held(player.cache, loaded.cache)
        same(play(loaded, todo[border:]), whole)
    same(play(player, todo[at:]), whole)  # saving left no trace


def same(player, whole, *, ids=True):
    """The same logits bit for bit, and the same tokens held."""
    for number, (logits, expected) in enumerate(zip(player.logits, whole.logits, strict=True)):
        assert torch.equal(logits, expected), f"forward {number}"
    same_held(player.cache, whole.cache, ids=ids)


def same_held(cache, expected, *, ids=True):
    """The same keys and values, tables, texts, ledger and report."""
    cache.read_generated()
    expected.read_generated()
    for one, other in zip(cache.layers, expected.layers, strict=True):
        for states, wanted in ((one.keys, other.keys), (one.values, other.values)):
            for a, b in zip(parts(states), parts(wanted), strict=True):
                assert a.dtype == b.dtype and torch.equal(a, b)
    for one, other in zip(cache.managed, expected.managed, strict=True):
        a, b = one.measured, other.measured
        assert a is b is None or torch.equal(a, b)
    for one, other in zip(cache.flow.tables.values(), expected.flow.tables.values(), strict=True):
        assert one.budget == other.budget and one.padded == other.padded
        assert (one.positions == other.positions).all()
        live = one.positions >= 0  # what is said of padding is not read
        slots = ("frequency", "voucher", "anchor", "held", "quantised", "observed", *["ids"] * ids)
        for name in (*slots, "recent", "rows", "limits", "sharp"):
            a, b = getattr(one, name), getattr(other, name)
            if a is not None and name in slots:
                a, b = a[live], b[live]
            assert (a is b is None) or (a.dtype == b.dtype and (a == b).all()), name
    assert vars(cache.ledger) == vars(expected.ledger)
    assert cache.num_columns == expected.num_columns
    assert cache.flow.lengths.tolist() == expected.flow.lengths.tolist()
    assert len(cache.trace or ()) == len(expected.trace or ())
    for one, other in zip(cache.flow.sequences, expected.flow.sequences, strict=True):
        assert (one.num_tokens, one.num_generated) == (other.num_tokens, other.num_generated)
        assert not ids or one.text.text == other.text.text
        same_memory(one.memory, other.memory, ids=ids)
    assert cache.flow.prompts.tolist() == expected.flow.prompts.tolist()
    if expected.memory is not None:
        rows, wanted = cache.memory.exported(), expected.memory.exported()
        assert cache.memory.num_bytes == expected.memory.num_bytes
        assert rows.keys() == wanted.keys() and all(torch.equal(rows[n], wanted[n]) for n in wanted)
    for row in range(len(cache.flow.sequences)):
        reports = cache.report(row), expected.report(row)
        one, other = reports if ids else map(unlabelled, reports)
        assert one == other


def same_memory(memory, expected, *, ids):
    """The same segments; with the text also their words, and what ends in the open one."""
    assert (memory is None) == (expected is None)
    if expected is None:
        return
    known, wanted = memory.exported(), expected.exported()
    if not ids:
        del known["num_read"], wanted["num_read"]
    assert known == wanted
    assert not ids or memory.segments == expected.segments
    assert not ids or memory._segmenter._ends == expected._segmenter._ends


def unlabelled(report):
    """A report without its labels: of those only the first line is saved."""
    kept, refused = (
        tuple(replace(item, label="") for item in items) for items in (report.kept, report.refused)
    )
    return replace(report, kept=kept, refused=refused)
