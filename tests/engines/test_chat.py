"""encode_chat: who wrote which token, whatever the template does."""

import pytest

import transactional_attention as ta
from scenes import byte_tokenizer, kept_positions
from teacher_forced import tiny_llama

LLAMA3 = (
    "<s>{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MISTRAL = (
    "<s>{% for m in messages %}{% if m.role == 'assistant' %} {{ m.content.strip() }}</s>"
    "{% elif m.role == 'system' %}[INST] {{ m.content.strip() }}\n\n"
    "{% else %}{% if not loop.first and messages[loop.index0 - 1].role != 'system' %}[INST] "
    "{% endif %}{{ m.content.strip() }} [/INST]{% endif %}{% endfor %}"
)
TOOLS = (
    "<|im_start|>system\n{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}"
    "{% if tools %}\n# Tools\n{% for t in tools %}{{ t | tojson }}\n{% endfor %}{% endif %}"
    "<|im_end|>\n{% for m in messages %}{% if m.role != 'system' %}<|im_start|>{{ m.role }}\n"
    "{% if m.content %}{{ m.content }}{% endif %}{% for c in m.tool_calls or [] %}"
    "<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>\n{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEMPLATES = {"llama3": LLAMA3, "chatml": CHATML, "mistral": MISTRAL, "tools": TOOLS}

PLAIN = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "  What is two plus two? "},
    {"role": "assistant", "content": "Four, döch."},
    {"role": "user", "content": "And the key?"},
]
REPEATED = [
    {"role": "system", "content": "user"},
    {"role": "user", "content": "user"},
    {"role": "assistant", "content": "us"},
    {"role": "user", "content": "user us"},
    {"role": "assistant", "content": "s"},
    {"role": "user", "content": "us"},
]
EMPTY = [
    {"role": "system", "content": ""},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": ""},
    {"role": "user", "content": "Hello"},
]
AGENT = [
    {"role": "system", "content": "You may call tools."},
    {"role": "user", "content": "Read the file."},
    {
        "role": "assistant",
        "tool_calls": [
            {"type": "function", "function": {"name": "read", "arguments": {"path": "/etc/motd"}}}
        ],
    },
    {"role": "tool", "content": "api_key: QX7K"},
    {"role": "assistant", "content": "Done."},
]
READ = {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {}}}


def runs(template, messages, **options):
    """[(source, text)] in order, neighbours of one source joined; all tokens are covered."""
    tokenizer = byte_tokenizer(TEMPLATES[template])
    inputs, (ranges,) = ta.encode_chat(messages, tokenizer, **options)
    ids = inputs["input_ids"][0].tolist()
    assert [r.span.start for r in ranges] == [0, *(r.span.end for r in ranges[:-1])]
    assert ranges[-1].span.end == len(ids)
    found = []
    for r in ranges:
        text = tokenizer.decode(ids[r.span.start : r.span.end])
        if found and found[-1][0] == r.source:
            found[-1] = (r.source, found[-1][1] + text)
        else:
            found.append((r.source, text))
    return found


def test_llama3_template():
    header = "<|eot_id|><|start_header_id|>{}<|end_header_id|>\n\n".format
    assert runs("llama3", PLAIN) == [
        ("system", "<s><|start_header_id|>system<|end_header_id|>\n\nBe brief."),
        ("user", header("user") + "What is two plus two?"),
        ("assistant", header("assistant") + "Four, döch." + header("user")),
        ("user", "And the key?" + header("assistant")),
    ]


def test_chatml_template():
    header = "<|im_end|>\n<|im_start|>{}\n".format
    assert runs("chatml", PLAIN, add_generation_prompt=False) == [
        ("system", "<|im_start|>system\nBe brief."),
        ("user", header("user") + "  What is two plus two? "),
        ("assistant", header("assistant") + "Four, döch." + header("user")),
        ("user", "And the key?<|im_end|>\n"),
    ]


def test_mistral_template_strips_contents():
    assert runs("mistral", PLAIN) == [
        ("system", "<s>[INST] Be brief."),
        ("user", "\n\nWhat is two plus two?"),
        ("assistant", " [/INST] Four, döch.</s>[INST] "),
        ("user", "And the key? [/INST]"),
    ]


def test_contents_that_repeat_or_contain_each_other():
    header = "<|im_end|>\n<|im_start|>{}\n".format
    assert runs("chatml", REPEATED, add_generation_prompt=False) == [
        ("system", "<|im_start|>system\nuser"),
        ("user", header("user") + "user"),
        ("assistant", header("assistant") + "us" + header("user")),
        ("user", "user us"),
        ("assistant", header("assistant") + "s" + header("user")),
        ("user", "us<|im_end|>\n"),
    ]


def test_contents_that_stand_without_headers():
    assert runs("mistral", REPEATED) == [
        ("system", "<s>[INST] user"),
        ("user", "\n\nuser"),
        ("assistant", " [/INST] us</s>[INST] "),
        ("user", "user us"),
        ("assistant", " [/INST] s</s>[INST] "),
        ("user", "us [/INST]"),
    ]


def test_empty_contents_take_no_token():
    header = "<|im_end|>\n<|im_start|>{}\n".format
    assert runs("chatml", EMPTY, add_generation_prompt=False) == [
        ("system", "<|im_start|>system\n"),
        ("user", header("user") + "Hello"),
        ("assistant", header("assistant") + header("user")),
        ("user", "Hello<|im_end|>\n"),
    ]


def test_a_tool_call_is_trusted_no_more_than_its_result():
    found = runs("tools", AGENT, tools=[READ])
    assert [source for source, _ in found] == ["system", "user", "tool", "assistant"]
    texts = dict(found)
    assert texts["system"].endswith("You may call tools.")
    assert "# Tools" in texts["user"]  # between the system's content and the user's
    assert texts["user"].endswith("Read the file.")
    assert "<tool_call>" in texts["tool"]
    assert "\napi_key: QX7K<" in texts["tool"]
    assert texts["assistant"].startswith("Done.")


@pytest.mark.parametrize(
    ("role", "source"),
    [("developer", "system"), ("function", "tool"), ("ipython", "tool"), ("critic", "unknown")],
)
def test_other_role_names_are_mapped(role, source):
    messages = [*PLAIN, {"role": role, "content": "xyz"}]
    assert (source, True) in [(s, text.endswith("xyz")) for s, text in split_last(messages)]


def split_last(messages):
    found = runs("chatml", messages, add_generation_prompt=False)
    return [(source, text.removesuffix("<|im_end|>\n")) for source, text in found]


@pytest.mark.parametrize(
    ("messages", "tokenizer", "message"),
    [
        ([], byte_tokenizer(CHATML), "at least one message"),
        (PLAIN, byte_tokenizer(), "no chat template"),
    ],
)
def test_what_cannot_be_encoded_is_refused(messages, tokenizer, message):
    with pytest.raises(ta.InputError, match=message):
        ta.encode_chat(messages, tokenizer)


def converse(retention, messages=AGENT):
    tokenizer = byte_tokenizer(TOOLS)
    model = tiny_llama(vocab_size=len(tokenizer))
    inputs, sources = ta.encode_chat(messages, tokenizer, tools=[READ])
    cache = ta.RetentionCache(model, tokenizer, retention, sources=sources)
    model.generate(**inputs, past_key_values=cache, max_new_tokens=40, do_sample=False)
    return cache, sources[0]


def test_anchors_know_who_wrote_them():
    cache, _ = converse(ta.Retention(budget=64))
    found = {span.source for span in cache.flow.sequences[0].registry.spans}
    assert found == {"tool"}


def test_a_protected_role_keeps_every_token():
    cache, sources = converse(ta.Retention(budget=96, protect_roles=("system",)))
    system = {p for r in sources if r.source == "system" for p in range(r.span.start, r.span.end)}
    assert system <= set(kept_positions(cache))
    assert cache.ledger.between == 96


def test_what_the_template_wrote_is_marked():
    tokenizer = byte_tokenizer(TOOLS)
    inputs, (ranges,) = ta.encode_chat(AGENT, tokenizer, tools=[READ])
    ids = inputs["input_ids"][0].tolist()
    written = [tokenizer.decode(ids[r.span.start : r.span.end]) for r in ranges if not r.template]
    assert written == [m["content"] for m in AGENT if "content" in m]
