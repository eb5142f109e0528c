"""The scheduler decides in its own process; one worker beside it, or two that share a model."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from vllm_engine import SETTINGS, check, prompt

pytestmark = pytest.mark.filterwarnings("ignore")
ASKED = [{"budget": 96}, {}, {"budget": 128}, {"budget": 256}]
SCRIPT = """
import json, sys
sys.path.insert(0, {tests!r})
from vllm_engine import answers, running

if __name__ == "__main__":
    folder, given, options = json.load(open({request!r}))
    with running(folder, max_model_len=2048, max_num_batched_tokens=200, **options) as engine:
        found = [one.outputs[0] for one in answers(engine, *given)]
    said = [[s[t].logprob for t, s in zip(o.token_ids, o.logprobs)] for o in found]
    print("FOUND", json.dumps([[list(o.token_ids), p] for o, p in zip(found, said)]))
"""


@pytest.mark.parametrize(
    "options",
    [{}, {"tensor_parallel_size": 2, "distributed_executor_backend": "mp"}],
    ids=["one worker", "two workers"],
)
def test_processes_agree(folder, tiny, tmp_path, options):
    prompts = [prompt(tiny[1], 500 + 170 * i, salt=f"{i} ") for i in range(4)]
    script, request = tmp_path / "run.py", tmp_path / "request.json"
    script.write_text(SCRIPT.format(tests=str(Path(__file__).parents[1]), request=str(request)))
    given = prompts, [{**item, "max_tokens": 40} for item in ASKED]
    request.write_text(json.dumps([str(folder), given, options]))
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **SETTINGS, "VLLM_ENABLE_V1_MULTIPROCESSING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, done.stderr[-3000:]
    replies = json.loads(lines[0].removeprefix("FOUND "))
    for ids, item, (tokens, log_probabilities) in zip(prompts, ASKED, replies, strict=True):
        steps = [
            {t: SimpleNamespace(logprob=p)} for t, p in zip(tokens, log_probabilities, strict=True)
        ]
        check(*tiny, ids, SimpleNamespace(token_ids=tokens, logprobs=steps), item)
