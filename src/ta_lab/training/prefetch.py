"""Batches made ahead of the step that trains on them, by a thread or by processes.

A processor trains as slowly as one thread makes batches beside it; a GPU wants a process a core.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import torch

from . import curriculum
from .batches import Batch, make_batch
from .curriculum import Shape, Stage
from .documents import DocumentMaker

Arrays = dict[str, np.ndarray]
_makers: dict[int, DocumentMaker] = {}  # inherited by the processes that are forked for it


class Prefetcher:
    """The `parts` of every step's batch, for a run of `stages` and `seed`.

    `workers`: processes; with 0 a thread makes the next step's parts while this one's are trained.
    They are forked and never touch `device`."""

    def __init__(
        self,
        maker: DocumentMaker,
        stages: tuple[Stage, ...],
        seed: int,
        parts: range,
        workers: int = 0,
        device: str = "cpu",
    ) -> None:
        self.maker, self.stages, self.seed, self.parts = maker, stages, seed, parts
        self.workers, self.device = workers, torch.device(device)
        self._waiting: dict[int, list[Future[Batch] | Future[Arrays]]] = {}
        self._pool: Executor = ThreadPoolExecutor(1)
        _makers[id(maker)] = maker
        if workers:
            os.environ["TOKENIZERS_PARALLELISM"] = "false"
            context = multiprocessing.get_context("fork")
            self._pool = ProcessPoolExecutor(workers, context, torch.set_num_threads, (1,))
            self._pool.submit(os.getpid).result()  # forks all of them

    def of_step(self, step: int) -> Iterator[Batch]:
        """The parts of a step; those of the next steps are begun."""
        for ahead in range(step, step + 2 + 2 * self.workers // len(self.parts)):
            if ahead not in self._waiting and (shape := self._shape(ahead)):
                self._waiting[ahead] = [self._begin(shape, ahead, part) for part in self.parts]
        for future in self._waiting.pop(step):
            made = future.result()
            yield made if isinstance(made, Batch) else unpacked(made, self.device)

    def _shape(self, step: int) -> Shape | None:
        place = curriculum.locate(self.stages, step)
        return place and place[0].shape(self.seed, step)

    def _begin(self, shape: Shape, step: int, part: int) -> Future[Batch] | Future[Arrays]:
        if self.workers or self.device.type != "cpu":
            return self._pool.submit(_make_packed, id(self.maker), shape, self.seed, step, part)
        return self._pool.submit(make_batch, self.maker, shape, self.seed, step, part)


def _make_packed(maker: int, shape: Shape, seed: int, step: int, part: int) -> Arrays:
    return packed(make_batch(_makers[maker], shape, seed, step, part))


def packed(batch: Batch) -> Arrays:
    """A batch as arrays that travel between processes; masks take a bit an entry."""
    arrays = {
        "ids": batch.ids.numpy().astype(np.int32),
        "weights": batch.weights.numpy(),
        "positions": batch.positions.numpy().astype(np.int32),
        "selected": batch.selected.numpy(),
    }
    if batch.visible is not None:
        arrays["visible"] = np.packbits(batch.visible.numpy(), axis=-1)
    return arrays


def unpacked(arrays: Arrays, device: torch.device) -> Batch:
    """The batch of `packed`, on a device; its mask is unpacked there."""
    tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
    visible = tensors.get("visible")
    if visible is not None:
        bits = torch.arange(7, -1, -1, device=device, dtype=torch.uint8)
        length = tensors["ids"].shape[1]
        visible = ((visible[..., None] >> bits) & 1).flatten(-2)[..., :length].bool()
    return Batch(
        ids=tensors["ids"].long(),
        weights=tensors["weights"],
        positions=tensors["positions"].long(),
        selected=tensors["selected"],
        visible=visible,
    )
