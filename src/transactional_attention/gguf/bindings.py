"""The functions of llama.cpp that are called here, out of the shared object in a wheel.

The wheel is ``xllamacpp``, whose object exports the whole C API; none of its Python is imported.
Structs are passed by value, and their layout differs between builds: a build that was not tested is
refused by name, and the defaults that the library gives must stand where ``llama.h`` says. It knows
no model and no retention.
"""

from collections import deque
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UnsupportedError, install_extra

PACKAGE, TESTED, VERSION = "xllamacpp", "2026.10.11549", "0.6.0-dev"
REMEDY = install_extra("llama-cpp")
SIZES = {"llama_model_params": 80, "llama_context_params": 168, "llama_batch": 56}  # bytes
DEFAULTS: dict[str, dict[str, Any]] = {
    "model": {"n_gpu_layers": -1, "split_mode": 1, "load_mode": -1, "use_extra_bufts": True},
    "context": {
        **{"n_ctx": 512, "n_batch": 2048, "n_ubatch": 512, "n_seq_max": 1, "n_threads": 4},
        **{"n_outputs_max_per_seq": 1, "flash_attn_type": -1, "yarn_ext_factor": -1.0},
        **{"defrag_thold": -1.0, "type_k": 1, "type_v": 1, "moe_cache_size": 0},
        **{"offload_kqv": True, "no_perf": True, "swa_full": True, "kv_unified": False},
        "n_samplers": 0,
    },
}
"""What the tested build sets by itself, before, between and after the fields that are set here."""
WARNING = 3


class Library(NamedTuple):
    """``ffi``: of cffi; ``calls``: the functions; ``messages``: the last warnings and errors."""

    ffi: Any
    calls: Any
    messages: deque[str]

    def last_words(self) -> str:
        """What llama.cpp said last, for an error about a file."""
        return "; ".join(self.messages) or "it does not say why"


@cache
def library() -> Library:
    """The library, loaded once a process. Raises UnsupportedError without the packages, and for a
    build whose structs nobody has tested."""
    path = _shared_object()
    from cffi import FFI  # noqa: PLC0415  (an extra)

    ffi = FFI()
    ffi.cdef(files(__package__).joinpath("llama.h").read_text(encoding="utf-8"))
    try:
        calls = ffi.dlopen(str(path))
    except OSError as error:
        raise UnsupportedError(f"{PACKAGE} cannot be loaded here: {error}") from None
    _check_layout(ffi, calls)
    bindings = Library(ffi, calls, deque(maxlen=8))
    _listen(bindings)
    calls.llama_backend_init()
    return bindings


def installed() -> bool:
    """Whether the packages are there, in the tested build."""
    return not _missing() and _version() == TESTED


def _missing() -> list[str]:
    return [name for name in (PACKAGE, "cffi") if find_spec(name) is None]


def _shared_object() -> Path:
    if missing := _missing():
        raise UnsupportedError(f"the engine llama.cpp needs {' and '.join(missing)}: {REMEDY}")
    check_build(_version())
    spec = find_spec(PACKAGE)
    for place in (spec.submodule_search_locations if spec is not None else None) or ():
        for path in sorted(Path(place).glob(f"{PACKAGE}*")):
            if path.suffix in (".so", ".pyd"):
                return path
    raise UnsupportedError(f"the package {PACKAGE} holds no shared object: {REMEDY}")


def _version() -> str:
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "unknown"


def check_build(build: str) -> None:
    """Refuse a version of the wheel other than the tested one. Raises UnsupportedError."""
    if build != TESTED:
        raise UnsupportedError(
            f"{PACKAGE} {build} is another build of llama.cpp than the tested {TESTED}, whose "
            f"structs may differ: pip install {PACKAGE}=={TESTED}"
        )


def _check_layout(ffi: Any, calls: Any) -> None:
    release = ffi.string(calls.llama_version()).decode()
    sizes = {name: ffi.sizeof(f"struct {name}") for name in SIZES}
    given = {
        "model": calls.llama_model_default_params(),
        "context": calls.llama_context_default_params(),
    }
    wrong = [name for name, size in SIZES.items() if sizes[name] != size]
    for kind, fields in DEFAULTS.items():
        wrong += [name for name, value in fields.items() if getattr(given[kind], name) != value]
    if release != VERSION or wrong:
        raise UnsupportedError(
            f"this llama.cpp (version {release}) lays its structs out in another way than the "
            f"tested build ({VERSION}): {', '.join(wrong) or 'its version differs'}; "
            f"pip install {PACKAGE}=={TESTED}"
        )


def _listen(bindings: Library) -> None:
    """Keep what llama.cpp says off the terminal, and its complaints for error messages."""

    def note(level: int, text: Any, _: Any) -> None:
        line = bindings.ffi.string(text).decode(errors="replace").strip(". \n")  # dots: progress
        if level >= WARNING and line:
            bindings.messages.append(line)

    callback = bindings.ffi.callback("ggml_log_callback", note)
    _alive.append(callback)  # the library calls it for as long as the process lives
    bindings.calls.llama_log_set(callback, bindings.ffi.NULL)


_alive: list[Any] = []
