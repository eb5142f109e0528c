"""What a GPU needs: batches from processes, fused attention. Compared with the CPU's own way."""

import pytest
import torch

from ta_lab.training import loop
from ta_lab.training.batches import make_batch
from ta_lab.training.curriculum import RECIPES, Shape, Stage
from ta_lab.training.documents import DocumentMaker
from ta_lab.training.network import BlockAttention, fused_attention
from ta_lab.training.prefetch import Prefetcher, packed, unpacked
from ta_lab.training.workers import check_device
from transactional_attention.errors import InputError

SHAPE = Shape(100, 4, (1, 2), (1, 2), {"plain": 1.0}, pruned=0.5)
STAGES = (Stage("a", 3, 1.0, 0.5, (SHAPE,)),)


def same(first, second) -> bool:
    names = ("ids", "weights", "positions", "selected", "visible")
    pairs = [(getattr(first, name), getattr(second, name)) for name in names]
    return all(a is b is None or torch.equal(a, b) for a, b in pairs)


def test_a_packed_batch_comes_back_whole(maker: DocumentMaker):
    batches = [make_batch(maker, SHAPE, 0, step) for step in range(4)]
    assert any(batch.visible is not None for batch in batches)
    for batch in batches:
        assert same(batch, unpacked(packed(batch), torch.device("cpu")))


@pytest.mark.parametrize("workers", [0, 2])
def test_every_step_gets_its_own_batch(maker: DocumentMaker, workers: int):
    prefetcher = Prefetcher(maker, STAGES, 5, range(2), workers)
    for step in range(3):
        made = list(prefetcher.of_step(step))
        assert len(made) == 2
        for part, batch in enumerate(made):
            assert same(batch, make_batch(maker, SHAPE, 5, step, part))


def test_processes_that_make_batches_change_no_figure(maker: DocumentMaker):
    runs = [loop.Trainer(maker, STAGES, seed=4, layers=1, num_workers=n) for n in (0, 2)]
    for _ in range(2):
        first, second = (run.train_step() for run in runs)
        assert first == second


@pytest.mark.parametrize("masked", [False, True])
def test_fused_attention_equals_attention_in_blocks(masked: bool):
    generator = torch.Generator().manual_seed(0)
    shapes = ((2, 2, 3, 150, 8), (2, 2, 150, 8), (2, 2, 150, 8))
    inputs = [torch.randn(shape, generator=generator) for shape in shapes]
    visible = torch.ones(2, 150, 150, dtype=torch.bool).tril_()
    visible[1, 80:, 3:70] = False
    found = []
    for attend in (BlockAttention.apply, fused_attention):
        leaves = [tensor.clone().requires_grad_() for tensor in inputs]
        output = attend(*leaves, visible if masked else None)
        output.square().sum().backward()
        found.append([output.detach(), *(leaf.grad for leaf in leaves)])
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


def test_a_device_that_is_not_there_is_named():
    with pytest.raises(InputError, match="'nonsense' is not there"):
        check_device("nonsense", 1)
    with pytest.raises(InputError, match="processes"):
        check_device("cuda", 2)
    check_device("cpu", 2)


def test_the_large_recipe_has_larger_batches_of_the_same_documents():
    for small, large in zip(RECIPES["main"].stages, RECIPES["large"].stages, strict=True):
        assert [s.length for s in small.shapes] == [s.length for s in large.shapes]
        assert all(s.tokens == 65_536 for s in large.shapes)
