"""ta.Chat: what is read anew when a chat grows or changes, and that it is exact."""

import pytest
import torch
from transformers import LogitsProcessor

import transactional_attention as ta
from chat_templates import AGENT, CALL, READ, chat_tokenizer
from scenes import EXACT, byte_tokenizer, half, kept_positions
from teacher_forced import reference_logits, tiny_llama

SYSTEM = {"role": "system", "content": "Be brief. The door code is 7301."}
FIRST = [SYSTEM, {"role": "user", "content": "It rained, and nothing else happened all day. " * 3}]
NEXT = {"role": "user", "content": "What is the door code?"}


class Recorder(LogitsProcessor):
    """Keeps the logits of every step; ``spoken``: ids that the model is made to say."""

    def __init__(self, spoken=None):
        self.logits, self.spoken = [], spoken

    def __call__(self, input_ids, scores):
        self.logits.append(scores.clone())
        if self.spoken:
            scores[:, self.spoken[len(self.logits) - 1]] = 1e9
        return scores


class Talk:
    """A chat with a trace, and what it takes to judge its latest reply."""

    def __init__(
        self, template="chatml", tools=None, chunk=512, checkpoints=4, given=None, **options
    ):
        self.tokenizer = chat_tokenizer(template)
        self.model = tiny_llama(vocab_size=len(self.tokenizer))
        retention = ta.Retention(**{"budget": 48, **options})
        numbers = dict(chunk=chunk, checkpoints=checkpoints)
        self.chat = ta.Chat(
            self.model, self.tokenizer, retention, tools=tools, **numbers, **(given or {})
        )
        self.chat.cache.trace = []

    def say(self, messages, count=12, spoken=None):
        self.recorder = Recorder(spoken and self.tokenizer(spoken)["input_ids"])
        options = dict(max_new_tokens=count, do_sample=False, logits_processor=[self.recorder])
        self.found = self.chat.reply(messages, **options)
        return self.found

    def ids(self):
        self.chat.cache.read_generated()
        return torch.from_numpy(self.chat.cache.flow.sequences[0].ids.array.astype("int64"))[None]

    def error(self):
        """Largest difference of the latest reply's logits from the teacher-forced forward."""
        ids = self.ids()
        expected = reference_logits(self.model, self.chat.cache, ids, torch.ones_like(ids))
        begin = self.found.prompt - 1
        steps = len(self.recorder.logits)
        logits = torch.stack(self.recorder.logits, 1)
        return (expected[:, begin : begin + steps] - logits).abs().max().item()


OPTIONS = (
    {}, {"ledger": "on-top"}, {"positions": "compact"}, {"budget": None}, {"method": "ta+tova"},
    {"method": "arkv"},
)  # fmt: skip


@pytest.mark.parametrize(("options", "chunk"), half(OPTIONS, [512, 13]))
def test_a_reply_that_comes_back_otherwise_is_read_anew_exactly(options, chunk):
    talk = Talk(chunk=chunk, **options)
    talk.say(FIRST)
    border = talk.chat.checkpoints[-1].num_columns
    reply = talk.say([*FIRST, {"role": "assistant", "content": "It rained."}, NEXT])
    assert reply.kept == border and reply.changed_at == border + len("<|im_start|>assistant\n")
    rendered, _ = ta.encode_chat(
        [*FIRST, {"role": "assistant", "content": "It rained."}, NEXT], talk.tokenizer
    )
    expected = [*rendered["input_ids"][0].tolist(), *reply.ids[:-1]]
    assert talk.ids()[0].tolist() == expected
    if options.get("method") != "arkv":  # which holds low precision: test_precision judges it
        assert talk.error() < EXACT
    if talk.chat.cache.retention.budget:
        assert talk.chat.cache.ledger.between >= 48


def test_a_chat_that_goes_on_reads_what_is_new_alone():
    talk = Talk()
    text = "Well, it is 7301.<|im_end|>"
    first = talk.say(FIRST, len(text), spoken=text)
    reply = talk.say([*FIRST, {"role": "assistant", "content": "Well, it is 7301."}, NEXT])
    assert reply.changed_at is None and reply.kept == first.prompt + len(text) - 1
    assert talk.error() < EXACT


def test_a_chat_equals_a_fresh_cache_that_reads_the_same_cuts():
    talk = Talk()
    talk.say(FIRST)
    border = talk.chat.checkpoints[-1].num_columns
    messages = [*FIRST, {"role": "assistant", "content": "Yes."}, NEXT]
    talk.say(messages)
    inputs, sources = ta.encode_chat(messages, talk.tokenizer)
    ids, middle = inputs["input_ids"], talk.chat.checkpoints[-1].num_columns
    cache = ta.RetentionCache(
        talk.model, talk.tokenizer, talk.chat.cache.retention, sources=sources
    )
    for start, end in ((0, border), (border, middle)):
        cache.expect_prompt(ids.shape[1])
        talk.model.get_decoder()(ids[:, start:end], past_key_values=cache, use_cache=True)
    options = dict(max_new_tokens=12, do_sample=False)
    out = talk.model.generate(ids, past_key_values=cache, **options)
    assert tuple(out[0, ids.shape[1] :].tolist()) == talk.found.ids
    for old, new in zip(talk.chat.cache.managed, cache.managed, strict=True):
        assert torch.equal(old.keys, new.keys) and torch.equal(old.values, new.values)


def test_thoughts_that_the_template_drops():
    talk = Talk("thoughts")
    talk.say(FIRST)
    border = talk.chat.checkpoints[-1].num_columns
    thinking = {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nFour."}
    reply = talk.say([*FIRST, thinking, NEXT])
    assert reply.kept == border
    assert "Hm." not in talk.tokenizer.decode(talk.ids()[0])
    assert talk.error() < EXACT


def test_calls_that_are_parsed_and_rendered():
    talk = Talk("tools", tools=[READ], budget=320, protect_roles=("system",))
    talk.say(AGENT[:2])
    reply = talk.say(AGENT[:4])
    assert reply.changed_at is not None and 0 < reply.kept < reply.changed_at
    assert talk.error() < EXACT
    sequence = talk.chat.cache.flow.sequences[0]
    system = [s.span for s in sequence.ranges.sources if s.source == "system"]
    assert {p for s in system for p in range(s.start, s.end)} <= set(
        kept_positions(talk.chat.cache)
    )
    assert "# Tools" in talk.tokenizer.decode(talk.ids()[0, system[0].start : system[-1].end])
    assert {"user", "assistant", "tool"} <= {s.source for s in sequence.ranges.sources}
    assert CALL["function"]["name"] in talk.tokenizer.decode(talk.ids()[0])


def test_tools_that_a_cut_may_take_are_told():
    with pytest.warns(UserWarning, match="tools may leave a cache of 320 tokens.*--pin system"):
        Talk("tools", tools=[READ], budget=320)
    Talk("tools", tools=[READ], budget=None, method="full")  # nothing leaves
    Talk("tools", tools=[READ], budget=320, pinned=("system",))


@pytest.mark.parametrize("method", ["ta", "h2o"])
def test_the_same_question_again_goes_back(method):
    talk = Talk(method=method)
    first = talk.say(FIRST)
    again = talk.say(FIRST)
    assert again.ids == first.ids and 0 < again.kept < again.prompt
    assert talk.error() < EXACT


def test_the_oldest_change_is_found_among_the_checkpoints():
    talk = Talk(checkpoints=2)
    messages = list(FIRST)
    for number in range(3):
        talk.say(messages)
        messages += [{"role": "assistant", "content": f"Well {number}."}, NEXT]
    assert len(talk.chat.checkpoints) == 2
    second = talk.chat.checkpoints[0].num_columns
    reply = talk.say([*messages[:4], {"role": "assistant", "content": "No."}, NEXT])
    assert reply.kept == second
    with pytest.warns(UserWarning, match="before every checkpoint: all"):
        reply = talk.chat.reply([{**SYSTEM, "content": "Be long."}, NEXT], max_new_tokens=3)
    assert reply.kept == 0


def test_an_error_in_a_turn_does_not_end_the_chat():
    talk = Talk()
    first = talk.say(FIRST)

    class Stop(LogitsProcessor):
        def __call__(self, input_ids, scores):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        talk.chat.reply([*FIRST, first.message, NEXT], logits_processor=[Stop()])
    talk.say([*FIRST, {"role": "assistant", "content": "Yes."}, NEXT])
    assert talk.error() < EXACT


@pytest.mark.parametrize("options", [{}, {"method": "ta+snapkv"}, {"positions": "compact"}])
def test_a_saved_chat_goes_on(tmp_path, options):
    talk = Talk(**options)
    talk.say(FIRST)
    path = tmp_path / "chat"
    talk.chat.save(path)
    assert path.stat().st_mode & 0o777 == 0o600
    loaded = ta.Chat.load(path, talk.model, talk.tokenizer)
    messages = [*FIRST, {"role": "assistant", "content": "Yes."}, NEXT]
    reply = talk.say(messages)
    other = loaded.reply(messages, max_new_tokens=12, do_sample=False)
    assert (other.ids, other.kept) == (reply.ids, reply.kept) and reply.kept
    for old, new in zip(talk.chat.cache.managed, loaded.cache.managed, strict=True):
        assert torch.equal(old.keys, new.keys)
    with pytest.raises(ta.InputError, match="holds a chat"):
        ta.load_cache(path, talk.model, talk.tokenizer)
    talk.chat.cache.save(path)
    with pytest.raises(ta.InputError, match="holds a cache and no chat"):
        ta.Chat.load(path, talk.model, talk.tokenizer)


def test_a_chat_streams():
    stream = []

    class Streamer:
        def put(self, value):
            stream.extend(value.reshape(-1).tolist())

        def end(self):
            stream.append(None)

    talk = Talk()
    reply = talk.chat.reply(FIRST, max_new_tokens=4, do_sample=False, streamer=Streamer())
    assert stream[reply.prompt :] == [*reply.ids, None]
    assert reply.message == {"role": "assistant", "content": reply.text}


def test_what_a_chat_cannot_serve_is_refused(model):
    tokenizer = chat_tokenizer("chatml")
    with pytest.raises(ta.UnsupportedError, match="passes of its own"):
        ta.Chat(model, tokenizer, ta.Retention(method="kvzip"))
    with pytest.raises(ta.InputError, match="chunk 0"):
        ta.Chat(model, tokenizer, chunk=0)
    with pytest.raises(ta.InputError, match="leave out past_key_values"):
        ta.Chat(model, tokenizer).reply(FIRST, past_key_values=None)
    with pytest.raises(ta.InputError, match="no chat template"):
        ta.Chat(model, byte_tokenizer()).reply(FIRST)


@pytest.mark.parametrize(
    "options",
    [
        {"budget": 128, "memory": True, "pinned": ("system",)},
        {"method": "ta+tova"},
        {"positions": "compact"},
    ],
    ids=str,
)
def test_another_conversation_after_the_same_system_does_not_read_it_again(options):
    """And is that of a chat that reads all of it: the same logits, and the same tokens held."""
    system = {**SYSTEM, "content": SYSTEM["content"] + " The weather was fine." * 4}
    first, second = ([system, {"role": "user", "content": f"{n}. {NEXT['content']}"}] for n in "12")
    talk, fresh = (Talk(chunk=32, **options) for _ in range(2))
    talk.say(first)
    again, alone = talk.say(second), fresh.say(second)
    assert alone.kept == 0 and again.kept > 100 and again.ids == alone.ids
    assert all(map(torch.equal, talk.recorder.logits, fresh.recorder.logits))
    assert kept_positions(talk.chat.cache) == kept_positions(fresh.chat.cache)
    assert talk.say(first).kept == again.kept
