"""What a prompt, a turn of a chat, a tool or the caller does to what waits: nothing gets lost."""

import copy
from functools import partial
from itertools import pairwise

import pytest
import torch
from transformers import Lfm2Config, Lfm2ForCausalLM

import transactional_attention as ta
from chat_templates import chat_tokenizer
from scenes import VALUES, encode, kept_positions
from teacher_forced import tiny_llama
from transactional_attention import Recalling, Retention, RetentionCache, Sponsorship
from transactional_attention.engines.transformers import prefill as prefilling
from transactional_attention.engines.transformers.copies import copy_of
from transactional_attention.retention.flow_state import forget_text

IDLE = "\nIt rained all day and nothing else happened, so we went home early and slept.\n"
STATED = "Notes. " + " ".join(f"The {label} is {value}." for label, value in VALUES.items())
PHONE = VALUES["landlord phone"]
ASKED = "\n\nWhat is the landlord phone?\n"
THINGS = [f"{color} {thing}" for color in ("red", "blue") for thing in ("ticket", "order", "box")]
DOCUMENT = " ".join(f"The {x} is {x[0].upper()}X-{1000 + 137 * i}." for i, x in enumerate(THINGS))
DOCUMENT = f"Notes. {DOCUMENT} {STATED[7:]}{IDLE}"


class Prompts:
    """One text after another on a cache, as the tokens that they are."""

    def __init__(self, model, tokenizer, budget=40, recall=True, **options):
        self.model, self.tokenizer, self.text = model, tokenizer, ""
        self.cache = RetentionCache(model, tokenizer, Retention(budget, recall=recall, **options))

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


@pytest.mark.parametrize("recall", [True, False])
def test_of_a_value_that_is_stated_again_the_newer_one_comes_back(prompts, recall):
    others = STATED.replace(f"The landlord phone is {PHONE}.", "") + IDLE
    talk = prompts(recall=recall).read("ORDER_ID=ORD-58213\n" + IDLE * 2)
    talk.read("ORDER_ID=ORD-77420\n" + others, "\nWhat is the order id?\n")
    assert talk.holds("ORD-77420") and not talk.holds("ORD-58213")


def test_a_value_and_its_correction_on_one_unfinished_line_end_once(prompts):
    talk = prompts().read("The tax number is XQ-3412. Correction: the tax number is now XQ-9921.")
    talk.read("\nNothing else.\n" + IDLE, "\nWhat is the tax number?\n")
    assert talk.holds("XQ-9921") and not talk.holds("XQ-3412")


@pytest.mark.parametrize("limit", range(78_000, 92_000, 4000))
def test_a_vault_that_overflows_while_values_return(prompts, limit):
    labels = "landlord phone", "door code", "api key", "gate code", "wifi password"
    stated = " ".join(f"The {label} is {VALUES[label]}." for label in labels)
    talk = prompts(60, Recalling(limit=limit, storage=None, lines=False)).read(stated + IDLE)
    talk.read("What is the landlord phone, the gate code, the door code and the api key?")
    back = talk.cache.report().recalled
    kept = set(kept_positions(talk.cache))
    assert back and all(kept.issuperset(range(value.start, value.end)) for value in back)
    assert talk.cache.vault.num_bytes <= limit


def test_generated_tokens_come_back_with_a_line(prompts):
    talk = prompts(120).read("Hello. I have an order.\n").said("Which one – the order id is ")
    talk.read("ORD-58213\nThanks." + IDLE, IDLE * 3 + STATED + IDLE, "\n\nWhat is the order id?\n")
    assert talk.holds("ORD-58213")


def test_what_was_released_leaves_the_vault_with_the_next_forward(prompts, tmp_path):
    talk = prompts(recall=Recalling(folder=tmp_path)).read(STATED + IDLE)
    assert talk.cache.vault.num_bytes and list(tmp_path.iterdir())
    talk.cache.flow.release(0, len(talk.text), unit="tokens")
    talk.read(IDLE)
    assert talk.cache.vault.num_bytes == 0 and not list(tmp_path.iterdir())


def test_a_deep_copy_is_reported_alike_and_copied_again(prompts):
    cache = prompts().read(STATED + IDLE).cache
    other = copy.deepcopy(cache)
    assert str(other.report()) == str(copy_of(other).report()) == str(cache.report())


def test_values_that_fade_wait_on(prompts):
    fading = Sponsorship(fade_per="turn")
    talk = prompts(sponsorship=fading).read(STATED + IDLE, *["Hm.\n"] * 28)
    assert talk.cache.report().waiting == len(VALUES)
    assert talk.read(ASKED).holds(PHONE)


def test_what_states_a_value_asks_for_no_older_one(prompts):
    talk = prompts().read(STATED + IDLE, "The landlord phone of the other house is 555-9123.\n")
    assert not talk.holds(PHONE) and not talk.cache.report().recalled
    assert talk.read(ASKED).cache.report().recalled


def test_a_slot_is_not_stitched_over_two_replies_and_may_begin_in_the_prompt(prompts):
    talk = prompts().read(STATED + IDLE).said("Here: the landlord phone").read("\nNever mind.\n")
    assert not talk.said(" is gone. ").cache.report().recalled
    talk = prompts().read(STATED + IDLE, 'Fill this in.\n{"landlord_phone').said('": "')
    assert talk.holds(PHONE)


def test_a_released_reason_and_a_streams_correction_are_reported(model, tokenizer):
    cache, last = RetentionCache(model, tokenizer, Retention(40, recall=True)), None
    correction = "\nCorrection: the landlord phone is now 555-0199.\n"
    for text in (STATED + IDLE * 20 + ASKED, correction + IDLE * 8, IDLE * 5):
        stream = ta.TokenStream(tokenizer, text, before=last)
        ta.prefill(model, stream, cache, chunk=128)
        given = ta.inputs_behind(cache, stream)
        last = [int(model.generate(**given, past_key_values=cache, max_new_tokens=2)[0, -1])]
        forget_text(cache.flow, keep=0)
    assert any(item.label == "The landlord phone is" for item in cache.report().recalled)


def user(text):
    return {"role": "user", "content": text}


def chat(budget=60, recall=True):
    tokenizer = chat_tokenizer("chatml")
    model = tiny_llama(layers=1, vocab_size=len(tokenizer))
    return ta.Chat(model, tokenizer, Retention(budget, recall=recall))


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
    at = text.index(PHONE)
    ((seen, new), *_), *_ = talk.cache.trace
    assert text.index("What is the landlord") in new[0].tolist()
    assert set(range(at, at + len(PHONE))) <= set(seen[0].tolist())


def test_a_name_that_may_be_a_value_is_no_statement(prompts):
    """The detection takes "Port Vubon" for a guess, and "landlord phone" for its label."""
    talk = prompts().read(STATED + IDLE, "\n\nTell me the landlord phone for Port Vubon.\n")
    assert talk.holds(PHONE)


def test_a_question_whose_line_waits_too_is_no_statement():
    talk = chat(recall="all")
    reply(talk, [user(DOCUMENT)])
    text = reply(talk, [user(DOCUMENT), OK, user("What is the landlord phone?")])
    assert held(talk.cache, text, PHONE)


def test_a_request_stands_while_tools_answer():
    talk = chat(80)
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
        assert not held(talk.cache, text, VALUES["wifi password"])


OK = {"role": "assistant", "content": "Ok."}
MORE = DOCUMENT.replace("-1", "-2").replace(PHONE, "none")


@pytest.mark.parametrize("lines", [2, 20, 24])
def test_a_question_behind_a_document_in_one_message_asks(lines):
    talk = chat()
    text = reply(talk, [user(DOCUMENT + IDLE * lines + ASKED.rstrip())])
    assert held(talk.cache, text, PHONE)


@pytest.mark.parametrize(
    "turn",
    [
        [user(f"What is the landlord phone? It may be in what I sent before.\n\n{MORE}")],
        [user("What is the landlord phone?"), user(MORE)],
        [user(f"How are you?\n\n{IDLE * 8}\n\nTell me the landlord phone.")],
        [user("What is the landlord phone?"), {"role": "system", "content": "Be brief and kind."}],
        [user("The pin of the other house: 555-9123\nWhat is the landlord phone?")],
        [user("Where are you?\n\nWhat is the landlord phone?\n\nMy pin is QT-7.\n\nMany thanks!")],
        [user("1. Where are you?\n\n2. What is the landlord phone?\n\n3. My pin is QT-7731.")],
    ],
    ids=[
        "before a document",
        "message before it",
        "greeting",
        "before a system's",
        "line",
        "second",
        "numbered",
    ],
)
def test_what_the_user_asks_for_comes_back(turn):
    talk = chat()
    reply(talk, [user(DOCUMENT)])
    text = reply(talk, [user(DOCUMENT), OK, *turn])
    assert held(talk.cache, text, PHONE)


@pytest.mark.parametrize(("said", "asked"), [("OK, perfect.", False), ("Landlord phone?", True)])
def test_a_short_text_behind_one_with_sources_asks_for_itself(prompts, said, asked):
    text = f"{STATED}{IDLE}\n\nWhat is the gate code?\n"
    talk = prompts()
    talk.cache.set_sources([[ta.SourceRange(ta.Span(0, len(text)), "user")]])
    talk.read(text, f"\n{said}")
    assert talk.holds(PHONE) == asked
    assert talk.cache.flow.sequences[0].request[0].strip() == said


def test_a_value_that_is_stated_beside_a_question_does_not_take_its_place():
    talk, said = chat(), "The landlord phone of the other house is 555-9123."
    reply(talk, [user(DOCUMENT)])
    text = reply(talk, [user(DOCUMENT), OK, user(f"{said} It rained. Now what is the gate code?")])
    assert held(talk.cache, text, VALUES["gate code"]) and not held(talk.cache, text, PHONE)


def test_what_tools_say_is_kept_beside_what_the_user_asked_for():
    talk, log = chat(100), f"The error code is ZK-8841.{IDLE * 2}"
    asks = "My badge is QT-7731. What is the landlord phone? Look in the log first."
    messages = [user(DOCUMENT), OK, user(asks)]
    reply(talk, messages[:1])
    reply(talk, messages)
    text = reply(talk, [*messages, OK, {"role": "tool", "content": log}])
    assert all(held(talk.cache, text, value) for value in (PHONE, "ZK-8841", "QT-7731"))


def test_a_question_before_a_document_that_is_a_tools_asks(prompts):
    talk = prompts(60).read(STATED + IDLE)
    question = "What is the landlord phone?\n\n"
    begin = len(talk.text) + len(question)
    span = ta.SourceRange(ta.Span(begin, begin + len(DOCUMENT)), "tool")
    talk.cache.set_sources([[span]])
    assert talk.read(f"{question}{DOCUMENT}\nAnswer:").holds(PHONE)


def test_a_request_stands_where_a_saved_cache_comes_without_its_text(
    prompts, model, tokenizer, tmp_path
):
    talk = prompts(80).read(STATED + IDLE)
    asks, log = "What is the landlord phone? Look in the log first.\n", "The error code is ZK-8841."
    ends = [len(talk.text) + len(text) for text in ("", asks, asks + log)]
    spans = [ta.Span(*place) for place in pairwise(ends)]
    sources = [[ta.SourceRange(*both) for both in zip(spans, ("user", "tool"))]]
    talk.cache.set_sources(sources)
    talk.read(asks).cache.save(tmp_path / "cache")
    talk.cache = ta.load_cache(tmp_path / "cache", model, tokenizer)
    talk.cache.set_sources(sources)
    assert talk.read(log + IDLE).holds(PHONE) and talk.holds("ZK-8841")


@pytest.mark.parametrize("stated", ["", "My badge is QT-7731. "])
def test_a_request_stands_while_a_tools_text_streams(prompts, monkeypatch, stated):
    monkeypatch.setattr(prefilling, "forget_text", partial(forget_text, keep=100))
    talk, found = prompts(60), []
    first, asks = STATED + IDLE, f"{stated}What is the landlord phone?\n"
    text = first + asks + IDLE * 60
    spans = ta.Span(len(first), len(first + asks)), ta.Span(len(first + asks), len(text))
    sources = [ta.SourceRange(spans[0], "user"), ta.SourceRange(spans[1], "tool")]
    for given in (encode(talk.tokenizer, text)[0], ta.TokenStream(talk.tokenizer, text)):
        model = tiny_llama(vocab_size=len(talk.tokenizer), max_position_embeddings=8192)
        cache = RetentionCache(model, talk.tokenizer, talk.cache.retention)
        ta.prefill(model, given, cache, chunk=64, sources=[sources])
        found.append(kept_positions(cache))
        assert held(cache, text, PHONE)
    assert found[0] == found[1]


def test_a_cache_with_layers_that_are_not_saved_says_so(tokenizer, tmp_path):
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    layers = {"layer_types": ["conv", "full_attention"], "vocab_size": len(tokenizer)}
    model = Lfm2ForCausalLM(Lfm2Config(**sizes, **heads, **layers, eos_token_id=None))
    # Older transformers has no layers for "conv", and the cache says so before anything is read.
    with pytest.raises(ta.UnsupportedError, match=r"cannot be saved|kind conv.* newer"):
        Prompts(model, tokenizer, recall=None).read(STATED).cache.save(tmp_path / "cache")


@pytest.mark.parametrize("recall", [True, None])
@pytest.mark.parametrize("said", ["swordfish", "Swordfish", "swordfishes", "theswordfish"])
def test_a_saved_cache_holds_no_word_of_a_value_that_a_label_says(
    prompts, model, tokenizer, tmp_path, recall, said
):
    text = f"The wifi password is swordfish.\nThe door code for {said} users is 7301.\n"
    talk, path = prompts(recall=recall).read(text + IDLE), tmp_path / "cache"
    talk.cache.save(path)
    talk.cache = ta.load_cache(path, model, tokenizer)
    assert b"swordfish" not in path.read_bytes().lower()
    talk.read(f"\n{said}?\n")
    assert recall is None or held(talk.cache, text, "7301")
    talk.read(f"\nThe gate code for {said} users is 5519.\n")
    talk.cache.save(path)
    shown = f"{talk.cache.report()}{talk.cache.report().to_dict()}".lower()
    assert "gate code" in shown and "swordfish" not in shown
    assert b"swordfish" not in path.read_bytes().lower()


def test_a_label_is_shown_that_says_a_word_of_a_phrase(prompts, model, tokenizer, tmp_path):
    talk = prompts(80).read(
        'The team is called "phone support".\nThe wifi password is "blue phone".\n'
    )
    talk.read(STATED + IDLE, ASKED).cache.save(tmp_path / "cache")
    for cache in (talk.cache, ta.load_cache(tmp_path / "cache", model, tokenizer)):
        assert "The landlord phone is" in str(cache.report())


def test_a_saved_vault_counts_what_is_left_after_a_release(prompts, model, tokenizer, tmp_path):
    talk = prompts(recall=Recalling(limit=120_000)).read(STATED + IDLE)
    talk.cache.flow.release(*(talk.text.index(VALUES["api key"]) + i for i in (0, 6)))
    talk.cache.save(tmp_path / "cache")
    loaded = ta.load_cache(tmp_path / "cache", model, tokenizer)
    assert loaded.report().waiting_bytes == loaded.vault.num_bytes == talk.cache.vault.num_bytes


@pytest.mark.parametrize("left", range(1, 12))
def test_a_cache_that_is_saved_inside_a_block_goes_on_alike(model, tokenizer, tmp_path, left):
    text = IDLE * 3 + 'Config:\n{\n  "order_id": "ORD-58213"\n}\n{\n "a": 1}\n'
    ids, found = encode(tokenizer, text + IDLE)[0], []
    cache = RetentionCache(model, tokenizer, Retention(48, recall=True))
    ta.prefill(model, ids[:, : len(text) - left], cache, chunk=30, keep_last=False)
    cache.save(tmp_path / "cache")
    for one in (cache, ta.load_cache(tmp_path / "cache", model, tokenizer, input_ids=ids)):
        ta.prefill(model, ids, one, chunk=30)
        found.append((kept_positions(one), one.flow.sequences[0].registry.spans))
    assert found[0] == found[1] and held(cache, text, "ORD-58213")


def test_a_value_on_the_last_line_is_known_when_the_text_is_given_again(model, tokenizer, tmp_path):
    text = IDLE * 3 + 'Config:\n{\n  "order_id": "ORD-58213"\n}'
    ids = encode(tokenizer, text)[0]
    cache = RetentionCache(model, tokenizer, Retention(48))
    ta.prefill(model, ids, cache)
    model.generate(ids, past_key_values=cache, max_new_tokens=1)
    cache.save(tmp_path / "cache")
    loaded = ta.load_cache(tmp_path / "cache", model, tokenizer, input_ids=ids)
    for one in (cache, loaded):
        model.generate(**ta.inputs_behind(one, encode(tokenizer, IDLE)[0]), past_key_values=one,
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


def test_an_empty_folder_is_refused():
    with pytest.raises(ta.InputError, match="folder of recall is empty"):
        Recalling(folder="")
