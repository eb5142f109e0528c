"""The collection: well formed, the same for a seed, and split by template."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from ta_lab.cases.cases import parse_case
from ta_lab.collection import SPLITS, collection, to_jsonl
from ta_lab.collection.composing import fill
from ta_lab.collection.values import GROUPS, VOCABULARY
from ta_lab.values.placeholders import SLOT
from transactional_attention.errors import UnknownNameError

RUN = 13
LANGUAGES = {"en", "es", "fr", "de", "it", "pt", "ru", "ar", "hi", "tr", "zh", "ja", "ko"}


@pytest.fixture(scope="module")
def cases():
    return {split: collection(split) for split in SPLITS}


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_is_wide(cases, split):
    split_cases = cases[split]
    with_values = [case for case in split_cases if case.critical]
    assert len(with_values) >= 600
    assert len({case.id for case in split_cases}) == len(split_cases)
    assert len({case.family for case in split_cases}) >= 26
    assert {case.lang for case in split_cases} >= LANGUAGES
    assert len({case.meta["kind"] for case in with_values}) >= 18
    assert {case.family for case in split_cases} == {case.family for case in cases["test"]}


@pytest.mark.parametrize("split", SPLITS)
def test_every_family_has_its_number_of_cases(cases, split):
    counts, definition = Counter(case.family for case in cases[split]), SPLITS[split]
    languages = {f"lang-{lang}": texts for lang, texts in definition.languages.items()}
    templates = {**definition.families, **definition.agents, **languages}
    templates |= {name: definition.confusers for name in counts if name.startswith("confusers-")}
    for family, number in counts.items():
        group = family.split("-")[0]
        per = {"kind": "shape", "confusers": "confusers", "flood": "flood", "value": "plain"}
        counted = getattr(definition.counts, per.get(group, "family"))
        assert number == max(counted, len(templates.get(family, ()))), family


@pytest.mark.parametrize("split", SPLITS)
def test_cases_are_well_formed(cases, split):
    for case in cases[split]:
        stated = [case.context[v.start : v.end] for v in case.values]
        kept = [case.context[v.start : v.end] for v in case.critical]
        assert all(text and text == text.strip() for text in stated)
        assert case.answer == "\n".join(dict.fromkeys(kept))
        assert bool(case.critical) != case.family.startswith("value-free")
        assert bool(case.question) == bool(case.critical)
        assert not any(text in case.question for text in kept)
        assert not set("⟦⟧§") & set(case.context + case.question), case.id
        assert all(s.start < s.end <= len(case.context) for s in case.sources)
        assert case.budget is None


@pytest.mark.parametrize("split", SPLITS)
def test_a_written_case_is_read_back(cases, split):
    lines = to_jsonl(cases[split]).splitlines()
    assert [parse_case(line) for line in lines[::20]] == cases[split][::20]


def test_the_same_seed_gives_the_same_cases(cases):
    assert collection("development") == cases["development"]
    other = {case.id: case.answer for case in collection("development", seed=1)}
    moved = [
        case for case in cases["development"] if case.critical and other[case.id] != case.answer
    ]
    assert len(moved) > 0.99 * len([case for case in cases["development"] if case.critical])


def test_an_unknown_split_is_named():
    with pytest.raises(UnknownNameError, match="developmet"):
        collection("developmet")


def plain(template):
    """The template's own words."""
    return SLOT.sub(" ", template).replace("{kind}", " ").replace("{label}", " ")


def runs(text):
    spaced = "".join(f" {c} " if c > "⺀" else c for c in text.lower())
    words = spaced.split()
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@pytest.mark.parametrize("pair", list(combinations(SPLITS, 2)), ids="-".join)
def test_no_template_and_no_long_run_is_shared(pair):
    first_texts, other = ([plain(text) for text in SPLITS[name].texts()] for name in pair)
    folded = [{" ".join(text.lower().split()) for text in texts} for texts in (first_texts, other)]
    assert not folded[0] & folded[1]
    seen = {run for text in first_texts for run in runs(text)}
    assert not [number for number, text in enumerate(other) if runs(text) & seen]


def test_every_slot_has_a_kind():
    known = {*VOCABULARY.kinds, *GROUPS}
    for split in SPLITS.values():
        for text in split.texts():
            filled = text.replace("{kind}", "pin").replace("⟦*⟧", "")
            slots = list(SLOT.finditer(filled))
            assert len(slots) == filled.count("⟦")
            assert all(set(slot.group(2).split("/")) <= known for slot in slots)


def test_a_slot_gives_its_value_and_label():
    block = fill("a ⟦!pin|door code⟧ and ⟦pin|other⟧ at ⟦int⟧", random.Random(0))
    assert [(v.label, v.critical) for v in block.values] == [("door code", True), ("other", False)]
    assert block.question == "What is the door code?" and block.kind == "pin"
    assert [block.text[v.start : v.end].isdigit() for v in block.values] == [True, True]


@pytest.mark.parametrize("split", SPLITS)
def test_floods_are_paired_with_their_control(cases, split):
    by_id = {case.id: case for case in cases[split]}
    for index in range(SPLITS[split].counts.flood):
        control = by_id[f"{split}-flood-none-sourced-{index}"]
        flooded = by_id[f"{split}-flood-templated-sourced-{index}"]
        bare = by_id[f"{split}-flood-templated-plain-{index}"]
        assert control.answer == flooded.answer == bare.answer
        assert replace(flooded, id="", family="", sources=()) == replace(bare, id="", family="")
        assert len(flooded.context) > len(control.context)
        (value,) = control.critical
        assert [s.source for s in control.sources if s.start <= value.start < s.end] == ["user"]
