"""``ta bench vllm`` as a user starts it; what is measured is never asserted."""

import json
import sys

import pytest

from transactional_attention.cli import main

pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_row_for_stock_vllm_and_one_for_each_method(folder, tiny, tmp_path, monkeypatch):
    out = tmp_path / "b.json"
    sizes = "--tokens 700 --budget 64 --chunk 128 --rounds 1 --dtype float32".split()
    given = ["ta", "bench", "vllm", "--model", str(folder), *sizes, "--json", str(out)]
    monkeypatch.setattr(sys, "argv", given)
    with pytest.raises(SystemExit, match="0"):
        main()
    stock, bounded = json.loads(out.read_text())["rows"]
    assert (stock["name"], bounded["name"]) == ("stock vLLM", "ta")
    assert stock["policy_share"] == 0 < bounded["policy_share"]
    assert bounded["preemptions"] == 0
    assert bounded["steps"] < stock["steps"]
