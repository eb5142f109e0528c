"""A LangChain chat model by base URL: `ta serve`, then this, with BASE_URL set.

Without BASE_URL it serves the embedded model by itself. Needs langchain-openai, and [serve].
"""

import contextlib
import os
import subprocess
import sys
from importlib.util import find_spec

NOTES = "The shelf code is 730184. Nobody came by, and the plants were watered. "


@contextlib.contextmanager
def server():
    """Where a server is: at BASE_URL, or one that ends with the block."""
    if address := os.environ.get("BASE_URL"):
        yield address
        return
    start = "from transactional_attention.cli import main; main()"
    command = [sys.executable, "-c", start, "serve", "--port", "0", "--budget", "64"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process.stderr.readline().split()[2].rstrip(",")
        finally:
            process.terminate()


def main():
    """Two turns; the second reads only what is new."""
    if find_spec("langchain_openai") is None or find_spec("uvicorn") is None:
        print("needs langchain-openai and the extra [serve]; no tokens were read")
        return
    from langchain_core.messages import HumanMessage  # noqa: PLC0415
    from langchain_openai import ChatOpenAI  # noqa: PLC0415
    from openai import OpenAI  # noqa: PLC0415

    key = os.environ.get("TA_API_KEY", "none")
    with server() as address, OpenAI(base_url=address, api_key=key) as client:
        (served,) = client.models.list()
        model = ChatOpenAI(
            model=served.id,
            base_url=address,
            api_key=key,
            temperature=0,
            max_completion_tokens=16,
            extra_body={"session": "langchain"},  # a session's name is up to the client
        )
        messages = [HumanMessage(NOTES + "What is the shelf code?")]
        for question in ("And what is the shelf code once more?", None):
            answer = model.invoke(messages)
            used = answer.usage_metadata
            read = used.get("input_token_details", {}).get("cache_read", 0)
            print(f"{used['input_tokens']} tokens, {read} of them were read before")
            messages += [answer] + ([HumanMessage(question)] if question else [])
        print(messages[-1].content)


main()
