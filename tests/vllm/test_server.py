"""``vllm serve`` with a budget for all, and the official client as it is."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

import page_blocks
from transactional_attention.engines.vllm.figures import FOLDER
from vllm_engine import CHUNK, FILLER, SETTINGS, SIZE, prompt, reference

pytestmark = pytest.mark.filterwarnings("ignore")
BUDGET = 128


@pytest.fixture(scope="module")
def served(folder, tiny):
    """The address of a server whose pool holds four requests, none of them whole."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "model": folder,
        "port": port,
        "host": "127.0.0.1",
        "served-model-name": "tiny",
        "dtype": "float32",
        "block-size": SIZE,
        "max-model-len": 4096,
        "max-num-seqs": 8,
        "max-num-batched-tokens": 200,
        "num-gpu-blocks-override": 4 * (BUDGET // SIZE + 1 + CHUNK // SIZE) + 1,
    }
    given = [f"--{name}={value}" for name, value in options.items()] + ["--enforce-eager"]
    variables = {
        "TA_VLLM": f'{{"budget": {BUDGET}, "chunk": {CHUNK}}}',
        "VLLM_ENABLE_V1_MULTIPROCESSING": "1",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *given],
        env={**{k: v for k, v in os.environ.items() if k != FOLDER}, **SETTINGS, **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address, began = f"http://127.0.0.1:{port}", time.monotonic()
    try:
        while True:
            assert server.poll() is None and time.monotonic() - began < 240
            try:
                with urllib.request.urlopen(f"{address}/health", timeout=5):
                    break
            except OSError:
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait(60)


@pytest.fixture
def client(served):
    openai = pytest.importorskip("openai")
    with openai.OpenAI(
        base_url=f"{served}/v1", api_key="none", max_retries=0, timeout=120
    ) as client:
        yield client


def figures(served):
    """Numbers of the metrics page by name, without labels."""
    with urllib.request.urlopen(f"{served}/metrics", timeout=30) as page:
        text = page.read().decode()
    pairs = re.findall(r"^([a-z_:]+)(?:\{.*\})? ([0-9.e+-]+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in pairs}


def complete(client, ids, max_tokens=20, **asked):
    extra = {"return_token_ids": True, "ignore_eos": True, "vllm_xargs": asked}
    return client.completions.create(
        model="tiny", prompt=ids, max_tokens=max_tokens, temperature=0, extra_body=extra
    )


def test_an_unmodified_client_gets_the_budget_of_the_server(client, tiny):
    ids = prompt(tiny[1], 1000)
    completion = client.completions.create(
        model="tiny",
        prompt=ids,
        max_tokens=20,
        temperature=0,
        extra_body={"return_token_ids": True},
    )
    answer = completion.choices[0].token_ids
    assert reference(*tiny, ids, answer, {"budget": BUDGET}).argmax(1).tolist() == answer
    assert completion.kv_transfer_params["retention"]["blocks"] == BUDGET // SIZE


def test_a_request_may_ask_for_its_own(client, tiny):
    ids = prompt(tiny[1], 1000)
    asked = {"budget": 64, "method": "streaming-llm"}
    completion = complete(client, ids, **{f"ta_{name}": value for name, value in asked.items()})
    answer = completion.choices[0].token_ids
    assert reference(*tiny, ids, answer, asked).argmax(1).tolist() == answer


@pytest.mark.parametrize("name", page_blocks.PAGES["tests/vllm/test_server.py"])
def test_every_python_block_of_a_page_runs(client, served, name):
    before = figures(served)["ta_freed_blocks"]
    for line, source in page_blocks.blocks(name):
        namespace = {"client": client, "text": 30 * FILLER}
        page_blocks.run_block(name, line, source.replace("MODEL", "tiny"), namespace)
    assert figures(served)["ta_freed_blocks"] > before


def test_bad_requests_are_refused_with_words(client, tiny):
    import openai  # noqa: PLC0415  (beside vLLM)

    with pytest.raises(openai.BadRequestError, match="the engine vLLM does not show"):
        complete(client, prompt(tiny[1], 200), ta_budget=64, ta_method="snapkv")


def test_load_with_aborts_leaves_an_empty_pool(client, served, tiny):
    def ask(i):
        ids = prompt(tiny[1], 300 + 29 * i, salt=f"{i} ")
        if i % 5:
            return len(complete(client, ids).choices[0].token_ids)
        with client.completions.create(
            model="tiny", prompt=ids, max_tokens=500, temperature=0, stream=True
        ) as stream:
            return sum(1 for _, _ in zip(range(3), stream, strict=False))  # and goes away

    with ThreadPoolExecutor(10) as together:
        counts = list(together.map(ask, range(50)))
    assert [n for i, n in enumerate(counts) if i % 5] == [20] * 40
    began = time.monotonic()
    while (now := figures(served))["vllm:num_requests_running"] and time.monotonic() < began + 60:
        time.sleep(0.2)
    complete(client, prompt(tiny[1], 64))  # the figures are those of the last step
    now = figures(served)
    assert now["vllm:kv_cache_usage_perc"] == 0
    assert now["ta_freed_blocks"] > 50
    assert now["ta_bounded_requests"] <= 1
