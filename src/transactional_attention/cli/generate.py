"""``ta generate``: a prompt of any length through any model at budget K, streamed."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ..config import DEFAULT_METHOD
from ..engines.chat_sources import warn_of_tools
from ..engines.prompts import Prompt
from ..errors import InputError
from ..methods.registry import get_method
from ..models import AUTO, EMBEDDED, load_model
from ..models.embedded import SHIPPED
from ..retention.chunks import CHUNK
from . import llama_cpp, options
from .common import check_threads, describe, origin, set_threads, write_json
from .engines import LLAMA_CPP, chosen
from .prompts import (
    GOES_ON,
    LONG,
    GenerateRequest,
    PromptInput,
    has_template,
    in_template,
    read_chat,
    read_prompt,
)

CHUNK_HELP = f"Prefill chunk, tokens; long prompts take {CHUNK} by themselves."


def generate(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Prompt file, or - for standard input.")] = "-",
    question: Annotated[
        str, typer.Option(help="Appended to the prompt; of --messages the user's next turn.")
    ] = "",
    messages: options.Messages = None,
    tools: options.Tools = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="The prompt as it is, without the chat template.")
    ] = False,
    budget: options.Budget = 256,
    method: options.MethodOption = DEFAULT_METHOD,
    preset: options.PresetOption = "default",
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    protect_role: options.Roles = None,
    ledger: options.LedgerOption = "strict",
    positions: options.ChosenPositions = None,
    storage: options.Storage = None,
    memory: options.MemoryOption = None,
    pin: options.Pin = options.PINS[0],
    chunk: Annotated[int | None, options.model_option(help=CHUNK_HELP)] = None,
    max_new_tokens: Annotated[int, typer.Option(help="Tokens to generate.")] = 64,
    report: Annotated[bool, typer.Option("--report", help="Say what is kept, on stderr.")] = False,
    reveal: options.Reveal = False,
    seed: options.Seed = 0,
    engine: options.EngineOption = None,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    gpu_layers: options.GpuLayers = None,
    flash_attn: options.FlashAttentionOption = None,
    cell_type: options.CellTypeOption = None,
    save: Annotated[Path | None, typer.Option(help="Save the cache at the end, mode 0600.")] = None,
    load: Annotated[Path | None, typer.Option(help="Go on after what a saved cache holds.")] = None,
    json: options.Json = None,
) -> None:
    """Generate greedily from a prompt under a budget; the text goes to standard output.

    A chat model gets the prompt as the user's turn, in its own chat template; the embedded models,
    and those without a template, as it is. A prompt in chunks is read, tokenised and cut to K as it
    flows; in a template, or for a method with passes of its own, it is read whole first.
    """
    check_threads(threads)
    llama_options = {"flash_attn": flash_attn, "cell_type": cell_type}
    if chunk is not None and chunk < 1:
        raise InputError(f"--chunk must be at least 1 token, got {chunk}")
    if max_new_tokens < 1:
        raise InputError(f"--max-new-tokens must be at least 1, got {max_new_tokens}")
    options.check_pin(pin)
    _refuse_mixture(context, messages, tools, raw, load)
    known = get_method(method)
    rest: dict[str, Any] = {"ledger": ledger, "positions": positions or "original"}
    rest |= {"preset": preset, "storage": storage, "seed": seed}
    retention = options.retention(budget, method, allow, deny, pattern, protect_role, **rest)
    if messages is not None or memory:
        pinned = pin if messages is not None else options.PINS[1]  # a prompt has no system in it
        retention = options.held_for_chats(retention, memory, pinned)
    engine = chosen(
        engine, model, retention, dtype, tokenizer, gpu_layers=gpu_layers, **llama_options
    )
    on_llama_cpp = engine == LLAMA_CPP
    chat = read_chat(messages, tools, question)
    warn_of_tools(None if chat is None else chat.tools, retention)
    whole = known.passes or (known.whole_prompt and chunk is None)
    stream = False if whole else True if chunk else None
    plain = "" if messages else read_prompt(file, question, stream=stream)
    if on_llama_cpp:
        loaded, tokens = llama_cpp.load(model, tokenizer, retention, gpu_layers)
    else:
        set_threads(threads)
        loaded, tokens = load_model(model, tokenizer, dtype=dtype)
    templated = chat is not None or (not (raw or model in SHIPPED) and has_template(tokens))
    if templated and load is not None:
        raise InputError(f"--load: {GOES_ON}")
    prompt: PromptInput = in_template(plain, chat, tokens) if templated else plain
    if known.passes or (not whole and _is_long(prompt)):
        chunk = chunk or CHUNK
    positions_given = positions is not None
    asked = GenerateRequest(prompt, retention, chunk, max_new_tokens, load, save, positions_given)
    cache: Any
    if on_llama_cpp:
        cache, figures = llama_cpp.answer(
            loaded, tokens, asked, **llama_cpp.machine(threads, **llama_options)
        )
    else:
        from .transformers import answer  # noqa: PLC0415  (extra)

        cache, figures = answer(loaded, tokens, asked)
    if report:
        Console(stderr=True).print(str(cache.report(reveal=reveal)), markup=False)
    about = describe(cache.retention) | {"chunk": chunk, "chat": templated, "engine": engine}
    computes_in = None if on_llama_cpp else dtype
    record = origin(about, seed=cache.retention.seed, model=model, dtype=computes_in)
    write_json(json, {"provenance": record, **figures})


def _is_long(prompt: PromptInput) -> bool:
    """Whether a prompt is read in chunks though nobody asked for it."""
    if isinstance(prompt, Prompt):
        return len(prompt.ids) > LONG // 4  # tokens, of as many characters
    return not isinstance(prompt, str)


def _refuse_mixture(
    context: typer.Context, messages: Path | None, tools: Path | None, raw: bool, load: Path | None
) -> None:
    options.check_one(context, messages)
    for option, path in (("--messages", messages), ("--tools", tools)):
        if path is not None and raw:
            raise InputError(f"--raw is for a prompt without a chat template: leave {option} out")
        if path is not None and load is not None:
            raise InputError(f"{option}: {GOES_ON}")
    if load is not None:
        _refuse_options(context)


def _refuse_options(context: typer.Context) -> None:
    """What a saved cache was made with stays, its file says it; the text it does not say."""
    made = "budget method preset allow deny pattern protect_role ledger positions storage memory"
    for name in (*made.split(), "pin", "seed", "reveal"):
        if not options.given(context, name):
            continue
        if name == "reveal":
            raise InputError("--reveal needs the text, which is not saved: leave it out")
        option = name.replace("_", "-")
        raise InputError(f"--{option} is what the saved cache was made with: leave it out")
