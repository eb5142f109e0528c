"""``ta serve``: OpenAI's and Anthropic's interfaces to sessions whose caches stay at K tokens."""

import contextlib
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console

from ..config import DEFAULT_METHOD
from ..engines.session import Engine
from ..errors import InputError, UnsupportedError, install_extra
from ..models import AUTO, EMBEDDED, load_model
from ..models.embedded import SHIPPED, chat_template
from ..retention.chunks import CHUNK
from ..server import LOOPBACK
from ..server.freed_memory import return_large_blocks
from ..server.keys import ApiKeys, is_open
from . import options
from .common import check_threads, set_threads
from .engines import LLAMA_CPP, chosen
from .prompts import has_template
from .startup import startup_lines

KEY = "TA_API_KEY"


def serve(
    model: options.Model = EMBEDDED,
    engine: options.EngineOption = None,
    name: Annotated[str | None, options.model_option(help="What clients call the model.")] = None,
    budget: options.Budget = 1024,
    method: options.MethodOption = DEFAULT_METHOD,
    preset: options.PresetOption = "default",
    ledger: options.LedgerOption = "strict",
    positions: options.ChosenPositions = None,
    protect_role: options.Roles = None,
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    memory: options.MemoryOption = None,
    pin: options.Pin = options.PINS[0],
    sessions: Annotated[
        Path | None,
        options.sessions_option(help="Folder where sessions are saved after every turn."),
    ] = None,
    max_sessions: Annotated[int, options.sessions_option(min=1, help="Sessions in memory.")] = 16,
    idle: Annotated[
        float, options.sessions_option(min=1, help="Seconds in memory without a turn.")
    ] = 3600,
    max_saved: Annotated[int, options.sessions_option(min=1, help="Sessions on the disk.")] = 1000,
    max_responses: Annotated[
        int | None,
        options.sessions_option(
            min=1, help="Bytes of stored responses; otherwise 1 GiB, 64 MiB in memory alone."
        ),
    ] = None,
    max_beginnings: Annotated[
        int,
        options.sessions_option(
            min=0, help="Bytes of system messages and tools that sessions share, read; 0: none."
        ),
    ] = 1 << 30,
    parallel: Annotated[
        int, options.limits_option(min=1, help="Turns that take steps together.")
    ] = 4,
    max_waiting: Annotated[
        int, options.limits_option(min=0, help="Turns that wait; then 429.")
    ] = 64,
    max_wait: Annotated[
        float, options.limits_option(min=1, help="Seconds in line; then 503.")
    ] = 120,
    max_body: Annotated[
        int,
        options.limits_option(
            min=1024, help="Bytes of a request (then 413), characters of its chat (400)."
        ),
    ] = 4 << 20,
    max_arrival: Annotated[
        float,
        options.limits_option(min=1, help="Seconds in which a request must have come; then 408."),
    ] = 60,
    session_length: Annotated[
        int | None,
        options.limits_option(
            min=1, help="Tokens that clients are told a session may have, where it has no end."
        ),
    ] = None,
    chunk: Annotated[int, options.model_option(min=1, help="Prefill chunk, tokens.")] = CHUNK,
    checkpoints: Annotated[
        int,
        options.sessions_option(min=1, help="States to go back to; over 2: spread over a history."),
    ] = 2,
    host: Annotated[
        str, options.access_option(help="Address; others than loopback need a key.")
    ] = "127.0.0.1",
    port: Annotated[
        int, options.access_option(min=0, max=65535, help="0: any that is free.")
    ] = 8080,
    api_key_file: Annotated[
        Path | None,
        options.access_option(
            help="File with an API key, or with a line LABEL KEY for each of several, whose "
            f"sessions are apart; one key alone also in {KEY}."
        ),
    ] = None,
    access_log: Annotated[
        bool,
        options.access_option(
            "--access-log/--no-access-log", help="A line for every request, without its text."
        ),
    ] = True,
    chat_template_file: Annotated[
        Path | None,
        options.model_option("--chat-template", help="Jinja file, in place of the model's."),
    ] = None,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    gpu_layers: options.GpuLayers = None,
    flash_attn: options.FlashAttentionOption = None,
    cell_type: options.CellTypeOption = None,
) -> None:
    """Serve a model to clients of OpenAI's and Anthropic's interfaces, every session at K tokens;
    the page at / shows them."""
    rest: dict[str, Any] = {"preset": preset, "ledger": ledger}
    rest["positions"] = positions or "original"
    retention = options.retention(budget, method, allow, deny, pattern, protect_role, **rest)
    retention = options.held_for_chats(retention, memory, pin)
    llama_options = {"flash_attn": flash_attn, "cell_type": cell_type}
    engine = chosen(engine, model, retention, dtype, gpu_layers=gpu_layers, **llama_options)
    key = os.environ.get(KEY)
    keys = ApiKeys.read(api_key_file) if api_key_file else ApiKeys.of(key) if key else None
    if keys is None and host not in LOOPBACK:
        raise InputError(f"--host {host} is not loopback: give --api-key-file, or a key in {KEY}")
    with _extra():
        from ..server.connections import (  # noqa: PLC0415
            Limits,
            Server,
            http_config,
            most_connections,
        )
        from ..server.loading import bound  # noqa: PLC0415
    check_threads(threads)
    called, parallel = name or Path(model).stem, min(parallel, max_sessions)
    numbers = {"chunk": chunk, "checkpoints": checkpoints}
    limits = Limits(most_connections(parallel + max_waiting), max_arrival)
    runs: Engine
    with contextlib.ExitStack() as stack:
        try:
            listening = stack.enter_context(bound(host, port, limits))
        except OSError as error:
            why = str(error.strerror).partition(" (")[0]  # which says the address, too
            raise InputError(
                f"cannot listen on {host}:{port}: {why}; give another --port or --host"
            ) from None
        with _extra():  # from here on who asks is told that this is being loaded
            from ..server import request_log  # noqa: PLC0415
            from ..server.app import Access, Service, create_app  # noqa: PLC0415
            from ..server.sessions import Bounds, Sessions  # noqa: PLC0415
            from ..server.worker import Line  # noqa: PLC0415
        if engine == LLAMA_CPP:
            from ..engines.llama_cpp.sessions import LlamaEngine  # noqa: PLC0415  (extra)
            from .llama_cpp import load, machine  # noqa: PLC0415  (extra)

            return_large_blocks()
            file, tokens = load(model, None, retention, gpu_layers)
            more = {"parallel": parallel, **machine(threads, **llama_options)}
            runs = LlamaEngine(called, file, tokens, retention, **numbers, **more)
            if positions is None and runs.can_roll(retention):  # and costs nothing before it does
                retention = replace(retention, positions="rolling")
        else:
            set_threads(threads)
            loaded, tokens = load_model(model, dtype=dtype)
            from ..engines.transformers.sessions import TransformersEngine  # noqa: PLC0415  (extra)

            runs = TransformersEngine(called, loaded, tokens, **numbers)
        if chat_template_file is not None:
            tokens.chat_template = _text(chat_template_file)
        elif model in SHIPPED:
            tokens.chat_template = chat_template()
        if not has_template(tokens):
            retention = replace(retention, pinned=())  # no message of the system's is ever there
        bounds = Bounds(max_sessions, idle, max_saved, max_responses, max_beginnings)
        known = Sessions(runs, bounds, sessions)
        runs.session(retention)  # what cannot be served is refused before the first request
    line = Line(parallel, max_waiting, max_wait)
    access = Access(keys, max_body, max_arrival)
    service = Service(runs, known, retention, line, access, session_length)
    shown, port = host if ":" not in host else f"[{host}]", listening.getsockname()[1]
    console = Console(stderr=True, highlight=False)
    for text in startup_lines(called, f"http://{shown}:{port}", engine, runs, retention):
        console.print(text, markup=False, soft_wrap=True)
    if api_key_file is not None and is_open(api_key_file):
        console.print(
            f"{api_key_file} can be read by others than its owner: chmod 600 it",
            markup=False,
            soft_wrap=True,
        )
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger(request_log.__name__).setLevel(
        logging.INFO if access_log else logging.WARNING
    )
    config = http_config(create_app(service), limits, host, port)
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again when all has ended
        Server(config, partial(console.print, markup=False)).run(sockets=[listening])


@contextlib.contextmanager
def _extra() -> Iterator[None]:
    """Imports of the extra ``serve``. Raises UnsupportedError where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise UnsupportedError(f"ta serve needs {missing.name}: {install_extra('serve')}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', 'no UTF-8')}") from None
