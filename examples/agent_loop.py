"""An agent loop by the official client: `ta serve --model FILE.gguf`, then this, with BASE_URL set.

Without BASE_URL it serves the embedded model by itself, which was taught no tools: it just chats.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

PLACES = {"warehouse": "shelf K4410-ZZ9", "office": "desk 12"}
LOCATE = {
    "name": "locate",
    "description": "Where the parts of a place are kept.",
    "parameters": {
        "type": "object",
        "properties": {"place": {"type": "string", "enum": [*PLACES]}},
        "required": ["place"],
    },
}


def run(client, model, question, tools):
    """Ask until the model has no more calls; every turn reads only what is new."""
    messages = [{"role": "user", "content": question}]
    for _ in range(4):
        options = {"tools": tools} if tools else {}
        answer = client.chat.completions.create(
            model=model, messages=messages, temperature=0, max_tokens=64, **options
        )
        message, used = answer.choices[0].message, answer.usage
        cached = used.prompt_tokens_details.cached_tokens
        print(f"{used.prompt_tokens} tokens, {cached} of them were read before")
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            break
        for call in message.tool_calls:
            place = json.loads(call.function.arguments).get("place", "")
            location = PLACES.get(place, "no such place")
            messages.append({"role": "tool", "tool_call_id": call.id, "content": location})
    print(message.content)


def main():
    """Serve, or use what is served, and run the agent."""
    if find_spec("openai") is None or find_spec("uvicorn") is None:
        print("needs openai and the extra [serve]; no tokens were read")
        return
    from openai import OpenAI  # noqa: PLC0415  (an extra)

    if address := os.environ.get("BASE_URL"):
        client = OpenAI(base_url=address, api_key=os.environ.get("TA_API_KEY", "none"))
        (model,) = client.models.list()
        run(
            client,
            model.id,
            "Where is the warehouse's part?",
            [{"type": "function", "function": LOCATE}],
        )
        return
    start = "from transactional_attention.cli import main; main()"
    command = [sys.executable, "-c", start, "serve", "--port", "0", "--budget", "64"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            address = server.stderr.readline().split()[2].rstrip(",")
            with OpenAI(base_url=address, api_key="none") as client:
                run(client, "embedded", "The shelf code is 730184. What is the shelf code?", [])
        finally:
            server.terminate()


main()
