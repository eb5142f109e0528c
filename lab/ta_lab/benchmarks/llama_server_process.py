"""The stock llama-server out of the wheel, as a program: it imports nothing of ours, for its memory
is measured."""

import sys

import xllamacpp


def serve(file: str, cells: str, kind: str, threads: str, chunk: str, *slots: str) -> None:
    """Serve a file at a free port, which it says, for as long as its input is open."""
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
