"""SmolLM2 behind the server: a long conversation at K tokens, by the official client."""

import servers
from transactional_attention.engines.transformers.serving import TransformersEngine

WALK = "We walked along the river until it got dark. " * 40
ASK = "What is the capital of France? Answer in one sentence."


def test_a_conversation_of_many_tokens_stays_at_k(smollm2, serve):
    server = serve(TransformersEngine("smollm2", *smollm2, chunk=256), budget=256)
    client, chat, found = server.client(), [], []
    for said in (f"The gate code is 730184. {WALK}", WALK, ASK):
        chat.append({"role": "user", "content": said})
        answer = servers.ask(client, chat, model="smollm2", max_tokens=24)
        chat.append({"role": "assistant", "content": servers.said(answer)})
        found.append(answer)
    assert "Paris" in chat[-1]["content"]
    assert found[1].usage.prompt_tokens_details.cached_tokens > 400
    assert len({answer.session["id"] for answer in found}) == 1
    held = server.session(found[0].session["id"])
    assert held["live"] <= 256 < held["tokens"]
    assert [value["held"] for value in held["values"] if "gate code" in value["label"]] == [True]
