"""A split's cases: every family, from its templates in turn, the same for the same seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from ..cases.cases import Case
from .composing import QUESTIONS, depths_of, fill, fill_parts, make_case, weave
from .floods import FLOODS, flood_case
from .splits import Split, get_split
from .surroundings import DOCUMENTATION, documentation, surroundings
from .transcripts import STYLES, idle_turns, parse_turns, render

CONFUSERS = (1, 2, 5, 10)
MORE = 8  # further paragraphs in every other English text without a value
PLAIN = "value-free"
"""What families without any value begin with: they measure what is kept for nothing."""


def collection(split: str, seed: int = 0) -> list[Case]:
    """The cases of one of ``SPLITS``; ids are unique and name no value. Raises UnknownNameError
    for another split."""
    return list(_cases(get_split(split), seed))


def to_jsonl(cases: Sequence[Case]) -> str:
    """One JSON object a case and line, as ``read_cases`` reads them."""
    return "".join(f"{json.dumps(asdict(case), ensure_ascii=False)}\n" for case in cases)


def _cases(split: Split, seed: int) -> Iterator[Case]:
    for family, index, template in _in_turn(split, split.families):
        yield _woven(split, family, template, index, seed)
    for family, index, template in _in_turn(split, split.agents):
        yield _conversation(split, family, template, index, seed)
    for lang, index, template in _in_turn(split, split.languages):
        yield _woven(split, f"lang-{lang}", template, index, seed, lang)
    for kind, name in split.shape_names.items():
        for index in range(split.counts.shape):
            template = split.shapes[index % len(split.shapes)]
            template = template.replace("{kind}|{kind}⟧", f"{kind}|{name}⟧")
            template = template.replace("{kind}", name)
            yield _woven(split, f"kind-{kind}", template, index, seed)
    for count in CONFUSERS:
        for index in range(max(split.counts.confusers, len(split.confusers))):
            yield _confusers(split, count, index, seed)
    for flood in FLOODS:
        for sourced in (True, False):
            for index in range(split.counts.flood):
                yield flood_case(split, flood, index, seed, sourced=sourced)
    for index in range(split.counts.plain):
        yield from _value_free(split, index, seed)


def _in_turn(split: Split, families: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int, str]]:
    """A family, the number of a case and its template, family by family."""
    for family, templates in families.items():
        for index in range(split.cases_of(templates)):
            yield family, index, templates[index % len(templates)]


def _rng(split: Split, family: str, index: int, seed: int) -> random.Random:
    return random.Random(f"{split.name}/{family}/{index}/{seed}")


def _woven(
    split: Split, family: str, template: str, index: int, seed: int, lang: str = "en"
) -> Case:
    """A template among its surroundings."""
    rng = _rng(split, family, index, seed)
    blocks, question = fill_parts(template, rng, lang)
    around, text = surroundings(rng, family, lang, split.paragraphs)
    in_line = len(blocks) == 1 and "\n" not in blocks[0].text
    joint = rng.choice(("\n\n", "\n")) if in_line else "\n\n"
    depths = depths_of(rng, len(blocks))
    context, values = weave(text, blocks, depths, joint)
    kind, depth = next(b.kind for b in blocks if b.kind), round(depths[-1], 3)
    meta = {"kind": kind, "around": around, "depth": depth}
    return make_case(split.name, family, index, context, values, question, lang=lang, meta=meta)


def _conversation(split: Split, family: str, template: str, index: int, seed: int) -> Case:
    """A transcript: idle turns after its own, in half of the cases before them too."""
    rng = _rng(split, family, index, seed)
    around = rng.choice(DOCUMENTATION)
    turns = parse_turns(template, rng, idle_turns(rng, around, rng.randrange(1_200, 5_000)))
    if rng.random() < 0.5:
        first = 1 if turns[0].role == "system" else 0
        turns[first:first] = idle_turns(rng, around, rng.randrange(400, 2_000))
    context, values, sources = render(turns, rng.choice(STYLES))
    sourced = index % 2 == 0
    asked = next(turn.block for turn in turns if turn.block.kind)
    return make_case(
        split.name,
        family,
        index,
        context,
        values,
        asked.question,
        sources=sources if sourced else (),
        meta={"kind": asked.kind, "around": around, "sourced": sourced},
    )


def _confusers(split: Split, count: int, index: int, seed: int) -> Case:
    """One value asked for among ``count`` others; every label differs."""
    family = f"confusers-{count}"
    rng = _rng(split, family, index, seed)
    blocks = []
    for place, (label, kind) in enumerate(rng.sample(split.confuser_labels, count + 1)):
        text = rng.choice(split.confusers).replace("{label}", label).replace("{kind}", kind)
        blocks.append(fill(text if place else text.replace("⟦", "⟦!"), rng))
    asked = blocks[0]
    rng.shuffle(blocks)
    around, text = surroundings(rng, family, "en", split.paragraphs)
    context, values = weave(text, blocks, depths_of(rng, len(blocks)), "\n\n")
    meta = {"kind": asked.kind, "around": around}
    return make_case(split.name, family, index, context, values, asked.question, meta=meta)


def _value_free(split: Split, index: int, seed: int) -> Iterator[Case]:
    """Texts without a value: paragraphs in English, in any language, and documentation."""
    rng = _rng(split, PLAIN, index, seed)
    english = split.paragraphs["en"]
    other = [text for lang in QUESTIONS for text in split.paragraphs[lang]]
    texts = {
        PLAIN: "\n\n".join(rng.sample(english, len(english) // 2 + index % 4)),
        f"{PLAIN}-languages": "\n\n".join(rng.sample(other, len(other) // 2)),
        f"{PLAIN}-pydoc": documentation("pydoc", rng.randrange(1_200, 6_000), rng),
    }
    if split.value_free and index % 2:
        texts[PLAIN] = "\n\n".join(_rng(split, "more", index, seed).sample(split.value_free, MORE))
    for family, text in texts.items():
        yield make_case(split.name, family, index, text, (), "")
