"""Headless Chromium for tests of pages; a fixture that skips where there is none."""

import os
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def dom_of(page, folder, address=""):
    """The DOM of a file after its scripts ran."""
    return dom_at(f"file://{page}{address}", folder)


def dom_at(address, folder):
    """The DOM of a page at an address, after its scripts ran."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--virtual-time-budget=20000", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*command, address],
        capture_output=True,
        env=os.environ | {"HOME": str(folder)},
        check=True,
        timeout=240,
    )
    return done.stdout.decode()
