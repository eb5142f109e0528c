"""Ray does the units of an experiment: processes on this machine, or on those of a cluster.

A worker makes the plan of the experiment itself, once, with a model of its own; a task names a unit
of it. Only this process writes records, in the order of the units, so they equal those of a local
run. A task whose worker is lost goes to another one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

import torch

from transactional_attention.errors import (
    InputError,
    RetentionError,
    UnknownNameError,
    UnsupportedError,
)

from ..cases.decoding import flushed_subnormals
from .experiment import Key, Unit
from .plan import Arm

Plan = Mapping[Key, Unit]

REMEDY = "pip install 'transactional-attention[ray]'"
RETRIES = 3  # workers that a unit may lose
AHEAD = 3  # units under way for every one that runs: so much is done again when this process dies

_plans: dict[str, Plan] = {}  # of this worker: that of one run


def check_ray() -> None:
    """Raises:
    UnsupportedError: when Ray is missing.
    """
    if find_spec("ray") is None:
        raise UnsupportedError(f"ray is not installed: {REMEDY}")


@dataclass
class RayExecutor:
    """``make()``: the plan, in a worker; it must travel, so it closes over plain data alone.

    ``threads``: processors of a unit. ``gpus``: of a unit. ``RAY_ADDRESS`` names a cluster; without
    it Ray finds one of this machine, or starts it."""

    make: Callable[[], Plan]
    threads: int = 1
    gpus: int = 0
    run: str = field(default_factory=lambda: uuid4().hex)

    def results(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Any]]:
        """What is timed runs here, when nothing else is under way. Raises RetentionError: what a
        unit raised, or that its workers were lost again and again."""
        waiting: deque[tuple[Unit, Any]] = deque()
        task, ray = None, None
        try:
            for unit in units:
                if unit.timed:
                    yield from _drained(waiting)
                    yield unit, unit.result()
                    continue
                ray = ray or _started()
                task = task or self._task(ray)
                reference = task.remote(self.run, self.make, unit.key, unit.arms, self.threads)
                waiting.append((unit, reference))
                if len(waiting) >= self._limit(ray):
                    yield _first(waiting)
            yield from _drained(waiting)
        finally:
            for _, reference in waiting:
                ray.cancel(reference, force=True)  # type: ignore[union-attr]

    def _task(self, ray: Any) -> Any:
        needs = {"num_cpus": self.threads, "num_gpus": self.gpus, "max_retries": RETRIES}
        return ray.remote(**needs)(_work)

    def _limit(self, ray: Any) -> int:
        """Units under way: a cluster may grow, so it is asked each time."""
        slots = int(ray.cluster_resources().get("CPU", 1)) // self.threads
        return AHEAD * max(slots, 1)


def _work(run: str, make: Callable[[], Plan], key: Key, arms: tuple[Arm, ...], threads: int) -> Any:
    """In a worker: one unit of the plan, which is made when the worker's first task comes."""
    torch.set_num_threads(threads)
    with flushed_subnormals():
        try:
            if run not in _plans:
                _plans.clear()
                _plans[run] = make()
            return _plans[run][key].run(arms)
        except UnknownNameError as error:  # it cannot be unpickled: its arguments are others
            raise InputError(str(error)) from None


def _started() -> Any:
    """Ray, connected."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    import ray  # noqa: PLC0415  (an extra)

    if not ray.is_initialized():
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"cannot reach Ray: {str(error).strip().splitlines()[0]}") from None
    return ray


def _drained(waiting: deque[tuple[Unit, Any]]) -> Iterator[tuple[Unit, Any]]:
    while waiting:
        yield _first(waiting)


def _first(waiting: deque[tuple[Unit, Any]]) -> tuple[Unit, Any]:
    """The oldest unit, when it is done; it no longer waits."""
    import ray  # noqa: PLC0415  (an extra)

    unit, reference = waiting.popleft()
    try:
        return unit, ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, RetentionError):
            raise error.cause from None
        raise
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
        raise RetentionError(
            f"a unit lost {RETRIES + 1} workers, one after another ({type(error).__name__}): give "
            "it more memory; what is recorded stays, and the same command goes on"
        ) from None
