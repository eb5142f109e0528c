"""What clients may ask, as OpenAI's interface has it, with three fields beside it.

``session``: the id of a session, made when it is new; without it sessions are found by prefix.
``append``: the messages of a chat are what is new in that session, and not all of it.
``retention``: how the session's cache decides what to keep. Fields of OpenAI's interface, and of
servers like this one, that change the answer and are not served are refused by name; others are let
through unread (``tests/server/test_published_fields.py`` compares them with OpenAI's package).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError, model_validator

from ..config import Ledger, Positions, Preset, ProtectedRange, Retention
from ..engines.sampling import Sampling
from ..errors import InputError, UnknownNameError
from ..methods.registry import get_method
from ..types import Source, Span
from .chat_messages import (
    ChatMessage,
    ContentPart,
    Function,
    OrOther,
    Tool,
    functions,
    left_out,
    strict_names,
)
from .given import NOT_SERVED, ClientData, Unserved, words
from .schema import Schema

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
LEAST = 1e-9  # of top_p: the likeliest token alone
Penalty = Annotated[float, Field(ge=-2, le=2)]
Many = Field(max_length=1024)
Texts = Annotated[list[str], Many]
LabelOrPattern = Annotated[str, Field(max_length=4096)]
TokenCount = Annotated[int, Field(ge=1, le=1 << 24)]


class Range(ClientData, extra="forbid"):
    """Tokens or characters of the rendered conversation that are kept."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    unit: Literal["chars", "tokens"] = "tokens"
    required: bool = True


class RetentionField(ClientData, extra="forbid"):
    """Fields of ``Retention`` that a request may set; the rest are the server's."""

    budget: Annotated[int, Field(ge=1, le=1 << 24)] | None = None
    method: Annotated[str, Field(max_length=64)] | None = None
    preset: Preset | None = None
    ledger: Ledger | None = None
    positions: Positions | None = None
    protect_roles: Annotated[list[Source], Many] | None = None
    allow: Annotated[list[LabelOrPattern], Many] | None = None
    deny: Annotated[list[LabelOrPattern], Many] | None = None
    patterns: Annotated[list[LabelOrPattern], Field(max_length=32)] | None = None
    recall: bool | Literal["all"] | None = None
    memory: bool | None = None
    pinned: Annotated[list[Source], Many] | None = None
    protect: Annotated[list[Range], Many] = Field(default_factory=list)

    def over(self, default: Retention) -> Retention:
        """The server's retention with these fields in place of its own. Raises RetentionError."""
        fields = self.model_dump(exclude={"protect"}, exclude_none=True)
        given: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()
        }
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


class BaseRequest(ClientData):
    """What all requests share."""

    unserved: ClassVar[frozenset[str]] = words(
        "continue_final_message grammar guided_choice guided_grammar guided_json guided_regex "
        "ignore_eos min_tokens stop_token_ids structured_outputs"
    )  # fields that would change the answer: refused
    unread: ClassVar[frozenset[str]] = words("metadata service_tier user")  # those that would not

    model: str = ""  # whatever it says: one is served
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=-1, le=1 << 24)] = 0  # -1, as vLLM's, is 0: all
    min_p: Annotated[float, Field(ge=0, le=1)] = 0.0
    repetition_penalty: Annotated[float, Field(gt=0, le=2)] = 1.0
    add_generation_prompt: Literal[True] = True
    stream: bool = False
    session: Name | None = None
    retention: RetentionField | None = None

    @model_validator(mode="before")
    @classmethod
    def _served(cls, data: Any) -> Any:
        """Without what is null, which is as if it were absent."""
        if not isinstance(data, dict):
            return data
        given = {k: v for k, v in data.items() if v is not None}
        asked = [k for k, v in given.items() if k in cls.unserved and v != 0]  # not switched off
        faults = [{"type": NOT_SERVED, "loc": (k,), "input": None} for k in asked]
        if faults:
            raise ValidationError.from_exception_data(cls.__name__, faults)  # type: ignore[arg-type]
        return given

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """What a turn is asked with beside its prompt; as OpenAI's, a temperature of 1 where none
        is given. ``top``: of ``Sampling``."""
        sampling = Sampling(
            temperature=1.0 if self.temperature is None else self.temperature,
            top_p=1.0 if self.top_p is None else max(self.top_p, LEAST),
            top_k=max(0, self.top_k),
            min_p=self.min_p,
            repetition=self.repetition_penalty,
            top=top,
        )
        about = {"retention": self.retention, "session": self.session}
        return {"sampling": sampling, "stop": (), **about}

    def plain_tools(self) -> list[dict[str, Any]]:
        """Its tools as templates take them; none where it can have none."""
        return [tool.plain() for tool in functions(getattr(self, "tools", None))]

    def warnings(self) -> list[str]:
        """What is left out of what was asked, and answered without: some of its tools."""
        return left_out(getattr(self, "tools", None))


class StreamOptions(ClientData):
    """Whether a stream ends with its usage."""

    include_usage: bool = False


class SamplingRequest(BaseRequest):
    """What completions share: choices of tokens, and where an answer ends."""

    stop: str | Texts | None = None
    seed: Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)] | None = None
    frequency_penalty: Penalty = 0.0
    presence_penalty: Penalty = 0.0
    logit_bias: Annotated[
        dict[str, Annotated[float, Field(ge=-100, le=100)]], Field(max_length=1024)
    ] = Field(default_factory=dict)
    max_tokens: TokenCount | None = None
    n: Literal[1] = 1
    stream_options: StreamOptions = Field(default_factory=StreamOptions)
    return_progress: bool = False  # llama-server's: a stream tells how far the prompt is read

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
        progress = self.return_progress and self.stream
        return {**given, "sampling": sampling, "stop": stop, "progress": progress}


Choice = Literal["none", "auto", "required"]
Effort = Annotated[str, Field(pattern="^[a-z]{1,16}$")]
Options = Annotated[dict[Name, bool | int | float | str], Field(max_length=32)]


class AnswerSchema(ClientData):
    """A JSON Schema that an answer follows; without ``strict`` as far as it can be followed."""

    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None
    strict: bool | None = None

    def schema_given(self) -> Schema:
        """As grammars take it; without one it is any object."""
        return Schema(self.schema_ or {"type": "object"}, bool(self.strict))


class FlatFormat(AnswerSchema):
    """Of the answer: text, or JSON."""

    type: Literal["text", "json_object", "json_schema"]

    @model_validator(mode="after")
    def _whole(self) -> FlatFormat:
        if self.type == "json_schema" and self.schema_ is None:
            raise ValueError("a format of type json_schema needs its schema")
        return self

    def schema_given(self) -> Schema | None:  # type: ignore[override]
        """None for text."""
        return None if self.type == "text" else super().schema_given()


class ResponseFormat(ClientData):
    """The same as chats have it."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: AnswerSchema | None = None

    @model_validator(mode="after")
    def _whole(self) -> ResponseFormat:
        if self.type == "json_schema" and self.json_schema is None:
            raise ValueError("a format of type json_schema needs json_schema")
        return self

    def schema_given(self) -> Schema | None:
        """None for text."""
        return None if self.type == "text" else (self.json_schema or AnswerSchema()).schema_given()


class TextOptions(ClientData):
    """Of a response's text: its format."""

    format: FlatFormat | None = None


class ChatRequest(SamplingRequest):
    """``/v1/chat/completions``."""

    unserved = BaseRequest.unserved | words("audio function_call functions web_search_options")
    unread = BaseRequest.unread | words(
        "moderation prediction prompt_cache_key prompt_cache_options prompt_cache_retention "
        "safety_identifier store verbosity"
    )

    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    append: bool = False
    tools: Annotated[list[OrOther[Tool]], Field(max_length=128)] | None = None
    tool_choice: Choice | Tool = "auto"
    parallel_tool_calls: bool = True
    chat_template_kwargs: Options = Field(default_factory=dict)
    reasoning_effort: Effort | None = None
    modalities: list[Literal["text"]] | None = None
    logprobs: bool = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] = 0
    max_completion_tokens: TokenCount | None = None
    response_format: ResponseFormat | None = None

    @model_validator(mode="after")
    def _fits(self) -> ChatRequest:
        if self.top_logprobs and not self.logprobs:
            raise ValueError("top_logprobs needs logprobs: true")
        if self.append and self.session is None:
            raise ValueError("append needs session: the id of the one to go on with")
        return self

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """As a completion's, with what ``chat_turn`` takes of a chat."""
        choice, form = self.tool_choice, self.response_format
        return {
            **super().turn(self.top_logprobs if self.logprobs else top),
            "choice": choice if isinstance(choice, str) else choice.function.name,
            "options": options_of(self.chat_template_kwargs, self.reasoning_effort),
            "max_tokens": self.max_completion_tokens or self.max_tokens,
            "text": form.schema_given() if form else None,
            "strict": strict_names(self.tools),
            "parallel": self.parallel_tool_calls,
        }


class CompletionRequest(SamplingRequest):
    """``/v1/completions``."""

    unserved = BaseRequest.unserved | words("chat_template_kwargs suffix")

    prompt: Annotated[str, Field(min_length=1)]
    logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    append: Literal[False] = False
    echo: Literal[False] = False
    best_of: Literal[1] = 1

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """As every completion's, with OpenAI's default of its length."""
        top = top if self.logprobs is None else self.logprobs
        return {**super().turn(top), "max_tokens": self.max_tokens or 16}


class FlatTool(Function):
    """A tool as ``/v1/responses`` takes it."""

    type: Literal["function"]
    asynchronous: Annotated[Unserved, Field(alias="async")] = None

    def plain(self) -> dict[str, Any]:
        """As templates take it."""
        function = self.model_dump(exclude={"type"}, exclude_none=True)
        return {"type": "function", "function": function}


class Item(ClientData):
    """One item of an input: a message, a thought or call of an earlier answer, a tool's output."""

    type: Literal["message", "function_call", "function_call_output", "reasoning"] = "message"
    role: Literal["system", "developer", "user", "assistant"] | None = None
    content: str | list[ContentPart] | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    output: str | list[ContentPart] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Item:
        needed = {
            "message": ("role", "content"),
            "function_call": ("call_id", "name", "arguments"),
            "function_call_output": ("call_id", "output"),
            "reasoning": (),
        }[self.type]
        for name in needed:
            if getattr(self, name) is None:
                raise ValueError(f"an item of type {self.type} needs {name}")
        return self


class Reasoning(ClientData):
    """Of a response: how much thought is asked of a template that has a word for it."""

    effort: Effort | None = None
    mode: Literal["standard"] | None = None


class ResponseRequest(BaseRequest):
    """``/v1/responses``."""

    unserved = BaseRequest.unserved | words("conversation image prompt")
    unread = BaseRequest.unread | words(
        "access_programs background_options context_management include max_tool_calls moderation "
        "prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier "
        "stream_options truncation"
    )

    input: Annotated[str, Field(min_length=1)] | Annotated[list[Item], Field(min_length=1)]
    instructions: str | None = None
    append: Literal[False] = False  # previous_response_id does it
    previous_response_id: str | None = None
    max_output_tokens: TokenCount | None = None
    tools: Annotated[list[OrOther[FlatTool]], Field(max_length=128)] = Field(default_factory=list)
    tool_choice: Choice | FlatTool = "auto"
    parallel_tool_calls: bool = True
    chat_template_kwargs: Options = Field(default_factory=dict)
    reasoning: Reasoning = Field(default_factory=Reasoning)
    text: TextOptions | None = None
    top_logprobs: Literal[0] = 0
    store: bool = True
    background: Literal[False] = False

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """As every request's, with what ``chat_turn`` takes of a chat."""
        choice, form = self.tool_choice, self.text.format if self.text else None
        return {
            **super().turn(top),
            "choice": choice if isinstance(choice, str) else choice.name,
            "options": options_of(self.chat_template_kwargs, self.reasoning.effort),
            "max_tokens": self.max_output_tokens,
            "text": form.schema_given() if form else None,
            "strict": strict_names(self.tools),
            "parallel": self.parallel_tool_calls,
        }


def options_of(given: Options, effort: Effort | None) -> dict[str, Any]:
    """What a template is given beside messages and tools."""
    return given if effort is None else {"reasoning_effort": effort, **given}


def _token_id(name: str) -> int:
    if not name.isascii() or not name.isdigit() or len(name) > 9:
        raise InputError("logit_bias takes token ids, as whole numbers in quotes")
    return int(name)
