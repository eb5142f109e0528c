"""Messages and tools of a chat: as a client gives them, and as templates take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Discriminator, Field, Tag, field_serializer, model_validator
from pydantic_core import from_json

from .given import ClientData, Unserved, mended

FunctionName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,128}$")]


class Function(ClientData):
    """A tool's function."""

    name: FunctionName
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: Annotated[bool | None, Field(exclude=True)] = None  # templates have no word for it


class Tool(ClientData):
    """A tool that the model may call, or must; then its name is enough."""

    type: Literal["function"]
    function: Function

    def plain(self) -> dict[str, Any]:
        """As templates take it."""
        return self.model_dump(exclude_none=True)


class OtherTool(ClientData):
    """A tool of another kind, which is left out: templates have no word for it."""

    type: str


def by_type(functions: str) -> Discriminator:
    """Tells tools of the type ``functions``, or of none, from others."""

    def kind(tool: Any) -> str:
        given = tool.get("type") if isinstance(tool, dict) else getattr(tool, "type", None)
        return "a function" if given in (None, functions) else "another kind"

    return Discriminator(kind)


Known = TypeVar("Known")
Either = Annotated[Known, Tag("a function")] | Annotated[OtherTool, Tag("another kind")]
OrOther = Annotated[Either[Known], by_type("function")]


def functions(tools: Sequence[Known | OtherTool] | None) -> list[Known]:
    """Those of the tools that are functions."""
    return [tool for tool in tools or () if not isinstance(tool, OtherTool)]


def left_out(tools: Sequence[Any] | None) -> list[str]:
    """The others."""
    numbered = enumerate(tools or ())
    return [f"tools.{n} is no function" for n, tool in numbered if isinstance(tool, OtherTool)]


def strict_names(tools: Sequence[Any] | None) -> frozenset[str]:
    """Of the functions whose schemas the calls must follow."""
    given = (getattr(tool, "function", tool) for tool in functions(tools))
    return frozenset(function.name for function in given if function.strict)


class CalledFunction(ClientData):
    """Which function was called, with arguments as JSON text."""

    name: str
    arguments: str

    @field_serializer("arguments")
    def _object(self, text: str) -> Any:
        """As an object where it is one; a template writes other text as it is."""
        try:
            arguments = from_json(mended(text))
        except ValueError:
            return text
        return arguments if isinstance(arguments, dict) else text


class ToolCall(ClientData):
    """One call of an earlier answer."""

    id: str
    type: Literal["function"] = "function"
    function: CalledFunction

    @classmethod
    def of(cls, id_: str, name: str, arguments: str) -> ToolCall:
        """With all that it has."""
        return cls(id=id_, function=CalledFunction(name=name, arguments=arguments))


class ContentPart(ClientData):
    """A part of a content; only text can be read."""

    type: Literal["text", "input_text", "output_text", "reasoning_text"]
    text: str


class ChatMessage(ClientData):
    """One message of a chat."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None
    name: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    audio: Unserved = None
    function_call: Unserved = None
    refusal: Unserved = None

    @model_validator(mode="after")
    def _whole(self) -> ChatMessage:
        if self.content is None and not (self.tool_calls or self.reasoning_content):
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


def said(text: str, calls: Sequence[ToolCall], thought: str = "") -> ChatMessage:
    """An assistant's message."""
    known, thought_of = list(calls) or None, thought or None
    return ChatMessage(
        role="assistant", content=text, tool_calls=known, reasoning_content=thought_of
    )


def text_of(content: str | list[Any]) -> str:
    """A content's parts of text in one."""
    return content if isinstance(content, str) else "\n".join(part.text for part in content)
