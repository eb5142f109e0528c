"""Fields that the official packages can send: each is served, refused by name, or in the list of
those that do not change the answer."""

import pytest

import servers
from transactional_attention.server import message_requests, requests

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
