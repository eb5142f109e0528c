"""The stock llama-server out of the wheel, in a process of its own: FILE SLOTS CELLS TYPE."""

import sys
import time

import xllamacpp


def main():
    """Serve a GGUF file at a free port, one slot; says where, and never ends by itself."""
    given = xllamacpp.CommonParams()
    given.model.path, given.slot_save_path, given.n_ctx = (
        sys.argv[1],
        sys.argv[2] + "/",
        int(sys.argv[3]),
    )
    kind = getattr(xllamacpp.ggml_type, f"GGML_TYPE_{sys.argv[4].upper()}")
    given.cache_type_k = given.cache_type_v = kind
    given.n_parallel, given.n_batch, given.n_ubatch = 1, 256, 256
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    given.endpoint_slots, given.hostnames, given.port = True, ["127.0.0.1"], 0
    server = xllamacpp.Server(given)
    print(f"at {server.listening_address}", flush=True)
    time.sleep(3600)


main()
