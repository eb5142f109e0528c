"""What a prompt, a turn of a chat, a tool or the caller does to what is held and what waits."""

import copy

import pytest
import torch
from transformers import Lfm2Config, Lfm2ForCausalLM

import transactional_attention as ta
from chat_templates import chat_tokenizer
from scenes import VALUES, encode, kept_positions
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache
from transactional_attention.retention.forgetting import forget_text
from transactional_attention.retention.questions import asking_text
from transactional_attention.retention.sequence import SequenceState

IDLE = "\nIt rained all day and nothing else happened, so we went home early and slept.\n"
STATED = "Notes.\n" + "".join(f"The {label} is {value}.\n" for label, value in VALUES.items())
PHONE = VALUES["landlord phone"]
ASKED = "\n\nWhat is the landlord phone?\n"
THINGS = [f"{color} {thing}" for color in ("red", "blue") for thing in ("ticket", "order", "box")]
DOCUMENT = "".join(f"The {x} is {x[0].upper()}X-{1000 + 137 * i}.\n" for i, x in enumerate(THINGS))
DOCUMENT = f"{STATED}{DOCUMENT}{IDLE}"


K = 200


class Prompts:
    """One text after another on a cache, as the tokens that they are."""

    def __init__(self, model, tokenizer, budget=K, memory=True, **options):
        self.model, self.tokenizer, self.text = model, tokenizer, ""
        self.cache = RetentionCache(model, tokenizer, Retention(budget, memory=memory, **options))

    def read(self, *texts):
        for text in texts:
            self._feed(encode(self.tokenizer, text)[0])
            self.text += text
        return self

    def said(self, text):
        """Tokens that are generated, one after another."""
        for token in encode(self.tokenizer, text)[0][0]:
            self._feed(token[None, None])
        self.text += text
        return self

    @torch.no_grad()
    def _feed(self, ids):
        begin = self.cache.num_columns
        places = torch.arange(begin, begin + ids.shape[1])[None]
        self.model(ids, past_key_values=self.cache, position_ids=places)

    def holds(self, value):
        return held(self.cache, self.text, value)


@pytest.fixture
def prompts(model, tokenizer):
    return lambda *given, **options: Prompts(model, tokenizer, *given, **options)


def held(cache, text, value):
    at = text.index(value)
    return set(range(at, at + len(value))) <= set(kept_positions(cache))


def test_of_a_value_that_is_stated_again_the_newer_one_is_held(prompts):
    others = STATED.replace(f"The landlord phone is {PHONE}.\n", "").replace("\n", " ") + IDLE
    talk = prompts(40, memory=None).read("ORDER_ID=ORD-58213\n" + IDLE * 2)
    talk.read("ORDER_ID=ORD-77420\n" + others, "\nWhat is the order id?\n")
    assert talk.holds("ORD-77420") and not talk.holds("ORD-58213")


def test_a_value_and_its_correction_on_one_unfinished_line_end_once(prompts):
    talk = prompts(40, memory=None).read(
        "The tax number is XQ-3412. Correction: the tax number is now XQ-9921."
    )
    talk.read("\nNothing else.\n" + IDLE, "\nWhat is the tax number?\n")
    assert talk.holds("XQ-9921") and not talk.holds("XQ-3412")


def test_a_deep_copy_is_reported_alike_and_copied_again(prompts):
    cache = prompts().read(STATED + IDLE * 4, ASKED).cache
    other = copy.deepcopy(cache)
    assert str(other.report()) == str(other.clone().report()) == str(cache.report())


def test_what_a_stream_has_forgotten_comes_back_and_is_reported(model, tokenizer):
    cache, last = RetentionCache(model, tokenizer, Retention(K, memory=True)), None
    correction = "\nCorrection: the landlord phone is now 555-0199.\n"
    for text in (STATED + IDLE * 20 + ASKED, correction + IDLE * 8, IDLE * 5):
        stream = ta.TokenStream(tokenizer, text, before=last)
        ta.prefill(model, stream, cache, chunk=128)
        given = ta.inputs_after(cache, stream)
        last = [int(model.generate(**given, past_key_values=cache, max_new_tokens=2)[0, -1])]
        forget_text(cache.flow, keep=0)
    assert not cache.flow.sequences[0].whole and cache.report().recalled


def user(text):
    return {"role": "user", "content": text}


def chat(budget=K):
    tokenizer = chat_tokenizer("chatml")
    model = tiny_llama(layers=1, vocab_size=len(tokenizer))
    return ta.Chat(model, tokenizer, Retention(budget, memory=True))


def reply(chat, messages):
    """Has the chat reply; the text so far."""
    chat.reply(messages, max_new_tokens=2, do_sample=False)
    return chat.tokenizer.decode(chat.cache.flow.sequences[0].ids.array.tolist())


def test_a_chat_reads_the_question_when_its_value_is_back():
    talk = chat()
    reply(talk, [user(DOCUMENT)])
    for cache in (talk.cache, *talk.checkpoints):
        cache.trace = []
    text = reply(
        talk, [user(DOCUMENT), {"role": "assistant", "content": "Ok."}, user(ASKED.strip())]
    )
    at, first = text.index(PHONE), text.rindex(ASKED.strip())
    question = set(range(first, first + len(ASKED.strip())))
    (seen,) = (  # one forward has all of the question
        set(seen[0].tolist())
        for ((seen, new), *_) in talk.cache.trace
        if question <= set(new[0].tolist())
    )
    assert set(range(at, at + len(PHONE))) <= seen


def test_a_request_stands_while_tools_answer():
    talk = chat()
    messages = [user(DOCUMENT)]
    reply(talk, messages)
    log = "The log is empty. What is the wifi password?"
    for new in (
        [user("What is the landlord phone? Look in the log first.")],
        [{"role": "assistant", "content": "Calling."}, {"role": "tool", "content": log}],
    ):
        messages += [{"role": "assistant", "content": "Ok."}, *new]
        text = reply(talk, messages)
        assert held(talk.cache, text, PHONE)


OK = {"role": "assistant", "content": "Ok."}


@pytest.mark.parametrize("lines", [20, 24])
def test_a_question_after_a_document_in_one_message_asks(lines):
    talk = chat()
    text = reply(talk, [user(DOCUMENT + IDLE * lines + ASKED.rstrip())])
    assert held(talk.cache, text, PHONE)


@pytest.mark.parametrize(
    "turn",
    [
        [user(f"How are you?\n\n{IDLE * 8}\n\nTell me the landlord phone.")],
        [user("What is the landlord phone?"), {"role": "system", "content": "Be brief and kind."}],
        [user("The pin of the other house: 555-9123\nWhat is the landlord phone?")],
        [user("Where are you?\n\nWhat is the landlord phone?\n\nMy pin is QT-7.\n\nMany thanks!")],
    ],
    ids=["greeting", "before a system's", "line", "second"],
)
def test_what_the_user_asks_for_comes_back(turn):
    talk = chat()
    reply(talk, [user(DOCUMENT)])
    text = reply(talk, [user(DOCUMENT), OK, *turn])
    assert held(talk.cache, text, PHONE)


@pytest.mark.parametrize(("said", "asked"), [("OK, perfect.", False), ("Landlord phone?", True)])
def test_a_short_text_after_one_with_sources_asks_for_itself(prompts, said, asked):
    text = f"{STATED}{IDLE * 4}\n\nWhat is the gate code?\n"
    talk = prompts()
    talk.cache.set_sources([[ta.SourceRange(ta.Span(0, len(text)), "user")]])
    talk.read(text, f"\n{said}")
    assert talk.holds(PHONE) == asked


def test_a_cache_with_layers_that_are_not_saved_says_so(tokenizer, tmp_path):
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    layers = {"layer_types": ["conv", "full_attention"], "vocab_size": len(tokenizer)}
    model = Lfm2ForCausalLM(Lfm2Config(**sizes, **heads, **layers, eos_token_id=None))
    # Older transformers has no layers for "conv", and the cache says so before anything is read.
    with pytest.raises(ta.UnsupportedError, match=r"cannot be saved|kind conv.* newer"):
        Prompts(model, tokenizer, memory=None).read(STATED).cache.save(tmp_path / "cache")


@pytest.mark.parametrize("memory", [True, None])
@pytest.mark.parametrize("said", ["swordfish", "Swordfish", "swordfishes", "theswordfish"])
def test_a_saved_cache_holds_no_word_of_a_value_that_a_label_says(
    prompts, model, tokenizer, tmp_path, memory, said
):
    text = f"The wifi password is swordfish.\nThe door code for {said} users is 7301.\n"
    talk, path = prompts(memory=memory).read(text + IDLE * 4), tmp_path / "cache"
    talk.cache.save(path)
    talk.cache = ta.load_cache(path, model, tokenizer)
    assert b"swordfish" not in path.read_bytes().lower()
    talk.read(f"\n{said}?\n")
    talk.read(f"\nThe gate code for {said} users is 5519.\n")
    talk.cache.save(path)
    shown = f"{talk.cache.report()}{talk.cache.report().to_dict()}".lower()
    assert (memory or "gate code" in shown) and "swordfish" not in shown
    assert b"swordfish" not in path.read_bytes().lower()


def test_a_label_is_shown_that_says_a_word_of_a_phrase(prompts, model, tokenizer, tmp_path):
    talk = prompts(80, memory=None).read(
        'The team is called "phone support".\nThe wifi password is "blue phone".\n'
    )
    talk.read("The landlord phone is 555-0187.\n").cache.save(tmp_path / "cache")
    for cache in (talk.cache, ta.load_cache(tmp_path / "cache", model, tokenizer)):
        assert "The landlord phone is" in str(cache.report())


@pytest.mark.parametrize("left", range(1, 12))
def test_a_cache_that_is_saved_inside_a_block_goes_on_alike(model, tokenizer, tmp_path, left):
    text = IDLE * 3 + 'Config:\n{\n  "order_id": "ORD-58213"\n}\n{\n "a": 1}\n'
    ids, results = encode(tokenizer, text + IDLE)[0], []
    cache = RetentionCache(model, tokenizer, Retention(48))
    ta.prefill(model, ids[:, : len(text) - left], cache, chunk=30, keep_last=False)
    cache.save(tmp_path / "cache")
    for one in (cache, ta.load_cache(tmp_path / "cache", model, tokenizer, input_ids=ids)):
        ta.prefill(model, ids, one, chunk=30)
        results.append((kept_positions(one), one.flow.sequences[0].registry.spans))
    assert results[0] == results[1] and held(cache, text, "ORD-58213")


def test_a_value_on_the_last_line_is_known_when_the_text_is_given_again(model, tokenizer, tmp_path):
    text = IDLE * 3 + 'Config:\n{\n  "order_id": "ORD-58213"\n}'
    ids = encode(tokenizer, text)[0]
    cache = RetentionCache(model, tokenizer, Retention(48))
    ta.prefill(model, ids, cache)
    model.generate(ids, past_key_values=cache, max_new_tokens=1)
    cache.save(tmp_path / "cache")
    loaded = ta.load_cache(tmp_path / "cache", model, tokenizer, input_ids=ids)
    for one in (cache, loaded):
        model.generate(**ta.inputs_after(one, encode(tokenizer, IDLE)[0]), past_key_values=one,
                       max_new_tokens=1)  # fmt: skip
        assert held(one, text, "ORD-58213")


def test_a_range_that_is_required_stands_before_one_that_is_not(prompts):
    given = Retention(20).protect(0, 12, unit="tokens", priority=-1.0)
    given = given.protect(185, 192, unit="tokens", required=False)
    talk = prompts()
    talk.cache = RetentionCache(talk.model, talk.tokenizer, given)
    assert set(range(12)) <= set(kept_positions(talk.read(STATED + IDLE).cache))


def test_chunks_of_generate_are_read_right_or_refused(model, tokenizer):
    ids = encode(tokenizer, STATED + IDLE)[0]
    caches = [RetentionCache(model, tokenizer, Retention(40)) for _ in range(2)]
    ta.prefill(model, ids, caches[0], chunk=64)
    model.generate(ids, past_key_values=caches[0], max_new_tokens=2)
    refusal = ""
    try:  # older transformers gives every chunk its positions, newer does not
        model.generate(ids, past_key_values=caches[1], max_new_tokens=2, prefill_chunk_size=64)
    except ta.CacheStateError as error:
        refusal = str(error)
    same = kept_positions(caches[0]) == kept_positions(caches[1])
    assert ("ta.prefill and not generate(prefill_chunk" in refusal) if refusal else same


@pytest.mark.parametrize("name", ["chatml", "llama3"])
def test_what_a_template_writes_of_roles_asks_for_nothing(name):
    tokenizer = chat_tokenizer(name)
    for text in ("Go on.", "What is the user name?"):
        read = tokenizer.apply_chat_template(
            [user(text)], tokenize=False, add_generation_prompt=True
        )
        sequence = SequenceState(tokenizer, Retention(K, memory=True), ())
        sequence.read(tokenizer(read, add_special_tokens=False)["input_ids"], final=True)
        asks, _ = asking_text(sequence.text, sequence.ranges, sequence.heard)
        assert text in asks and "assistant" not in asks and asks.count("user") == text.count("user")
