"""Files to deploy the server say options that ``ta serve`` has."""

import re
from pathlib import Path

import typer.main

from transactional_attention.cli import app

ROOT = Path(__file__).parents[2]


def test_options_of_the_files_are_those_of_the_command():
    serve = typer.main.get_command(app).get_command(None, "serve")
    known = {name for option in serve.params for name in (*option.opts, *option.secondary_opts)}
    places = [*(ROOT / "deploy").iterdir(), ROOT / "docs" / "operating.md"]
    assert {path.name for path in places} >= {"Containerfile", "ta-serve.service", "nginx.conf"}
    for path in places:
        for line in path.read_text().splitlines():
            if "ta serve" in line or '"serve"' in line or "OPTIONS=" in line:
                assert set(re.findall(r"--[a-z-]+", line)) <= known, f"{path.name}: {line}"
