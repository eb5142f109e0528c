"""The stock llama-server out of the wheel, in a process of its own."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from transactional_attention.errors import UnsupportedError


@contextlib.contextmanager
def running(
    file: str | Path,
    cells: int,
    *,
    kind: str = "f16",
    threads: int = 1,
    chunk: int = 512,
    slots: Path | None = None,
) -> Iterator[str]:
    """Where a server of a GGUF file listens, until the block ends.

    Args:
        cells: of its one slot, of type ``kind``.
        chunk: new tokens a forward.
        slots: the folder where the slot can be saved.

    Raises:
        UnsupportedError: when it does not start.
    """
    given = [file, cells, kind, threads, chunk, *([] if slots is None else [slots])]
    command = [sys.executable, __file__, *map(str, given)]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, text=True) as process:
        try:
            assert process.stdout is not None
            lines = (line[3:].strip() for line in process.stdout if line.startswith("at "))
            address = next(lines, None)
            if address is None:
                raise UnsupportedError(
                    "the stock llama-server does not start: it needs the extra llama-cpp, "
                    "pip install 'transactional-attention[llama-cpp]'"
                )
            yield address
        finally:
            process.kill()


def serve(file: str, cells: str, kind: str, threads: str, chunk: str, *slots: str) -> None:
    """Serve a file at a free port, which it says, for as long as its input is open."""
    import xllamacpp  # noqa: PLC0415  (extra)

    given = xllamacpp.CommonParams()
    given.model.path, given.n_ctx = file, int(cells)
    cell_type = getattr(xllamacpp.ggml_type, f"GGML_TYPE_{kind.upper()}")
    given.cache_type_k = given.cache_type_v = cell_type
    given.n_parallel, given.n_batch, given.n_ubatch = 1, int(chunk), int(chunk)
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = int(threads)
    given.hostnames, given.port = ["127.0.0.1"], 0
    if slots:
        given.slot_save_path, given.endpoint_slots = f"{slots[0]}/", True
    server = xllamacpp.Server(given)
    print(f"at {server.listening_address}", flush=True)
    sys.stdin.read()  # ends with who started it, however that ends


if __name__ == "__main__":
    serve(*sys.argv[1:])
