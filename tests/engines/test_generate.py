"""Plain generate(): streaming, sampling, beams, threads, rows, turns."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from transformers import DynamicCache

from scenes import EXACT, TEXTS, Conversation, encode, generated, slots, talk_of
from teacher_forced import reference_logits
from transactional_attention import Retention, RetentionCache, attach, detach

SIXTEEN = Retention(budget=16)


# beams


class BeamRecord:
    """Ids and logits of every row, reordered whenever the cache is."""

    def __init__(self, model, cache):
        self.ids, self.logits = None, []
        cache.trace, self.cache, self.reorder = [], cache, cache.reorder_cache
        cache.reorder_cache = self.follow
        self.hook = model.register_forward_hook(self.note, with_kwargs=True)

    def note(self, module, args, kwargs, output):
        ids = kwargs["input_ids"]
        self.ids = ids if self.ids is None else torch.cat([self.ids, ids], 1)
        self.logits.append(output.logits[:, -1])
        self.last = self.ids, self.logits[:], self.cache.trace  # before the last reordering

    def follow(self, beams):
        self.ids = self.ids[beams]
        self.logits = [logits[beams] for logits in self.logits]
        self.reorder(beams)


def beam_search(model, tokenizer, cache, **options):
    options = {"num_beams": 3, "num_return_sequences": 3, **options}
    return generated(
        model, tokenizer, cache, return_dict_in_generate=True, output_scores=True, **options
    )


@pytest.mark.parametrize("texts", [TEXTS[:1], TEXTS])
def test_unlimited_beams_equal_native_beams(model, tokenizer, texts):
    native = beam_search(model, tokenizer, DynamicCache(config=model.config), texts=texts)
    cache = RetentionCache(model, tokenizer, Retention(budget=None))
    ours = beam_search(model, tokenizer, cache, texts=texts)
    assert ours.sequences.tolist() == native.sequences.tolist()
    torch.testing.assert_close(ours.sequences_scores, native.sequences_scores)


def test_beams_at_16_and_their_scores_are_those_of_teacher_forcing(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    record = BeamRecord(model, cache)
    output = beam_search(model, tokenizer, cache, length_penalty=0.0)
    record.hook.remove()
    assert slots(cache) == [16] * 3
    ids, logits, cache.trace = record.last
    expected = reference_logits(model, cache, ids, torch.ones_like(ids))[:, -len(logits) :]
    assert (expected - torch.stack(logits, 1)).abs().max() < EXACT
    rows = {tuple(row): i for i, row in enumerate(ids.tolist())}
    for sequence, score in zip(output.sequences, output.sequences_scores):
        chances = expected[rows[tuple(sequence[:-1].tolist())]].log_softmax(-1)
        total = chances.gather(1, sequence[-8:, None]).sum()
        torch.testing.assert_close(score, total, atol=1e-4, rtol=0)


# one model, several caches and none


def test_threads_share_a_model(model, tokenizer):
    def run(index):
        cache = RetentionCache(model, tokenizer, Retention(budget=12 + index))
        return generated(model, tokenizer, cache, texts=[TEXTS[index % 3]]).tolist()

    alone = [run(index) for index in range(6)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(run, range(6)))
    assert together == alone


def test_interleaved_caches_do_not_disturb_each_other(model, tokenizer):
    talks = [
        Conversation(model, RetentionCache(model, tokenizer, SIXTEEN), *encode(tokenizer, text))
        for text in TEXTS[:2]
    ]
    for _ in range(2):
        for talk in talks:
            talk.turn(new_tokens=3)
            talk.ask(torch.randint(3, 250, (1, 4)))
    for talk in talks:
        talk.ids, talk.mask = talk.ids[:, :-4], talk.mask[:, :-4]
        assert talk.error() < EXACT


def plain_logits(model, tokenizer, cache):
    ids, mask = encode(tokenizer, *TEXTS)
    with torch.no_grad():
        return model(ids, attention_mask=mask, past_key_values=cache).logits


@pytest.mark.parametrize("native", [False, True])
def test_an_attached_model_serves_other_caches_as_before(model, tokenizer, native):
    def cache():
        return DynamicCache(config=model.config) if native else None

    before = plain_logits(model, tokenizer, cache())
    generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    assert model.config._attn_implementation == "retention"
    assert torch.equal(plain_logits(model, tokenizer, cache()), before)


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_detach_gives_the_model_its_attention_back(model, tokenizer, implementation):
    model.set_attn_implementation(implementation)
    before = plain_logits(model, tokenizer, None)
    attach(model)
    detach(model)
    assert model.config._attn_implementation == implementation
    assert not model.get_decoder()._forward_pre_hooks
    assert torch.equal(plain_logits(model, tokenizer, None), before)


# rows


def ready(model, tokenizer):
    """A conversation of three rows after its first turn."""
    talk = talk_of(model, tokenizer, rows=3, budget=16)
    talk.turn()
    return talk


def choose_rows(talk, rows):
    """The same rows of what the test itself keeps."""
    talk.ids, talk.mask = talk.ids[rows], talk.mask[rows]
    talk.logits = [logits[rows] for logits in talk.logits]


def test_selected_rows_go_on_exactly(model, tokenizer):
    talk = ready(model, tokenizer)
    talk.cache.batch_select_indices(torch.tensor([2, 0]))
    choose_rows(talk, [2, 0])
    talk.turn()
    assert talk.error() < EXACT


def test_repeated_rows_go_their_own_ways_exactly(model, tokenizer):
    """In double precision: what is sampled, and so how far float32 rounds, is the processor's."""
    torch.manual_seed(0)
    talk = ready(model.double(), tokenizer)
    talk.cache.batch_repeat_interleave(2)
    choose_rows(talk, [0, 0, 1, 1, 2, 2])
    talk.turn(do_sample=True, temperature=2.0)
    assert len({tuple(ids) for ids in talk.ids.tolist()}) == 6
    assert talk.error() < EXACT


# turns


def test_a_later_turn_can_bring_many_tokens(model, tokenizer):
    """A question longer than K is live during its own forward and cut to K after it."""
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    talk = Conversation(model, cache, *encode(tokenizer, TEXTS[2]))
    for _ in range(3):
        talk.turn()
        talk.ask(torch.randint(3, 250, (1, 40)))
    talk.turn()
    assert talk.error() < EXACT
    assert cache.ledger.within == 16 + 41


def test_a_manual_loop_equals_generate(model, tokenizer):
    """Only ids and the cache are passed: positions come from the cache."""
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    ids, _ = encode(tokenizer, TEXTS[0])
    sequence, step = ids, ids
    with torch.no_grad():
        for _ in range(8):
            step = model(step, past_key_values=cache).logits[:, -1:].argmax(-1)
            sequence = torch.cat([sequence, step], 1)
    assert torch.equal(sequence, expected)
