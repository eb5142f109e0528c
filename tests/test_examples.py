"""Every file of examples/ runs, offline, and says what it promises."""

import runpy
from pathlib import Path

import pytest

SERVED = "needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
NEEDED = {
    "agent_loop": ("openai", SERVED),
    "langchain_chat": ("langchain_openai", "needs langchain-openai: run .ci/extras"),
}
SAYS = {"plain_generate": " ORD-58213\n"}
EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, capsys):
    if path.stem in NEEDED:
        package, reason = NEEDED[path.stem]
        pytest.importorskip(package, reason=reason)
    runpy.run_path(str(path), run_name="__main__")
    out = capsys.readouterr().out
    assert "tokens" in out and SAYS.get(path.stem, "") in out
