"""Agents of the command line: each does a task of three calls of its own tools over a folder."""

import re
from pathlib import Path

import speaking


def test_opencode(serve, tmp_path, monkeypatch):
    opencode = speaking.program("npm", "node_modules", ".bin", "opencode")
    server, work = speaking.start(serve), tmp_path / "work"
    readme = Path(__file__).parents[2].joinpath("README.md").read_text()
    config = re.search(r"(OPENCODE_CONFIG_CONTENT)='([^']*)' opencode\n", readme)
    environment = {config[1]: config[2].replace("http://127.0.0.1:8080", server.url)}
    reply = speaking.task(lambda name: speaking.call("read", filePath=str(work / name)))
    speaking.speak(monkeypatch, reply)
    said = speaking.run(tmp_path, opencode, "run", speaking.TASK, env=environment)
    assert speaking.DONE in said
    speaking.check_task(server)


def test_codex(serve, tmp_path, monkeypatch):
    codex = speaking.program("npm", "node_modules", ".bin", "codex")
    server, home = speaking.start(serve), tmp_path / "codex"
    home.mkdir()
    (home / "config.toml").write_text(
        f'model = "tiny"\nmodel_provider = "ta"\n[model_providers.ta]\nname = "ta serve"\n'
        f'base_url = "{server.url}/v1"\n'
    )
    reply = speaking.task(lambda name: speaking.call("exec_command", cmd=f"cat {name}"))
    speaking.speak(monkeypatch, reply)
    asked = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    said = speaking.run(tmp_path, codex, *asked, speaking.TASK, env={"CODEX_HOME": str(home)})
    assert said.count("shelf is empty") >= 3 and speaking.DONE in said
    speaking.check_task(server)


def test_claude_code(serve, tmp_path, monkeypatch):
    claude = speaking.program("npm", "node_modules", ".bin", "claude")
    server, work = speaking.start(serve), tmp_path / "work"
    reply = speaking.task(lambda name: speaking.call("Read", file_path=str(work / name)))
    speaking.speak(monkeypatch, reply)
    environment = {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_AUTH_TOKEN": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    said = speaking.run(
        tmp_path, claude, "-p", speaking.TASK, "--tools", "Bash,Read,Edit,Write", env=environment
    )
    assert speaking.DONE in said
    speaking.check_task(server)


def test_aider(serve, tmp_path, monkeypatch):
    """It calls no tools: it writes files as the answer has them."""
    aider = speaking.program("aider", "bin", "aider")
    server, order = speaking.start(serve), f"The order id is {speaking.ORDER}."
    speaking.speak(monkeypatch, lambda text: f"Done.\n\none.txt\n```\n{order}\n```\n")
    options = (
        "--no-git --yes-always --no-check-update --no-show-model-warnings --no-show-release-notes"
    )
    named = ["--model", "openai/tiny", "--edit-format", "whole", "--map-tokens", "0"]
    asked = [*named, *options.split(), "--message", speaking.TASK, "one.txt"]
    environment = {"OPENAI_API_BASE": f"{server.url}/v1", "OPENAI_API_KEY": "none"}
    speaking.run(tmp_path, aider, *asked, env=environment)
    assert (tmp_path / "work" / "one.txt").read_text() == f"{order}\n"


def test_llm(serve, tmp_path, monkeypatch):
    llm = speaking.program("clients", "bin", "llm")
    server, home = speaking.start(serve), tmp_path / "llm"
    home.mkdir()
    (home / "extra-openai-models.yaml").write_text(
        f"- model_id: ta\n  model_name: tiny\n  api_base: {server.url}/v1\n  supports_tools: true\n"
    )
    speaking.speak(monkeypatch, speaking.task(lambda name: speaking.call("read", path=name)))
    code = 'def read(path: str) -> str:\n    """A file."""\n    return open(path).read()\n'
    asked = [llm, "-m", "ta", "--functions", code, "--td"]
    said = speaking.run(tmp_path, *asked, speaking.TASK, env={"LLM_USER_PATH": str(home)})
    assert said.count("shelf is empty") == 3 and speaking.DONE in said
    speaking.check_task(server)
