"""Agents of the command line: each does a task of three calls of its own tools over a folder."""

from random import Random

import pytest

import coding_agents
import speaking

AGENTS = {  # how each reads a file of the folder
    coding_agents.opencode: lambda path: speaking.call("read", filePath=str(path)),
    coding_agents.codex: lambda path: speaking.call("exec_command", cmd=f"cat {path.name}"),
    coding_agents.claude: lambda path: speaking.call("Read", file_path=str(path)),
    coding_agents.cline: lambda path: speaking.call("read_files", files=[{"path": str(path)}]),
    coding_agents.continue_: lambda path: speaking.call("Read", filepath=str(path)),
}


@pytest.mark.parametrize("agent_at", AGENTS, ids=lambda agent_at: agent_at.__name__)
def test_an_agent_does_its_task(serve, tmp_path, monkeypatch, agent_at):
    server, read = speaking.start(serve), AGENTS[agent_at]
    speaking.speak(monkeypatch, speaking.task(lambda name: read(tmp_path / "work" / name)))
    assert speaking.DONE in speaking.ask(tmp_path, agent_at, server.url, speaking.TASK)
    speaking.check_task(server)


@pytest.mark.parametrize("agent_at", AGENTS, ids=lambda agent_at: agent_at.__name__)
def test_an_agent_sends_a_long_history_whole(serve, tmp_path, monkeypatch, agent_at):
    """More tokens than agents assume that an unknown model can read: in two messages, or in files
    where the agent takes one message alone."""
    server, read, random = speaking.start(serve), [], Random(1)
    lines = [" ".join(random.choices("0123456789", k=500)) for _ in range(238)]
    pages = ["\n".join(lines[first : first + 7]) for first in range(0, len(lines), 7)]
    home, work = coding_agents.settle(tmp_path)
    for number, page in enumerate(pages):
        (work / f"{number}.txt").write_text(page)
    one_message = agent_at(server.url, home).go_on is None

    def reply(text):
        read.append(text)
        page = text.count(speaking.RESULT)
        unread = one_message and page < len(pages)
        return AGENTS[agent_at](work / f"{page}.txt") if unread else "Noted."

    speaking.speak(monkeypatch, reply)
    messages = ["\n".join(pages[:17]), "\n".join(pages[17:]), "How many digits are these?"]
    asked = ["Read the files."] if one_message else messages
    speaking.ask(tmp_path, agent_at, server.url, *asked)
    assert all(line in read[-1] for line in lines), [len(text) for text in read]


def test_aider(serve, tmp_path, monkeypatch):
    """It calls no tools: it writes files as the answer has them. A history stays as it was said."""
    aider = speaking.program("aider", "bin", "aider")
    server, order = speaking.start(serve), f"The order id is {speaking.ORDER}."
    read = []

    def reply(text):
        read.append(text)
        return f"Done.\n\none.txt\n```\n{order}\n```\n"

    speaking.speak(monkeypatch, reply)
    (_, work), sentence = coding_agents.settle(tmp_path), "The shelf is made of oak."
    history = f"#### {sentence}\n\n" + "Noted, and written down.\n\n" * 400
    (work / ".aider.chat.history.md").write_text(history)
    options = (
        "--no-git --yes-always --no-check-update --no-show-model-warnings --no-show-release-notes"
        " --restore-chat-history --max-chat-history-tokens 1000000"
    )
    named = ["--model", "openai/tiny", "--edit-format", "whole", "--map-tokens", "0"]
    asked = [*named, *options.split(), "--message", speaking.TASK, "one.txt"]
    environment = {"OPENAI_API_BASE": f"{server.url}/v1", "OPENAI_API_KEY": "none"}
    speaking.run(tmp_path, aider, *asked, env=environment)
    assert (work / "one.txt").read_text() == f"{order}\n"
    assert len(read) == 1 and sentence in read[0]  # nothing was asked for a summary


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
    output = speaking.run(tmp_path, *asked, speaking.TASK, env={"LLM_USER_PATH": str(home)})
    assert output.count("shelf is empty") == 3 and speaking.DONE in output
    speaking.check_task(server)
