"""Every task: as long as asked, the value where the span says, fresh values, templates held out."""

import re

import pytest

from scenes import half
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.fillers import DETECTORS, paragraphs
from ta_lab.generators import TASKS, make, ruler
from ta_lab.generators.needle import needle_case
from ta_lab.generators.placing import Setting
from ta_lab.generators.statements import PHRASINGS, SITUATIONS
from transactional_attention import InputError, UnknownNameError, load_embedded
from transactional_attention.detection.scanner import Scanner

PLAIN = [(name, variant) for name, task in TASKS.items() for variant in task.variants]
ROLES = ("system", "user", "assistant", "tool")
RULER = {  # needles that are asked for or beside it, and their keys; haystacks of needles have more
    **dict.fromkeys(("niah_single_1", "niah_single_2", "niah_single_3"), (1, 1)),
    **dict.fromkeys(("niah_multikey_1", "niah_multikey_2", "niah_multikey_3"), (4, 4)),
    "niah_multivalue": (4, 1),
    "niah_multiquery": (4, 4),
}
FORMS = {
    "words": r"[a-z]+-[a-z]+",
    "numbers": r"[1-9]\d{6}",
    "uuids": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
}


@pytest.fixture(scope="module")
def tokenizer():
    return load_embedded()[1]


def setting(variant, seed=3, depth=0.5, tokens=1024):
    return Setting(tokens, depth, seed, "pydoc", variant)


@pytest.mark.parametrize(("name", "variant"), PLAIN)
def test_the_value_is_in_its_span_and_in_the_answer_only(tokenizer, name, variant):
    for seed in range(4):
        for index, case in enumerate(make(name, tokenizer, setting(variant, seed))):
            spans = [case.context[v.start : v.end] for v in case.values]
            asked = [text for text in spans if text in case.answer]
            assert len(asked) == case.answer.count("\n") + 1
            assert {*asked} == {*case.answer.split("\n")} or name == "toolcall"
            assert all(case.context.count(text) == 1 for text in asked)
            assert not any(text in case.question for text in asked)
            assert case.critical
            assert case.family == name, index


@pytest.mark.parametrize(("name", "variant"), PLAIN)
@pytest.mark.parametrize("depth", [0.0, 0.9])
def test_length_and_depth(tokenizer, name, variant, depth):
    for case in make(name, tokenizer, setting(variant, depth=depth)):
        encoded = encode_case(tokenizer, case)
        total = len(encoded.ids) + len(encoded.question)
        assert 0.9 * 1024 <= total <= 1024 + 16
    if name not in ("multislot", "alike", "toolcall", "ruler", "recalled"):
        assert encoded.values[-1].start / len(encoded.ids) == pytest.approx(depth, abs=0.2)


@pytest.mark.parametrize(("name", "variant"), PLAIN)
def test_seeds_decide_everything(tokenizer, name, variant):
    first, again = (make(name, tokenizer, setting(variant)) for _ in range(2))
    assert first == again
    answers = {make(name, tokenizer, setting(variant, seed))[0].answer for seed in range(6)}
    assert len(answers) == 6


@pytest.mark.parametrize(("context", "depth"), half([256, 1024, 4096], [0.0, 0.1, 0.5, 0.9, 1.0]))
def test_a_needle_of_any_length_lies_where_asked(tokenizer, context, depth):
    case = needle_case(tokenizer, context=context, depth=depth, seed=3)
    encoded = encode_case(tokenizer, case)
    total = len(encoded.ids) + len(encoded.question)
    (value,) = encoded.values
    assert context * 0.93 - 8 <= total <= context + 4
    assert value.start / len(encoded.ids) == pytest.approx(depth, abs=0.12)
    assert case.context.count(f"The secret code is: {case.answer}") == 1


def test_anchor_free_filler_has_no_anchor():
    texts = paragraphs("anchor-free")
    assert len(texts) > 500
    assert Scanner(DETECTORS).feed("\n".join(texts[:400]), True) == []


def test_a_file_as_filler(tokenizer, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one two three four five six\n \nseven eight nine ten eleven twelve")
    case = needle_case(tokenizer, context=200, depth=0.5, seed=0, filler_name=str(path))
    assert "seven eight nine" in case.context
    assert str(tmp_path) not in case.id


@pytest.mark.parametrize("content", [b"", b"short\n\nlines", b"\xff\xfe bad"])
def test_unusable_fillers_are_named(tokenizer, tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"words\.txt"):
        needle_case(tokenizer, context=200, depth=0.5, seed=0, filler_name=str(path))


def test_questions_of_one_context_share_it(tokenizer):
    cases = make("multislot", tokenizer, setting("4"))
    assert len(cases) == 4
    assert len({case.context for case in cases}) == 1
    assert len({case.answer for case in cases}) == len({case.id for case in cases}) == 4
    assert all(len(case.critical) == 4 for case in cases)


def test_confusers_are_stated_and_not_critical(tokenizer):
    (case,) = make("confusers", tokenizer, setting("10"))
    assert len(case.values) == 11
    assert [case.context[v.start : v.end] for v in case.critical] == [case.answer]


@pytest.mark.parametrize("variant", ruler.SHAPES)
def test_needles_are_as_many_as_ruler_says(tokenizer, variant):
    """Needles asked for, those of the haystack, and the kinds of keys and values."""
    cases, shape = make("ruler", tokenizer, setting(variant, tokens=2048)), ruler.SHAPES[variant]
    values, keys = RULER[variant]
    (context,) = {case.context for case in cases}
    needles = re.findall(r"lucky \w+ for (\S+) is: (\S+)\.", context)
    stated = {text: key for key, text in needles}
    assert len(stated) == len(needles)  # no value twice
    assert len({key for key, _ in needles}) == len(needles) // shape.num_values
    assert all(re.fullmatch(FORMS[shape.values], value) for value in stated)
    assert all(re.fullmatch(FORMS[shape.keys], key) for key in stated.values())
    alone = shape.haystack != "needles"
    assert (len(needles) == values) if alone else (len(needles) > 10)
    assert len({key for key, _ in needles}) == keys if alone else True
    assert len(cases) == (4 if "multikey" in variant else 1)
    for case in cases:
        asked = case.answer.split("\n")
        assert all(stated[value] in case.question for value in asked)
        assert len(asked) == (4 if variant in ("niah_multivalue", "niah_multiquery") else 1)
        assert [v.label for v in case.critical] == [
            stated[context[v.start : v.end]] for v in case.critical
        ]
    assert {a for case in cases for a in case.answer.split("\n")} == {
        context[v.start : v.end] for v in cases[0].critical
    }


def test_ruler_scores_by_the_share_of_references():
    answer = "1234567\nabc-1"
    assert ruler.found_in("It is ABC-1.", answer) == 1
    assert ruler.found_in("1234567 and abc-1", answer) == 2
    assert ruler.found_in("123456", answer) == 0


def test_a_correction_comes_last(tokenizer):
    for seed in range(8):
        (case,) = make("corrections", tokenizer, setting("", seed, depth=0.1))
        old, new = case.values
        assert old.end <= new.start
        assert case.context[new.start : new.end] == case.answer
        assert not old.critical


@pytest.mark.parametrize("length", ["12", "32"])
def test_tool_calls_are_turns_with_their_sources(tokenizer, length):
    (case,) = make("toolcall", tokenizer, setting(length))
    assert case.question.startswith("\nUser: ") and case.question.endswith("\nAssistant:")
    (value,) = case.values
    assert value.end - value.start == int(length)
    assert re.fullmatch(r'\w+\(\w+="\w+"\)', case.answer)
    assert case.context[value.start : value.end] in case.answer
    encoded = encode_case(tokenizer, case)
    assert {source.source for source in encoded.sources} == set(ROLES)
    assert len(encoded.ids) + len(encoded.question) == pytest.approx(1024, abs=100)
    holder = [s for s in case.sources if s.start <= value.start < s.end]
    assert [source.source for source in holder] == ["user"]


def test_bad_settings_are_named(tokenizer):
    with pytest.raises(UnknownNameError, match="needle"):
        make("needles", tokenizer, setting(""))
    with pytest.raises(InputError, match="ini"):
        make("formats", tokenizer, setting("toml"))
    for name, variant in PLAIN:
        with pytest.raises(InputError, match="tokens"):
            make(name, tokenizer, setting(variant, tokens=8))


def test_situations_are_many_and_paraphrases_do_not_name_the_label():
    assert len(SITUATIONS) >= 20
    for situation in SITUATIONS:
        assert all(cue.count("{value}") == 1 for cue in situation.cues)
        assert all(situation.label not in text for text in situation.paraphrases)


def test_phrasings_are_well_formed():
    """That training has none of them: test_held_out."""
    assert len(PHRASINGS) == 14
    for phrasings in PHRASINGS.values():
        assert len(phrasings) == len(set(phrasings)) >= 6
        assert len({phrasing.label for phrasing in phrasings}) == 4
        for phrasing in phrasings:
            assert phrasing.statement.count("{value}") == 1
            assert phrasing.label in phrasing.statement and phrasing.label in phrasing.question
            assert phrasing.question.startswith("\n\n")
            assert "{" not in phrasing.statement.replace("{value}", "") + phrasing.question
