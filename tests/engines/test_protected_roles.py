"""protect_roles without sources: the template's own marks say who wrote what, or it is refused."""

import pytest

import transactional_attention as ta
from chat_templates import AGENT, PLAIN, READ, chat_tokenizer
from scenes import byte_tokenizer, kept_positions
from teacher_forced import tiny_llama

LONG = " ".join(["Nothing of note happened on that day."] * 6)
FILLER = {"role": "user", "content": LONG}
NOTE = "roles are read from the marks"


def protecting(*roles, budget=256):
    return ta.Retention(budget=budget, protect_roles=roles)


def rendered(tokenizer, messages, **options):
    given = dict(add_generation_prompt=True, return_tensors="pt", return_dict=True)
    return tokenizer.apply_chat_template(messages, **given, **options)


def kept_whole(cache, text):
    """Whether all tokens of a text that was read are in every layer."""
    known = cache.flow.sequences[0].text
    at = known.text.index(text)
    span = known.tokens_for(ta.Span(at, at + len(text)))
    wanted = set(range(span.start, span.end))
    return all(wanted <= set(kept_positions(cache, layer=i)) for i in range(len(cache.managed)))


@pytest.mark.parametrize("template", ["chatml", "llama3", "default-system", "thoughts"])
@pytest.mark.parametrize("chunk", [None, 7])
def test_marks_are_read_where_nobody_says_who_wrote_what(template, chunk):
    tokenizer = chat_tokenizer(template)
    model = tiny_llama(vocab_size=len(tokenizer))
    inputs = rendered(tokenizer, [PLAIN[0], FILLER, *PLAIN[1:]])
    cache = ta.RetentionCache(model, tokenizer, protecting("system"))
    ids = inputs["input_ids"]
    with pytest.warns(UserWarning, match=NOTE):
        ta.prefill(model, ids, cache, chunk=chunk or ids.shape[1], keep_last=False)
    assert kept_whole(cache, "system") and kept_whole(cache, "Be brief.")
    assert not kept_whole(cache, LONG)


def test_what_is_read_is_what_encode_chat_knows():
    tokenizer = chat_tokenizer("tools")
    inputs, (known,) = ta.encode_chat(AGENT, tokenizer, tools=[READ])
    model = tiny_llama(vocab_size=len(tokenizer))
    cache = ta.RetentionCache(model, tokenizer, protecting("system", "tool", budget=None))
    with pytest.warns(UserWarning, match=NOTE):
        ta.prefill(model, inputs["input_ids"], cache, chunk=11, keep_last=False)
    sequence = cache.flow.sequences[0]
    sources = [s.source for s in known for _ in range(len(s.span))]
    assert [sequence.ranges.at(token).source for token in range(len(sources))] == sources


def test_plain_generate_protects_tools_and_later_turns():
    tokenizer = chat_tokenizer("tools")
    model = tiny_llama(vocab_size=len(tokenizer))
    inputs = rendered(tokenizer, [FILLER, *AGENT[2:]], tools=[READ])
    with ta.install(model, tokenizer, protecting("system")) as installed:
        with pytest.warns(UserWarning, match=NOTE):
            out = model.generate(**inputs, max_new_tokens=9, do_sample=False)
        cache = installed.cache
        assert kept_whole(cache, '"description": "Reads."')
        later = "<|im_end|>\n<|im_start|>system\nNever stop.<|im_end|>\n<|im_start|>user\nGo.\n"
        ids = tokenizer(later, return_tensors="pt")["input_ids"][0]
        unread = out[0, cache.num_columns :].tolist()
        more = ta.inputs_after(cache, [*unread, *ids.tolist()])
        model.generate(**more, past_key_values=cache, max_new_tokens=40, do_sample=False)
    assert kept_whole(cache, "Never stop.")


@pytest.mark.parametrize(
    ("template", "roles", "message"),
    [
        (None, ["user"], "no chat template"),
        ("mistral", ["system"], "does not mark system apart"),
        ("mistral", ["assistant", "user"], "does not mark user apart"),
        ("tools", ["unknown"], "does not mark unknown apart"),
    ],
)
def test_roles_that_cannot_be_read_are_refused_at_once(template, roles, message):
    tokenizer = byte_tokenizer() if template is None else chat_tokenizer(template)
    model = tiny_llama(vocab_size=len(tokenizer))
    with pytest.raises(ta.InputError, match=message):
        ta.install(model, tokenizer, protecting(*roles))
    cache = ta.RetentionCache(model, tokenizer, protecting(*roles))
    ids = tokenizer("Hello", return_tensors="pt")
    with pytest.raises(ta.InputError, match=message):
        model.generate(**ids, past_key_values=cache, max_new_tokens=2)


def test_a_prompt_without_marks_is_refused():
    tokenizer = chat_tokenizer("chatml")
    model = tiny_llama(vocab_size=len(tokenizer))
    ids = tokenizer("Hello", return_tensors="pt")
    with (
        pytest.warns(UserWarning, match=NOTE),
        ta.install(model, tokenizer, protecting("system")),
        pytest.raises(ta.InputError, match="no mark of the chat template stands in this prompt"),
    ):
        model.generate(**ids, max_new_tokens=2)


def test_sources_of_the_caller_go_first():
    """Nothing is read from marks, and nothing refused, where sources were given."""
    tokenizer = byte_tokenizer()
    model = tiny_llama(vocab_size=len(tokenizer))
    ids = tokenizer("Keep this. " + "And not that. " * 9, return_tensors="pt")
    sources = [[ta.SourceRange(ta.Span(0, 10), "system")]]
    cache = ta.RetentionCache(model, tokenizer, protecting("system", budget=32), sources=sources)
    out = model.generate(**ids, past_key_values=cache, max_new_tokens=4, do_sample=False)
    model.generate(
        ta.inputs_after(cache, out[0, -2:])["input_ids"], past_key_values=cache, max_new_tokens=2
    )
    assert kept_whole(cache, "Keep this.")
