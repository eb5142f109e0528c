"""Cases as conversations: turns and values where the template wrote them, up to the question."""

import copy
from dataclasses import replace

import pytest

from scenes import byte_tokenizer, template
from ta_lab.cases.cases import Case, CaseSource, Value
from ta_lab.cases.conversation import LOOK_UP, NOTED
from ta_lab.cases.encoding import asked_of, encode_case
from ta_lab.cases.runner import CaseRunner, TextRunner
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from transactional_attention import InputError, Retention, load_embedded
from transactional_attention.cli.prompts import ALONE, PLAIN, asking, asks_in_chat

TURNS = template("case-turns")
CALLS = template("case-calls")
ALTERNATES = template("case-alternates")
LAST_ALONE = template("case-last-alone")
DROPS = template("case-drops")

TEXT = "System: Be brief.\n\nUser: The door code is QX81-77.\n\nTool: the door code\n\n"
VALUE = Value(TEXT.index("QX81"), TEXT.index(".\n\nTool"), "door code")
SOURCES = tuple(
    CaseSource(TEXT.index(said), TEXT.index(said) + len(said), role)
    for role, said in (
        ("system", "Be brief."),
        ("user", "The door code is QX81-77."),
        ("tool", "the door code\n\n"),
    )
)
CASE = Case("c", TEXT, "\n\nWhat is the door code?", "QX81-77", (VALUE,), SOURCES)
ALONE_STANDING = Case("c", TEXT, "\n\nWhat is the door code?", "QX81-77", (VALUE,))


@pytest.fixture
def turns():
    """A tokenizer whose template writes the turns of a case as they are."""
    return byte_tokenizer(TURNS)


def said(tokenizer, encoded):
    return tokenizer.decode(encoded.ids), tokenizer.decode(encoded.question)


def held(tokenizer, encoded):
    return [tokenizer.decode(encoded.ids[v.start : v.end]) for v in encoded.values]


def test_text_with_sources_is_turns_that_keep_them(turns):
    encoded = encode_case(turns, CASE)
    assert said(turns, encoded) == (
        "[system]Be brief.[end]\n[user]The door code is QX81-77.[end]\n[tool]the door code[end]\n",
        f"[user]What is the door code?\n{ALONE}[end]\n[assistant]\n",
    )
    assert held(turns, encoded) == ["QX81-77"]
    sources = [s for s in encoded.sources if not s.template]
    texts = [turns.decode(encoded.ids[s.span.start : s.span.end]) for s in sources]
    assert list(zip((s.source for s in sources), texts, strict=True)) == [
        ("system", "Be brief."),
        ("user", "The door code is QX81-77."),
        ("tool", "the door code"),
    ]
    assert sum(len(s.span) for s in encoded.sources) == len(encoded.ids)


def test_text_without_sources_is_one_user_turn_and_kept_ranges_are_of_the_original(turns):
    encoded = encode_case(turns, ALONE_STANDING)
    context, _ = said(turns, encoded)
    assert context == f"[system]Be kind.[end]\n[user]{TEXT.strip()}[end]\n"
    assert (encoded.sources[0].source, encoded.sources[0].template) == ("system", True)
    assert encoded.kept_characters(range(len(encoded.ids))) == [[0, len(TEXT.strip())]]
    (value,) = encoded.values
    assert encoded.kept_characters(range(value.start, value.end)) == [[VALUE.start, VALUE.end]]
    outcome = TextRunner(turns, encoded).run(Retention(40))
    assert outcome.retained
    kept = encoded.kept_characters(outcome.kept)
    assert any(a <= VALUE.start and VALUE.end <= b for a, b in kept)


def test_another_question_leaves_the_context_as_it_is(turns):
    first = encode_case(turns, CASE)
    other = Case(**{**vars(CASE), "question": "Who?", "answer": "Ann"})
    asked = asked_of(turns, first, other)
    assert (asked.ids, asked.answers) == (encode_case(turns, other).ids, ("Ann",))
    assert asked.question == encode_case(turns, other).question != first.question


def test_a_value_between_sources_is_said_too(turns):
    encoded = encode_case(turns, Case(**{**vars(CASE), "sources": SOURCES[::2]}))
    context, _ = said(turns, encoded)
    assert "[user]User: The door code is QX81-77.\n\nTool:[end]" in context
    assert held(turns, encoded) == ["QX81-77"]
    assert "unknown" in {s.source for s in encoded.sources}


def test_a_template_that_wants_roles_to_alternate_has_them_so():
    tokenizer = byte_tokenizer(ALTERNATES)
    context, question = said(tokenizer, encode_case(tokenizer, ALONE_STANDING))
    assert context.endswith("[end]\n") and "QX81" in context
    assert NOTED in context + question and question.endswith("[assistant]")
    assert held(tokenizer, encode_case(tokenizer, CASE)) == ["QX81-77"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ raise_exception('no') }}", "refuses its turns"),
        (LAST_ALONE, "rewrites earlier turns|leaves a turn out"),
        (DROPS, "leaves a turn out"),
    ],
)
def test_a_template_that_does_otherwise_is_named(text, reason):
    with pytest.raises(InputError, match=f"case c: .*({reason}).*--raw"):
        encode_case(byte_tokenizer(text), CASE)


def test_a_call_is_asked_for_and_answered_as_the_template_writes_calls(turns):
    tokenizer = byte_tokenizer(CALLS)
    (case,) = make("toolcall", tokenizer, Setting(3000, 0.5, 1, "pydoc", "12"))
    encoded = encode_case(tokenizer, case)
    context, question = said(tokenizer, encoded)
    name, arguments = case.call["name"], case.call["arguments"]
    ((parameter, value),) = arguments.items()
    assert f'"name": "{name}"' in context and LOOK_UP["name"] in context
    assert question.startswith("[user]") and ALONE not in question
    assert question.endswith(f'"{parameter}": "') and "<call>{" in question
    assert all(answer.startswith(f'{value}"') for answer in encoded.answers)
    whole = replace(case, opened=False)
    encoded = encode_case(tokenizer, whole)
    assert said(tokenizer, encoded) == (context, question[: question.index("<call>{")])
    assert case.answer in encoded.answers and len(encoded.answers) >= 3
    assert all(value in answer for answer in encoded.answers)
    assert any(answer.startswith("<call>{") for answer in encoded.answers)
    context, question = said(turns, encode_case(turns, case))  # neither definitions nor calls
    assert question.endswith(f'{{"name": "{name}", "arguments": {{"{parameter}": "')
    assert LOOK_UP["name"] not in context and "[assistant][end]" not in context


def test_plain_text_is_what_other_models_get(tmp_path):
    model, tokenizer = load_embedded()
    assert tokenizer.chat_template and not asks_in_chat(tokenizer)
    assert encode_case(tokenizer, CASE).ids == tokenizer(TEXT)["input_ids"]
    chat = copy.deepcopy(tokenizer)
    del chat.init_kwargs[PLAIN]
    runner = CaseRunner(model, chat, CASE, "hidden")
    assert runner.encoded.chat and runner.run(Retention(40)).kept
    again = runner.asking(Case(**{**vars(CASE), "answer": "x"}))
    assert again.encoded.question == runner.encoded.question
    assert encode_case(asking((None, chat), raw=True)[1], CASE).ids == tokenizer(TEXT)["input_ids"]
