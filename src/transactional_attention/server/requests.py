"""What clients may ask, as OpenAI's interface has it, with three fields beside it.

``session``: the id of a session, made when it is new; without it sessions are found by prefix.
``append``: the messages of a chat are what is new in that session, and not all of it.
``retention``: how the session's cache decides what to keep. Fields of OpenAI's interface that
change the answer and are not served are refused by name; others are let through unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_serializer,
    model_validator,
)
from pydantic_core import from_json

from ..config import Ledger, Positions, Preset, ProtectedRange, Retention
from ..engines.sampling import Sampling
from ..errors import InputError, UnknownNameError
from ..methods.registry import get_method
from ..types import Source, Span

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Texts = Annotated[list[str], Field(max_length=4)]
Small = Annotated[float, Field(ge=-2, le=2)]
Many = Field(max_length=1024)
Entry = Annotated[str, Field(max_length=4096)]
Count = Annotated[int, Field(ge=1, le=1 << 24)]


class Given(BaseModel):
    """What a client gives; fields that are not named here are let through unread."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)


class Range(Given, extra="forbid"):
    """Tokens or characters of the rendered conversation that are kept."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    unit: Literal["chars", "tokens"] = "tokens"
    required: bool = True


class RetentionField(Given, extra="forbid"):
    """Fields of ``Retention`` that a request may set; the rest are the server's."""

    budget: Annotated[int, Field(ge=1, le=1 << 24)] | None = None
    method: Annotated[str, Field(max_length=64)] | None = None
    preset: Preset | None = None
    ledger: Ledger | None = None
    positions: Positions | None = None
    protect_roles: Annotated[list[Source], Many] | None = None
    allow: Annotated[list[Entry], Many] | None = None
    deny: Annotated[list[Entry], Many] | None = None
    patterns: Annotated[list[Entry], Field(max_length=32)] | None = None
    recall: bool | Literal["all"] | None = None
    memory: bool | None = None
    pinned: Annotated[list[Source], Many] | None = None
    protect: Annotated[list[Range], Many] = Field(default_factory=list)

    def over(self, default: Retention) -> Retention:
        """The server's retention with these fields in place of its own. Raises RetentionError."""
        own = self.model_dump(exclude={"protect"}, exclude_none=True)
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in own.items()}
        try:
            method = get_method(given.get("method", default.method))
        except UnknownNameError as unknown:  # its text quotes the name
            raise InputError(f"retention.method is no method: {unknown.hint}") from None
        if method.unlimited:
            given["budget"] = None
        if {"method", "preset"} & given.keys():  # with a memory only if it is asked for
            given = {"memory": None, "pinned": ()} | given
        ranges = (
            ProtectedRange(Span(r.start, r.end), r.unit, required=r.required) for r in self.protect
        )
        return replace(default, **given, protected=(*default.protected, *ranges))


class Asked(Given):
    """What all requests share."""

    model: str
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    stream: bool = False
    session: Name | None = None
    retention: RetentionField | None = None

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:
        return {k: v for k, v in data.items() if v is not None} if isinstance(data, dict) else data

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """What a turn is asked with beside its prompt; as OpenAI's, a temperature of 1 where none
        is given. ``top``: of ``Sampling``."""
        temperature = 1.0 if self.temperature is None else self.temperature
        sampling = Sampling(temperature, 1.0 if self.top_p is None else self.top_p, top=top)
        about = {"retention": self.retention, "session": self.session}
        return {"sampling": sampling, "stop": (), **about}


class StreamOptions(Given):
    """Whether a stream ends with its usage."""

    include_usage: bool = False


class Sampled(Asked):
    """What completions share: choices of tokens, and where an answer ends."""

    stop: str | Texts | None = None
    seed: Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)] | None = None
    frequency_penalty: Small = 0.0
    presence_penalty: Small = 0.0
    logit_bias: Annotated[
        dict[str, Annotated[float, Field(ge=-100, le=100)]], Field(max_length=1024)
    ] = Field(default_factory=dict)
    max_tokens: Count | None = None
    n: Literal[1] = 1
    stream_options: StreamOptions = Field(default_factory=StreamOptions)

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """As every request's, with penalties, bias, seed and texts that end the answer."""
        given = super().turn(top)
        sampling = replace(
            given["sampling"],
            frequency=self.frequency_penalty,
            presence=self.presence_penalty,
            bias={_token_id(name): gain for name, gain in self.logit_bias.items()},
            seed=None if self.seed is None else self.seed % (1 << 63),
        )
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or ()
        return {**given, "sampling": sampling, "stop": stop}


class Function(Given):
    """A tool's function."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Tool(Given):
    """A tool that the model may call, or must; then its name is enough."""

    type: Literal["function"]
    function: Function


class Called(Given):
    """Which function was called, with arguments as JSON text."""

    name: str
    arguments: str

    @field_serializer("arguments")
    def _object(self, text: str) -> Any:
        """As an object where it is one; a template writes other text as it is."""
        try:
            found = from_json(text)
        except ValueError:
            return text
        return found if isinstance(found, dict) else text


class ToolCall(Given):
    """One call of an earlier answer."""

    id: str
    type: Literal["function"] = "function"
    function: Called


class Part(Given):
    """A part of a content; only text can be read."""

    type: Literal["text", "input_text", "output_text"]
    text: str


class Message(Given):
    """One message of a chat."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[Part] | None = None
    name: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Message:
        if self.content is None and not self.tool_calls:
            raise ValueError("a message needs a content, or tool_calls")
        if self.tool_calls and self.role != "assistant":
            raise ValueError("only an assistant's message has tool_calls")
        if self.role == "tool" and self.tool_call_id is None:
            raise ValueError("a tool's message needs its tool_call_id")
        return self

    def plain(self) -> dict[str, Any]:
        """As templates take it: texts joined, arguments as objects, developers as systems."""
        role = "system" if self.role == "developer" else self.role
        content = text_of(self.content) if self.content else ""
        return {**self.model_dump(exclude_none=True), "role": role, "content": content}


Choice = Literal["none", "auto", "required"]


class Format(Given):
    """Of the answer: text alone."""

    type: Literal["text"]


class TextOptions(Given):
    """Of a response's text: its format."""

    format: Format | None = None


class ChatRequest(Sampled):
    """``/v1/chat/completions``."""

    messages: Annotated[list[Message], Field(min_length=1)]
    append: bool = False
    tools: Annotated[list[Tool], Field(max_length=128)] | None = None
    tool_choice: Choice | Tool = "auto"
    parallel_tool_calls: Literal[True] = True
    functions: None = None
    function_call: None = None
    logprobs: bool = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] = 0
    max_completion_tokens: Count | None = None
    response_format: Format | None = None

    @model_validator(mode="after")
    def _fits(self) -> ChatRequest:
        if self.top_logprobs and not self.logprobs:
            raise ValueError("top_logprobs needs logprobs: true")
        if self.append and self.session is None:
            raise ValueError("append needs session: the id of the one to go on with")
        return self


class CompletionRequest(Sampled):
    """``/v1/completions``."""

    prompt: Annotated[str, Field(min_length=1)]
    logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    append: Literal[False] = False
    echo: Literal[False] = False
    best_of: Literal[1] = 1
    suffix: None = None


class FlatTool(Function):
    """A tool as ``/v1/responses`` takes it."""

    type: Literal["function"]


class Item(Given):
    """One item of an input: a message, a call of an earlier answer, or what a tool gave back."""

    type: Literal["message", "function_call", "function_call_output"] = "message"
    role: Literal["system", "developer", "user", "assistant"] | None = None
    content: str | list[Part] | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    output: str | list[Part] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Item:
        needed = {
            "message": ("role", "content"),
            "function_call": ("call_id", "name", "arguments"),
            "function_call_output": ("call_id", "output"),
        }[self.type]
        for name in needed:
            if getattr(self, name) is None:
                raise ValueError(f"an item of type {self.type} needs {name}")
        return self


class ResponseRequest(Asked):
    """``/v1/responses``."""

    input: Annotated[str, Field(min_length=1)] | Annotated[list[Item], Field(min_length=1)]
    instructions: str | None = None
    append: Literal[False] = False  # previous_response_id does it
    previous_response_id: str | None = None
    max_output_tokens: Count | None = None
    tools: Annotated[list[FlatTool], Field(max_length=128)] = Field(default_factory=list)
    tool_choice: Choice | FlatTool = "auto"
    parallel_tool_calls: Literal[True] = True
    text: TextOptions | None = None
    store: bool = True
    background: Literal[False] = False


def _names(kind: type[BaseModel]) -> Iterator[str]:
    yield from kind.model_fields
    for below in kind.__subclasses__():
        yield from _names(below)


KNOWN = frozenset(_names(Given))


def text_of(content: str | list[Part]) -> str:
    """A content's parts in one."""
    return content if isinstance(content, str) else "\n".join(part.text for part in content)


def reason(error: ValidationError) -> tuple[str, str]:
    """A field that is wrong and what is wrong with it; nothing of what was given.

    Of the alternatives of a field it is the one in which the fault lies deepest.
    """
    found = error.errors(include_input=False, include_url=False, include_context=False)
    deepest = max(found, key=lambda fault: len(fault["loc"]))
    # numbers and names of fields: other keys are the client's own text
    named = (str(part) for part in deepest["loc"] if isinstance(part, int) or part in KNOWN)
    why = "the body is no JSON" if deepest["type"] == "json_invalid" else deepest["msg"]
    return ".".join(named), why


def _token_id(name: str) -> int:
    if not name.isascii() or not name.isdigit() or len(name) > 9:
        raise InputError("logit_bias takes token ids, as whole numbers in quotes")
    return int(name)
