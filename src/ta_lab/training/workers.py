"""Processes that share a training step: one thread each, gradients added up.

Two threads of one process wait for each other in every operation, which on a machine that does
something else besides made a step six times slower; processes meet once a step.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

from transactional_attention.errors import InputError

from ..cases.decoding import flushed_subnormals
from .batches import PARTS

# malloc.h: M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_MAX.
KEEP_MEMORY = ((-1, (1 << 31) - 1), (-2, 256 << 20), (-4, 0))


def prepare_process() -> None:
    """One thread, and memory that stays with the process.

    Tensors that a step frees would else be given back and asked for again, a page at a time: half
    of the time went there."""
    torch.set_num_threads(1)
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        for option, value in KEEP_MEMORY if hasattr(library, "mallopt") else ():
            library.mallopt(option, value)


@contextmanager
def helpers(work: Callable[[int], None], processes: int, folder: Path) -> Iterator[None]:
    """Run `work(rank)` in every process but the first, this one, until the block ends.

    Raises InputError for more processes than a batch has parts."""
    if not 1 <= processes <= PARTS:
        raise InputError(f"--processes must lie between 1 and {PARTS}, got {processes}")
    prepare_process()
    meeting = folder / "meeting"
    meeting.unlink(missing_ok=True)
    context = multiprocessing.get_context("fork")
    others = [
        context.Process(target=_help, args=(work, rank, processes, meeting), daemon=True)
        for rank in range(1, processes)
    ]
    for other in others:
        other.start()
    if others:
        _meet(0, processes, meeting)
    try:
        with flushed_subnormals():
            yield
    finally:
        for other in others:
            other.terminate()
        if others:
            dist.destroy_process_group()
        meeting.unlink(missing_ok=True)


def _help(work: Callable[[int], None], rank: int, processes: int, meeting: Path) -> None:
    prepare_process()
    _meet(rank, processes, meeting)
    with flushed_subnormals():
        work(rank)


def _meet(rank: int, processes: int, meeting: Path) -> None:
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group(
        "gloo", init_method=meeting.absolute().as_uri(), rank=rank, world_size=processes
    )


def check_device(device: str, processes: int) -> None:
    """Raises InputError for a device that is not there, or that processes cannot share."""
    if processes > 1 and not device.startswith("cpu"):
        raise InputError(f"processes share a step on a CPU only: use --processes 1 with {device}")
    try:
        kind = torch.device(device).type
        there = kind == "cpu" or torch.get_device_module(kind).is_available()
    except (RuntimeError, AttributeError):
        there = False
    if not there:
        raise InputError(f"device {device!r} is not there: use cpu, or cuda where there is a GPU")


def add_gradients(network: nn.Module, processes: int) -> None:
    """Add up the gradients of all processes, in place."""
    if processes == 1:
        return
    gradients = [weight.grad for weight in network.parameters() if weight.grad is not None]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(flat)
    for gradient, summed in zip(gradients, flat.split([len(g.flatten()) for g in gradients])):
        gradient.copy_(summed.view_as(gradient))
