"""``ta serve`` and ``ta generate`` on llama.cpp in a process that has neither torch nor
transformers."""

import os
import subprocess
import sys

import pytest

import servers
from gguf_files import write_gguf

ABSENT = ("torch", "transformers")
TEMPLATE = """{% for message in messages %}{{ message.role }}: {{ message.content }}
{% endfor %}"""


@pytest.fixture
def options(tmp_path):
    write_gguf(tmp_path / "tiny.gguf")
    return (
        *("--engine", "llama.cpp", "--model", str(tmp_path / "tiny.gguf"), "--threads", "1"),
        *("--budget", "96", "--chunk", "64"),
    )


def test_a_chat_is_answered_and_goes_on_after_a_start(tmp_path, options):
    (tmp_path / "chat.jinja").write_text(TEMPLATE)
    more = ("--chat-template", str(tmp_path / "chat.jinja"), "--sessions", str(tmp_path / "saved"))
    chat = [*servers.FIRST]
    with servers.served(*options, *more, without=ABSENT) as (_, client):
        answer = servers.ask(client, chat, logit_bias=servers.LETTERS)
    assert answer.session["kept"] == 0
    chat += [{"role": "assistant", "content": servers.said(answer)}, servers.NEXT]
    with servers.served(*options, *more, without=ABSENT) as (_, client):
        answer = servers.ask(client, chat)
    assert answer.session["kept"] > 0


def test_a_prompt_is_answered(tmp_path, options):
    code = f"import sys; sys.modules.update(dict.fromkeys({ABSENT})); "
    code += "from transactional_attention.cli import main; main()"
    record, saved = tmp_path / "record.json", tmp_path / "cache"
    words = ("--max-new-tokens", "4", "--json", str(record), "--save", str(saved))
    done = subprocess.run(
        [sys.executable, "-c", code, "generate", "-", *options, *words],
        input=f"The door code is {servers.VALUE}.",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert '"threads": null' in record.read_text() and saved.is_file()
