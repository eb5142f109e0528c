"""Chat templates of several kinds, written anew after those of well-known models."""

from scenes import byte_tokenizer

LLAMA3 = (
    "<s>{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
DEFAULT_SYSTEM = (  # as SmolLM2; strings are added, so that lists of parts are an error
    "{% for m in messages %}{% if loop.first and m.role != 'system' %}"
    "<|im_start|>system\nYou are helpful.<|im_end|>\n{% endif %}"
    "{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MISTRAL = (  # system and user in one pair of marks, and turns must alternate
    "<s>{% set chat = messages[1:] if messages[0].role == 'system' else messages %}"
    "{% for m in chat %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('turns must alternate') }}{% endif %}"
    "{% if m.role == 'assistant' %} {{ m.content.strip() }}</s>{% else %}[INST] "
    "{% if loop.first and messages[0].role == 'system' %}{{ messages[0].content.strip() }}\n\n"
    "{% endif %}{{ m.content.strip() }} [/INST]{% endif %}{% endfor %}"
)
TOOLS = (  # as Qwen2.5: tools in the system's turn, outputs in one turn of the user's
    "<|im_start|>system\n{% if messages[0].role == 'system' %}{{ messages[0].content }}"
    "{% else %}You are helpful.{% endif %}"
    "{% if tools %}{{ '\n\n# Tools\n' }}"
    "{% for t in tools %}{{ t | tojson }}\n{% endfor %}{% endif %}"
    "<|im_end|>\n{% for m in messages %}{% if m.role == 'tool' %}"
    "{% if messages[loop.index0 - 1].role != 'tool' %}<|im_start|>user{% endif %}"
    "{{ '\n<tool_response>\n' + m.content }}\n</tool_response>"
    "{% if loop.last or messages[loop.index0 + 1].role != 'tool' %}<|im_end|>\n{% endif %}"
    "{% elif m.role != 'system' %}<|im_start|>{{ m.role }}"
    "{% if m.content %}{{ '\n' + m.content }}{% endif %}{% for c in m.tool_calls or [] %}"
    '{{ "\n" }}<tool_call>\n{"name": "{{ c.function.name }}", "arguments": '
    "{{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}<|im_end|>\n{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
THOUGHTS = (  # as Qwen3: replies before the last question lose their thoughts
    "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}"
    "{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.role == 'assistant' and loop.index0 < ns.last %}"
    "{{ m.content.split('</think>')[-1].lstrip('\n') }}{% else %}{{ m.content }}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}"
    "{% endif %}"
)
PARTS = (  # contents are lists of parts
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}"
    "{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEMPLATES = {
    "llama3": LLAMA3,
    "chatml": CHATML,
    "default-system": DEFAULT_SYSTEM,
    "mistral": MISTRAL,
    "tools": TOOLS,
    "thoughts": THOUGHTS,
    "parts": PARTS,
}
PLAIN = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "  What is two plus two? "},
    {"role": "assistant", "content": "Four, döch."},
    {"role": "user", "content": "And the key?"},
]
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


def chat_tokenizer(template):
    """A tokenizer of bytes with one of the templates."""
    return byte_tokenizer(TEMPLATES[template])
