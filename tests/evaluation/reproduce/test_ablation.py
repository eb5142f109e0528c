"""Each setting changes one thing alone; paired tests follow from the marks."""

from dataclasses import asdict, replace

import pytest

from ta_lab.experiments import ablation
from ta_lab.experiments.exact_tests import paired
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import cell_of, changed
from ta_lab.experiments.running import run_blocks
from ta_lab.generators.needle import needle_case
from transactional_attention.detection.permits import permitted
from transactional_attention.detection.scanner import Scanner


@pytest.fixture
def case(tokenizer):
    return needle_case(tokenizer, context=300, depth=0.5, seed=0)


def leaves(value, name=""):
    """Every field of nested settings, by its path."""
    if not isinstance(value, dict):
        return {name: value}
    return {k: v for key, part in value.items() for k, v in leaves(part, f"{name}.{key}").items()}


def differing(one, other):
    first, second = leaves(asdict(one)), leaves(asdict(other))
    return {name for name in first if first[name] != second[name]}


@pytest.mark.parametrize("size", ["quick", "default", "full"])
def test_every_setting_of_the_paper_changes_one_number(case, size):
    variants = ablation.as_printed_variants(Context(lambda: None, size=size))
    base = {v.method: v.retention(case, 0) for v in variants if v.title.endswith("unchanged")}
    assert set(base) == {"ta-fast-semantic", "ta-full"}
    assert len({v.title for v in variants}) == len(variants)
    for variant in variants:
        differences = differing(variant.retention(case, 0), base[variant.method])
        assert len(differences) == (0 if variant.title.endswith("unchanged") else 1), variant.title
        assert variant.retention(case, 0).preset == "paper"


def test_every_choice_of_ours_takes_something_back(case):
    variants = [*ablation.our_variants(16), *changed("floods", [64])]
    base = changed("choices", [16])[0].retention(case, 0)
    for variant in variants:
        settled = replace(variant.retention(case, 0), budget=16)
        assert bool(differing(settled, base)) is (variant.title != ablation.BASE)
    assert not variants[1].sponsored and variants[1].retention(case, 0).sponsorship.strength == 0


def test_a_detector_that_is_denied_sponsors_nothing():
    texts = {
        "structure": 'api_key = "QX7K9Z2M"\n',
        "stated": "The door code is 7301.",
        "shape": "0b5c3c2e-1f64-4a1c-9a6d-5d2f0c7e8b91",
    }
    denied = {deny[0].split(":")[0]: deny for v in ablation.our_variants(16)
              for name, deny in v.change if name == "deny"}  # fmt: skip
    assert set(denied) == set(texts)
    for rule, text in texts.items():
        anchors = Scanner(["values"]).feed(text, final=True)
        assert [a.rule.split(":")[0] for a in anchors] == [rule]
        assert not any(permitted("", anchor.rule, (), denied[rule]) for anchor in anchors)


def test_cells_are_named_by_their_setting_and_resume(model, tokenizer, monkeypatch):
    few = (
        ablation.printed("unchanged"),
        ablation.printed("span L = 2", numbers={"span_length": 2}),
    )
    monkeypatch.setattr(ablation, "as_printed_variants", lambda context: few)
    one = changed("floods", [16])[:1]
    monkeypatch.setattr(ablation, "changed", lambda kind, budgets: one)
    monkeypatch.setattr(ablation, "our_variants", lambda budget: one)
    monkeypatch.setattr(Context, "pick", lambda self, q, d, f: 400 if q == 1024 else q)
    context = Context(lambda: (model, tokenizer), size="quick")
    blocks = ablation.blocks(context)
    rows = run_blocks(context, blocks)["rows"]
    assert [r["block"] for r in rows[:3]] == [
        "as printed",
        "as printed: ta-fast-semantic, unchanged",
        "as printed: ta-fast-semantic, span L = 2",
    ]
    assert [r["retained"] for r in rows[:3]] == [1, 1, 0]
    assert len({cell_of(r) for r in rows}) == len(rows)
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=rows)
    assert run_blocks(again, blocks)["rows"] == rows


def test_floods_without_sources_are_the_same_texts(tokenizer):
    context = Context(lambda: (None, tokenizer), size="quick")
    known, unknown = ablation.blocks(context)[-2:]
    (first,), (second,) = known.make(tokenizer, 0), unknown.make(tokenizer, 0)
    assert first.context == second.context and first.sources and not second.sources


def test_pairs_are_compared_case_by_case():
    assert paired("bbbbb", "-----", "b") == (5, 0, 2 / 32)
    assert paired("bk-a", "bk-a", "bk") == (0, 0, 1.0)
    assert paired("b-b-", "-b-b", "b") == (2, 2, 1.0)
