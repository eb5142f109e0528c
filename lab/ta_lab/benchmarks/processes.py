"""Servers in processes of their own: until they listen, and what they take."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transactional_attention.errors import UnsupportedError, install_extra

MAIN = "from transactional_attention.cli import main; main()"
ADDRESS = re.compile(r"\bat (http://[\w.:\[\]]+)")


@dataclass(frozen=True)
class Process:
    """A server that answers. ``listening``, ``ready``: seconds until its port was open, and until
    it said so with its model loaded; with those of the processor, as ``cpu_seconds``."""

    address: str
    pid: int
    listening: tuple[float, float | None] = (0.0, None)
    ready: tuple[float, float | None] = (0.0, None)

    def cpu_seconds(self) -> float | None:
        """Of the processor since it began, in the program and in the system for it; None where the
        system does not say."""
        return _cpu_seconds(self.pid)

    def memory(self) -> dict[str, int] | None:
        """Bytes in RAM now, of them those of no file, and the most there were; None where the
        system does not say."""
        names = {"VmRSS": "rss_bytes", "RssAnon": "rss_anonymous_bytes", "VmHWM": "rss_peak_bytes"}
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines()
        except OSError:
            return None
        fields = dict(line.split(":", 1) for line in lines)
        return {ours: 1024 * int(fields[theirs].split()[0]) for theirs, ours in names.items()}


def _cpu_seconds(pid: int) -> float | None:
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return None
    fields = line.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _answering(
    command: Sequence[str], says: str, extras: str, port: int | None = None
) -> Iterator[Process]:
    """A server that a command starts, until the block ends; when it answers it ``says`` so, on
    ``stdout`` or ``stderr``. ``port``: where it listens before; None where it does not. Raises
    UnsupportedError when it does not start."""
    begun, quiet = time.perf_counter(), subprocess.DEVNULL
    streams: dict[str, Any] = {"stdout": quiet, "stderr": quiet, says: subprocess.PIPE}
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **streams)
    except OSError as error:
        raise UnsupportedError(f"{command[0]} does not start: {error.strerror}") from None

    def now() -> tuple[float, float | None]:
        return time.perf_counter() - begun, _cpu_seconds(process.pid)

    with process:
        try:
            while port is not None and process.poll() is None and not _is_open(port):
                time.sleep(0.01)
            listening = now()
            matches = (ADDRESS.search(line) for line in getattr(process, says))
            address = next((match[1] for match in matches if match), None)
            if address is None:
                raise UnsupportedError(
                    f"{' '.join(command)} does not start: it needs {extras}, "
                    + install_extra(extras)
                )
            ready = now()
            yield Process(address, process.pid, ready if port is None else listening, ready)
        finally:
            process.kill()


def llama_server(
    file: str | Path,
    cells: int,
    *,
    kind: str = "f16",
    threads: int = 1,
    chunk: int = 512,
    slots: Path | None = None,
) -> contextlib.AbstractContextManager[Process]:
    """The stock server of a GGUF file.

    Args:
        cells: of its one slot, of type ``kind``.
        chunk: new tokens a forward.
        slots: the folder where the slot can be saved.
    """
    program = Path(__file__).with_name("llama_server_process.py")
    given = [file, cells, kind, threads, chunk, *([] if slots is None else [slots])]
    return _answering([*map(str, [sys.executable, program, *given])], "stdout", "llama-cpp")


def ta_serve(
    program: Path | None,
    file: str | Path,
    budget: int,
    *,
    threads: int = 1,
    chunk: int = 512,
    parallel: int = 1,
) -> contextlib.AbstractContextManager[Process]:
    """``ta serve`` of the same file for ``parallel`` turns at a time, by a ``ta`` of any
    environment; None: by this one's."""
    port = _free_port()
    sizes = {"budget": budget, "parallel": parallel, "threads": threads}
    sizes |= {"chunk": chunk, "port": port}
    options = [f"--{name}={value}" for name, value in sizes.items()]
    ta = [sys.executable, "-c", MAIN] if program is None else [program]
    command = [*ta, "serve", "--engine=llama.cpp", f"--model={file}", "--name=m", *options]
    given = [*map(str, command), "--no-access-log"]
    return _answering(given, "stderr", "serve,llama-cpp", port)
