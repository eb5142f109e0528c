"""What clients may ask by Anthropic's Messages, and the chat that it is here.

``session`` and ``retention`` are as ``requests.py`` has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from ..errors import InputError
from .chat_messages import (
    ChatMessage,
    Either,
    Function,
    FunctionName,
    Tool,
    ToolCall,
    by_type,
    said,
    strict_names,
    text_of,
)
from .given import ClientData, Unserved, words
from .requests import AnswerSchema, BaseRequest, Effort, Many, Options, TokenCount, options_of
from .thoughts import with_thought

BILLING = "x-anthropic-billing-header:"


class Text(ClientData):
    """A block of a message that is plain text."""

    type: Literal["text"]
    text: str


class Thought(ClientData):
    """A block with what the model thought before an earlier answer."""

    type: Literal["thinking"]
    thinking: str


class RedactedThought(ClientData):
    """A block with an encrypted thought, which only the server that wrote it can read."""

    type: Literal["redacted_thinking"]


class ToolUse(ClientData):
    """One call of an earlier answer."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: dict[str, Any]


class ToolResult(ClientData):
    """What a tool gave back."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str | list[Text] = ""
    is_error: bool = False

    def message(self) -> ChatMessage:
        """Of the tool; chats have no other sign of an error than its text."""
        text = text_of(self.content)
        text = f"Error: {text}" if self.is_error else text
        return ChatMessage(role="tool", content=text, tool_call_id=self.tool_use_id)


def _kind_of(block: Any) -> str | None:
    kind = block.get("type") if isinstance(block, dict) else getattr(block, "type", None)
    return kind if isinstance(kind, str) else None


ContentBlock = Annotated[
    Annotated[Text, Tag("text")]
    | Annotated[Thought, Tag("thinking")]
    | Annotated[RedactedThought, Tag("redacted_thinking")]
    | Annotated[ToolUse, Tag("tool_use")]
    | Annotated[ToolResult, Tag("tool_result")],
    Discriminator(
        _kind_of,  # by the field's name the message would quote what is given
        custom_error_type="kind",
        custom_error_message="no image, document or other kind of content can be read: text, "
        "thinking, tool_use and tool_result alone",
    ),
]
KINDS = {
    "system": (Text,),
    "user": (Text, ToolResult),
    "assistant": (Text, Thought, RedactedThought, ToolUse),
}


class InputMessage(ClientData):
    """What one side said."""

    role: Literal["user", "assistant", "system"]
    content: str | list[ContentBlock]
    clear_at: Literal["never"] | None = None
    output_config: Unserved = None

    @model_validator(mode="after")
    def _own_kinds(self) -> InputMessage:
        if not all(isinstance(block, KINDS[self.role]) for block in self.blocks()):
            raise ValueError(
                "tool_result is the user's, thinking and tool_use are the assistant's: give each "
                "in a message of its role"
            )
        return self

    def blocks(self) -> Sequence[ContentBlock]:
        """What it is made of."""
        text = self.content
        return [Text(type="text", text=text)] if isinstance(text, str) else text


class ClientTool(ClientData):
    """A tool that the client runs."""

    type: Literal["custom"] = "custom"
    name: FunctionName
    description: str | None = None
    input_schema: dict[str, Any]
    input_examples: list[dict[str, Any]] | None = None
    strict: bool | None = None

    def plain(self) -> dict[str, Any]:
        """As templates take it; examples stand in the schema, by JSON Schema's name for them."""
        schema = self.input_schema
        if self.input_examples:
            schema = {**schema, "examples": self.input_examples}
        function = Function(name=self.name, description=self.description, parameters=schema)
        return Tool(type="function", function=function).plain()


OrServers = Annotated[Either[ClientTool], by_type("custom")]


class ToolChoice(ClientData):
    """Whether tools are called, and which."""

    type: Literal["auto", "none", "any", "tool"]
    name: str | None = None
    disable_parallel_tool_use: bool = False

    @model_validator(mode="after")
    def _whole(self) -> ToolChoice:
        if self.type == "tool" and self.name is None:
            raise ValueError("a tool_choice of type tool needs its name")
        return self

    def choice(self) -> str:
        """As chats say it."""
        return {"any": "required", "tool": self.name or ""}.get(self.type, self.type)


class Thinking(ClientData):
    """Whether the model should think, and whether its thoughts are shown."""

    type: Literal["adaptive", "between_tools", "disabled", "enabled"] = "adaptive"
    display: Literal["summarized", "omitted"] | None = None
    budget_tokens: int | None = None


class OutputFormat(AnswerSchema):
    """JSON of a schema, which is followed exactly."""

    type: Literal["json_schema"]
    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    strict: Literal[True] = True


class OutputConfig(ClientData):
    """How much thought is asked of a template that has a word for it, and what answers follow."""

    effort: Effort | None = None
    format: OutputFormat | None = None
    task_budget: dict[str, Any] | None = None


class CountRequest(BaseRequest):
    """``/v1/messages/count_tokens``."""

    unserved = BaseRequest.unserved | words("compaction container mcp_servers output_format thread")
    unread = BaseRequest.unread | words(
        "betas billing_policy cache_control context_management diagnostics fallback_credit_token "
        "fallbacks inference_geo speed user_profile_id workspace_id"
    )

    messages: Annotated[list[InputMessage], Field(min_length=1)]
    system: str | list[Text] = ""
    tools: list[OrServers] = Field(default_factory=list)
    tool_choice: ToolChoice = Field(default_factory=lambda: ToolChoice(type="auto"))
    thinking: Thinking = Field(default_factory=Thinking)
    output_config: OutputConfig = Field(default_factory=OutputConfig)
    chat_template_kwargs: Options = Field(default_factory=dict)
    stop_sequences: Annotated[list[str], Many] = Field(default_factory=list)
    max_tokens: TokenCount | None = None
    append: Literal[False] = False

    def turn(self, top: int | None = None) -> dict[str, Any]:
        """As every request's, with texts that end the answer, and what ``chat_turn`` takes of a
        chat: its template is asked for thoughts by the name that most give it."""
        thinks = {"enabled": True, "disabled": False}.get(self.thinking.type)
        options = {} if thinks is None else {"enable_thinking": thinks}
        form = self.output_config.format
        return {
            **super().turn(top),
            "stop": self.stop_sequences,
            "choice": self.tool_choice.choice(),
            "options": options_of(
                {**options, **self.chat_template_kwargs}, self.output_config.effort
            ),
            "max_tokens": self.max_tokens,
            "text": form.schema_given() if form else None,
            "strict": strict_names(self.tools),
            "parallel": not self.tool_choice.disable_parallel_tool_use,
        }

    def warnings(self) -> list[str]:
        """Of its tools, and of thoughts and answers, which end where the model ends them."""
        budgets = {
            "thinking.budget_tokens": self.thinking.budget_tokens,
            "output_config.task_budget": self.output_config.task_budget,
        }
        unserved = [f"{name} is not served" for name, budget in budgets.items() if budget]
        return [*super().warnings(), *unserved]

    def chat(self) -> tuple[list[ChatMessage], str]:
        """Its messages as a chat has them, and what the answer begins with. Raises InputError for a
        begin that cannot be gone on with."""
        messages = [ChatMessage(role="system", content=text)] if (text := self._system()) else []
        begin = ""
        by_role = groupby(self.messages, lambda turn: turn.role)  # Anthropic joins them
        turns = [
            (role, [block for turn in group for block in turn.blocks()]) for role, group in by_role
        ]
        if turns[-1][0] == "assistant":
            begin = _begin(turns.pop()[1])
        for role, blocks in turns:
            if role == "assistant":
                messages.append(_assistant_message(blocks))
            elif role == "user":
                messages += _users(blocks)
            else:
                messages.append(ChatMessage(role="system", content=text_of(blocks)))
        return messages, begin

    def _system(self) -> str:
        """Without the block in which Claude Code tells its version and a hash of the request
        (``cch``): it differs by conversation, in some versions by request, and what follows would
        never be read from a session. Other servers leave it out, too."""
        if isinstance(self.system, str):
            return self.system
        return text_of([block for block in self.system if not block.text.startswith(BILLING)])


class MessageRequest(CountRequest):
    """``/v1/messages``."""

    max_tokens: TokenCount


def _users(blocks: Sequence[Any]) -> Iterator[ChatMessage]:
    for results, group in groupby(blocks, lambda block: isinstance(block, ToolResult)):
        if results:
            yield from (result.message() for result in group)
        else:
            yield ChatMessage(role="user", content=text_of(list(group)))


def _assistant_message(blocks: Sequence[Any]) -> ChatMessage:
    thoughts = [block.thinking for block in blocks if isinstance(block, Thought)]
    texts = [block for block in blocks if isinstance(block, Text)]
    calls = [
        ToolCall.of(block.id, block.name, json.dumps(block.input))
        for block in blocks
        if isinstance(block, ToolUse)
    ]
    return said(text_of(texts), calls, "\n".join(thoughts))


def _begin(blocks: Sequence[Any]) -> str:
    message = _assistant_message(blocks)
    text = with_thought(message.reasoning_content or "", text_of(message.content or ""))
    if message.tool_calls:
        raise InputError("messages end in tool_use: give the tool_result after it")
    if text != text.rstrip():  # its last token would not be the one that the model writes
        raise InputError("the begin of an answer ends in white space: leave that to the model")
    return text
