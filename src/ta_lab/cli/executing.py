"""``--executor``: who does the work of an experiment, and what a worker of Ray is told."""

from __future__ import annotations

import os
from functools import partial

from transactional_attention.errors import InputError

from ..experiments import get_experiment
from ..experiments.executor import Executor, Local
from ..experiments.experiment import planned
from ..experiments.ray_executor import Plan, RayExecutor, check_ray
from .run import Run

EXECUTORS = ("local", "ray")


def check_executor(name: str) -> None:
    """Refuses a name that is none before anything is loaded.

    Raises:
        InputError: for an unknown name.
        UnsupportedError: for ``ray`` when it is missing.
    """
    if name not in EXECUTORS:
        raise InputError(f"--executor must be {' or '.join(EXECUTORS)}, got {name!r}")
    if name == "ray":
        check_ray()


def executor_for(run: Run, name: str) -> Executor:
    """The executor of one experiment."""
    if run.executor == "local":
        return Local()
    make = partial(_plan, run, name, os.getcwd())
    return RayExecutor(make, threads=run.threads or 1, gpus=int(run.on_gpu))


def _plan(run: Run, name: str, folder: str) -> Plan:
    """In a worker: the units of an experiment. Paths are as the caller gave them, as are seeds."""
    if os.path.isdir(folder):
        os.chdir(folder)
    return planned(get_experiment(name), run.context()).units
