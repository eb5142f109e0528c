"""Calls in an answer that streams: however it is cut, the same text and calls."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import servers
from scenes import byte_tokenizer
from transactional_attention.server import tool_calls, turn
from transactional_attention.server.call_forms import forms_of

CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "ü"}}\n</tool_call>'
BARE = '{\n  "name": "read",\n  "arguments": {\n    "path": "ü"\n  }\n}'
FORM = forms_of(servers.chat_tokenizer("tools")).calls
ANSWERS = {
    "Plain text.\n\nWith lines.": ("Plain text.\n\nWith lines.", 0),
    CALL: ("", 1),
    f"I look.\n{CALL}\n{CALL}": ("I look.", 2),
    f"{CALL} and {CALL}": (" and ", 2),
    CALL.removesuffix("\n</tool_call>"): ("", 1),
    "a <tool_call> that is none": ("a <tool_call> that is none", 0),
    "<tool_call>{no JSON}</tool_call>": ("<tool_call>{no JSON}</tool_call>", 0),
    '<tool_call>{"name": 5}</tool_call>': ('<tool_call>{"name": 5}</tool_call>', 0),
    "1 < 2 <tool": ("1 < 2 <tool", 0),
    '\n{"name": "read", "arguments": {"path": "ü"}}': ("", 1),
    '{"name": "write", "arguments": {}}': ('{"name": "write", "arguments": {}}', 0),
    '{"path": 1}\nis JSON.': ('{"path": 1}\nis JSON.', 0),
    f"```json\n{BARE}\n```": ("", 1),
    f"```\n{BARE}\n\n{BARE}\n```\n": ("", 2),
    f"```json\n{BARE}\n```\n```json\n[{BARE}]\n```": ("", 2),
    f"```json\n{BARE}\n```\nSo it is done.": (f"```json\n{BARE}\n```\nSo it is done.", 0),
    '```json\n{"name": "ü"}\n```': ('```json\n{"name": "ü"}\n```', 0),
    '```json\n{"day": 1}\n```\nA table.': ('```json\n{"day": 1}\n```\nA table.', 0),
    "```python\nprint(1)\n```": ("```python\nprint(1)\n```", 0),
    "``": ("``", 0),
}


@pytest.mark.parametrize("answer", ANSWERS)
@given(cuts=st.lists(st.integers(0, 80), max_size=8))
def test_calls_are_found_however_the_answer_is_cut(answer, cuts):
    borders = [0, *sorted(min(cut, len(answer)) for cut in cuts), len(answer)]
    parser, text = tool_calls.CallParser(FORM, {"read": {}}), ""
    for start, end in pairwise(borders):
        piece, _ = parser.add(answer[start:end])
        text += piece
    text += parser.rest()[0]
    expected, count = ANSWERS[answer]
    assert (text, len(parser.calls)) == (expected, count)
    for call in parser.calls:
        assert (call.name, json.loads(call.arguments)) == ("read", {"path": "ü"})


@pytest.mark.parametrize("begin", ["```python\np", '```json\n{"day', '[{"day', "```\n7"])
def test_code_that_cannot_be_a_call_does_not_wait_for_its_end(begin):
    text, _ = tool_calls.CallParser(FORM, {"read": {}}).add(f'{begin}": 5 and more')
    assert text == f'{begin}": 5 and more'


@pytest.mark.parametrize(("template", "takes"), [("{{ tools | list }}", True), ("{{ 5 }}", False)])
def test_a_template_that_needs_tools_takes_some(template, takes):
    assert tool_calls.takes_tools(byte_tokenizer(template)) == takes


def test_calls_that_a_thought_drafts_are_none(serve):
    engine = servers.tiny_engine("tools")
    thought = f"<think>\nI could {CALL} but I ask.\n</think>\n\n"
    tool = {"type": "function", "function": {"name": "read", "parameters": {}}}
    with servers.speak(engine, thought + CALL):
        options = dict(tools=[tool], max_tokens=300)
        answer = servers.ask(serve(engine, budget=600).client(), servers.FIRST, **options)
    message = answer.choices[0].message
    assert (message.content, message.reasoning_content) == (None, f"I could {CALL} but I ask.")
    assert len(message.tool_calls) == 1


@given(text=st.text(alphabet="ab", max_size=30), size=st.integers(1, 5))
def test_a_stop_text_ends_an_answer_where_it_first_stands(text, size):
    stops, output, ended = turn.StopTexts(["aba", "bb"]), "", False
    for start in range(0, len(text), size):
        sure, ended = stops.add(text[start : start + size])
        output += sure
        if ended:
            break
    places = [at for at in (text.find("aba"), text.find("bb")) if at >= 0]
    if not ended:
        output += stops.pending
    assert (output, ended) == ((text[: min(places)], True) if places else (text, False))


@given(text=st.text(max_size=40))
def test_text_that_comes_by_tokens_is_the_text(text):
    tokenizer = servers.chat_tokenizer("chatml")
    decoder, output = turn.Decoder(tokenizer), ""
    for token in tokenizer(text, add_special_tokens=False)["input_ids"]:
        decoder.ids.append(token)
        output += decoder.text()
    output += decoder.text(final=True)
    assert output == tokenizer.decode(decoder.ids, skip_special_tokens=True)
