"""Each setting changes one thing alone; spreads and paired tests follow from the marks."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from reproduce_rows import row
from ta_lab.experiments import ablation
from ta_lab.experiments.comparing import Paired, difference, paired
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import FULL, Arm, cell_of
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


def changed(one, other):
    first, second = leaves(asdict(one)), leaves(asdict(other))
    return {name for name in first if first[name] != second[name]}


@pytest.mark.parametrize("size", ["quick", "default", "full"])
def test_every_setting_of_the_paper_changes_one_number(case, size):
    variants = ablation.as_printed_variants(Context(lambda: None, size=size))
    base = {v.method: v.retention(case, 0) for v in variants if v.title.endswith("unchanged")}
    assert set(base) == {"ta-fast-semantic", "ta-full"}
    assert len({v.title for v in variants}) == len(variants)
    for variant in variants:
        found = changed(variant.retention(case, 0), base[variant.method])
        assert len(found) == (0 if variant.title.endswith("unchanged") else 1), variant.title
        assert variant.retention(case, 0).preset == "paper"


def test_every_choice_of_ours_takes_something_back(case):
    variants = [*ablation.our_variants(16), *ablation.variants("floods", 64)]
    base = ablation.variants("choices", 16)[0].retention(case, 0)
    for variant in variants:
        settled = replace(variant.retention(case, 0), budget=16)
        assert bool(changed(settled, base)) is (variant.title != ablation.BASE)
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
        found = Scanner(["values"]).feed(text, final=True)
        assert [a.rule.split(":")[0] for a in found] == [rule]
        assert not any(permitted("", anchor.rule, (), denied[rule]) for anchor in found)


def test_cells_are_named_by_their_setting_and_resume(model, tokenizer, monkeypatch):
    few = (
        ablation.printed("unchanged"),
        ablation.printed("span L = 2", numbers={"span_length": 2}),
    )
    monkeypatch.setattr(ablation, "as_printed_variants", lambda context: few)
    one = ablation.variants("floods", 16)[:1]
    monkeypatch.setattr(ablation, "variants", lambda kind, budget: one)
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


def printed_row(title, marks, method="ta-fast-semantic"):
    block = f"as printed: {method}, {title}" if title else "as printed"
    return row(block, marks, Arm(method, 16, preset="paper") if title else FULL)


def test_spreads_and_judgement_follow_from_the_marks():
    rows = [
        printed_row("", "bbbb"),
        printed_row("unchanged", "bbbb"),
        printed_row("sponsor budget = 0", "----"),
        printed_row("sponsor budget = 30", "bbbb"),
        printed_row("weight of recency = x 2", "bbbb"),
        row("our choice, needle: unchanged", "bbbb", Arm("ta", 16)),
        row("our choice, needle: no sponsorship", "-bbb", Arm("ta", 16, sponsored=False)),
    ]
    assert ablation.spread(rows, "ta-fast-semantic", "sponsor budget") == (0, 100)
    assert ablation.spread(rows, "ta-fast-semantic", "weight of recency") == (100, 100)
    assert ablation.spread(rows, "ta-full", "sponsor budget") is None
    shown = ablation.render({"rows": rows})
    beside = "+0 -4, p = 0.12, -100 [-100, +20]"
    none = f"0 [0, 49] | {beside}"
    assert f"| sponsor budget = 0 | 16 | 4 | {none} | {none} |" in shown
    assert "| full cache | – | 4 |" in shown and "### our choice, needle" in shown
    assert "0 to 100 | spread 73, least 27, most 100 |" in shown
    last = shown.splitlines()[-1]
    counted = (
        "mixed: 1 reproduced, 1 differs of 2 numbers by their spread alone, whatever the level"
    )
    assert last.startswith(f"Judgement: {counted} of what is kept; ")
    alone = "one change alone has an effect that is no chance in"
    assert f"{alone} 0 of 4 by values kept, 0 of 4 by answers (listed above)." in last
    assert "excludes zero, 0 of 4 by values kept, 0 of 4 by answers; of so many" in shown
    assert "about 0 at most would by chance: none." in shown
    assert "; sponsor budget moves most (100 points), as in the paper; " in last
    assert "1 of 2 numbers move nothing, in the paper 0" in last
    still = [printed_row("unchanged", "bb"), printed_row("sponsor budget = 0", "bb")]
    assert "not comparable" in ablation.render({"rows": still}).splitlines()[-1]


def test_single_changes_whose_interval_excludes_zero_are_named():
    many, none = 20 * "b", 20 * "-"
    arm = Arm("ta", 16)
    rows = [
        printed_row("unchanged", many),
        printed_row("sponsor budget = 0", none),
        printed_row("span L = 2", 10 * "-" + 10 * "b"),
        printed_row("weight of recency = x 2", "-" + 19 * "b"),
        row("our choice, needle: unchanged", many, arm),
        row("our choice, needle: no sponsorship", none, arm),
        row("our choice, needle: 4 sinks, 1 recent", many, arm),
        row("our choice, needle: no labels kept", 20 * "k", arm),
        row("our choice, json: unchanged", none, arm),
        row("our choice, json: no sponsorship", 6 * "b" + 14 * "-", arm),
    ]
    shown = ablation.render({"rows": rows})
    assert "excludes zero, 4 of 7 by values kept, 5 of 7 by answers;" in shown
    line = "| our choice, json | ta | no sponsorship | values kept | +30 [+2, +30] |"
    assert line in shown and line.replace("values kept", "answers") in shown
    line = "| as printed | ta-fast-semantic | sponsor budget = 0 | values kept | -100 [-100, -66] |"
    assert line in shown
    line = "| our choice, needle | ta | no labels kept | answers | -100 [-100, -66] |"
    assert line in shown and line.replace("answers", "values kept") not in shown
    last = shown.splitlines()[-1]
    assert "no chance in 4 of 7 by values kept, 5 of 7 by answers (listed above)." in last


def test_the_interval_of_a_difference_is_the_sign_tests():
    for gained, lost in ((5, 0), (6, 0), (0, 6), (9, 1), (8, 2), (3, 14), (4, 14), (0, 0)):
        found = paired("b" * gained + "-" * (lost + 20), "-" * gained + "b" * lost + 20 * "-", "b")
        apart = difference(found, gained + lost + 20)
        assert apart.excludes_zero == (found.p < 0.05), (gained, lost)
        assert apart.low <= apart.value <= apart.high
    assert str(difference(Paired(0, 0, 1.0), 9)) == "+0 [+0, +0]"


def test_pairs_are_compared_case_by_case():
    assert paired("bbbbb", "-----", "b") == (5, 0, 2 / 32)
    assert paired("bk-a", "bk-a", "bk") == (0, 0, 1.0)
    assert paired("b-b-", "-b-b", "b") == (2, 2, 1.0)
