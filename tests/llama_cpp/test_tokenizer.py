"""The tokenizer that llama.cpp reads out of a GGUF file."""

import numpy as np
import pytest

import transactional_attention as ta
from chat_templates import AGENT, PLAIN, READ
from gguf_families import FAMILIES, write_family, write_sentencepiece
from scenes import template
from transactional_attention.engines.grammar import compiled
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.gguf import GgufFile, GgufTokenizer
from transactional_attention.models import load_tokenizer
from transactional_attention.text.token_stream import TokenStream
from transactional_attention.text.token_text import TokenText

MIXED = "Grüße 漢字😀<s> ORD-58213 </s>\n\n  the ▁ key: QX7K\r\n"


def opened(path):
    return GgufTokenizer(GgufFile(path, weights=False))


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return opened(write_family(tmp_path_factory.mktemp("gguf") / "llama.gguf"))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_files_of_families_that_transformers_does_not_read_run(tmp_path, family):
    model = GgufModel(str(write_family(tmp_path / f"{family}.gguf", family)))
    tokenizer = GgufTokenizer(model)
    text = "The door code is: 7301-QX. " + "It rained. " * 12
    ids = tokenizer(text)["input_ids"]
    assert model.architecture == family and tokenizer.decode(ids) == text
    context = Context(model, 32 + 32, chunk=32, threads=1, cell_type="f32")
    cache = LlamaCache(context, tokenizer, ta.Retention(32))
    logits = cache.read(ids)
    for token in np.argsort(logits[-1])[:3].tolist():
        logits = cache.step(token)
    assert cache.most_between == 32 and "7301-QX" in str(cache.report(reveal=True))


def test_ids_are_those_of_the_words_that_the_file_names(tmp_path):
    """Digits in threes, all together, alone: `582` is a token where three stand together."""
    read = {}
    for pre in ("llama-bpe", "gpt-2", "deepseek-v3", "smollm"):
        tokenizer = opened(write_family(tmp_path / f"{pre}.gguf", pre=pre))
        read[pre] = [tokenizer.decode([i]) for i in tokenizer("ORD-58213")["input_ids"]][4:]
    assert read["llama-bpe"] == read["deepseek-v3"] == ["582", "13"]
    assert read["gpt-2"] == ["58", "213"] and read["smollm"] == list("58213")


def test_a_token_covers_the_characters_to_which_it_gives_bytes(tokenizer):
    encoding = tokenizer(MIXED, add_special_tokens=False, return_offsets_mapping=True)
    text = TokenText(tokenizer)
    text.append(encoding["input_ids"])
    text.settle()
    spans = list(zip(text.starts.tolist(), text.ends.tolist(), strict=True))
    assert text.text == MIXED and encoding["offset_mapping"] == spans
    begin = MIXED.index("<s>")
    assert (begin, begin + 3) in spans  # one token, by its name
    assert "\n\n\n" in text.scan_text()  # which no value extends over


def test_a_text_that_streams_has_the_ids_of_all_of_it(tokenizer):
    text = MIXED * 300
    parts = TokenStream(tokenizer, (text[at : at + 999] for at in range(0, len(text), 999)))
    read = [i for part, _ in parts.parts(100) for i in part.tolist()]
    assert read == tokenizer(text)["input_ids"]


def test_the_space_that_sentencepiece_puts_before_a_text_is_no_character_of_it(tmp_path):
    tokenizer = opened(write_sentencepiece(tmp_path / "pieces.gguf"))
    sample = "the code: é漢 is here\nXK7 the  ▁▁end"
    encoding = tokenizer(sample, add_special_tokens=False, return_offsets_mapping=True)
    assert (
        tokenizer.strips
        and tokenizer.maps_space
        and tokenizer.pieces[encoding["input_ids"][0]] == b" the"
    )
    text = TokenText(tokenizer)
    for token in encoding["input_ids"]:
        text.append([token])
    text.settle()
    assert text.text == tokenizer.decode(encoding["input_ids"]) == sample.replace("▁", " ")
    spans = list(zip(text.starts.tolist(), text.ends.tolist(), strict=True))
    assert encoding["offset_mapping"] == spans
    streamed = TokenStream(tokenizer, (sample * 400)[:9000], before=()).parts(100)
    assert [i for part, _ in streamed for i in part.tolist()] == tokenizer(
        (sample * 400)[:9000], add_special_tokens=False
    )["input_ids"]
    again = tokenizer("a</s>the", add_special_tokens=False, return_offsets_mapping=True)
    assert [("a</s>the")[a:b] for a, b in again["offset_mapping"]] == ["", "a", "</s>", "the"]


def test_a_long_text_is_cut_at_special_tokens_and_has_the_same_ids(tmp_path):
    """Else llama.cpp takes hours for some megabytes of them."""
    long = MIXED * 3000 + "<s>the  \n <s> the</s></s>" * 4000
    begins = write_family(tmp_path / "begins.gguf", begins=True)
    for path in (begins, write_sentencepiece(tmp_path / "pieces.gguf")):
        tokenizer = opened(path)
        assert len(list(tokenizer._parts(long))) > 10 and "".join(tokenizer._parts(long)) == long
        assert tokenizer(long)["input_ids"] == tokenizer._read(long, special=True)
        assert tokenizer(long, add_special_tokens=False)["input_ids"] == tokenizer._read(long)


def test_special_tokens_are_added_as_the_vocabulary_says(tmp_path, tokenizer):
    begin_tokenizer = opened(write_family(tmp_path / "begins.gguf", begins=True))
    begin = begin_tokenizer.get_vocab()["<s>"]
    assert begin_tokenizer("Hi")["input_ids"] == [
        begin,
        *begin_tokenizer("Hi", add_special_tokens=False)["input_ids"],
    ]
    assert tokenizer("Hi")["input_ids"] == tokenizer("Hi", add_special_tokens=False)["input_ids"]
    ids = [
        begin,
        *begin_tokenizer("Hi", add_special_tokens=False)["input_ids"],
        begin_tokenizer.eos_token_id,
    ]
    assert (
        begin_tokenizer.decode(ids) == "<s>Hi</s>"
        and begin_tokenizer.decode(ids, skip_special_tokens=True) == "Hi"
    )
    with pytest.raises(ta.errors.InputError, match="add_special_tokens=False"):
        begin_tokenizer("Hi", return_offsets_mapping=True)


def test_half_a_character_is_a_replacement_until_its_bytes_are_there(tokenizer):
    ids = tokenizer("😀")["input_ids"]
    assert len(ids) == 4 and tokenizer.decode(ids[:2]) == "\ufffd"
    assert b"".join(tokenizer.pieces[i] for i in ids) == "😀".encode()


@pytest.mark.parametrize("name", ["chatml", "tools"])
@pytest.mark.parametrize("chat", [PLAIN, AGENT], ids=["plain", "agent"])
def test_a_chat_is_what_transformers_makes_of_the_files_template(tmp_path, name, chat):
    path = write_family(tmp_path / "chat.gguf", pre="gpt-2", templates=template(name))
    ours, theirs = opened(path), load_tokenizer(str(path))
    for tools in (None, [READ]):
        prompts = [chat_prompt(each, chat, tools) for each in (ours, theirs)]
        assert prompts[0].ids.tolist() == prompts[1].ids.tolist()
        assert prompts[0].sources == prompts[1].sources


def test_a_template_for_tools_is_taken_where_tools_are_given(tmp_path):
    texts = [
        {"name": "default", "template": "{% for m in messages %}{{ m.content }}{% endfor %}"},
        {"name": "tool_use", "template": "{{ tools | tojson }}{{ messages[0].content }}"},
    ]
    tokenizer = opened(write_family(tmp_path / "tools.gguf", templates=texts))
    chat = [{"role": "user", "content": "<b>?"}]
    assert tokenizer.apply_chat_template(chat) == "<b>?"
    tools = [{"name": "é <read>"}]
    assert tokenizer.apply_chat_template(chat, tools=tools) == '[{"name": "é <read>"}]<b>?'


def test_an_answer_follows_a_grammar_over_the_files_pieces(tokenizer):
    ends = frozenset({tokenizer.eos_token_id})
    grammar = compiled(tokenizer, ends, 'start: "ORD-" /[0-9]{5}/ "é"').begun()
    for token in tokenizer("ORD-58213é")["input_ids"]:
        allowed = np.flatnonzero(np.isfinite(grammar.masked(np.zeros(len(tokenizer)))))
        assert token in allowed and not set(allowed) & set(tokenizer.all_special_ids)
        grammar.take(token)
    assert np.isfinite(grammar.masked(np.zeros(len(tokenizer)))).nonzero()[0].tolist() == [*ends]


def test_a_file_without_a_tokenizer_is_refused(tmp_path):
    import gguf  # noqa: PLC0415  (optional)

    writer = gguf.GGUFWriter(tmp_path / "bare.gguf", "llama")
    writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(ta.errors.InputError, match=r"bare\.gguf"):
        opened(tmp_path / "bare.gguf")
