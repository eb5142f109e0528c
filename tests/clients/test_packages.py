"""Packages that programs are written with: the task over a folder, by their own loops of calls."""

import json
from typing import Literal

import pytest

import speaking

pytestmark = pytest.mark.filterwarnings("ignore")  # the packages' own
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
READ = {"name": "read", "description": "Read a file.", "parameters": PARAMETERS}
ASKED = {"role": "user", "content": speaking.TASK}


@pytest.fixture
def server(serve, monkeypatch):
    """One whose model does the task by a tool ``read``."""
    speaking.speak(monkeypatch, speaking.task(lambda name: speaking.call("read", path=name)))
    return speaking.start(serve)


def output(arguments):
    """What the tool gives back."""
    return speaking.FILES[arguments["path"]]


def test_openai_chats(server):
    client, chat, answer = server.client(), [ASKED], ""
    tools = [{"type": "function", "function": READ}]
    for _ in range(4):
        with client.chat.completions.stream(model="gpt-5", messages=chat, tools=tools) as stream:
            message = stream.get_final_completion().choices[0].message
        answer = message.content
        chat.append(message.to_dict())
        for call in message.tool_calls or ():
            given = output(json.loads(call.function.arguments))
            chat.append({"role": "tool", "tool_call_id": call.id, "content": given})
    assert answer == speaking.DONE
    speaking.check_task(server)


def test_openai_responses(server):
    client, items = server.client(), [ASKED]
    tools = [{"type": "function", **READ}]
    for _ in range(4):
        with client.responses.stream(model="gpt-5", input=items, tools=tools) as stream:
            response = stream.get_final_response()
        items += [item.to_dict() for item in response.output]
        for item in response.output:
            if item.type == "function_call":
                given = output(json.loads(item.arguments))
                entry = {"type": "function_call_output", "call_id": item.call_id, "output": given}
                items.append(entry)
    assert response.output_text == speaking.DONE
    speaking.check_task(server)


def test_anthropic(server):
    anthropic = pytest.importorskip("anthropic", reason="needs anthropic: run .ci/clients")
    chat = [ASKED]
    tool = {"name": "read", "description": "Read a file.", "input_schema": PARAMETERS}
    with anthropic.Anthropic(base_url=server.url, api_key="none") as client:
        for _ in range(4):
            about = dict(model="claude-opus-4-8", max_tokens=500, messages=chat, tools=[tool])
            with client.messages.stream(**about) as stream:
                message = stream.get_final_message()
            chat.append({"role": "assistant", "content": message.content})
            results = [
                {"type": "tool_result", "tool_use_id": block.id, "content": output(block.input)}
                for block in message.content
                if block.type == "tool_use"
            ]
            chat.append({"role": "user", "content": results})
    assert message.content[0].text == speaking.DONE
    speaking.check_task(server)


@pytest.mark.parametrize("interface", ["chat", "responses"])
def test_openai_agents(server, interface):
    agents = pytest.importorskip("agents", reason="needs openai-agents: run .ci/clients")
    import openai  # noqa: PLC0415

    @agents.function_tool
    def read(path: str) -> str:
        """Read a file."""
        return speaking.FILES[path]

    agents.set_tracing_disabled(True)
    client = openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="none")
    kinds = {"chat": agents.OpenAIChatCompletionsModel, "responses": agents.OpenAIResponsesModel}
    model = kinds[interface](model="tiny", openai_client=client)
    agent = agents.Agent("reader", instructions="Be brief.", tools=[read], model=model)
    assert agents.Runner.run_sync(agent, speaking.TASK).final_output == speaking.DONE
    speaking.check_task(server)


def langchain(server):
    """Its chat model."""
    reason = "needs langchain-openai: run .ci/clients"
    package = pytest.importorskip("langchain_openai", reason=reason)
    return package.ChatOpenAI(model="tiny", base_url=f"{server.url}/v1", api_key="none")


def test_langchain(server):
    model = langchain(server).bind_tools([{"type": "function", "function": READ}])
    chat = [("user", speaking.TASK)]
    for _ in range(4):
        parts = list(model.stream(chat))
        message = sum(parts[1:], parts[0])
        chat.append(message)
        for call in message.tool_calls:
            given = output(call["args"])
            chat.append({"role": "tool", "tool_call_id": call["id"], "content": given})
    assert message.text == speaking.DONE
    speaking.check_task(server)


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
def test_langchain_has_structured_output(serve, monkeypatch, method):
    """A random model follows the schema; of any JSON, which ``json_mode`` asks for, it is told."""
    import pydantic  # noqa: PLC0415

    class Shelf(pydantic.BaseModel):
        """A shelf."""

        kind: Literal["wood", "steel"]
        full: bool

    server = speaking.start(serve)
    if method == "json_mode":
        speaking.speak(monkeypatch, lambda text: '{"kind": "wood", "full": false}')
    model = langchain(server).with_structured_output(Shelf, method=method)
    assert isinstance(model.invoke("Which shelf? Answer as JSON."), Shelf)
