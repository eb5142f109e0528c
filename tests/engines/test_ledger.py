"""The budget is a ledger: counted on the tensors themselves, after every single forward."""

import gc
import types

import pytest
import torch
from torch import nn

import scenes
from scenes import half, slots

BYTES_PER_TOKEN = 2 * 2 * 16 * 4  # key and value, kv heads, head_dim, fp32


def reachable_tensors(root):
    """Every tensor that an object keeps alive, through attributes, containers and closures."""
    seen, stack, tensors = set(), [root], []
    while stack:
        item = stack.pop()
        if id(item) in seen or isinstance(item, (type, types.ModuleType, nn.Module, str, bytes)):
            continue
        seen.add(id(item))
        if isinstance(item, torch.Tensor):
            tensors.append(item)
        elif isinstance(item, types.FunctionType):  # not its globals, which reach everything
            stack += [cell.cell_contents for cell in item.__closure__ or ()]
        else:
            stack += gc.get_referents(item)
    return tensors


def held_bytes(cache):
    """Bytes of the storages behind all floating-point tensors that the cache keeps alive."""
    storages = {
        tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes()
        for tensor in reachable_tensors(cache)
        if tensor.is_floating_point()
    }
    return sum(storages.values())


class Watch:
    """Counts slots and bytes after every forward of the decoder."""

    def __init__(self, cache):
        self.cache, self.slots, self.bytes = cache, [], []
        cache.decoder.register_forward_hook(self.after)

    def after(self, *_):
        self.slots.append(slots(self.cache))
        self.bytes.append(held_bytes(self.cache))


def talk_of(model, tokenizer, rows, **options):
    talk = scenes.talk_of(model, tokenizer, rows, **options)
    return talk, Watch(talk.cache)


@pytest.mark.parametrize(
    ("chunk", "rows", "positions"), half([None, 1, 7], [1, 3], ["original", "compact"])
)
def test_strict_holds_k_after_every_forward(model, tokenizer, chunk, rows, positions):
    talk, watch = talk_of(model, tokenizer, rows, budget=16, positions=positions)
    talk.turn(chunk=chunk)
    record = talk.cache.ledger
    assert (record.between, record.within) == (16, 16 + chunk if chunk else talk.ids.shape[1] - 6)
    talk.ask(torch.randint(3, 250, (rows, 9)))
    talk.turn(chunk=chunk)
    assert max(max(counts) for counts in watch.slots) == 16
    assert max(watch.bytes) == 3 * 16 * rows * BYTES_PER_TOKEN
    assert watch.bytes[-1] == talk.cache.stored_bytes()


def test_strict_keeps_every_layer_within_its_own_budget(model, tokenizer):
    talk, watch = talk_of(model, tokenizer, 3, budget=(24, 16, 8))
    talk.turn()
    assert [max(layer) for layer in zip(*watch.slots)] == [24, 16, 8]
    assert max(watch.bytes) == (24 + 16 + 8) * 3 * BYTES_PER_TOKEN


def test_a_budget_that_is_shared_out_is_told_from_one_that_is_exceeded(model, tokenizer):
    for method, budget, exceeds in (
        ("snapkv", (24, 16, 8), False),
        ("pyramidkv", 16, False),
        ("ada-kv", 16, False),
        ("dynamickv-authors", 24, True),
    ):
        talk, _ = talk_of(model, tokenizer, 1, budget=budget, method=method)
        talk.turn()
        layers = [talk.cache.flow.table_of(i).positions >= 0 for i in range(3)]
        ledger = talk.cache.ledger
        assert ledger.mean == sum(live.sum(1).mean() for live in layers) / 3
        most = 24 if exceeds else 16
        assert ledger.between > most and (ledger.mean > most) is exceeds, method


@pytest.mark.parametrize("chunk", [None, 7])
def test_on_top_keeps_the_context_within_k(model, tokenizer, chunk):
    talk, watch = talk_of(model, tokenizer, 1, budget=16, ledger="on-top")
    talk.turn(chunk=chunk, new_tokens=6)
    context = len(watch.slots) - 5
    assert max(max(counts) for counts in watch.slots[:context]) == 16
    assert watch.slots[context:] == [[16 + n] * 3 for n in range(1, 6)]


def test_on_top_lets_the_question_and_the_answer_ride(model, tokenizer):
    talk, watch = talk_of(model, tokenizer, 1, budget=16, ledger="on-top")
    talk.turn(new_tokens=1)
    talk.ask(torch.randint(3, 250, (1, 9)))
    talk.turn(new_tokens=3)
    assert [counts[0] for counts in watch.slots] == [16, 16 + 10, 16 + 11, 16 + 12]


def test_the_count_finds_a_hidden_copy_of_the_keys(model, tokenizer):
    """The judge itself: keys hidden in a closure are found."""
    talk, watch = talk_of(model, tokenizer, 1, budget=16)
    talk.turn(new_tokens=2)
    hidden = torch.zeros(1, 2, 100, 16)
    talk.cache.managed[1].secret = lambda: hidden
    assert held_bytes(talk.cache) == watch.bytes[-1] + hidden.nbytes
