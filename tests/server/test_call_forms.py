"""Calls of every family of templates: what a model writes is read, and forced calls are so."""

import json
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import servers
from call_families import (
    CALLS,
    DRAFTED,
    ENDS,
    FAMILIES,
    GIVEN,
    LISTS,
    OTHER,
    READ,
    SAID,
    allows,
    marked_tokenizer,
)
from scenes import byte_tokenizer
from transactional_attention.server.answer_grammar import wanted
from transactional_attention.server.call_forms import COUNT, TemplateProbe, forms_of
from transactional_attention.server.call_forms import SAID as PROBED
from transactional_attention.server.history import as_taken
from transactional_attention.server.parsing import parser_of
from transactional_attention.server.schema import Schema


def family(name):
    """Its tokenizer, the tokens that end an answer, and its forms."""
    tokenizer = marked_tokenizer(name)
    ends = tokenizer.convert_tokens_to_ids([tokenizer.eos_token, *ENDS.get(name, "").split()])
    return tokenizer, frozenset(ends), forms_of(tokenizer, frozenset(ends))


def written(name):
    """One call as the model writes it."""
    return CALLS[name][0].replace("%s", json.dumps(GIVEN))


def parted(forms, text, cuts=(), tools=(READ, OTHER)):
    parser, texts = parser_of(forms, tools, inside=False, calls=True), ["", ""]
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(borders):
        thought, content, _ = parser.add(text[start:end])
        texts = [texts[0] + thought, texts[1] + content]
    thought, content, _ = parser.add("", final=True)
    return texts[0] + thought, texts[1] + content, parser.calls


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, 120), max_size=6))
def test_what_a_model_writes_is_read_however_it_is_cut(name, cuts):
    _, _, forms = family(name)
    one, joint = written(name), CALLS[name][1]
    draft = DRAFTED.get(name, "<think>\nHm. %s\n</think>\n\n")
    text = draft.replace("%s", "It is a draft.") + (one if joint is None else one + joint + one)
    thought, content, calls = parted(forms, text, cuts)
    assert (thought, content.strip()) == ("Hm. It is a draft.", "")
    assert len(calls) == (1 if joint is None else 2)
    for call in calls:
        assert (call.name, json.loads(call.arguments)) == ("read", GIVEN)


@pytest.mark.parametrize("name", LISTS)
def test_two_calls_in_one_list_are_read_and_forced(name):
    tokenizer, ends, forms = family(name)
    text = LISTS[name].replace("%s", json.dumps(GIVEN))
    _, content, calls = parted(forms, f"I look.\n{text}", range(0, 400, 3))
    assert content.strip() == "I look."
    assert [json.loads(call.arguments) for call in calls] == [GIVEN, GIVEN]
    pytest.importorskip("llguidance", reason="needs llguidance: run .ci/extras")
    for choice in ("required", "read"):
        rule = wanted(choice, [READ, OTHER], forms).grammar(tokenizer, ends, inside=False)
        assert allows(rule, tokenizer, min(ends), text) == (choice == "required")


def test_a_template_that_takes_a_thought_or_a_text_beside_calls_gets_the_text():
    tokenizer, _, forms = family("calls-harmony")
    call = {"id": "a", "type": "function", "function": {"name": "read", "arguments": GIVEN}}
    reply = {"role": "assistant", "content": "I look.", "reasoning_content": "Hm."}
    messages = [{"role": "user", "content": "Hi."}, {**reply, "tool_calls": [call]}]
    text = tokenizer.apply_chat_template(as_taken(messages, forms), tokenize=False)
    assert "I look." in text and "Hm." not in text


def test_what_a_template_writes_of_a_text_is_whole_where_its_prompt_opens_a_thought():
    template = (
        "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}"
        " <call>{{ c.function.name }}{% endfor %}</s>{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|><think>{% endif %}"
    )
    probe = TemplateProbe(byte_tokenizer(template), frozenset({2}))
    assert probe.calls(1, content=PROBED) == f"{PROBED} <call>probe_one"


def test_values_that_are_no_texts_may_be_as_python_writes_them():
    _, _, forms = family("calls-xml")
    schema = {"type": "object", "properties": {"line": {"type": "boolean"}}}
    tool = {"type": "function", "function": {"name": "read", "parameters": schema}}
    for value, expected in (("True", True), ("true", True), ("'\\d'", "\\d"), ("it's", "it's")):
        _, _, calls = parted(
            forms, written("calls-xml").replace("\n5\n", f"\n{value}\n"), (), [tool]
        )
        assert json.loads(calls[0].arguments)["line"] == expected


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, 240), max_size=6))
def test_a_mark_in_a_text_of_the_arguments_is_of_that_text(name, cuts):
    _, _, forms = family(name)
    form, (one, joint) = forms.calls, CALLS[name]
    marks = [m for m in (form.mark, form.close, "<|end|>" if forms.channels else "") if m]
    path = f"a {' '.join(marks)} 'b'"
    one = one.replace("%s", json.dumps({**GIVEN, "path": path})).replace("a b.txt", path)
    _, content, calls = parted(forms, one if joint is None else one + joint + one, cuts)
    assert content.strip() == "" and len(calls) == (1 if joint is None else 2)
    assert [json.loads(call.arguments) for call in calls] == [{**GIVEN, "path": path}] * len(calls)


@pytest.mark.parametrize("name", [n for n in FAMILIES if CALLS[n][1]])
def test_a_text_without_an_end_hides_no_later_call(name):
    _, _, forms = family(name)
    one, joint = written(name), CALLS[name][1]
    broken = one.replace("a b.txt", 'a "b', 1) if forms.calls.fields is None else one
    broken = broken.replace(forms.calls.fields.close, "") if forms.calls.fields else broken
    _, content, calls = parted(forms, broken + joint + one)
    assert content.strip() == broken.strip()
    assert [json.loads(call.arguments) for call in calls] == [GIVEN]


@pytest.mark.parametrize("name", FAMILIES)
def test_calls_in_a_thought_are_none(name):
    _, _, forms = family(name)
    draft = written(name).rstrip().replace("<|message|>", "").replace("<|channel|>", "")
    draft = draft.replace("<|constrain|>", "")
    text = DRAFTED.get(name, "<think>\nHm. %s\n</think>\n\n").replace("%s", draft)
    answer = SAID.get(name, "") + "It rains."
    assert parted(forms, text + answer) == (f"Hm. {draft}", "It rains.", [])


@pytest.mark.parametrize(
    "name", sorted(FAMILIES.keys() - {"calls-granite", "calls-harmony", "calls-deepseek"})
)
@settings(max_examples=20, deadline=None)
@given(
    path=st.text(st.characters(codec="utf-8", exclude_characters="<`"), max_size=20),
    line=st.integers(0, 9999),
    deep=st.recursive(
        st.none() | st.booleans() | st.integers(), lambda v: st.lists(v, max_size=3), max_leaves=5
    ),
)
def test_what_a_template_writes_is_read(name, path, line, deep):
    """The form is the template's own: its rendering of a call, and the same call again."""
    tokenizer, _, forms = family(name)
    given = {"path": path, "line": line, "deep": deep}
    function = {"name": "read", "arguments": given}
    call = {"id": "Read00001", "type": "function", "function": function}
    messages = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": ""}]
    messages[1]["tool_calls"] = [call]
    text = tokenizer.apply_chat_template(messages, tools=[READ], tokenize=False)
    start = text.rindex(f"{forms.calls.head.replace(COUNT, '0')}read")
    end = len(text) if (at := text.rfind("<|im_end|>")) < start else at
    for mark in ("</s>", "<|eot_id|>", "<end_of_turn>", "<|TURN|>"):
        end = at if (at := text.rfind(mark)) >= start else end
    _, content, calls = parted(forms, text[start:end])
    assert content.strip() == "" and [call.name for call in calls] == ["read"]
    assert json.loads(calls[0].arguments) == given


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*"[](){}\"'\\x=,.0 \n", "read", "path", None]), max_size=30))
def test_what_is_no_call_ends_no_answer(name, parts):
    """Whatever a model writes after the begin of a call is a call or stays text."""
    _, _, forms = family(name)
    text = written(name)
    body = "".join(forms.calls.head if part is None else part for part in parts)
    for whole in (forms.calls.head + body, text[: len(text) // 2] + body, forms.calls.mark + body):
        thought, content, calls = parted(forms, whole + forms.calls.tail)
        assert thought or content or calls or name == "calls-harmony"  # a header that is cut off


BAD = ['"text"', "5", "[1]", "{no JSON}"]


@pytest.mark.parametrize("name", [n for n in FAMILIES if "%s" in CALLS[n][0]])
@pytest.mark.parametrize("arguments", [*BAD, "null", "{}"])
def test_arguments_are_an_object_or_it_is_no_call(name, arguments):
    _, _, forms = family(name)
    _, content, calls = parted(forms, CALLS[name][0].replace("%s", arguments))
    if arguments in BAD:
        assert arguments in content and not calls
    else:
        assert not content and [call.arguments for call in calls] == ["{}"]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("choice", ["required", "read", "auto"])
def test_forced_calls_have_the_form(name, choice):
    pytest.importorskip("llguidance", reason="needs llguidance: run .ci/extras")
    tokenizer, ends, forms = family(name)
    form = wanted(choice, [READ, OTHER], forms, strict={"read"}, parallel=True)
    rule = form.grammar(tokenizer, ends, inside=False)
    (*_, end) = sorted(ends)
    follows = partial(allows, rule, tokenizer, end)
    good, joint = written(name), CALLS[name][1]
    if name == "calls-mistral":
        good = good.replace("}]", ', "id": "Read00001"}]')
    assert follows(good) and not follows(good.replace("5", "no"))
    assert not follows(good.replace("read", "write"))
    thought = DRAFTED.get(name, "")
    answer = SAID.get(name, "") + "It rains."
    assert [follows(answer), follows(thought + answer)] == [choice == "auto"] * 2
    assert follows(thought + good) == (choice == "auto" or not thought)
    if joint is not None:
        assert follows(good + joint + good) == (choice != "read")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", FAMILIES)
def test_calls_are_served(serve, name, stream):
    """Marks that are special tokens have no text, but for these."""
    engine = servers.tiny_engine(tokenizer=marked_tokenizer(name))
    client = serve(engine, budget=600).client()
    chat = [{"role": "user", "content": "Read it."}]
    with servers.speak(engine, written(name)):
        options = dict(tools=[READ], max_tokens=300)
        if stream:
            text, chunks = servers.streamed(client, chat, **options)
            calls = [c for k in chunks if k.choices for c in k.choices[0].delta.tool_calls or ()]
        else:
            choice = servers.ask(client, chat, **options).choices[0]
            text, calls = choice.message.content, choice.message.tool_calls
    assert not text
    (call,) = calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("read", GIVEN)
    again = [*chat, {"role": "assistant", "tool_calls": [call.to_dict()]}]
    again.append({"role": "tool", "tool_call_id": call.id, "content": "The end."})
    assert servers.ask(client, again, tools=[READ]).choices


def test_an_answer_with_a_schema_is_in_the_channel_of_answers():
    pytest.importorskip("llguidance", reason="needs llguidance: run .ci/extras")
    tokenizer, ends, forms = family("calls-harmony")
    form = wanted("auto", [], forms, Schema({"const": 5}))
    rule, end = form.grammar(tokenizer, ends, inside=False).begun(), min(ends)
    for token in [*tokenizer(SAID["calls-harmony"] + "5")["input_ids"], end]:
        assert rule.masked(np.zeros(400))[token] == 0
        rule.take(token)
