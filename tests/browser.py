"""Headless Chromium for tests of pages; a fixture that skips where there is none."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import time
import urllib.request

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def dom_of(page, folder, address=""):
    """The DOM of a file after its scripts ran."""
    return dom_at(f"file://{page}{address}", folder)


def dom_at(address, folder):
    """The DOM of a page at an address, after its scripts ran."""
    command = [*_command(folder), "--dump-dom", "--virtual-time-budget=20000", address]
    done = subprocess.run(
        command, capture_output=True, env=_environment(folder), check=True, timeout=240
    )
    return done.stdout.decode()


class Page:
    """A page whose scripts a test runs; dialogs are answered with ``accept`` and kept."""

    def __init__(self, socket):
        self.socket, self.accept, self.dialogs, self._sent = socket, True, [], 0
        self._call("Page.enable")

    def run(self, script):
        """The value of an expression, of its promise when it is one."""
        about = {"expression": script, "awaitPromise": True, "returnByValue": True}
        done = self._call("Runtime.evaluate", **about)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, script, seconds=60):
        """Wait until an expression holds; one that throws does not, as before the page is there."""
        end = time.monotonic() + seconds
        while not self.run(f"(() => {{ try {{ return {script} }} catch {{ return false }} }})()"):
            assert time.monotonic() < end, f"{script}: {self.run('document.body.innerText')}"
            time.sleep(0.05)

    def look_as(self, width, height, scheme):
        """Be a window, or a phone, of such a size, in the colours ``light`` or ``dark``."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        wish = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", features=wish)

    def picture(self):
        """What is in sight, as a PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot")["data"])

    def _call(self, method, **parameters):
        self._sent += 1
        request_id = self._sent
        self.socket.send(json.dumps({"id": request_id, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message.get("id") == request_id:
                return message["result"]
            if message.get("method") == "Page.javascriptDialogOpening":
                self.dialogs.append(message["params"]["message"])
                self._call("Page.handleJavaScriptDialog", accept=self.accept)


@contextlib.contextmanager
def opened(address, folder):
    """A ``Page`` at an address, in a browser that ends with the block."""
    client = pytest.importorskip("websockets.sync.client", reason="needs websockets: .ci/extras")
    ports = folder / "profile" / "DevToolsActivePort"
    command = [*_command(folder), "--remote-debugging-port=0", address]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=_environment(folder)) as process:
        try:
            end = time.monotonic() + 60
            while not (ports.exists() and "\n" in ports.read_text()):
                assert process.poll() is None and time.monotonic() < end, "no browser"
                time.sleep(0.05)
            port = ports.read_text().split("\n")[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                url = next(t for t in json.load(answer) if t["type"] == "page")
            with client.connect(url["webSocketDebuggerUrl"], max_size=None) as socket:
                yield Page(socket)
        finally:
            process.kill()


def _command(folder):
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu"]
    return [*command, f"--user-data-dir={folder / 'profile'}"]


def _environment(folder):
    return os.environ | {"HOME": str(folder)}
