"""Units in other processes: the same records, and none is lost with a worker."""

import json
import os
import signal
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from scenes import byte_tokenizer
from ta_lab.cli.running import ModelSource, Run, measured
from ta_lab.experiments import Context, get_experiment
from ta_lab.experiments.experiment import Experiment, planned
from ta_lab.experiments.plan import FULL, Arm, Block, task_cases
from ta_lab.experiments.ray_executor import RayExecutor
from ta_lab.experiments.running import Job, run_parts
from teacher_forced import tiny_llama
from transactional_attention.errors import InputError

TOKENS = 500  # bytes are tokens here
ARMS = (FULL, Arm("oracle", 60), Arm("streaming-llm", 24), Arm("ta-learned", 60))
pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: run .ci/extras"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module", autouse=True)
def two_workers():
    import ray  # noqa: PLC0415  (an extra)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_worker_niceness", "0")  # a busy machine would never come to them
        patch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        yield
        ray.shutdown()


def tiny():
    tokenizer = byte_tokenizer()
    return tiny_llama(vocab_size=len(tokenizer)), tokenizer


def experiment(home, kill_at):
    """Four contexts and two measurements; the worker of ``kill_at`` dies in the middle of it."""

    def once(name):
        (home / f"{name}-{os.getpid()}").touch()  # who worked on it
        lost = home / f"lost-{name}"
        if name == kill_at and not lost.exists():
            lost.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def job(name):
        def measured():
            once(name)
            return {"squared": len(name) ** 2}

        return Job({"part": "job", "name": name}, measured)

    def run(context):
        plain = task_cases(context, "needle", tokens=TOKENS)

        def make(tokenizer, trial):
            once(f"context{trial}")
            return plain(tokenizer, trial)

        block = Block("needle", make, 4, ARMS)
        return {"rows": run_parts(context, [job("one"), job("second")], [block])}

    return Experiment("small", "", "", run, str)


def made(home, kill_at=None):
    """What a worker makes its plan with."""

    def plan():
        return planned(experiment(home, kill_at), Context(tiny)).units

    return plan


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The record of this process alone."""
    return experiment(tmp_path_factory.mktemp("local"), None).run(Context(tiny))


@pytest.mark.parametrize("kill_at", ["context1", "second"])
def test_a_lost_worker_loses_nothing(tmp_path, local, kill_at):
    saved = []
    context = Context(tiny, save=saved.append, executor=RayExecutor(made(tmp_path, kill_at)))
    assert experiment(tmp_path, kill_at).run(context) == local
    workers = {path.name.rpartition("-")[2] for path in tmp_path.glob(f"{kill_at}-*")}
    assert (tmp_path / f"lost-{kill_at}").exists() and len(workers) == 2
    assert str(os.getpid()) not in {path.name.rpartition("-")[2] for path in tmp_path.glob("*-*")}
    assert len(saved) == 6 and len(local["rows"]) == 6


def test_what_is_recorded_is_not_run_again(tmp_path, local):
    context = Context(tiny, rows=local["rows"][:3] + local["rows"][4:5])
    context.executor = RayExecutor(made(tmp_path))
    assert experiment(tmp_path, None).run(context) == local
    done = {path.name.rpartition("-")[0] for path in tmp_path.glob("*-*")}
    assert "second" in done and "one" not in done


def test_the_command_makes_the_same_record(tmp_path):
    plain = Run(
        ModelSource("embedded"), seed=0, size="quick", trials=None, filler="pydoc",
        tokenizers=None, data=None, out=None, json=tmp_path / "m.json", several=False, again=(),
        executor="ray", threads=None,
    )  # fmt: skip
    mechanism = get_experiment("mechanism")
    found = measured(mechanism, plain)["rows"]
    assert found and json.loads((tmp_path / "m.json").read_text())["rows"] == found
    assert measured(mechanism, replace(plain, executor="local", json=None))["rows"] == found


def test_what_is_timed_runs_here_and_alone(tmp_path):
    def run(context):
        jobs = [Job({"part": "who", "name": name}, lambda: {"process": os.getpid()}, timed)
                for name, timed in (("a", False), ("b", True), ("c", False))]  # fmt: skip
        return {"rows": run_parts(context, jobs)}

    who = Experiment("who", "", "", run, str)
    plan = RayExecutor(lambda: planned(who, Context(tiny)).units)
    here = [row["process"] == os.getpid() for row in run(Context(tiny, executor=plan))["rows"]]
    assert here == [False, True, False]


def test_a_refusal_of_a_worker_is_one_of_ours(tmp_path):
    def run(context):
        def refuse():
            raise InputError("not this one")

        return {"rows": run_parts(context, [Job({"part": "refused"}, refuse)])}

    refused = Experiment("refused", "", "", run, str)
    context = replace(
        Context(tiny), executor=RayExecutor(lambda: planned(refused, Context(tiny)).units)
    )
    with pytest.raises(InputError, match=r"^not this one$"):
        run(context)
