"""Fields that the official packages can send: each is served, refused by name, or in the list of
those that do not change the answer."""

from collections import Counter
from typing import Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from typing_extensions import get_type_hints, is_typeddict

import servers
from transactional_attention.server import chat_messages, message_requests, requests

anthropic = pytest.importorskip("anthropic", reason="needs anthropic: run .ci/extras")

from anthropic.types import message_count_tokens_params, message_create_params  # noqa: E402
from anthropic.types.beta import message_create_params as beta_params  # noqa: E402
from openai.types import completion_create_params  # noqa: E402
from openai.types.chat import completion_create_params as chat_params  # noqa: E402
from openai.types.responses import response_create_params  # noqa: E402

PUBLISHED = [
    (requests.ChatRequest, chat_params.CompletionCreateParamsBase),
    (requests.CompletionRequest, completion_create_params.CompletionCreateParamsBase),
    (requests.ResponseRequest, response_create_params.ResponseCreateParamsBase),
    (message_requests.MessageRequest, message_create_params.MessageCreateParamsBase),
    (message_requests.MessageRequest, beta_params.MessageCreateParamsBase),
    (message_requests.CountRequest, message_count_tokens_params.MessageCountTokensParams),
]

IGNORED = {
    "where a cache may end, which sessions find by themselves": (
        "ContentPart.prompt_cache_breakpoint Text.cache_control ToolUse.cache_control "
        "ToolResult.cache_control ClientTool.cache_control"
    ),
    "about an earlier answer, beside its text": (
        "ContentPart.annotations ContentPart.logprobs Text.citations Item.id Item.status Item.async"
    ),
    "readable by the server alone that wrote it": (
        "Item.encrypted_content Thought.signature RedactedThought.data Thinking.block_binding"
    ),
    "a summary of thoughts, which are shown and read whole": (
        "Item.summary Reasoning.summary Reasoning.generate_summary"
    ),
    "for the template, which alone decides which thoughts it keeps": "Reasoning.context",
    "of a kind for which templates have no word": (
        "Item.phase TextOptions.verbosity FlatTool.output_schema"
    ),
    "of a schema that the grammar follows, and that the model is not told": (
        "AnswerSchema.name AnswerSchema.description FlatFormat.name FlatFormat.description"
    ),
    "of tools that code calls, are searched for or come in sets: here all are given, and the model "
    "calls them": (
        "Item.caller Item.namespace ToolUse.caller ToolUse.toolset_name ToolResult.toolset_name "
        "FlatTool.allowed_callers FlatTool.defer_loading ClientTool.allowed_callers "
        "ClientTool.defer_loading"
    ),
    "how events of a stream are cut or filled": (
        "StreamOptions.include_obfuscation ClientTool.eager_input_streaming"
    ),
}
"""Fields of nested objects that are let through unread, by what they are."""
OLD, SYSTEM, TOOL = (
    {"role": "assistant", "content": "x"},
    {"role": "system", "content": "x"},
    {"type": "function", "name": "x", "parameters": None},
)
UNSERVED = [
    ("chat/completions", "messages", OLD, {"audio": {"id": "x"}}),
    ("chat/completions", "messages", OLD, {"function_call": {"name": "x"}}),
    ("chat/completions", "messages", OLD, {"refusal": "x"}),
    ("responses", "tools", TOOL, {"async": True}),
    ("responses", "reasoning", None, {"mode": "pro"}),
    ("messages", "messages", SYSTEM, {"clear_at": "next_user_message"}),
    ("messages", "messages", SYSTEM, {"output_config": {"effort": "low"}}),
]
"""Where an object, one of several or the only one, has a field that is refused."""


def kinds(hint):
    """Types of objects in an annotation."""
    if isinstance(hint, type) and (is_typeddict(hint) or issubclass(hint, BaseModel)):
        return [hint]
    return [kind for part in get_args(hint) for kind in kinds(part)]


def values(hint):
    """Literal values in an annotation."""
    if get_origin(hint) is Literal:
        return {*get_args(hint)}
    return set().union(*map(values, get_args(hint)))


def fields(kind):
    """Annotations of an object's fields, by the names that clients give them."""
    if is_typeddict(kind):
        return get_type_hints(kind, include_extras=True)
    return {field.alias or name: field.annotation for name, field in kind.model_fields.items()}


def takes(ours, theirs):
    """Whether an object of theirs is read as ours, and not left out or refused by its kind."""
    known, given = fields(ours), fields(theirs)
    pairs = [
        (values(known[k]), values(given[k])) for k in ("type", "role") if k in known and k in given
    ]
    return ours is not chat_messages.OtherTool and all(not (a and b) or a & b for a, b in pairs)


def unread(ours, theirs, seen, *, nested=True):
    """Fields of theirs, and of all objects below, that ours do not name."""
    if (ours, theirs) in seen:
        return
    seen.add((ours, theirs))
    known = fields(ours)
    for name, hint in fields(theirs).items():
        if name not in known and nested:
            yield f"{ours.__name__}.{name}"
        below = kinds(known.get(name))
        for kind in kinds(hint):
            for one in below:
                if takes(one, kind):
                    yield from unread(one, kind, seen)


def test_every_field_of_a_nested_object_is_known():
    listed = Counter(name for names in IGNORED.values() for name in names.split())
    assert set(listed.values()) == {1}
    seen = set()
    found = {name for pair in PUBLISHED for name in unread(*pair, seen, nested=False)}
    assert found == set(listed)
    assert {ours.__name__ for ours, _ in seen} >= {
        *("ChatMessage ContentPart ToolCall CalledFunction Tool Function FlatTool Item".split()),
        *("Text Thought ToolUse ToolResult ClientTool ToolChoice Thinking OutputConfig".split()),
        *("ResponseFormat AnswerSchema TextOptions FlatFormat StreamOptions Reasoning".split()),
    }


@pytest.mark.parametrize(("ours", "theirs"), PUBLISHED)
def test_every_published_field_is_known(ours, theirs):
    lists = [set(ours.model_fields), ours.unserved, ours.unread]
    assert set(theirs.__annotations__) - set.union(*map(set, lists)) == set()
    assert sum(map(len, lists)) == len(set.union(*map(set, lists)))  # in one list each


def test_what_is_not_served_is_refused_by_name(serve):
    server = serve()
    asked = {
        "chat/completions": (requests.ChatRequest, {"messages": servers.FIRST}),
        "completions": (requests.CompletionRequest, {"prompt": "x"}),
        "responses": (requests.ResponseRequest, {"input": "x"}),
        "messages": (message_requests.MessageRequest, {"messages": servers.FIRST[1:]}),
    }
    for path, (kind, good) in asked.items():
        for name in kind.unserved:
            body = {"model": "tiny", "max_tokens": 2, **good, name: {"x": servers.VALUE}}
            answer = servers.httpx.post(f"{server.url}/v1/{path}", json=body)
            assert answer.status_code == 400, (path, name)
            assert answer.json()["error"]["message"].startswith(f"{name}: this is not served")


@pytest.mark.parametrize(("path", "name", "one", "field"), UNSERVED)
def test_what_is_not_served_of_a_nested_object_is_refused_by_name(serve, path, name, one, field):
    good = {"model": "tiny", "max_tokens": 2, "messages": servers.FIRST[1:], "input": "x"}
    body = {**good, name: [{**one, **field}] if one else field}
    answer = servers.httpx.post(f"{serve().url}/v1/{path}", json=body)
    assert answer.status_code == 400
    place = ".".join([name, *["0"] * bool(one), *field])
    why = answer.json()["error"]["message"]
    assert why.startswith((f"{place}: this is not served", f"{place}: Input should be '"))


def test_examples_of_a_tool_stand_in_its_schema_and_a_budget_of_a_task_is_told():
    tool = {"name": "x", "input_schema": {"type": "object"}, "input_examples": [{"a": 1}]}
    about = {"max_tokens": 2, "tools": [tool], "output_config": {"task_budget": {"total": 9}}}
    asked = message_requests.MessageRequest(messages=servers.FIRST[1:], **about)
    (plain,) = asked.plain_tools()
    assert plain["function"]["parameters"] == {"type": "object", "examples": [{"a": 1}]}
    assert asked.warnings() == ["output_config.task_budget is not served"]
