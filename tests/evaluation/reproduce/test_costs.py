"""What a run would cost is what it then does: counted by hand, and against a run."""

import re
from pathlib import Path

import pytest

from ta_lab.cases.runner import CaseRunner
from ta_lab.experiments import EXPERIMENTS, Context, get_experiment
from ta_lab.experiments.plan import FULL, Arm, Block, task_cases
from ta_lab.experiments.running import Cost, cost_of, run_blocks, total

PAGE = Path(__file__).parents[3] / "docs" / "experiments.md"
DATA = {"longbench", "bfcl"}  # counted from files that are not here
ELSEWHERE = {"beyond"}


def test_a_cost_is_what_a_run_does(model, tokenizer, monkeypatch):
    context = Context(lambda: (model, tokenizer))
    make = task_cases(context, "multislot", "3", tokens=700)
    arms = (FULL, Arm("streaming-llm", 24))
    blocks = [
        Block("3 values", make, 2, arms, slots=True, questions=3),
        Block("3 values", make, 1, arms, protocol="visible", slots=True, questions=3),
        Block("kept", make, 2, arms, answered=False),
    ]
    prefills = []
    known = CaseRunner.__init__
    monkeypatch.setattr(
        CaseRunner, "__init__", lambda *given: (prefills.append(1), known(*given))[1]
    )
    rows = run_blocks(context, blocks)["rows"]
    answers = sum(row["trials"] for row in rows if row["answered"])
    texts = sum(row["trials"] for row in rows if not row["answered"])
    assert cost_of(blocks) == Cost(len(rows), answers, len(prefills), texts)
    assert cost_of(blocks) == Cost(cells=6, answers=18, prefills=5, texts=4)
    assert total([Cost(1, 2), Cost(3, others=1)]) == Cost(4, 2, others=1)


@pytest.mark.parametrize("size", ["quick", "default", "full"])
def test_every_experiment_counts_itself_before_it_runs(model, tokenizer, size):
    context = Context(lambda: (model, tokenizer), size=size)
    counts = {}
    for name in EXPERIMENTS:
        cost = get_experiment(name).cost
        if cost is not None:
            counts[name] = cost(context)
    assert set(EXPERIMENTS) - set(counts) == DATA | ELSEWHERE
    nothing = {name for name, cost in counts.items() if cost == Cost()}
    assert nothing == {"variant-map"}
    arms = {"quick": 15 * 5, "default": (131 + 45) * 20, "full": 0}[size]
    assert not arms or counts["needle"].answers == arms


def test_the_page_tells_the_counts_of_the_default_size(model, tokenizer):
    context = Context(lambda: (model, tokenizer))
    line = re.compile(r"^\| `([a-z-]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", re.MULTILINE)
    told = {
        name: tuple(int(number.replace(",", "")) for number in numbers)
        for name, *numbers in line.findall(PAGE.read_text(encoding="utf-8"))
    }
    costs = {name: get_experiment(name).cost(context) for name in told}
    assert told == {name: (c.answers, c.prefills, c.steps) for name, c in costs.items()}
    assert len(told) > 10
