"""How coding agents of the command line are pointed at a server, asked, and asked again."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

FILES = {f"{name}.txt": f"The {name} shelf is empty.\n" for name in ("one", "two", "three")}
HOME = Path(os.environ.get("TA_CLIENTS", ".venv-matrix"))  # where .ci/clients installs them
PROGRAMS = HOME / "npm" / "node_modules" / ".bin"
CONTINUE = """
name: local
version: 0.0.1
schema: v1
models:
  - name: ta serve
    provider: openai
    model: local
    apiBase: {url}/v1
    apiKey: none
    roles: [chat, edit, apply]
    capabilities: [tool_use]
    defaultCompletionOptions:
      contextLength: 1000000
"""


@dataclass(frozen=True)
class Agent:
    """A program, with what stands before a question and before one that goes on (None: it cannot
    without a terminal); ``environment`` beside that of a home, which ``settle`` writes; ``setup``:
    a command before the first."""

    program: Path
    ask: list[str]
    go_on: list[str] | None
    environment: dict[str, str]
    setup: tuple[str, ...] = ()


def opencode(url, home):
    """As the README says."""
    readme = Path(__file__).parents[1].joinpath("README.md").read_text()
    name, config = re.search(r"(OPENCODE_CONFIG_CONTENT)='([^']*)' opencode\n", readme).groups()
    environment = {name: config.replace("http://127.0.0.1:8080", url)}
    return Agent(PROGRAMS / "opencode", ["run"], ["run", "--continue"], environment)


def codex(url, home):
    """As its page says, in a folder of its own."""
    folder = home / "codex"
    folder.mkdir(exist_ok=True)
    page = Path(__file__).parents[1].joinpath("docs", "clients.md").read_text()
    for name, text in re.findall(r"`~/.codex/([a-z.]+)`:\n\n```\n(.*?)```", page, re.DOTALL):
        (folder / name).write_text(text.replace("http://127.0.0.1:8080", url))
    free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    environment = {"CODEX_HOME": str(folder)}
    asked = ["exec", *free]
    return Agent(PROGRAMS / "codex", asked, [*asked, "resume", "--last"], environment)


def claude(url, home):
    """Claude Code, with few tools."""
    environment = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_AUTH_TOKEN": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTO_COMPACT": "1",
    }
    tools = ["--tools", "Bash,Read,Edit,Write", "-p"]
    return Agent(PROGRAMS / "claude", tools, ["--continue", *tools], environment)


def cline(url, home):
    """Its provider is set by a command of its own."""
    given = ("-p", "openai-compatible", "-k", "none", "-m", "local", "-b", f"{url}/v1")
    asked = ["--compaction", "off"]
    environment = {"CLINE_SESSION_BACKEND_MODE": "local"}  # otherwise a process of it stays behind
    return Agent(PROGRAMS / "cline", asked, None, environment, ("auth", *given))


def continue_(url, home):
    """The command line of Continue."""
    config = home / "config.yaml"
    config.write_text(CONTINUE.format(url=url))
    asked = ["-p", "--auto", "--config", str(config)]
    return Agent(PROGRAMS / "cn", asked, ["--resume", *asked], {})


def settle(folder):
    """A home, and beside it a folder to work in with ``FILES``."""
    home, work = folder / "home", folder / "work"
    for made in (home, work):
        made.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (work / name).write_text(text)
    return home, work


def run(folder, *command, env, seconds=600):
    """What a program does that works in a folder, at home in another one; both of ``settle``.
    Raises subprocess.TimeoutExpired."""
    home, work = settle(folder)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return subprocess.run(
        list(map(str, command)),
        cwd=work,
        env={**kept, "HOME": str(home), "NO_COLOR": "1", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
