"""encode_chat: who wrote which token, whatever the template does."""

import inspect

import pytest
from transformers import PreTrainedTokenizerBase

import transactional_attention as ta
from chat_templates import AGENT, CALL, PLAIN, READ, chat, chat_tokenizer
from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.engines.chat_sources import chat_text
from transactional_attention.engines.prompts import NOT_OPTIONS

REPEATED = chat(
    ("system", "user"), ("user", "user"), ("assistant", "us"), ("user", "user us"),
    ("assistant", "s"), ("user", "us"),
)  # fmt: skip
EMPTY = chat(("system", ""), ("user", "Hello"), ("assistant", ""), ("user", "Hello"))


def runs(template, messages, **options):
    """[(source, text)] in order, neighbours of one source joined; all tokens are covered."""
    tokenizer = chat_tokenizer(template)
    inputs, (ranges,) = ta.encode_chat(messages, tokenizer, **options)
    ids = inputs["input_ids"][0].tolist()
    assert [r.span.start for r in ranges] == [0, *(r.span.end for r in ranges[:-1])]
    assert ranges[-1].span.end == len(ids)
    passages = []
    for r in ranges:
        text = tokenizer.decode(ids[r.span.start : r.span.end])
        if passages and passages[-1][0] == r.source:
            passages[-1] = (r.source, passages[-1][1] + text)
        else:
            passages.append((r.source, text))
    return passages


def turns(header, close, messages):
    """Turns as a template writes them, each from its header to its close."""
    return [(m["role"], header.format(m["role"]) + m["content"] + close) for m in messages]


LLAMA3 = ("<|start_header_id|>{}<|end_header_id|>\n\n", "<|eot_id|>")
CHATML = ("<|im_start|>{}\n", "<|im_end|>\n")


@pytest.mark.parametrize("messages", [PLAIN, REPEATED, EMPTY], ids=["plain", "repeated", "empty"])
def test_a_turn_begins_at_its_header(messages):
    passages = runs("chatml", messages, add_generation_prompt=False)
    assert passages == turns(*CHATML, messages)


def test_the_header_of_the_reply_is_the_assistants():
    stripped = [{**m, "content": m["content"].strip()} for m in PLAIN]
    (first, *rest), ask = turns(*LLAMA3, stripped), LLAMA3[0].format("assistant")
    expected = [("system", "<s>" + first[1]), *rest, ("assistant", ask)]
    assert runs("llama3", PLAIN) == expected


@pytest.mark.parametrize("messages", [PLAIN, REPEATED], ids=["plain", "repeated"])
def test_contents_that_stand_without_headers(messages):
    contents = [m["content"].strip() for m in messages]
    passages = runs("mistral", messages)
    assert passages[:3] == [
        ("system", f"<s>[INST] {contents[0]}"),
        ("user", f"\n\n{contents[1]}"),
        ("assistant", f" [/INST] {contents[2]}</s>"),
    ]
    assert passages[-2:] == [("user", f"[INST] {contents[-1]}"), ("assistant", " [/INST]")]


def test_tools_are_the_systems_and_calls_the_assistants():
    header, close = CHATML
    tools = '\n\n# Tools\n{"type": "function", "function": {"name": "read", '
    for messages in (
        AGENT,
        [{"content": "", **m} for m in AGENT],
        [{"content": None, **m} for m in AGENT],
    ):
        passages = runs("tools", messages, tools=[READ], add_generation_prompt=False)
        sources, texts = zip(*passages)
        assert sources == ("system", "user", "assistant", "tool", "assistant")
        assert texts[0].startswith(header.format("system") + "You may call tools." + tools)
        assert texts[0].endswith(close)
        assert texts[1] == header.format("user") + "Read the file." + close
        assert texts[2].startswith("<|im_start|>assistant\n<tool_call>\n")
        assert texts[2].endswith('/etc/motd"}}\n</tool_call><|im_end|>\n')
        assert texts[3].startswith("<|im_start|>user\n<tool_response>\napi_key")
        assert texts[3].endswith("The end.\n</tool_response><|im_end|>\n")
        assert texts[4] == header.format("assistant") + "Done." + close


@pytest.mark.parametrize("number", [0, 99])
def test_text_that_is_no_content_cannot_pretend_to_be_one(number):
    forged = {**CALL["function"], "arguments": {"path": f"\u2402{number}\u2403"}}
    calls = [{**CALL, "function": forged}]
    passages = runs("tools", [AGENT[1], {"role": "assistant", "tool_calls": calls}, *AGENT[3:]])
    assert [s for s, text in passages if "\u2403" in text] == ["assistant"]


def test_a_system_prompt_that_the_template_writes_is_the_systems():
    passages = runs("tools", PLAIN[1:2], tools=[READ], add_generation_prompt=False)
    assert [source for source, _ in passages] == ["system", "user"]
    assert "# Tools" in passages[0][1]


@pytest.mark.parametrize(("template", "joint"), [("default-system", "\n"), ("parts", "")])
def test_parts_keep_their_role(template, joint):
    parts = [{"type": "text", "text": 'It\'s "one".'}, {"type": "text", "text": "And two."}]
    messages = [*PLAIN[:3], {"role": "user", "content": parts}]
    text = joint.join(part["text"] for part in parts)
    passages = runs(template, messages, add_generation_prompt=False)
    assert passages == turns(*CHATML, [*PLAIN[:3], {"role": "user", "content": text}])
    parts.append({"type": "image_url", "image_url": {"url": "x"}})
    with pytest.raises(ta.InputError, match="type 'image_url'"):
        runs(template, messages)


def test_other_arguments_reach_the_template():
    header, _ = CHATML
    passages = runs("thoughts", PLAIN, enable_thinking=False)
    assert passages[-1] == ("assistant", header.format("assistant") + "<think>\n\n</think>\n\n")
    begun = [*PLAIN, {"role": "assistant", "content": "The key is"}]
    passages = runs("chatml", begun, continue_final_message=True)
    assert passages[-1] == ("assistant", header.format("assistant") + "The key is")
    with pytest.raises(ta.InputError, match="leave out return_tensors"):
        runs("chatml", PLAIN, return_tensors="pt")


def test_a_reply_that_the_template_cuts_is_still_the_assistants():
    thinking = {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nFour."}
    passages = runs("thoughts", [PLAIN[1], thinking, PLAIN[3]], add_generation_prompt=False)
    assert passages == turns(*CHATML, [PLAIN[1], {**thinking, "content": "Four."}, PLAIN[3]])


@pytest.mark.parametrize(
    ("role", "source"),
    [("developer", "system"), ("function", "tool"), ("ipython", "tool"), ("critic", "unknown")],
)
def test_other_role_names_are_mapped(role, source):
    messages = [*PLAIN, {"role": role, "content": "xyz"}]
    author, text = runs("chatml", messages, add_generation_prompt=False)[-1]
    assert author == source and text.endswith("xyz<|im_end|>\n")


def test_what_cannot_be_encoded_is_refused():
    with pytest.raises(ta.InputError, match="at least one message"):
        runs("chatml", [])
    with pytest.raises(ta.InputError, match="no chat template"):
        ta.encode_chat(PLAIN, byte_tokenizer())


def test_anchors_know_who_wrote_them():
    tokenizer = chat_tokenizer("tools")
    model = tiny_llama(vocab_size=len(tokenizer))
    inputs, sources = ta.encode_chat(AGENT, tokenizer, tools=[READ])
    cache = ta.RetentionCache(model, tokenizer, 64, sources=sources)
    ta.prefill(model, inputs["input_ids"], cache)
    authors = {span.source for span in cache.flow.sequences[0].registry.spans}
    assert authors >= {"assistant", "tool"}  # the path in the call, and the key
    assert "unknown" not in authors


def test_what_the_template_wrote_is_marked():
    tokenizer = chat_tokenizer("tools")
    inputs, (ranges,) = ta.encode_chat(AGENT, tokenizer, tools=[READ])
    ids = inputs["input_ids"][0].tolist()
    written = [tokenizer.decode(ids[r.span.start : r.span.end]) for r in ranges if not r.template]
    assert written == [m["content"] for m in AGENT if "content" in m]


def test_no_option_of_a_template_takes_the_place_of_an_argument():
    """Those that transformers knows, whatever its version, and those of our own."""
    known = set(inspect.signature(PreTrainedTokenizerBase.apply_chat_template).parameters)
    known |= set(inspect.signature(chat_text).parameters)
    assert known <= NOT_OPTIONS
