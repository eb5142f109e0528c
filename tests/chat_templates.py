"""Chat templates of several kinds, written anew after those of well-known models."""

from scenes import byte_tokenizer, template


def chat(*said):
    """Messages of (role, content)."""
    return [{"role": role, "content": content} for role, content in said]


PLAIN = chat(
    ("system", "Be brief."), ("user", "  What is two plus two? "), ("assistant", "Four, döch."),
    ("user", "And the key?"),
)  # fmt: skip
CALL = {"type": "function", "function": {"name": "read", "arguments": {"path": "/etc/motd"}}}
AGENT = [
    {"role": "system", "content": "You may call tools."},
    {"role": "user", "content": "Read the file."},
    {"role": "assistant", "tool_calls": [CALL]},
    {"role": "tool", "content": "api_key: QX7K"},
    {"role": "tool", "content": "The end."},
    {"role": "assistant", "content": "Done."},
]
READ = {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {}}}


def chat_tokenizer(name):
    """A tokenizer of bytes with one of the templates."""
    return byte_tokenizer(template(name))
