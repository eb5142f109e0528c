"""Families of models by their form of calls: templates, marks, and what they write."""

import re

import numpy as np

from chat_templates import chat_tokenizer

PROPERTIES = {"path": {"type": "string"}, "line": {"type": "integer"}, "deep": {}}
READ = {"type": "function", "function": {"name": "read", "parameters": {
    "type": "object", "properties": PROPERTIES, "required": ["path"], "additionalProperties": False,
}}}  # fmt: skip
OTHER = {"type": "function", "function": {"name": "list_all"}}
GIVEN = {"path": "a b.txt", "line": 5}
ACTION = '    {\n        "tool_name": "read",\n        "parameters": %s\n    }'
COUNTED = "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>%s<|tool_call_end|>"
CODE = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n%s\n```<｜tool▁call▁end｜>"
CALLS = {  # one call, two calls where a reply may have them: what the models write
    "tools": ('<tool_call>\n{"name": "read", "arguments": %s}\n</tool_call>', "\n"),
    "calls-thoughts": ('<tool_call>\n{"name": "read", "arguments": %s}\n</tool_call>', "\n"),
    "calls-python-list": ('[read(path="a b.txt", line=5)]', None),
    "calls-xml": (
        "<tool_call>\n<function=read>\n<parameter=path>\na b.txt\n</parameter>\n<parameter=line>\n5"
        "\n</parameter>\n</function>\n</tool_call>",
        "\n",
    ),
    "calls-llama": ('{"name": "read", "parameters": %s}', None),
    "calls-mistral": ('[TOOL_CALLS] [{"name": "read", "arguments": %s}]', None),
    "calls-mistral-args": ("[TOOL_CALLS]read[ARGS]%s", ""),
    "calls-python": ('```tool_code\nread(path="a b.txt", line=5)\n```', "\n"),
    "calls-granite": ('<|tool_call|>[{"name": "read", "arguments": %s}]', None),
    "calls-actions": (
        '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read", "parameters": %s}\n]'
        "<|END_ACTION|>",
        None,
    ),
    "calls-fenced": (f"Action:\n```json\n[\n{ACTION}\n]```\n", None),
    "calls-sections": (f"<|tool_calls_section_begin|>{COUNTED}<|tool_calls_section_end|>", None),
    "calls-deepseek": (f"<｜tool▁calls▁begin｜>{CODE}<｜tool▁calls▁end｜>", None),
    "calls-harmony": (
        "<|channel|>commentary to=functions.read <|constrain|>json<|message|>%s",
        None,
    ),
}
LISTS = {  # two calls in one list or section
    "calls-actions": '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read", '
    '"parameters": %s},\n    {"tool_call_id": "1", "tool_name": "read", "parameters": %s}\n]'
    "<|END_ACTION|>",
    "calls-fenced": "Action:\n```json\n[\n" + ",\n".join([ACTION] * 2) + "\n]```\n",
    "calls-sections": "<|tool_calls_section_begin|>"
    + "".join(COUNTED.replace("0", number) for number in "01")
    + "<|tool_calls_section_end|>",
    "calls-deepseek": f"<｜tool▁calls▁begin｜>{CODE}\n{CODE}<｜tool▁calls▁end｜>",
}
ENDS = {"calls-harmony": "<|call|>"}
SAID = {"calls-harmony": "<|channel|>final<|message|>"}
DRAFTED = {
    "calls-actions": "<|START_THINKING|>Hm. %s<|END_THINKING|>",
    "calls-thoughts": "<think>\nHm. %s\n</think>\n\n",
    "calls-harmony": "<|channel|>analysis<|message|>Hm. %s<|end|><|start|>assistant",
}


def marked_tokenizer(name):
    """The same, with the marks of calls as special tokens, as such models have them."""
    tokenizer = chat_tokenizer(name)
    tokenizer.add_special_tokens({"additional_special_tokens": FAMILIES[name]})
    return tokenizer


def allows(rule, tokenizer, end, text):
    """Whether a text, with the token that ends it, is one that a rule allows."""
    one = rule.begun()
    for token in [*tokenizer(text, add_special_tokens=False)["input_ids"], end]:
        if one.masked(np.zeros(len(tokenizer)))[token] != 0:
            return False
        one.take(token)
    return True


FAMILIES = {
    "tools": ["<|im_end|>"],
    "calls-thoughts": ["<|im_end|>"],
    "calls-python-list": ["<end_of_turn>"],
    "calls-xml": ["<|im_end|>"],
    "calls-llama": ["<|eot_id|>", "<|python_tag|>"],
    "calls-mistral": ["[TOOL_CALLS]"],
    "calls-mistral-args": ["[TOOL_CALLS]", "[ARGS]"],
    "calls-python": ["<end_of_turn>"],
    "calls-granite": ["<|tool_call|>", "<|end_of_text|>"],
    "calls-actions": "<|START_THINKING|> <|END_THINKING|> <|START_ACTION|> <|END_ACTION|>".split(),
    "calls-fenced": ["<|TURN|>"],
    "calls-sections": re.findall(r"<[^<>]*>", CALLS["calls-sections"][0]),
    "calls-deepseek": re.findall(r"<[^<>]*>", CALLS["calls-deepseek"][0]),
    "calls-harmony": "<|start|> <|channel|> <|constrain|> <|message|> <|end|> <|call|>".split(),
}  # templates that write calls, and marks of theirs that are tokens
