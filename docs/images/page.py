"""Makes page.png, the page of `ta serve` after a chat, with headless Chromium:

PYTHONPATH=tests .venv-matrix/extras/bin/python docs/images/page.py MODEL  # after make test-extras
"""

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from itertools import product
from pathlib import Path

from browser import opened

PICTURE = Path(__file__).with_name("page.png")
PORT = 8137
SERVER = f"http://127.0.0.1:{PORT}"
WHO = ("The captain", "The cook", "The mate")
WHAT = ("checked the ropes", "painted the rail", "mended a sail", "swept the deck")
WHEN = ("in the rain", "before noon", "after dinner", "with a song")
LOG = "\n".join(f"{' '.join(parts)}, and nobody came by." for parts in product(WHO, WHAT, WHEN))
SAID = [
    "Hello! My order id is ORD-58213, and its papers are in /srv/depot/north.",
    f"This is the log of our trip:\n{LOG}",
    "Thank you. What is my order id? Answer with the id alone.",
]


def asked(path, body=None):
    """What the server answers to a GET, or to a POST of a body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def wait():
    """Until the model is loaded."""
    for _ in range(600):
        try:
            return asked("/health")
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def chat():
    """The conversation of the picture, in the session `trip`."""
    messages = [{"role": "system", "content": "You answer in one short sentence."}]
    for text in SAID:
        messages.append({"role": "user", "content": text})
        body = {"model": "local", "session": "trip", "messages": messages, "temperature": 0}
        answer = asked("/v1/chat/completions", body | {"max_tokens": 60})
        messages.append(answer["choices"][0]["message"])


def main(model):
    """Serve, chat, and take the picture with values revealed."""
    start = "from transactional_attention.cli import main; main()"
    command = [
        sys.executable,
        "-c",
        start,
        "serve",
        "--model",
        model,
        "--name",
        "Qwen2.5-Coder-0.5B",
    ]
    command += ["--budget", "256", "--port", str(PORT)]
    with subprocess.Popen(command) as server, tempfile.TemporaryDirectory() as folder:
        try:
            wait()
            chat()
            with opened(f"{SERVER}/#trip", Path(folder)) as page:
                page.look_as(1200, 900, "light")
                page.until("document.querySelector('article.user') !== null")
                page.run("$('reveal').click()")
                for part in ("document.querySelector('article.user')", "$('text')"):
                    page.until(f"{part}.textContent.includes('ORD-58213')")
                PICTURE.write_bytes(page.picture())
        finally:
            server.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
